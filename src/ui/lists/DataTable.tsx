import type { ReactNode } from 'react'

import classes from './DataTable.module.css'

export interface DataColumn<Row> {
  readonly key: string
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers are aligned right. */
  readonly align?: 'right'
  /** A word, code or time that is read as a whole: it is never broken into two lines. */
  readonly short?: true
  /** The acts on a line: they stay in sight at the right where the table moves sideways. Last of the columns. */
  readonly pinned?: true
}

export interface DataTableProps<Row> {
  readonly caption: string
  readonly columns: readonly DataColumn<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
}

/** A plain table of few rows. It scrolls sideways inside its own frame; the screen itself does not. */
export function DataTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    // What scrolls must be reachable by the keyboard, or its right end cannot be read.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={classes.scroll} aria-label={caption} tabIndex={0}>
      <table className={classes.table}>
        <caption className={classes.caption}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" data-align={column.align} data-pinned={column.pinned}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <td key={column.key} data-align={column.align} data-short={column.short} data-pinned={column.pinned}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
