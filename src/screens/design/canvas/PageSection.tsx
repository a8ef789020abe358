import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { DesignColumn, DesignSection } from '#core/design/design.ts'
import { childrenOf } from '#core/design/design.ts'
import { labelIn, sectionName } from '#src/screens/design/columns.ts'
import classes from '#src/screens/design/design.module.css'

import { CanvasField } from './CanvasField.tsx'
import type { DropPlace } from './dropPlaces.ts'
import type { LineSelection } from './useLineSelection.ts'

// A native list holds text alone: what is in one that holds fields and tables has roles.
// oxlint-disable jsx-a11y/prefer-tag-over-role

/** What sections and fields are drawn by, the same for all of a page. */
export interface PageLook {
  readonly language: 'zh' | 'en'
  readonly canEdit: boolean
  readonly selection: Pick<LineSelection, 'active' | 'isSelected'>
  /** Key of the section that is selected. */
  readonly selectedSection: string | null
  readonly dropAt: DropPlace | null
}

interface PageSectionProps {
  readonly section: DesignSection
  /** Of the page: a section without a title has none of its own. */
  readonly pageName: string
  /** Whether it is all of the page. */
  readonly isOnly: boolean
  readonly look: PageLook
}

/** A section of the page: its title, its fields, and below a table its columns. */
export function PageSection({ section, pageName, isOnly, look }: PageSectionProps) {
  const { t } = useTranslation('design')
  const { key, columns } = section
  const name = sectionName(section, look.language)
  return (
    <div
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
        className={classes.grid}
        data-place={`${key}/`}
        data-end={isEnd(look.dropAt, { table: null, section: key, at: columns.length }) || undefined}
      >
        {columns.map((column, at) => (
          <Fragment key={column.prop}>
            <PlacedField column={column} place={{ table: null, section: key, at }} look={look} />
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
  return (
    <div
      className={classes.inTable}
      role="group"
      aria-label={t('canvas.inTable', { name: labelIn(table, look.language) })}
      data-place={`/${table.prop}`}
      data-end={isEnd(look.dropAt, { table: table.prop, section: '', at: columns.length }) || undefined}
    >
      {columns.map((column, at) => (
        <PlacedField key={column.prop} column={column} place={{ table: table.prop, section: '', at }} look={look} />
      ))}
      {columns.length === 0 && <span className={classes.hint}>{t('canvas.emptyTable')}</span>}
    </div>
  )
}

interface PlacedFieldProps {
  readonly column: DesignColumn
  readonly place: DropPlace
  readonly look: PageLook
}

/** Tells a field the little that it is drawn anew for. */
function PlacedField({ column, place, look: { language, canEdit, selection, dropAt } }: PlacedFieldProps) {
  const { active, isSelected } = selection
  const { table, section, at } = place
  return (
    <CanvasField
      column={column}
      table={table}
      selected={isSelected(table, column.prop)}
      focusable={active !== null && active.table === table && active.prop === column.prop}
      canEdit={canEdit}
      dropBefore={dropAt !== null && dropAt.table === table && dropAt.section === section && dropAt.at === at}
      language={language}
    />
  )
}

/** Whether a drop would go to the end of a section or table. */
function isEnd(dropAt: DropPlace | null, { table, section, at }: DropPlace): boolean {
  return dropAt !== null && dropAt.table === table && (table !== null || dropAt.section === section) && dropAt.at >= at
}
