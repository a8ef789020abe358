import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router-dom'
import type { CenterRow, ProjectRow } from '#core/api/sync/rows.ts'
import { queryRightsOf } from '#core/access/queryRights.ts'
import { querySources, queryStates, reviewsQueries } from '#core/review/query.ts'
import { useCenters, useProject, useVersion } from '#src/data/hooks/projects.ts'
import { useQueries, useQueryFigures } from '#src/data/hooks/queries.ts'
import type { QueryList, QueryView } from '#src/data/shapes/queryTypes.ts'
import type { Loadable } from '#src/data/shapes/types.ts'
import { queryPath, useQueryPlaces } from '#src/form/queries/queryPlaces.ts'
import { KeepBanner } from '#src/frame/KeepBanner.tsx'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { SearchFailed, whySearchFailed } from '#src/frame/lists/SearchFailed.tsx'
import { useKeptSearches, useSearchFilter } from '#src/frame/lists/useKeptSearches.ts'
import { useListChoice } from '#src/frame/lists/useListChoice.ts'
import type { ListChoice } from '#src/frame/lists/useListChoice.ts'
import { useListSize } from '#src/frame/lists/useListSize.ts'
import { useTableMemory } from '#src/frame/tableMemory.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { NothingFound } from '#src/ui/illustrations/NothingFound.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { TableFrame } from '#src/ui/table/TableFrame.tsx'
import type { FilterChange, RowPanel, TableFilter, TableLoading } from '#src/ui/table/contract.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'

import { QueryPanel } from './QueryPanel.tsx'
import { useQueryColumns } from './queryColumns.tsx'
import { FIRST_FILTER, addressFilter, askedFor, filterKeys, listStates } from './queryFilter.ts'
import type { ListFilter } from './queryFilter.ts'
import { RaiseFromFile } from './RaiseFromFile.tsx'
import { SeveralDialog, SeveralQueries } from './SeveralQueries.tsx'
import { usePickedQueries } from './usePickedQueries.ts'

/** What was asked about the data of a project, and what the sites answered: a list, and beside it each query. */
export function QueryScreen() {
  const { t } = useTranslation('query')
  const { id: projectId = '' } = useParams()
  const project = useProject(projectId)
  // What the head of the list offers depends on rights: it is drawn once they are known, and does not move then.
  if (project.state === 'loading') {
    return (
      <PageFrame title={t('title')} wide>
        <Loaded of={project} rows={8}>
          {() => null}
        </Loaded>
      </PageFrame>
    )
  }
  const permissions = project.state === 'ready' ? project.value.permissions : NO_RIGHTS
  return <ListOfQueries projectId={projectId} permissions={permissions} />
}

const NO_RIGHTS: ProjectRow['permissions'] = []

interface ListOfQueriesProps {
  readonly projectId: string
  readonly permissions: ProjectRow['permissions']
}

function ListOfQueries({ projectId, permissions }: ListOfQueriesProps) {
  const { t } = useTranslation('query')
  const { filter, change, search, searched, setSearch, clear } = useListChoice(addressFilter)
  const { size, more } = useListSize()
  const centers = useCenters(projectId)
  const known = centers.state === 'ready' ? centers.value : NONE
  const version = useVersion(projectId)
  const queries = useQueries(projectId, askedFor(filter, searched, size))
  const searches = useKeptSearches(projectId, permissions)
  const places = useQueryPlaces(version.state === 'ready' ? version.value : null)
  const columns = useQueryColumns((view) => places(view.query.place))
  const panelOf = usePanel(projectId, known, places)
  const picking = usePickedQueries(queries)
  const fromFile = useFromFile(projectId, permissions.includes('query_add'))
  const reviews = reviewsQueries(queryRightsOf(new Set(permissions)))
  const left = queries.state === 'ready' ? queries.value.total - queries.value.queries.length : 0
  const empty = (
    <EmptyState
      icon={<NothingFound />}
      title={t('list.empty.title')}
      text={t(permissions.includes('query_add') ? 'list.empty.review' : 'list.empty.site')}
    />
  )
  return (
    <PageFrame title={t('title')} wide {...fromFile.head}>
      <KeepBanner projectId={projectId} />
      {fromFile.below}
      {left > 0 && more === null && <Note tone="info">{t('list.beyond')}</Note>}
      <TableFrame
        name={t('title')}
        columns={columns}
        of={rowsOf(queries)}
        rowKey={keyOf}
        memory={useTableMemory(`queries ${projectId}`)}
        search={{ label: t('list.search'), value: search, onChange: setSearch }}
        filters={[...useFilters(filter, known), ...useSearchFilter(searches, filter.search)]}
        onFilter={(changed) => change(changesOf(changed))}
        panel={panelOf}
        {...(reviews
          ? {
              picks: {
                picked: picking.picked,
                onPick: picking.onPick,
                bar: <SeveralQueries views={picking.views} onAct={picking.act} onNone={picking.clear} />,
              },
            }
          : {})}
        file={permissions.includes('data_review') || permissions.includes('query_close') ? t('title') : null}
        more={left > 0 && more !== null ? { label: t('list.more'), isReading: false, onMore: more } : null}
        failed={(error) => {
          const why = whySearchFailed(error, filter.search)
          return why === null ? null : <SearchFailed why={why} onRemove={() => change({ search: null })} />
        }}
        empty={empty}
        noMatch={<NoMatch {...{ filter, searched, change, clear, empty }} />}
      />
      {picking.doing !== null && (
        <SeveralDialog
          projectId={projectId}
          act={picking.doing.act}
          picked={picking.doing.views}
          onUnpick={picking.unpick}
          onClose={picking.stop}
        />
      )}
    </PageFrame>
  )
}

/**
 * The way to the dialog for a file of questions, and how many of it were asked: also the one that is on its way when it
 * closes.
 */
function useFromFile(projectId: string, mayAsk: boolean) {
  const { t } = useTranslation('query')
  const [isOpen, setOpen] = useState(false)
  const [raised, setRaised] = useState(0)
  const open = () => {
    setRaised(0)
    setOpen(true)
  }
  const button = (
    <ServerButton size="md" variant="default" onClick={open}>
      {t('file.open')}
    </ServerButton>
  )
  const below = isOpen ? (
    <RaiseFromFile
      projectId={projectId}
      onRaised={() => setRaised((before) => before + 1)}
      onClose={() => setOpen(false)}
    />
  ) : raised > 0 ? (
    <Note tone="done" live>
      {t('file.kept', { count: raised })}
    </Note>
  ) : null
  return { head: mayAsk ? { actions: button } : {}, below }
}

interface NoMatchProps extends Pick<ListChoice<ListFilter>, 'filter' | 'searched' | 'change' | 'clear'> {
  /** What stands where there is no query at all. */
  readonly empty: ReactNode
}

/** Nothing is shown. The list begins with what is not settled: that this is empty is good news, not a wrong filter. */
function NoMatch({ filter, searched, change, clear, empty }: NoMatchProps) {
  const { t } = useTranslation('query')
  const { id: projectId = '' } = useParams()
  const figures = useQueryFigures(projectId)
  const isFirst = searched === '' && filterKeys.every((key) => filter[key] === FIRST_FILTER[key])
  if (figures.state === 'ready' && queryStates.every((state) => figures.value[state] === 0)) return empty
  return isFirst ? (
    <EmptyState
      icon={<NothingFound />}
      title={t('list.settled.title')}
      text={t('list.settled.text')}
      action={
        <Button size="md" variant="default" onClick={() => change({ state: null })}>
          {t('list.settled.all')}
        </Button>
      }
    />
  ) : (
    <EmptyState
      icon={<NothingFound />}
      title={t('list.noMatch.title')}
      text={t('list.noMatch.text')}
      action={
        <Button size="md" variant="default" onClick={clear}>
          {t('list.noMatch.clear')}
        </Button>
      }
    />
  )
}

const NONE: readonly CenterRow[] = []

function usePanel(projectId: string, centers: readonly CenterRow[], places: ReturnType<typeof useQueryPlaces>) {
  const { t } = useTranslation('query')
  const label = usePatientLabel()
  return useCallback(
    (view: QueryView): RowPanel => {
      const { query, patientNo, patientMark, initials } = view
      const who = [label({ no: patientNo, mark: patientMark }), initials].filter(Boolean).join(' ')
      return {
        title: `${query.no === 0 ? t('unnumbered') : t('no', { no: query.no })} · ${who}`,
        actions: (
          <Button
            size="md"
            variant="default"
            component={Link}
            to={queryPath(projectId, query.place)}
            leftSection={<IconExternalLink size={18} aria-hidden="true" />}
          >
            {t('list.open')}
          </Button>
        ),
        content: <QueryPanel projectId={projectId} view={view} place={places(query.place)} centers={centers} />,
      }
    },
    [projectId, centers, places, label, t],
  )
}

function useFilters(filter: ListFilter, centers: readonly CenterRow[]): readonly TableFilter[] {
  const { t } = useTranslation('query')
  const stateWords = (state: (typeof listStates)[number]) =>
    state === 'unsettled' ? t('list.unsettled') : t(`state.${state}`)
  const base = (key: keyof ListFilter, title: string, text: string | null) => ({ key, title, value: filter[key], text })
  const onOff = (key: 'waits' | 'own' | 'assigned' | 'urgent' | 'overdue', title: string): TableFilter => ({
    ...base(key, title, filter[key] === null ? null : title),
    kind: 'switch',
  })
  const center = centers.find(({ id }) => id === filter.center)
  return [
    onOff('waits', t('list.waits')),
    {
      ...base('state', t('columns.state'), filter.state === null ? null : stateWords(filter.state)),
      kind: 'choice',
      choices: listStates.map((value) => ({ value, label: stateWords(value) })),
    },
    ...(centers.length > 1 || filter.center !== null
      ? [
          {
            ...base('center', t('list.center'), center?.centerName ?? null),
            kind: 'choice',
            choices: centers.map(({ id, centerName }) => ({ value: id, label: centerName })),
          } as const,
        ]
      : []),
    {
      ...base('source', t('columns.source'), filter.source === null ? null : t(`source.${filter.source}`)),
      kind: 'choice',
      choices: querySources.map((value) => ({ value, label: t(`source.${value}`) })),
    },
    onOff('own', t('list.own')),
    onOff('assigned', t('list.assigned')),
    onOff('urgent', t('urgent')),
    onOff('overdue', t('list.overdue')),
  ]
}

/** A change of the table's filters as a change of the list's. */
function changesOf(change: FilterChange): Partial<ListFilter> {
  const known = filterKeys.flatMap((key) => (key in change ? [[key, change[key] ?? null] as const] : []))
  // The address takes only what is a valid filter (queryFilter.ts).
  return Object.fromEntries(known) as Partial<ListFilter>
}

function rowsOf(of: Loadable<QueryList>): TableLoading<QueryView> {
  return of.state === 'ready'
    ? { state: 'ready', value: { rows: of.value.queries, total: of.value.total, isLeast: of.value.totalIsLeast } }
    : of
}

function keyOf({ query }: QueryView): string {
  return query.id
}
