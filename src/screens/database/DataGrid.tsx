import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { ClipboardEvent, CSSProperties, KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DatabaseRow } from '#core/api/calls/data/database.ts'
import { isMissing } from '#core/dataset/table.ts'
import { useDrawnRows } from '#src/ui/lists/useDrawnRows.ts'
import { rowHeight, useRowMode } from '#src/ui/table/useRowMode.ts'

import { MarkShape } from './CellMarks.tsx'
import classes from './database.module.css'
import { marksOf, textOf } from './gridColumns.ts'
import type { GridColumn, GridWords } from './gridColumns.ts'
import type { RowWindow } from './useRowWindow.ts'
import { isSelected, placeAfter } from './useSelection.ts'
import type { CellPlace, Selection } from './useSelection.ts'

/** A browser's own table would lay out all of its rows again for each new one: rows are elements with roles. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

const ROWS = { ahead: 10, step: 4 }
/** Columns that are drawn beyond those in view, in px. */
const SIDE = 240

interface DataGridProps {
  readonly name: string
  readonly columns: readonly GridColumn[]
  readonly rows: RowWindow
  readonly values: 'codes' | 'labels'
  readonly words: GridWords
  readonly selection: Selection
  readonly onGo: (place: CellPlace, isExtended: boolean) => void
  readonly onOpen: (place: CellPlace) => void
  readonly onClose: () => void
  /** The head of a column: sort and filter. */
  readonly head: (column: GridColumn) => ReactNode
  readonly sorted: (column: GridColumn) => 'ascending' | 'descending' | undefined
}

/** The cells of the rows and columns in view; the rest is as wide and as high as it will be. */
export function DataGrid(props: DataGridProps) {
  const { name, columns, rows, selection, onGo, onOpen, onClose } = props
  const frame = useRef<HTMLDivElement>(null)
  const id = useId()
  const height = rowHeight(useRowMode())
  const { drawn, show } = useDrawnRows({ ...ROWS, count: rows.count, height, view: () => viewOf(frame.current) })
  const places = placesOf(columns)
  const side = useSideView(frame)
  const { need } = rows
  useEffect(() => need(drawn.first, drawn.last))
  useShownCell(frame, selection.at, places, height, show)
  const size = { rows: rows.count, columns: columns.length }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = selection.at ?? { row: 0, column: 0 }
    if (event.key === 'Enter') onOpen(at)
    else if (event.key === 'Escape') onClose()
    else if (event.key === ' ') onGo({ ...at, column: columns.length - 1 }, true)
    else {
      const next = placeAfter(event, at, size)
      if (next === null) return
      onGo(selection.at === null ? at : next, event.shiftKey)
    }
    event.preventDefault()
  }
  const shownColumns = columns.flatMap((column, at) => {
    const place = places.at[at]
    if (place === undefined) return []
    const isSeen = column.isPinned || (place.left + column.width > side.from - SIDE && place.left < side.to + SIDE)
    return isSeen ? [{ column, at, ...place }] : []
  })
  const line = { columns: shownColumns, width: places.width, count: places.pinned }
  return (
    <div ref={frame} className={classes.scroll}>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Enter opens, arrows move */}
      <div
        role="grid"
        tabIndex={0}
        className={classes.grid}
        aria-label={name}
        aria-rowcount={rows.count + 1}
        aria-colcount={columns.length}
        aria-multiselectable
        aria-activedescendant={selection.at === null ? undefined : `${id}${selection.at.row}.${selection.at.column}`}
        style={{ width: places.width }}
        onKeyDown={onKeyDown}
        onClick={(event) => clickCell(event, { onGo, onOpen })}
        onCopy={(event) => copyCells(event, props)}
      >
        <HeadLine of={props} line={line} />
        <BodyLines of={props} line={line} id={id} height={height} first={drawn.first} last={drawn.last} />
      </div>
    </div>
  )
}

interface LinesProps {
  readonly of: DataGridProps
  readonly line: Omit<LineProps, 'children'> & { readonly width: number }
}

/** The titles of the columns. */
function HeadLine({ of, line }: LinesProps) {
  return (
    <div role="row" className={classes.header} aria-rowindex={1}>
      <Line {...line}>
        {({ column, at, style, className }) => (
          <div
            key={column.id}
            role="columnheader"
            aria-colindex={at + 1}
            aria-sort={of.sorted(column)}
            className={`${classes.title} ${className}`}
            style={style}
          >
            {of.head(column)}
          </div>
        )}
      </Line>
    </div>
  )
}

interface BodyLinesProps extends LinesProps {
  readonly id: string
  readonly height: number
  readonly first: number
  readonly last: number
}

/** The rows that are drawn, each at its place. */
function BodyLines({ of, line, id, height, first, last }: BodyLinesProps) {
  return (
    <div role="rowgroup" style={{ position: 'relative', height: of.rows.count * height }}>
      {Array.from({ length: last - first }, (_, nth) => first + nth).map((index) => (
        <div
          key={index}
          role="row"
          aria-rowindex={index + 2}
          className={classes.row}
          style={{ top: index * height, height, width: line.width }}
        >
          <Line {...line}>
            {({ column, at, style, className }) => (
              <Cell
                key={column.id}
                id={`${id}${index}.${at}`}
                row={of.rows.rowAt(index)}
                index={index}
                {...{ column, at, style, className }}
                of={of}
              />
            )}
          </Line>
        </div>
      ))}
    </div>
  )
}

interface Placed {
  readonly column: GridColumn
  readonly at: number
  readonly left: number
}

interface LineProps {
  readonly columns: readonly Placed[]
  /** How many columns are pinned. */
  readonly count: number
  readonly children: (of: Placed & { readonly style: CSSProperties; readonly className: string }) => ReactNode
}

/** The cells of one line: the pinned ones stay at the left, others that are not drawn leave their room. */
function Line({ columns, count, children }: LineProps) {
  const pinned = columns.filter(({ column }) => column.isPinned)
  const others = columns.filter(({ column }) => !column.isPinned)
  const room = pinned.reduce((sum, { column }) => sum + column.width, 0)
  return (
    <>
      {pinned.map((placed) =>
        children({
          ...placed,
          style: { width: placed.column.width, left: placed.left },
          className: `${classes.pinned}${placed.at === count - 1 ? ` ${classes.pinnedLast}` : ''}`,
        }),
      )}
      {others.map((placed, nth) => {
        const before = others[nth - 1]
        const end = before === undefined ? room : before.left + before.column.width
        return children({
          ...placed,
          style: { width: placed.column.width, marginLeft: placed.left - end },
          className: '',
        })
      })}
    </>
  )
}

interface CellProps extends Omit<Placed, 'left'> {
  readonly id: string
  readonly row: DatabaseRow | undefined
  readonly index: number
  readonly style: CSSProperties
  readonly className: string
  readonly of: DataGridProps
}

function Cell({ id, row, index, column, at, style, className, of }: CellProps) {
  const { t } = useTranslation('database')
  const { values, words, selection } = of
  const cell = row === undefined || column.kind === 'key' ? null : (row.cells[column.at] ?? null)
  const text = row === undefined ? null : textOf(row, column, values, words)
  return (
    <div
      id={id}
      role={column.kind === 'key' && column.key === 'subject' ? 'rowheader' : 'gridcell'}
      aria-colindex={at + 1}
      aria-selected={isSelected(selection, index, at)}
      className={`${classes.cell} ${className}`}
      style={style}
      data-row={index}
      data-column={at}
      data-key={(column.kind === 'key' && column.key === 'subject') || undefined}
      data-align={typeof cell === 'number' ? 'right' : undefined}
      data-missing={isMissing(cell) || undefined}
      data-selected={isSelected(selection, index, at) || undefined}
      data-current={(selection.at?.row === index && selection.at.column === at) || undefined}
      title={text === null || text === '' ? undefined : text}
    >
      {text === null ? <span className={classes.waiting} /> : <span className={classes.text}>{text}</span>}
      {isMissing(cell) && <MarkShape mark="missing" label={t('marks.missing')} />}
      {row !== undefined &&
        marksOf(row, column).map((mark) => <MarkShape key={mark} mark={mark} label={t(`marks.${mark}`)} />)}
    </div>
  )
}

interface ColumnPlaces {
  readonly at: readonly { readonly left: number }[]
  readonly width: number
  readonly pinned: number
}

function placesOf(columns: readonly GridColumn[]): ColumnPlaces {
  const ends = columns.reduce<readonly number[]>((before, { width }) => [...before, (before.at(-1) ?? 0) + width], [])
  return {
    at: columns.map((_, nth) => ({ left: nth === 0 ? 0 : (ends[nth - 1] ?? 0) })),
    width: ends.at(-1) ?? 0,
    pinned: columns.filter(({ isPinned }) => isPinned).length,
  }
}

/** Which part of the width is in view, in px; told anew after a scroll that reaches other columns. */
function useSideView(frame: { readonly current: HTMLDivElement | null }) {
  const [view, setView] = useState({ from: 0, to: window.innerWidth })
  useEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const follow = () => {
      const width = element.clientWidth === 0 ? window.innerWidth : element.clientWidth
      const step = SIDE / 2
      const from = Math.floor(element.scrollLeft / step) * step
      const to = Math.ceil((element.scrollLeft + width) / step) * step
      setView((before) => (before.from === from && before.to === to ? before : { from, to }))
    }
    follow()
    element.addEventListener('scroll', follow, { passive: true })
    window.addEventListener('resize', follow)
    return () => {
      element.removeEventListener('scroll', follow)
      window.removeEventListener('resize', follow)
    }
  }, [frame])
  return view
}

function viewOf(frame: HTMLElement | null): { readonly top: number; readonly height: number } | null {
  if (frame === null) return null
  // Where nothing is laid out, as in a test, the window is the measure.
  return { top: frame.scrollTop, height: frame.clientHeight === 0 ? window.innerHeight : frame.clientHeight }
}

/** Scrolls to the cell of the cursor when it goes there. */
function useShownCell(
  frame: { readonly current: HTMLElement | null },
  at: CellPlace | null,
  places: ColumnPlaces,
  height: number,
  show: (row: number) => void,
): void {
  const shown = useRef<string | null>(null)
  useLayoutEffect(() => {
    const key = at === null ? null : `${at.row}.${at.column}`
    if (at === null || key === shown.current || frame.current === null) return
    shown.current = key
    const element = frame.current
    const head = element.querySelector('[role=row]')?.getBoundingClientRect().height ?? 0
    const lowest = (at.row + 1) * height + head - element.clientHeight
    if (element.scrollTop > at.row * height) element.scrollTo({ top: at.row * height })
    else if (element.scrollTop < lowest) element.scrollTo({ top: lowest })
    if (at.column >= places.pinned) {
      const pinned = places.at[places.pinned]?.left ?? 0
      const left = places.at[at.column]?.left ?? 0
      const right = places.at[at.column + 1]?.left ?? places.width
      if (element.scrollLeft > left - pinned) element.scrollTo({ left: left - pinned })
      else if (element.scrollLeft < right - element.clientWidth) element.scrollTo({ left: right - element.clientWidth })
    }
    show(at.row)
  })
}

function clickCell(event: MouseEvent<HTMLElement>, { onGo, onOpen }: Pick<DataGridProps, 'onGo' | 'onOpen'>): void {
  const { target } = event
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
  if (cell === null || window.getSelection()?.isCollapsed === false) return
  const place = { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) }
  if (event.shiftKey) onGo(place, true)
  else onOpen(place)
}

/** Copies the selected cells in a form that a spreadsheet takes. */
function copyCells(event: ClipboardEvent, { columns, rows, values, words, selection }: DataGridProps): void {
  if (selection.at === null || window.getSelection()?.isCollapsed === false) return
  const lines: string[] = []
  for (let index = selection.from.row; index <= selection.to.row; index += 1) {
    const row = rows.rowAt(index)
    if (row === undefined) continue
    const chosen = columns.slice(selection.from.column, selection.to.column + 1)
    lines.push(chosen.map((column) => textOf(row, column, values, words).replaceAll(/[\t\r\n]+/g, ' ')).join('\t'))
  }
  event.preventDefault()
  event.clipboardData.setData('text/plain', lines.join('\n'))
}
