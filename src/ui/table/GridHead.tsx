import { useRef } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import type { Sort, TableColumn } from './contract.ts'
import { clampWidth } from './shownColumns.ts'
import classes from './table.module.css'

/** How far an arrow key moves the edge of a column, in px. */
const STEP = 16

interface GridHeadProps<Row, Fact> {
  readonly columns: readonly TableColumn<Row, Fact>[]
  readonly sort: Sort | null
  /** Null where the order is the list's own: not all of it is read. */
  readonly onSort: ((key: string) => void) | null
  /** Null gives a column its own width again. */
  readonly onWidth: (key: string, width: number | null) => void
  /** Whether a column for the button of each row comes last. */
  readonly hasMore: boolean
  /** The box that picks all rows; null where none can be picked. */
  readonly pickAll: ReactNode
}

/* The rows are elements with roles, so that each is laid out by itself (Grid.tsx). */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

/** The header row: a tap on a title sorts, its right edge makes the column wider. */
export function GridHead<Row, Fact>({ columns, sort, onSort, onWidth, hasMore, pickAll }: GridHeadProps<Row, Fact>) {
  const { t } = useTranslation('table')
  return (
    <div role="row" className={classes.header} aria-rowindex={1}>
      {pickAll !== null && (
        <div role="columnheader" className={classes.pick}>
          {pickAll}
        </div>
      )}
      {columns.map(({ key, title, width, align, place, sortBy }) => {
        const isSorted = sort?.key === key
        return (
          <div
            key={key}
            role="columnheader"
            className={classes.title}
            data-align={align}
            data-place={place}
            aria-sort={isSorted ? (sort.down ? 'descending' : 'ascending') : undefined}
          >
            {sortBy === undefined || onSort === null ? (
              <span className={classes.titleText}>{title}</span>
            ) : (
              <button
                type="button"
                className={classes.sort}
                data-sorted={isSorted || undefined}
                onClick={() => onSort(key)}
              >
                <span className={classes.titleText}>{title}</span>
                <SortMark sort={isSorted ? sort : null} />
              </button>
            )}
            <Edge label={t('columns.width', { title })} width={width} onWidth={(width) => onWidth(key, width)} />
          </div>
        )
      })}
      {hasMore && (
        <div role="columnheader" className={classes.title}>
          <span className={classes.hidden}>{t('row.more')}</span>
        </div>
      )}
    </div>
  )
}

function SortMark({ sort }: { readonly sort: Sort | null }) {
  return (
    <svg className={classes.sortMark} viewBox="0 0 10 14" aria-hidden="true">
      <path d="M2 5.5 5 2.2l3 3.3" opacity={sort !== null && !sort.down ? 1 : 0.35} />
      <path d="M2 8.5l3 3.3 3-3.3" opacity={sort?.down === true ? 1 : 0.35} />
    </svg>
  )
}

interface EdgeProps {
  readonly label: string
  /** What the column asks for, in em. */
  readonly width: number
  readonly onWidth: (width: number | null) => void
}

/**
 * The right edge of a column: drawn by pointer or by arrow keys; a double click gives the column its own width again.
 */
function Edge({ label, width, onWidth }: EdgeProps) {
  const from = useRef<{ readonly x: number; readonly width: number } | null>(null)
  const widthOf = (element: Element): number => element.parentElement?.getBoundingClientRect().width ?? 0
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    from.current = { x: event.clientX, width: widthOf(event.currentTarget) }
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (from.current !== null) onWidth(from.current.width + event.clientX - from.current.x)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = event.key === 'ArrowRight' ? STEP : event.key === 'ArrowLeft' ? -STEP : 0
    if (by === 0) return
    event.preventDefault()
    event.stopPropagation()
    onWidth(clampWidth(widthOf(event.currentTarget) + by))
  }
  return (
    // A separator that moves takes the focus (WAI-ARIA window splitter).
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={-1}
      className={classes.edge}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        from.current = null
      }}
      onDoubleClick={() => onWidth(null)}
      onKeyDown={onKeyDown}
    />
  )
}
