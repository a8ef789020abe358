import type { Edge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/types'
import { Fragment, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { DesignColumn, DesignSection } from '#core/design/design.ts'
import { childrenOf } from '#core/design/design.ts'
import formClasses from '#src/form/form.module.css'
import { placesOf } from '#src/form/layout/places.ts'
import type { FieldPlace } from '#src/form/layout/places.ts'
import { labelIn, sectionName } from '#src/screens/design/columns.ts'

import classes from './canvas.module.css'
import { CanvasField } from './CanvasField.tsx'
import dragging from './dragging/dragging.module.css'
import { useSectionDrop, useTableDrop } from './dragging/dropTargets.ts'
import type { DropLine } from './dragging/dropAt.ts'
import type { DragShown } from './dragging/useDrops.ts'
import { fieldOf } from './fieldForm.ts'
import type { PreviewWords } from './FieldPreview.tsx'
import type { LineSelection } from './useLineSelection.ts'

// A native list holds only text, so a list of fields and tables uses roles.
// oxlint-disable jsx-a11y/prefer-tag-over-role

/** What all sections and fields of a page need in order to draw. */
export interface PageLook {
  readonly language: 'zh' | 'en'
  readonly canEdit: boolean
  readonly selection: Pick<LineSelection, 'active' | 'isSelected'>
  /** Key of the selected section. */
  readonly selectedSection: string | null
  readonly drag: DragShown
  readonly words: PreviewWords
  /** The page's own settings. */
  readonly settings: unknown
}

interface PageSectionProps {
  readonly section: DesignSection
  /** Name of the page; it stands for the name of a section without a title. */
  readonly pageName: string
  /** Whether it is the only section of the page. */
  readonly isOnly: boolean
  readonly look: PageLook
}

/** A section of the page: its title and its fields, and below each table its columns. */
export function PageSection({ section, pageName, isOnly, look }: PageSectionProps) {
  const { t } = useTranslation('design')
  const { key, columns } = section
  const name = sectionName(section, look.language)
  const whole = useRef<HTMLDivElement>(null)
  useSectionDrop(whole, key, look.canEdit)
  const places = useMemo(
    () => sectionPlaces(columns, look.settings, look.language),
    [columns, look.settings, look.language],
  )
  const { line } = look.drag
  const hasLine = line !== null && line.table === null && line.section === key && line.prop === null
  return (
    <div
      ref={whole}
      role="group"
      aria-label={name === '' ? pageName : name}
      className={classes.section}
      data-section={key}
      data-bare={(key === '' && columns.length === 0 && !isOnly) || undefined}
    >
      {key !== '' && (
        <div
          role="option"
          aria-selected={look.selectedSection === key}
          tabIndex={look.selection.active?.section === key ? 0 : -1}
          className={classes.sectionTitle}
          data-title={key}
        >
          {name === '' ? t('canvas.untitled') : name}
        </div>
      )}
      <div
        className={`${places === null ? formClasses.grid : formClasses.columns} ${classes.room} ${dragging.droppable} ${dragging.list}`}
        data-grid
        data-line={hasLine ? line.edge : undefined}
      >
        {columns.map((column, at) => (
          <Fragment key={column.prop}>
            <PlacedField column={column} table={null} section={key} place={places?.[at]} look={look} />
            {column.type === 'dynamic' && <TableColumns table={column} look={look} />}
          </Fragment>
        ))}
      </div>
    </div>
  )
}

function TableColumns({ table, look }: { readonly table: DesignColumn; readonly look: PageLook }) {
  const { t } = useTranslation('design')
  const columns = childrenOf(table)
  const block = useRef<HTMLDivElement>(null)
  useTableDrop(block, table.prop, look.canEdit)
  return (
    <div
      ref={block}
      className={`${formClasses.grid} ${classes.inTable} ${dragging.droppable} ${dragging.list}`}
      role="group"
      aria-label={t('canvas.inTable', { name: labelIn(table, look.language) })}
      data-line={tableEdge(look.drag.line, table)}
    >
      {columns.map((column) => (
        <PlacedField key={column.prop} column={column} table={table.prop} section="" place={undefined} look={look} />
      ))}
      {columns.length === 0 && <span className={classes.hint}>{t('canvas.emptyTable')}</span>}
    </div>
  )
}

/**
 * Where the drop line runs along a table: above its columns, where the dropped field becomes the first column, or below
 * all of them.
 */
function tableEdge(line: DropLine | null, { prop }: DesignColumn): Edge | undefined {
  if (line === null) return undefined
  const isInto = line.table === prop && line.prop === null
  return isInto || isAfterTable(line, prop) ? line.edge : undefined
}

function isAfterTable(line: DropLine, table: string): boolean {
  return line.table === null && line.prop === table && line.edge === 'bottom'
}

interface PlacedFieldProps {
  readonly column: DesignColumn
  readonly table: string | null
  readonly section: string
  readonly place: FieldPlace | undefined
  readonly look: PageLook
}

/**
 * Where the fields of a section stand, as the form places them; null where the definition says it, or where one of them
 * cannot be read.
 */
function sectionPlaces(
  columns: readonly DesignColumn[],
  settings: unknown,
  language: 'zh' | 'en',
): readonly FieldPlace[] | null {
  const fields = columns.flatMap((column) => fieldOf(column, settings) ?? [])
  const isSaid = fields.length < columns.length || fields.some(({ span }) => span !== null)
  return isSaid ? null : placesOf(fields, 'input', language)
}

/** Passes a field only the few values that make it draw again. */
function PlacedField({ column, table, section, place, look }: PlacedFieldProps) {
  const { canEdit, selection, drag } = look
  const { active, isSelected } = selection
  const { fields, line } = drag
  const { prop } = column
  const isBeside = line !== null && line.table === table && line.prop === prop
  return (
    <CanvasField
      column={column}
      table={table}
      section={section}
      selected={isSelected(table, prop)}
      focusable={active !== null && active.table === table && active.prop === prop}
      canEdit={canEdit}
      dragged={fields !== null && fields.table === table && fields.props.includes(prop)}
      line={isBeside && !(column.type === 'dynamic' && isAfterTable(line, prop)) ? line.edge : undefined}
      place={place}
      words={look.words}
      settings={look.settings}
    />
  )
}
