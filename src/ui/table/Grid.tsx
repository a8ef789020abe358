import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { ClipboardEvent, CSSProperties, FocusEvent, MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLinkClicks } from '#src/ui/useLinkClicks.ts'
import type { RowKeys, Span } from '#src/ui/lists/drawnRows.ts'
import { useDrawnRows } from '#src/ui/lists/useDrawnRows.ts'
import { useFactSteps } from '#src/ui/lists/useFactSteps.ts'
import { useRowKeys } from '#src/ui/lists/useRowKeys.ts'
import { useSideways } from '#src/ui/lists/useSideways.ts'

import { GridHead } from './GridHead.tsx'
import { GridRow } from './GridRow.tsx'
import { PickBox } from './PickBox.tsx'
import { PART } from './contract.ts'
import type { OnWindow, Sort, TableColumn, TableLayout, TablePicks } from './contract.ts'
import { gridColumns, leastWidth } from './shownColumns.ts'
import { rowsInSelection } from './selectedRows.ts'
import classes from './table.module.css'
import type { Cursor, CursorActs } from './useCursor.ts'
import type { RowMode } from './useRowMode.ts'
import { rowHeight } from './useRowMode.ts'

/**
 * A browser's own table lays out all of its rows again for each new row. Here rows and cells are elements with roles,
 * so each row is laid out by itself.
 */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

/** How many rows are drawn beyond those in view, and how many are added with one step of a scroll. */
const ROWS = { ahead: 8, step: 3 }
/** How many rows take what was read of them in one frame. */
const FACTS_AT_ONCE = 4

export interface GridProps<Row, Fact> {
  readonly name: string
  readonly columns: readonly TableColumn<Row, Fact>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly isSame: (a: Row, b: Row) => boolean
  readonly facts: ReadonlyMap<string, Fact>
  readonly mode: RowMode
  readonly widths: TableLayout['widths']
  readonly sort: Sort | null
  readonly onSort: ((key: string) => void) | null
  readonly onWidth: (key: string, width: number | null) => void
  readonly cursor: Cursor
  readonly acts: CursorActs
  /** Whether a tap on a row opens something: its panel, or its screen. */
  readonly opens: boolean
  readonly hasPanel: boolean
  readonly link: ((row: Row) => string) | undefined
  readonly onWindow: OnWindow<Row> | undefined
  /** What is picked, and how; undefined where rows cannot be picked. */
  readonly picks: Pick<TablePicks, 'picked' | 'onPick'> | undefined
  /** The rows from one up to and with another, as a spreadsheet takes them. */
  readonly sheetOf: (from: number, to: number) => string
}

/** The rows of a table, with header and key column in sight. Only the rows in view are drawn. */
export function Grid<Row, Fact>(props: GridProps<Row, Fact>) {
  const { columns, sort, onSort, onWidth, mode } = props
  const { t } = useTranslation('table')
  const hasDetails = props.hasPanel && props.link !== undefined && mode !== 'desk'
  const head = <GridHead {...{ columns, sort, onSort, onWidth }} hasMore={hasDetails} pickAll={usePickAll(props)} />
  return <Scrolled {...props} head={head} details={hasDetails ? t('row.details') : null} />
}

/** The box that picks all rows of the list, or puts all of them back. */
function usePickAll<Row, Fact>({ rows, rowKey, picks }: GridProps<Row, Fact>): ReactNode {
  const { t } = useTranslation('table')
  if (picks === undefined) return null
  const { picked, onPick } = picks
  const isAll = rows.length > 0 && rows.every((row) => picked.has(rowKey(row)))
  return (
    <PickBox
      isPicked={isAll || (picked.size > 0 && 'mixed')}
      label={t('pick.all')}
      onClick={() => onPick(rows.map(rowKey), !isAll)}
    />
  )
}

interface ScrolledProps<Row, Fact> extends GridProps<Row, Fact> {
  readonly head: ReactNode
  /** The words of the button that opens a row's panel; null where a tap on the row does. */
  readonly details: string | null
}

/**
 * The part that renders while the user scrolls. The head is made above it: what each step allocates causes one long
 * garbage collection in the middle of the scroll.
 */
function Scrolled<Row, Fact>(props: ScrolledProps<Row, Fact>) {
  const { name, columns, rows, rowKey, mode, widths, cursor, acts, head, details } = props
  const frame = useRef<HTMLDivElement>(null)
  const grid = useRef<HTMLDivElement>(null)
  const id = useId()
  const height = rowHeight(mode)
  const { drawn, show } = useDrawnRows({
    ...ROWS,
    count: rows.length,
    height,
    view: () => viewOf(frame.current),
  })
  const shown = rows.slice(drawn.first, drawn.last)
  const ids = shown.map(rowKey)
  const { keys, onFocus } = useRowKeys(ids)
  const facts = useFactSteps(props.facts, ids, FACTS_AT_ONCE, columns)
  const isSideways = useSideways(frame, columns)
  const focus = useGridFocus(onFocus)
  useWindow(rows, drawn, props.onWindow)
  useShownCursor(frame, cursor.index, height, show)
  const hasDetails = details !== null
  const active = cursor.index
  const isDrawn = active !== null && active >= drawn.first && active < drawn.last
  return (
    <div
      ref={frame}
      className={classes.scroll}
      data-mode={mode}
      data-sideways={isSideways || undefined}
      data-focused={focus.isSeen || undefined}
    >
      {/* The arrow keys go from row to row, as in a grid (useTableKeys.ts). */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Enter opens a row, useTableKeys.ts */}
      <div
        ref={grid}
        role="grid"
        tabIndex={0}
        className={classes.grid}
        aria-label={name}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + (hasDetails ? 1 : 0) + (props.picks === undefined ? 0 : 1)}
        aria-multiselectable
        aria-activedescendant={isDrawn ? `${id}${active}` : undefined}
        onFocus={focus.onFocus}
        onBlur={focus.onBlur}
        onClick={useRowClicks(acts, props.opens, (index) => pickRow(props, index))}
        onCopy={(event) => copyRows(event, grid.current, props)}
        style={gridStyle(columns, widths, mode, { hasDetails, hasPicks: props.picks !== undefined })}
      >
        {head}
        <Rows of={props} first={drawn.first} {...{ shown, keys, facts, id, height, details }} />
      </div>
    </div>
  )
}

interface RowsProps<Row, Fact> {
  readonly of: GridProps<Row, Fact>
  readonly shown: readonly Row[]
  /** The place of the first row that is shown. */
  readonly first: number
  readonly keys: RowKeys
  readonly facts: ReadonlyMap<string, Fact | undefined>
  readonly id: string
  /** Of a row, in px. */
  readonly height: number
  readonly details: string | null
}

function Rows<Row, Fact>({ of, shown, first, keys, facts, id, height, details }: RowsProps<Row, Fact>) {
  const { rowKey, cursor, link } = of
  return (
    <div role="rowgroup" style={{ height: of.rows.length * height, paddingTop: first * height }}>
      {shown.map((row, at) => {
        const index = first + at
        const rowId = rowKey(row)
        return (
          <GridRow
            key={keys.get(rowId)}
            id={`${id}${index}`}
            rowId={rowId}
            row={row}
            index={index}
            columns={of.columns}
            fact={facts.get(rowId)}
            mode={of.mode}
            to={link?.(row) ?? null}
            isCurrent={index === cursor.index}
            isMarked={cursor.index !== null && index >= cursor.from && index <= cursor.to}
            isTabStop={index === (cursor.index ?? 0)}
            details={details}
            isPicked={of.picks?.picked.has(rowId) ?? null}
            isSame={of.isSame}
          />
        )
      })}
    </div>
  )
}

/** Whether a reader at the keys sees that the rows have the focus: the frame is drawn around all that is in view. */
function useGridFocus(onFocus: (event: FocusEvent) => void) {
  const [isSeen, setSeen] = useState(false)
  return {
    isSeen,
    onFocus: (event: FocusEvent) => {
      onFocus(event)
      setSeen(event.target === event.currentTarget && event.target.matches(':focus-visible'))
    },
    onBlur: () => setSeen(false),
  }
}

function gridStyle<Row, Fact>(
  columns: readonly TableColumn<Row, Fact>[],
  widths: TableLayout['widths'],
  mode: RowMode,
  { hasDetails, hasPicks }: { readonly hasDetails: boolean; readonly hasPicks: boolean },
): CSSProperties {
  if (mode === 'cards') return {}
  const pick = hasPicks ? 'var(--zl-pick)' : ''
  const more = hasDetails ? 'var(--zl-control)' : ''
  return {
    '--columns': [pick, gridColumns(columns, widths), more].filter(Boolean).join(' '),
    // A row is as wide as all that is in it: the tint of the chosen one reaches its last cell.
    minWidth: `calc(${[pick, leastWidth(columns, widths), more].filter(Boolean).join(' + ')})`,
  } as CSSProperties
}

/** The part of the rows in view: below the header, which stays at the top. */
function viewOf(frame: HTMLElement | null): { readonly top: number; readonly height: number } | null {
  if (frame === null) return null
  // Where nothing is laid out, as in a test, the window is the measure.
  const height = frame.clientHeight === 0 ? window.innerHeight : frame.clientHeight
  return { top: frame.scrollTop, height }
}

/** Tells of the rows around those in view, once a scroll reaches others. */
function useWindow<Row>(rows: readonly Row[], drawn: Span, onWindow: OnWindow<Row> | undefined): void {
  const from = Math.max(0, Math.floor(drawn.first / PART) - 1) * PART
  const to = (Math.ceil(drawn.last / PART) + 1) * PART
  useEffect(() => {
    onWindow?.(rows.slice(from, to), from)
  }, [rows, from, to, onWindow])
}

/** Scrolls to the row of the cursor when it goes there. */
function useShownCursor(
  frame: { readonly current: HTMLElement | null },
  index: number | null,
  height: number,
  show: (row: number) => void,
): void {
  const shown = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (index === null || index === shown.current || frame.current === null) return
    shown.current = index
    bringIntoView(frame.current, index, height)
    show(index)
  })
}

/** Scrolls a row that is not in sight to just below the header, or to the lower edge. */
function bringIntoView(frame: HTMLElement, index: number, height: number): void {
  const head = frame.querySelector('[role=row]')?.getBoundingClientRect().height ?? 0
  const lowest = (index + 1) * height + head - frame.clientHeight
  const highest = index * height
  if (frame.scrollTop > highest) frame.scrollTop = highest
  else if (frame.scrollTop < lowest) frame.scrollTop = lowest
}

/**
 * A tap goes to a row and opens its panel, or its screen; with Shift it marks the rows up to there. Links and buttons
 * are left alone.
 */
function useRowClicks(
  acts: CursorActs,
  opens: boolean,
  onPick: (index: number) => void,
): (event: MouseEvent<HTMLElement>) => void {
  const followLink = useLinkClicks()
  return (event) => {
    followLink(event)
    const { target } = event
    if (event.defaultPrevented || !(target instanceof Element)) return
    const row = target.closest<HTMLElement>('[data-index]')
    const pressed = target.closest('a, button')
    if (row !== null && pressed instanceof HTMLElement && pressed.dataset['pick'] !== undefined) {
      onPick(Number(row.dataset['index']))
      return
    }
    const isDetails = pressed instanceof HTMLElement && pressed.dataset['details'] !== undefined
    if (row === null || (pressed !== null && !isDetails)) return
    // Whoever marks text to copy it does not want the panel.
    if (window.getSelection()?.isCollapsed === false && !event.shiftKey) return
    const index = Number(row.dataset['index'])
    if (event.shiftKey || !opens) acts.go(index, event.shiftKey)
    else acts.open(index)
  }
}

function pickRow<Row, Fact>({ rows, rowKey, picks }: GridProps<Row, Fact>, index: number): void {
  const row = rows[index]
  if (row !== undefined) picks?.onPick([rowKey(row)], !picks.picked.has(rowKey(row)))
}

/** Copies whole rows in a form that a spreadsheet takes; text within one cell is copied as it is. */
function copyRows<Row, Fact>(
  event: ClipboardEvent,
  grid: HTMLElement | null,
  { cursor, sheetOf }: GridProps<Row, Fact>,
): void {
  const selected = grid === null ? null : rowsInSelection(grid, window.getSelection())
  if (selected === 'cell') return
  const span = selected ?? (cursor.index === null ? null : { from: cursor.from, to: cursor.to })
  if (span === null) return
  event.preventDefault()
  event.clipboardData.setData('text/plain', sheetOf(span.from, span.to))
}
