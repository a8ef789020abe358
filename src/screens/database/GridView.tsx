import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { databaseKeys } from '#core/api/calls/data/database.ts'
import type { DatabaseColumn, DatabaseQuestion } from '#core/api/calls/data/database.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { useVersion } from '#src/data/hooks/projects.ts'
import type { Loadable } from '#src/data/shapes/types.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { NothingFound } from '#src/ui/illustrations/NothingFound.tsx'
import { SplitView } from '#src/ui/panel/SplitView.tsx'
import { fullTime } from '#src/ui/words/format.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { MarkShape, allMarks } from './CellMarks.tsx'
import { ColumnChooser } from './ColumnChooser.tsx'
import { ColumnHead } from './ColumnHead.tsx'
import { DataGrid } from './DataGrid.tsx'
import { ExportMenu } from './ExportMenu.tsx'
import { GridViews } from './GridViews.tsx'
import type { Asked } from './asked.ts'
import type { PageChosen } from './PageChoice.tsx'
import { RowFacts } from './RowFacts.tsx'
import { MOST_PLACES, RaiseForCells, queryPlaceOf } from './RaiseForCells.tsx'
import classes from './database.module.css'
import { shownIn } from './gridColumns.ts'
import type { GridColumn, GridWords } from './gridColumns.ts'
import { useGridMemory } from './gridMemory.ts'
import type { GridView as View } from './gridMemory.ts'
import { useRowWindow } from './useRowWindow.ts'
import { useSelection } from './useSelection.ts'
import type { Selection } from './useSelection.ts'

interface GridViewProps {
  readonly project: ProjectRow
  readonly chosen: PageChosen
  readonly columns: readonly DatabaseColumn[]
  readonly question: Omit<DatabaseQuestion, 'columns'>
  readonly asked: Asked
  readonly searchId: string | null
  readonly values: 'codes' | 'labels'
  readonly onAsked: (part: Partial<Asked>) => void
  readonly onView: (view: View) => void
  readonly onClear: () => void
}

/** The grid with its columns, the row that is open, and what can be done with the selected cells. */
export function GridView(props: GridViewProps) {
  const { project, chosen, columns, question, asked, values, searchId, onClear } = props
  const { t } = useTranslation('database')
  const memory = useGridMemory(`${project.id}/${chosen.pageId}/${chosen.table ?? ''}`)
  const { layout } = memory
  const shown = shownIn(columns, layout, {})
  const names = shown.flatMap((column) => (column.kind === 'item' ? [column.column.name] : []))
  const whole = { ...question, columns: names }
  const rows = useRowWindow(whole)
  const { selection, go } = useSelection({ rows: rows.count, columns: shown.length })
  const [isOpen, setOpen] = useState(false)
  const [panelWidth, setPanelWidth] = useState<number | null>(null)
  const words = useGridWords()
  const titleOf = useTitles(columns)
  const isFiltered =
    searchId !== null ||
    asked.filters.length > 0 ||
    asked.centerId !== null ||
    asked.status !== null ||
    asked.words.trim() !== ''
  const at = isOpen ? selection.at : null
  const row = at === null ? undefined : rows.rowAt(at.row)
  return (
    <>
      <GridTools {...props} {...{ rows, memory, titleOf, whole, shown, isFiltered }} />
      {rows.state === 'ready' && rows.error !== null && (
        <Note tone="error" live>
          {t('partFailed')}
        </Note>
      )}
      <Loaded of={loadingOf(rows)} rows={12} onRetry={rows.retry}>
        {() =>
          rows.count === 0 && !isFiltered ? (
            <EmptyState icon={<NothingFound />} title={t('empty.rows.title')} text={t('empty.rows.text')} />
          ) : (
            <SplitView
              width={panelWidth}
              onWidth={setPanelWidth}
              panel={
                at !== null && row !== undefined ? (
                  <RowFacts
                    project={project}
                    {...{ row, words, values }}
                    columns={shown}
                    current={shown[at.column]}
                    place={{ index: at.row, count: rows.count }}
                    onGo={(index) => go({ ...at, row: index }, false)}
                    onClose={() => setOpen(false)}
                  />
                ) : null
              }
            >
              <Grid {...props} {...{ rows, words, titleOf, selection }} shown={shown} onGo={go} onOpened={setOpen} />
              {rows.count === 0 && (
                <EmptyState
                  icon={<NothingFound />}
                  title={t('empty.match.title')}
                  text={t('empty.match.text')}
                  action={<ClearFilters onClear={onClear} />}
                />
              )}
            </SplitView>
          )
        }
      </Loaded>
      <SelectedCells {...{ project, columns: shown, rows, selection }} />
      <Legend />
    </>
  )
}

interface GridToolsProps extends GridViewProps {
  readonly rows: ReturnType<typeof useRowWindow>
  readonly memory: ReturnType<typeof useGridMemory>
  readonly titleOf: (id: string) => string
  readonly whole: DatabaseQuestion
  readonly shown: readonly GridColumn[]
  readonly isFiltered: boolean
}

/** How many rows there are, columns, views, and the way out. */
function GridTools(props: GridToolsProps) {
  const { project, columns, values, onView, onClear, rows, memory, titleOf, whole, shown, isFiltered } = props
  const { layout } = memory
  const { t } = useTranslation('database')
  return (
    <div className={classes.tools}>
      <output>
        {rows.state === 'ready' ? t(rows.isLeast ? 'least' : 'total', { count: rows.total }) : ''}
        {rows.isReading ? ` ${t('reading')}` : ''}
      </output>
      <ColumnChooser
        columns={columns}
        layout={layout}
        titleOf={titleOf}
        onLayout={(to) => memory.note({ layout: to })}
      />
      <GridViews
        views={memory.views}
        now={viewNow(props, layout)}
        onViews={(views) => memory.note({ views })}
        onShow={(view) => {
          memory.note({ layout: view.layout })
          onView(view)
        }}
      />
      {project.permissions.includes('export') && (
        <ExportMenu
          project={project}
          question={whole}
          keys={shown.flatMap((column) => (column.kind === 'key' ? [column.key] : []))}
          values={values}
        />
      )}
      {isFiltered && <ClearFilters onClear={onClear} />}
    </div>
  )
}

interface GridProps extends Omit<GridViewProps, 'onView' | 'onClear'> {
  readonly rows: ReturnType<typeof useRowWindow>
  readonly words: GridWords
  readonly titleOf: (id: string) => string
  readonly selection: Selection
  readonly shown: readonly GridColumn[]
  readonly onGo: ReturnType<typeof useSelection>['go']
  readonly onOpened: (isOpen: boolean) => void
}

/** The cells, with sorting and filtering in their heads. */
function Grid({ asked, values, onAsked, rows, words, titleOf, selection, shown, onGo, onOpened }: GridProps) {
  const { t } = useTranslation('database')
  return (
    <DataGrid
      name={t('rows')}
      columns={shown}
      {...{ rows, values, words, selection }}
      onGo={onGo}
      onOpen={(place) => {
        onGo(place, false)
        onOpened(true)
      }}
      onClose={() => onOpened(false)}
      sorted={(column) => sortedAs(asked, column)}
      head={(column) => (
        <ColumnHead
          title={titleOf(column.id)}
          column={column.kind === 'item' ? column.column : null}
          down={sortedAs(asked, column) === undefined ? null : asked.sort?.down === true}
          onSort={() => onAsked({ sort: nextSort(asked, column) })}
          test={asked.filters.find((filter) => filter.column === column.id)?.test ?? null}
          onTest={(test) =>
            onAsked({
              filters: [
                ...asked.filters.filter((filter) => filter.column !== column.id),
                ...(test === null ? [] : [{ column: column.id, test }]),
              ],
            })
          }
        />
      )}
    />
  )
}

function Legend() {
  const { t } = useTranslation('database')
  return (
    <ul className={classes.legend} aria-label={t('legend')}>
      {allMarks.map((mark) => (
        <li key={mark}>
          <MarkShape mark={mark} label="" />
          {t(`marks.${mark}`)}
        </li>
      ))}
    </ul>
  )
}

function useTitles(columns: readonly DatabaseColumn[]): (id: string) => string {
  const { t } = useTranslation('database')
  return (id) => {
    const key = databaseKeys.find((one) => `@${one}` === id)
    if (key !== undefined) return t(`keys.${key}`)
    const column = columns.find(({ name }) => name === id)
    if (column === undefined) return id
    return column.unit === null || column.unit === '' ? column.label : `${column.label} (${column.unit})`
  }
}

/** What was read, as the frame of what is loaded takes it. */
function loadingOf(rows: ReturnType<typeof useRowWindow>): Loadable<typeof rows> {
  if (rows.state === 'failed') return { state: 'failed', error: rows.error ?? { code: 'internal' } }
  return rows.state === 'loading' ? { state: 'loading' } : { state: 'ready', value: rows, stale: false }
}

function useGridWords(): GridWords {
  const { t } = useTranslation('database')
  const label = usePatientLabel()
  const language = useLanguage()
  return {
    status: { process: t('status.process'), submitted: t('status.submitted') },
    missing: { ND: t('missing.ND'), UNK: t('missing.UNK'), NA: t('missing.NA') },
    subject: ({ patientNo, patientMark }) => label({ no: patientNo, mark: patientMark }),
    visit: ({ folderName, folderNameEn, folderNo, pageNo }) => {
      const name = language === 'en' ? (folderNameEn ?? folderName) : folderName
      const visit = folderNo > 1 ? `${name} ${folderNo}` : name
      return pageNo > 1 ? `${visit} #${pageNo}` : visit
    },
    time: fullTime,
  }
}

/** A view of what is on the screen, without what was typed to filter a text. */
function viewNow(
  { columns, asked, chosen, searchId }: GridViewProps,
  layout: View['layout'] | Readonly<{ hidden: readonly string[]; order: readonly string[]; pinned: readonly string[] }>,
): Omit<View, 'id' | 'name'> {
  const isText = (name: string) => columns.find((column) => column.name === name)?.kind === 'text'
  const { hidden, order, pinned } = layout
  return {
    layout: { hidden: [...hidden], order: [...order], pinned: [...pinned] },
    sort: asked.sort,
    filters: asked.filters.filter(
      ({ column, test }) => !isText(column) || test.op === 'empty' || test.op === 'filled' || test.op === 'missing',
    ),
    centerId: asked.centerId,
    folderId: chosen.folderId,
    status: asked.status,
    searchId,
  }
}

function sortedAs({ sort }: Asked, column: GridColumn): 'ascending' | 'descending' | undefined {
  if (sort === null) return undefined
  const is = 'key' in sort.by ? column.kind === 'key' && column.key === sort.by.key : column.id === sort.by.column
  return is ? (sort.down ? 'descending' : 'ascending') : undefined
}

/** Up, down, and the order of the casebook again. */
function nextSort(asked: Asked, column: GridColumn): Asked['sort'] {
  const now = sortedAs(asked, column)
  if (now === 'descending') return null
  const by = column.kind === 'key' ? { key: column.key } : { column: column.id }
  return { by, down: now === 'ascending' }
}

interface SelectedCellsProps {
  readonly project: ProjectRow
  readonly columns: readonly GridColumn[]
  readonly rows: ReturnType<typeof useRowWindow>
  readonly selection: Selection
}

/** How many cells are selected, and a question about each of them. */
function SelectedCells({ project, columns, rows, selection }: SelectedCellsProps) {
  const { t } = useTranslation('database')
  const version = useVersion(project.id)
  const [isRaising, setRaising] = useState(false)
  const [raised, setRaised] = useState(0)
  const { at, from, to } = selection
  const chosen = columns
    .slice(from.column, to.column + 1)
    .flatMap((column) => (column.kind === 'item' ? [column.column] : []))
  const count = at === null ? 0 : chosen.length * (to.row - from.row + 1)
  if (count === 0 || !project.permissions.includes('query_add')) return null
  const open = chosen.filter(({ isMasked }) => !isMasked)
  const isTooMany = open.length * (to.row - from.row + 1) > MOST_PLACES
  const places = isTooMany
    ? []
    : Array.from({ length: to.row - from.row + 1 }, (_, nth) => rows.rowAt(from.row + nth)).flatMap((row) =>
        row === undefined ? [] : uniquePlaces(open.map(({ field }) => queryPlaceOf(row, field))),
      )
  return (
    <div className={classes.bar}>
      <output>{t('selected', { count })}</output>
      {isTooMany ? (
        <span>{t('raise.tooMany', { most: MOST_PLACES })}</span>
      ) : (
        places.length > 0 && (
          <Button
            size="md"
            variant="default"
            onClick={() => {
              setRaised(0)
              setRaising(true)
            }}
          >
            {t('raise.open', { count: places.length })}
          </Button>
        )
      )}
      {raised > 0 && <output>{t('raise.done', { count: raised })}</output>}
      {isRaising && (
        <RaiseForCells
          projectId={project.id}
          versionId={version.state === 'ready' ? (version.value?.id ?? null) : null}
          places={places}
          masked={(chosen.length - open.length) * (to.row - from.row + 1)}
          onRaised={(all) => {
            setRaised(all)
            rows.retry()
          }}
          onClose={() => setRaising(false)}
        />
      )}
    </div>
  )
}

/** Both ends of a range are one field. */
function uniquePlaces<Place extends object>(places: readonly Place[]): readonly Place[] {
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()]
}

function ClearFilters({ onClear }: { readonly onClear: () => void }) {
  const { t } = useTranslation('database')
  return (
    <Button size="md" variant="default" onClick={onClear}>
      {t('empty.match.clear')}
    </Button>
  )
}
