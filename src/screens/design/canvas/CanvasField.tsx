import { VisuallyHidden } from '@mantine/core'
import { IconCalculator, IconEye, IconShieldCheck } from '@tabler/icons-react'
import { memo, useRef } from 'react'
import type { Edge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/types'
import { useTranslation } from 'react-i18next'
import type { DesignColumn } from '#core/design/design.ts'
import { readSpan } from '#core/form/definition/pageLook.ts'
import type { FieldPlace } from '#src/form/layout/places.ts'
import { checksOf, extensionOf, labelIn, typeOf } from '#src/screens/design/columns.ts'

import classes from './canvas.module.css'
import dragging from './dragging/dragging.module.css'
import { useFieldDrag } from './dragging/dropTargets.ts'
import { FieldPreview } from './FieldPreview.tsx'
import type { PreviewWords } from './FieldPreview.tsx'

interface CanvasFieldProps {
  readonly column: DesignColumn
  readonly words: PreviewWords
  readonly selected: boolean
  readonly focusable: boolean
  readonly canEdit: boolean
  /** The table of which the field is a column. */
  readonly table: string | null
  /** Key of the field's section; not used in a table. */
  readonly section: string
  /** Where it stands on a wide page; undefined where the definition itself says so. */
  readonly place: FieldPlace | undefined
  /** The page's own settings. */
  readonly settings: unknown
  readonly dragged: boolean
  /** The edge at which the dragged field would be dropped. */
  readonly line: Edge | undefined
}

/** A field on the page as it will be, with marks for the rules that concern it. Draws again only when it changes. */
export const CanvasField = memo(function CanvasField(props: CanvasFieldProps) {
  const { column, words, selected, focusable, canEdit, table, section, place, settings, dragged, line } = props
  const { t } = useTranslation('design')
  const field = useRef<HTMLDivElement>(null)
  useFieldDrag(field, { table, section, prop: column.prop, canEdit })
  const name = labelIn(column, words.language) || t('canvas.untitled')
  const type = t(`types.${typeOf(column)}`)
  const marks = marksOf(column)
  const said = [
    ...(column.required === true ? [t('canvas.marks.required')] : []),
    ...marks.map((mark) => t(`canvas.marks.${mark}`)),
  ]
  return (
    <div
      ref={field}
      // A native option holds only text, and cannot be dragged.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="option"
      aria-selected={selected}
      tabIndex={focusable ? 0 : -1}
      className={[classes.field, dragging.droppable, dragged && dragging.dragged].filter(Boolean).join(' ')}
      data-prop={column.prop}
      data-table={table ?? ''}
      data-line={line}
      data-place={place}
      data-tag={`${type} · ${column.prop}`}
      data-marks={marks.length > 0 || undefined}
      style={place === undefined ? { gridColumn: `span ${readSpan(column.span) ?? 24}` } : undefined}
    >
      <VisuallyHidden>{[name, column.prop, type, ...said].join(' ')}</VisuallyHidden>
      <FieldPreview column={column} name={name} table={table} place={place} settings={settings} words={words} />
      {marks.length > 0 && (
        <span className={classes.marks} aria-hidden="true">
          {marks.map((mark) => {
            const Mark = MARKS[mark]
            return (
              <span key={mark} title={t(`canvas.marks.${mark}`)}>
                <Mark size={16} />
              </span>
            )
          })}
        </span>
      )}
    </div>
  )
})

const MARKS = { show: IconEye, calculate: IconCalculator, checks: IconShieldCheck } as const

/** What rules do to a field: whether it is shown or asked for, its value, its checks. */
function marksOf(column: DesignColumn): readonly (keyof typeof MARKS)[] {
  const { show, calculate, require } = extensionOf(column)
  return [
    ...(show !== undefined || require !== undefined ? (['show'] as const) : []),
    ...(calculate === undefined ? [] : (['calculate'] as const)),
    ...(checksOf(column).length === 0 ? [] : (['checks'] as const)),
  ]
}
