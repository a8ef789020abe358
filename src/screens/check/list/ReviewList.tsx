import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import type { PlanVersion, ReviewLine } from '#core/api/calls/review/check.ts'
import type { CenterRow, VersionRow } from '#core/api/sync/rows.ts'
import type { ReviewTrack } from '#core/review/verification.ts'
import type { Page } from '#core/wire/shapes.ts'
import { useCenters, useVersion } from '#src/data/hooks/projects.ts'
import type { Loadable } from '#src/data/shapes/types.ts'
import { useTableMemory } from '#src/frame/tableMemory.ts'
import { entryPath } from '#src/paths/screenPaths.ts'
import { withPart } from '#src/screens/check/checkAddress.ts'
import type { CheckPart } from '#src/screens/check/checkAddress.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Note } from '#src/ui/Note.tsx'
import { NothingDue } from '#src/ui/illustrations/NothingDue.tsx'
import { NothingFound } from '#src/ui/illustrations/NothingFound.tsx'
import { TableFrame } from '#src/ui/table/TableFrame.tsx'
import type { FilterChange, TableFilter, TableLoading } from '#src/ui/table/contract.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { VerifyNext } from './VerifyNext.tsx'
import { filterKeys, filterStates } from './listFilter.ts'
import type { ListFilter } from './listFilter.ts'
import { useReviewColumns } from './reviewColumns.tsx'
import { useReviewList } from './useReviewList.ts'

interface ReviewListProps {
  readonly projectId: string
  readonly track: ReviewTrack
  readonly mayPlan: boolean
  readonly plans: Loadable<readonly PlanVersion[]>
}

/** The pages that the plan of a track asks for, and the way to the next one. */
export function ReviewList({ projectId, track, mayPlan, plans }: ReviewListProps) {
  const { t } = useTranslation('review')
  const list = useReviewList(projectId, track)
  const { filter, lines, more } = list
  const centers = useCenters(projectId)
  const known = centers.state === 'ready' ? centers.value : NONE
  const version = useVersion(projectId)
  const columns = useReviewColumns(known)
  const hasPlan = plans.state !== 'ready' || plans.value.some(({ isActive }) => isActive)
  const left = lines.state === 'ready' ? lines.value.total - lines.value.records.length : 0
  const nothing = hasPlan ? null : <NoPlan mayPlan={mayPlan} />
  return (
    <>
      {left > 0 && more === null && <Note tone="info">{t('list.beyond')}</Note>}
      <TableFrame
        name={t('list.title')}
        columns={columns}
        of={rowsOf(lines)}
        rowKey={keyOf}
        link={(line) => entryPath(projectId, line.patientId, line.entryId)}
        memory={useTableMemory(`review ${projectId}`)}
        search={{ label: t('list.search'), value: list.search, onChange: list.setSearch }}
        filters={useFilters(filter, known, version.state === 'ready' ? version.value : null)}
        onFilter={(changed) => list.change(changesOf(changed, filter))}
        file={t('list.file', { track: t(`track.${track}`) })}
        more={left > 0 && more !== null ? { label: t('list.more'), isReading: list.isReading, onMore: more } : null}
        actions={<VerifyNext projectId={projectId} track={track} filter={filter} search={list.searched} />}
        empty={nothing ?? <NothingAsked />}
        noMatch={nothing ?? (isAllToDo(filter, list.searched) ? <AllDone /> : <NoMatch onClear={list.clear} />)}
      />
    </>
  )
}

const NONE: readonly CenterRow[] = []

/** Whether the list is of all that is to do, and nothing more is asked of it. */
function isAllToDo({ state, center, folder, page }: ListFilter, search: string): boolean {
  return state === 'toDo' && center === null && folder === null && page === null && search === ''
}

function useFilters(
  filter: ListFilter,
  centers: readonly CenterRow[],
  version: VersionRow | null,
): readonly TableFilter[] {
  const { t } = useTranslation('review')
  const names = useNames()
  const choice = (
    key: keyof ListFilter,
    title: string,
    choices: readonly { readonly value: string; readonly label: string }[],
  ): TableFilter => {
    const value = filter[key]
    const chosen = choices.find((one) => one.value === value)?.label
    // What was chosen by another version, or of a center that is not theirs, can be taken away all the same.
    return { key, title, kind: 'choice', value, text: value === null ? null : (chosen ?? title), choices }
  }
  const folders = version?.folders ?? []
  const pages = folders.filter(({ id }) => filter.folder === null || id === filter.folder).flatMap((one) => one.pages)
  const unique = [...new Map(pages.map((page) => [page.id, page])).values()]
  return [
    choice(
      'state',
      t('list.columns.state'),
      filterStates.map((value) => ({ value, label: t(`list.state.${value}`) })),
    ),
    ...(centers.length > 1 || filter.center !== null
      ? [
          choice(
            'center',
            t('list.columns.center'),
            centers.map(({ id, centerName }) => ({ value: id, label: centerName })),
          ),
        ]
      : []),
    choice(
      'folder',
      t('list.columns.visit'),
      folders.map((folder) => ({ value: folder.id, label: names.visit(folder) })),
    ),
    choice(
      'page',
      t('list.columns.page'),
      unique.map((page) => ({ value: page.id, label: names.page(page) })),
    ),
  ]
}

/** A change of the table's filters as a change of the list's. Another visit has other pages. */
function changesOf(change: FilterChange, before: ListFilter): Partial<ListFilter> {
  const known = filterKeys.flatMap((key) => (key in change ? [[key, change[key] ?? null] as const] : []))
  const isOtherVisit = 'folder' in change && change['folder'] !== before.folder && !('page' in change)
  // The address takes only what is a valid filter (listFilter.ts).
  return { ...(Object.fromEntries(known) as Partial<ListFilter>), ...(isOtherVisit ? { page: null } : {}) }
}

function rowsOf(of: Loadable<Page<ReviewLine>>): TableLoading<ReviewLine> {
  return of.state === 'ready'
    ? {
        state: 'ready',
        value: { rows: of.value.records, total: of.value.total, isLeast: of.value.totalIsLeast ?? false },
      }
    : of
}

function keyOf({ entryId }: ReviewLine): string {
  return entryId
}

/** A link to another part of the screen, as the next step where there is nothing to list. */
function ToPart({ part, children }: { readonly part: CheckPart; readonly children: string }) {
  const { pathname, search } = useLocation()
  const to = `${pathname}?${withPart(new URLSearchParams(search), part).toString()}`
  return (
    <Button size="md" variant="default" component={Link} to={to}>
      {children}
    </Button>
  )
}

function NoPlan({ mayPlan }: { readonly mayPlan: boolean }) {
  const { t } = useTranslation('review')
  return (
    <EmptyState
      icon={<NothingFound />}
      title={t('list.noPlan.title')}
      text={t(mayPlan ? 'list.noPlan.make' : 'list.noPlan.ask')}
      action={<ToPart part="plan">{t(mayPlan ? 'list.noPlan.toMake' : 'list.noPlan.toPlan')}</ToPart>}
    />
  )
}

function AllDone() {
  const { t } = useTranslation('review')
  return (
    <EmptyState
      icon={<NothingDue />}
      title={t('list.done.title')}
      text={t('list.done.text')}
      action={<ToPart part="progress">{t('list.done.toProgress')}</ToPart>}
    />
  )
}

function NothingAsked() {
  const { t } = useTranslation('review')
  return (
    <EmptyState
      icon={<NothingFound />}
      title={t('list.empty.title')}
      text={t('list.empty.text')}
      action={<ToPart part="plan">{t('list.noPlan.toPlan')}</ToPart>}
    />
  )
}

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  const { t } = useTranslation('review')
  return (
    <EmptyState
      icon={<NothingFound />}
      title={t('list.noMatch.title')}
      text={t('list.noMatch.text')}
      action={
        <Button size="md" variant="default" onClick={onClear}>
          {t('list.noMatch.clear')}
        </Button>
      }
    />
  )
}
