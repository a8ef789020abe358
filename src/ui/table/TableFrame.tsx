import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { RightPanel } from '#src/ui/panel/RightPanel.tsx'
import { SplitView } from '#src/ui/panel/SplitView.tsx'

import { Grid } from './Grid.tsx'
import { TableHead } from './head/TableHead.tsx'
import { TableEmpty, TableFailed, TableWaiting } from './TableStates.tsx'
import { NO_NOTES } from './contract.ts'
import type {
  RowPanel,
  Sort,
  TableColumn,
  TableFilter,
  TableFrameProps,
  TableLoading,
  TableMemory,
  TableMore,
  TablePicks,
  TableRows,
} from './contract.ts'
import { nextSort, sortRows } from './order.ts'
import { shownColumns, withWidth } from './shownColumns.ts'
import classes from './table.module.css'
import { useCursor } from './useCursor.ts'
import { useRowMode } from './useRowMode.ts'
import { useTableActs } from './useTableActs.ts'
import { useTaking } from './useTaking.ts'

const NO_FACTS = new Map<string, never>()
const NO_ROWS: readonly never[] = []
const NO_FILTERS: readonly TableFilter[] = []

/**
 * The one frame of all lists: a head with search, filters, count, views and columns; the rows; the panel of a row
 * beside them. The keys are in useTableKeys.ts, what a screen gives in contract.ts.
 */
export function TableFrame<Row, Fact = undefined>(props: TableFrameProps<Row, Fact>) {
  const { columns, of, rowKey, filters = NO_FILTERS, onFilter = noFilter } = props
  const { search, panel, more = null, file = null, picks } = props
  const mode = useRowMode()
  const memory = useMemory(props.memory)
  const { layout, panelWidth } = memory.notes
  const facts: ReadonlyMap<string, Fact> = props.facts ?? NO_FACTS
  // In a list that is read in parts, the order of a part would not be that of the list.
  const sort = more === null ? layout.sort : null
  const rows = useSortedRows(of, columns, sort)
  const shown = useMemo(() => shownColumns(columns, layout, mode), [columns, layout, mode])
  const { cursor, acts, opens } = useOpening(useCursor(rows, rowKey), rows, props)
  const taking = useTaking({ columns: shown, rows, rowKey, facts, readFacts: props.readFacts, file })
  const onPick = picks === undefined ? null : () => pickMarked(picks, rows.slice(cursor.from, cursor.to + 1), rowKey)
  const { root, searchBox, isByKey, openByTap, close } = useTableActs(cursor, acts, rows.length, { opens, onPick })
  const count = useCount(of, taking.said)
  const row = cursor.isOpen && cursor.index !== null ? rows[cursor.index] : undefined
  return (
    <div ref={root} className={classes.frame}>
      <TableHead
        search={search}
        searchBox={searchBox}
        filters={filters}
        onFilter={onFilter}
        onFilters={props.onFilters}
        columns={columns}
        mode={mode}
        memory={memory}
        count={count}
        onCopy={rows.length === 0 ? null : () => void taking.copyAll()}
        onFile={file === null || rows.length === 0 ? null : () => void taking.saveFile()}
        actions={props.actions}
      />
      {picks !== undefined && picks.picked.size > 0 && <div className={classes.picked}>{picks.bar}</div>}
      <SplitView
        width={panelWidth}
        onWidth={(width) => memory.note({ panelWidth: width })}
        panel={
          row !== undefined && panel !== undefined && cursor.index !== null ? (
            <PanelOfRow
              of={panel(row, facts.get(rowKey(row)))}
              index={cursor.index}
              count={rows.length}
              takesFocus={isByKey}
              onGo={acts.go}
              onClose={close}
            />
          ) : null
        }
      >
        {of.state === 'ready' && rows.length > 0 ? (
          <Grid
            name={props.name}
            columns={shown}
            rows={rows}
            rowKey={rowKey}
            isSame={props.isSame ?? Object.is}
            facts={facts}
            mode={mode}
            widths={layout.widths}
            sort={sort}
            onSort={more === null ? (key) => memory.note({ layout: { ...layout, sort: nextSort(sort, key) } }) : null}
            onWidth={(key, width) => memory.note({ layout: withWidth(layout, key, width) })}
            cursor={cursor}
            acts={{ ...acts, open: openByTap }}
            opens={opens}
            hasPanel={panel !== undefined}
            link={props.link}
            onWindow={props.onWindow}
            picks={picks}
            sheetOf={taking.sheetOf}
          />
        ) : (
          <WithoutRows {...props} filters={filters} onFilter={onFilter} mode={mode} />
        )}
        {more !== null && <MoreRows {...more} />}
      </SplitView>
    </div>
  )
}

/** To open a row is to open its panel; where rows have none, it is to go to the screen that each stands for. */
function useOpening<Row, Fact>(
  { cursor, acts }: ReturnType<typeof useCursor<Row>>,
  rows: readonly Row[],
  { panel, link }: Pick<TableFrameProps<Row, Fact>, 'panel' | 'link'>,
) {
  const navigate = useNavigate()
  if (panel !== undefined || link === undefined) return { cursor, acts, opens: panel !== undefined }
  const open = (at: number): void => {
    const row = rows[at]
    if (row !== undefined) void navigate(link(row))
  }
  return { cursor, acts: { ...acts, open }, opens: true }
}

function noFilter(): void {}

/** The rows that were read, in the order that the reader asks for. */
function useSortedRows<Row, Fact>(
  of: TableLoading<Row>,
  columns: readonly TableColumn<Row, Fact>[],
  sort: Sort | null,
): readonly Row[] {
  const unsorted = of.state === 'ready' ? of.value.rows : NO_ROWS
  return useMemo(() => sortRows(unsorted, columns, sort), [unsorted, columns, sort])
}

/** Picks rows; where all of them are picked already, puts them back. */
function pickMarked<Row>({ picked, onPick }: TablePicks, rows: readonly Row[], rowKey: (row: Row) => string): void {
  const marked = rows.map(rowKey)
  onPick(marked, !marked.every((key) => picked.has(key)))
}

/** How many rows there are, or what was just done with them, in words. */
function useCount<Row>(of: TableLoading<Row>, said: string | null): string | null {
  const { t } = useTranslation(['table', 'shell'])
  if (said !== null || of.state !== 'ready') return said
  return t(of.value.isLeast === true ? 'least' : 'shell:page.total', countOf(of.value))
}

function countOf<Row>({ rows, total = rows.length }: TableRows<Row>): { readonly total: number } {
  return { total }
}

function MoreRows({ label, isReading, onMore }: TableMore) {
  return (
    <div className={classes.foot}>
      <Button size="md" variant="default" loading={isReading} onClick={onMore}>
        {label}
      </Button>
    </div>
  )
}

interface PanelOfRowProps {
  readonly of: RowPanel
  readonly index: number
  readonly count: number
  readonly takesFocus: boolean
  readonly onGo: (index: number) => void
  readonly onClose: () => void
}

/** The panel of a row, with the way to its neighbours. */
function PanelOfRow({ of, index, count, takesFocus, onGo, onClose }: PanelOfRowProps) {
  const { t } = useTranslation('table')
  return (
    <RightPanel
      title={of.title}
      actions={of.actions}
      takesFocus={takesFocus}
      place={t('panel.place', { at: index + 1, of: count })}
      onClose={onClose}
      onPrevious={index === 0 ? null : () => onGo(index - 1)}
      onNext={index === count - 1 ? null : () => onGo(index + 1)}
    >
      {of.content}
    </RightPanel>
  )
}

interface WithoutRowsProps<Row, Fact>
  extends
    Pick<TableFrameProps<Row, Fact>, 'of' | 'search' | 'empty' | 'noMatch' | 'onRetry' | 'failed'>,
    Required<Pick<TableFrameProps<Row, Fact>, 'filters' | 'onFilter'>> {
  readonly mode: ReturnType<typeof useRowMode>
}

/** What stands in the place of rows: they are coming, they could not be had, or there are none. */
function WithoutRows<Row, Fact>(props: WithoutRowsProps<Row, Fact>) {
  const { of, search, filters, onFilter, empty, noMatch, mode, onRetry, failed } = props
  if (of.state === 'loading') return <TableWaiting mode={mode} />
  if (of.state === 'failed') return <TableFailed error={of.error} own={failed?.(of.error) ?? null} onRetry={onRetry} />
  return (
    <TableEmpty
      isNarrowed={filters.some(({ value }) => value !== null) || (search?.value.trim() ?? '') !== ''}
      empty={empty}
      noMatch={noMatch}
      onClear={() => {
        search?.onChange('')
        onFilter(Object.fromEntries(filters.map(({ key }) => [key, null])))
      }}
    />
  )
}

/** Without a memory of its own, the table remembers until it is left. */
function useMemory(given: TableMemory | undefined): TableMemory {
  const [notes, setNotes] = useState(NO_NOTES)
  return given ?? { notes, note: (change) => setNotes((before) => ({ ...before, ...change })) }
}
