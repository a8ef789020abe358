import { useState } from 'react'
import type { CSSProperties } from 'react'
import type { Cell } from '#core/form/engine/cell.ts'

import type { FormEnvironment, RowIds } from '../formContext.ts'
import { labelOf, unitOf } from '../words.ts'
import { TableLine } from './TableLine.tsx'
import classes from './table.module.css'

interface TableFieldProps {
  readonly cell: Cell
  readonly label: string
  readonly ids: RowIds
  readonly environment: FormEnvironment
  readonly describedBy: string | undefined
  readonly editable: boolean
}

/** Up to this many columns stand side by side where there is room; rows with more are cards on every screen. */
const MOST_COLUMNS = 6
/** How many lines are drawn at once; a button draws the others. */
const FIRST_LINES = 200

/**
 * The rows of a table, one on a line (or a card where it is narrow), and a button that adds a row. A tap opens a row in
 * the form's sheet for rows.
 */
export function TableField({ cell, label, ids, environment, describedBy, editable }: TableFieldProps) {
  const { t, words, language } = environment
  const [all, setAll] = useState(false)
  const { field, rows } = cell
  const columns = field.children
  const rids = rows ?? []
  const drawn = all ? rids : rids.slice(0, FIRST_LINES)
  const isFull = field.limit !== null && rids.length >= field.limit
  return (
    <fieldset
      id={ids.control}
      className={classes.table}
      tabIndex={-1}
      aria-labelledby={ids.label}
      aria-describedby={describedBy}
      data-grid={columns.length <= MOST_COLUMNS || undefined}
      style={{ '--columns': columns.length } as CSSProperties}
    >
      {rids.length === 0 && <p className={classes.none}>{editable ? t('table.none') : words.empty}</p>}
      {rids.length > 0 && (
        <div className={classes.columns} aria-hidden="true">
          <span />
          {columns.map((column) => (
            <span key={column.code} data-number={column.type === 'number' || undefined}>
              {labelOf(column, language)}
              {column.unit !== null && ` (${unitOf(column, language)})`}
            </span>
          ))}
          <span />
        </div>
      )}
      {rids.length > 0 && (
        <ol className={classes.lines}>
          {drawn.map((rid, at) => (
            <TableLine key={rid} table={cell.key} rid={rid} no={at + 1} editable={editable} environment={environment} />
          ))}
        </ol>
      )}
      {drawn.length < rids.length && (
        <button type="button" className={classes.more} onClick={() => setAll(true)}>
          {t('table.showAll', { count: rids.length })}
        </button>
      )}
      {editable && (
        <div className={classes.foot}>
          <button
            type="button"
            className={classes.add}
            data-action="row-add"
            disabled={isFull}
            aria-label={t('table.addTo', { label })}
          >
            {t('table.add')}
          </button>
          <span className={classes.count}>
            {isFull && field.limit !== null
              ? t('table.full', { count: field.limit })
              : rids.length > 0
                ? t('table.rows', { count: rids.length })
                : null}
          </span>
        </div>
      )}
    </fieldset>
  )
}
