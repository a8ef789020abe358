import { VisuallyHidden } from '@mantine/core'
import { IconAsterisk, IconCalculator, IconEye, IconShieldCheck } from '@tabler/icons-react'
import { memo, useRef } from 'react'
import type { ReactNode } from 'react'
import type { Edge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/types'
import { useTranslation } from 'react-i18next'
import type { DesignColumn } from '#core/design/design.ts'
import { inLanguage } from '#core/form/definition/inLanguage.ts'
import { itemsOf, partOf } from '#core/form/definition/lists.ts'
import { scalarText } from '#core/form/definition/option.ts'
import { checksOf, extensionOf, labelIn, typeOf } from '#src/screens/design/columns.ts'
import classes from '#src/screens/design/design.module.css'

import dragging from './dragging/dragging.module.css'
import { useFieldDrag } from './dragging/dropTargets.ts'
import { typeIcons } from './typeIcons.ts'

interface CanvasFieldProps {
  readonly column: DesignColumn
  readonly language: 'zh' | 'en'
  readonly selected: boolean
  readonly focusable: boolean
  readonly canEdit: boolean
  /** The table of which the field is a column. */
  readonly table: string | null
  /** Key of the field's section; not used in a table. */
  readonly section: string
  readonly dragged: boolean
  /** The edge at which the dragged field would be dropped. */
  readonly line: Edge | undefined
}

/** How many choices are named on the page; the rest is counted. */
const NAMED = 6

/** A field on the page, with marks for the rules that concern it. Draws again only when it looks different. */
export const CanvasField = memo(function CanvasField({
  column,
  language,
  selected,
  focusable,
  canEdit,
  table,
  section,
  dragged,
  line,
}: CanvasFieldProps) {
  const { t } = useTranslation('design')
  const field = useRef<HTMLDivElement>(null)
  useFieldDrag(field, { table, section, prop: column.prop, canEdit })
  const type = typeOf(column)
  const TypeIcon = typeIcons[type]
  const { show, calculate, unit, unitEn, require: required } = extensionOf(column)
  const span = typeof column.span === 'number' ? Math.min(24, Math.max(1, column.span)) : 12
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
      style={{ gridColumn: `span ${span}` }}
    >
      <span className={classes.fieldHead}>
        <TypeIcon size={16} aria-hidden="true" />
        <span className={classes.fieldLabel}>{labelIn(column, language) || t('canvas.untitled')}</span>
        {column.required === true && <Mark label={t('canvas.marks.required')} icon={<IconAsterisk size={12} />} />}
        {(show !== undefined || required !== undefined) && (
          <Mark label={t('canvas.marks.show')} icon={<IconEye size={14} />} />
        )}
        {calculate !== undefined && <Mark label={t('canvas.marks.calculate')} icon={<IconCalculator size={14} />} />}
        {checksOf(column).length > 0 && <Mark label={t('canvas.marks.checks')} icon={<IconShieldCheck size={14} />} />}
      </span>
      <span className={classes.fieldBody} data-type={type}>
        {choicesText(column, language) ?? ''}
        {typeof unit === 'string' && <span className={classes.unit}>{inLanguage(language, unit, unitEn)}</span>}
      </span>
      <span className={classes.fieldCode}>{column.prop}</span>
    </div>
  )
})

function Mark({ label, icon }: { readonly label: string; readonly icon: ReactNode }) {
  return (
    <span className={classes.mark} title={label}>
      {icon}
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  )
}

function choicesText(column: DesignColumn, language: 'zh' | 'en'): string | null {
  const items = itemsOf(column.dicData)
  if (items.length === 0) return null
  const names = items.slice(0, NAMED).map((item) => {
    const { label, labelEn, value } = partOf(item)
    return inLanguage(language, scalarText(label) ?? scalarText(value) ?? '', scalarText(labelEn))
  })
  return names.join(' · ') + (items.length > NAMED ? ` … ${items.length}` : '')
}
