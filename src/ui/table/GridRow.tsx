import { memo } from 'react'

import type { CellValue, TableColumn } from './contract.ts'
import { PickBox } from './PickBox.tsx'
import classes from './table.module.css'
import type { RowMode } from './useRowMode.ts'

/* The rows are elements with roles, so that each is laid out by itself (Grid.tsx). */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

export interface GridRowProps<Row, Fact> {
  readonly id: string
  readonly rowId: string
  readonly row: Row
  readonly index: number
  readonly columns: readonly TableColumn<Row, Fact>[]
  readonly fact: Fact | undefined
  readonly mode: RowMode
  /** The screen that the row stands for; null where it has none. */
  readonly to: string | null
  readonly isCurrent: boolean
  readonly isMarked: boolean
  /** Whether its link can be reached with Tab: one in the list is enough. */
  readonly isTabStop: boolean
  /** The words of the button that opens the panel; null where a tap on the row does. */
  readonly details: string | null
  /** Whether the reader has picked it; null where rows cannot be picked. */
  readonly isPicked: boolean | null
  readonly isSame: (a: Row, b: Row) => boolean
}

function RowOf<Row, Fact>(props: GridRowProps<Row, Fact>) {
  const { id, rowId, index, columns, mode, isCurrent, isMarked } = props
  const [end, rest] = [
    columns.filter(({ place }) => place === 'end'),
    columns.filter(({ place }) => place === undefined),
  ]
  return (
    <div
      role="row"
      id={id}
      data-row={rowId}
      data-index={index}
      className={classes.row}
      aria-rowindex={index + 2}
      aria-selected={isMarked}
      data-current={isCurrent || undefined}
      data-linked={props.to !== null || undefined}
      data-pickable={props.isPicked !== null || undefined}
    >
      {props.isPicked !== null && (
        <div role="gridcell" className={classes.pick}>
          <PickBox isPicked={props.isPicked} label={pickLabel(props)} />
        </div>
      )}
      {mode === 'cards' ? (
        <>
          <div className={classes.cardLine} role="presentation">
            {columns.map((column) => column.place === 'key' && <Cell key={column.key} column={column} of={props} />)}
            {end.map((column) => (
              <Cell key={column.key} column={column} of={props} />
            ))}
          </div>
          <div className={classes.cardRest} role="presentation">
            {rest.map((column) => (
              <Cell key={column.key} column={column} of={props} />
            ))}
          </div>
        </>
      ) : (
        columns.map((column) => <Cell key={column.key} column={column} of={props} />)
      )}
      {props.details !== null && (
        <div role="gridcell" className={classes.more}>
          <button
            type="button"
            tabIndex={-1}
            data-details
            aria-label={props.details}
            title={props.details}
            className={classes.moreButton}
          >
            {MORE}
          </button>
        </div>
      )}
    </div>
  )
}

/** What a row is called where it is picked: what its key column says. */
function pickLabel<Row, Fact>({ columns, row, fact }: GridRowProps<Row, Fact>): string {
  return `${columns.find(({ place }) => place === 'key')?.text(row, fact) ?? ''}`
}

/** Drawn once for all rows: an icon component in each would cost as much as the rest of the row. */
const MORE = (
  <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <path d="M3 4.5h14M3 10h14M3 15.5h8" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
  </svg>
)

interface CellProps<Row, Fact> {
  readonly column: TableColumn<Row, Fact>
  readonly of: GridRowProps<Row, Fact>
}

function Cell<Row, Fact>({ column, of: { row, fact, mode, to, isTabStop } }: CellProps<Row, Fact>) {
  const { key, place, align, text, cell } = column
  const isKey = place === 'key'
  const drawn = cell?.(row, fact)
  const plain = drawn === undefined ? text(row, fact) : null
  const content = drawn ?? plain
  return (
    <div
      role={isKey ? 'rowheader' : 'gridcell'}
      className={classes.cell}
      data-cell={key}
      data-place={place}
      data-align={align}
      data-plain={plain !== null || undefined}
      data-short={(mode === 'cards' && isShort(text(row, fact))) || undefined}
      // What does not fit is said in full to a pointer; the panel of the row has it for all.
      title={plain === null ? undefined : `${plain}`}
    >
      {isKey && to !== null ? (
        <a href={to} tabIndex={isTabStop ? 0 : -1} className={classes.link}>
          {content}
        </a>
      ) : (
        content
      )}
    </div>
  )
}

/** Of a number or two words so little room is won that all of it stays. A Chinese sign is as wide as two letters. */
const SHORT = 12

function isShort(value: CellValue): boolean {
  const words = String(value ?? '')
  return words.length + (words.match(/[\u2E80-\uFFEF]/g)?.length ?? 0) <= SHORT
}

const AROUND = [
  'id',
  'rowId',
  'index',
  'columns',
  'fact',
  'mode',
  'to',
  'isCurrent',
  'isMarked',
  'isTabStop',
  'details',
  'isPicked',
] as const

/** Draws again only when what it shows changes: a scroll only moves it. */
export const GridRow = memo(
  RowOf,
  (a, b) => AROUND.every((name) => a[name] === b[name]) && (a.row === b.row || a.isSame(a.row, b.row)),
) as typeof RowOf
