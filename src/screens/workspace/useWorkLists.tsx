import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { BULK_PAGE_SIZE } from '#core/api/call.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'
import { FIRST_REPEAT, entryId } from '#core/derivedIds.ts'
import { MISSING_FIELD, attentionPlace, casebookPath, entryPath } from '#src/paths/screenPaths.ts'
import { useWork } from '#src/data/hooks/patients.ts'
import { pageToFill } from '#src/data/shapes/pageToFill.ts'
import { useProject, useVersion } from '#src/data/hooks/projects.ts'
import { useAttention, useUnsentWork } from '#src/data/hooks/sync.ts'
import type { Loadable, WorkList } from '#src/data/shapes/types.ts'
import { today } from '#src/data/shapes/today.ts'
import type { VisitList, VisitListLine } from '#src/data/shapes/visitTypes.ts'
import { useQueries } from '#src/data/hooks/queries.ts'
import type { QueryView } from '#src/data/shapes/queryTypes.ts'
import { queryPath, useQueryPlaces } from '#src/form/queries/queryPlaces.ts'
import { QueryBadge } from '#src/ui/badges/QueryBadge.tsx'
import { useVisits } from '#src/data/hooks/visits.ts'
import { PageStatus } from '#src/ui/badges/PageStatus.tsx'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'
import { VisitShape } from '#src/ui/badges/VisitBadge.tsx'
import { useAttentionWhere } from '#src/ui/words/attentionWhere.ts'
import { useCallName } from '#src/ui/words/callName.ts'
import { fullTime } from '#src/ui/words/format.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import type { WorkItem } from './WorkLines.tsx'
import classes from './work.module.css'
import { FAR, urgencyOf } from './workKinds.ts'
import type { DayKind, Kind, Urgency } from './workKinds.ts'

/** What waits of one kind. */
export interface WorkOfKind {
  readonly total: number
  /** There may be more of this kind than `total`: only a part of all visits was read. */
  readonly isPart?: boolean
  /** Made when they are shown: seven of eight kinds show only their count. */
  readonly items: () => readonly WorkItem[]
}

export type WorkLists = Readonly<Record<Kind, Loadable<WorkOfKind>>>

interface WorkPlace {
  readonly projectId: string
  readonly centerId: string | null
}

/**
 * What waits for the user in a project, by kind.
 *
 * @param isDue whether it is time to read
 * @param hasQueries whether the user has to do with queries
 */
export function useWorkLists(place: WorkPlace, isDue: boolean, hasQueries: boolean): WorkLists {
  return {
    ...useVisitsByDay(place, isDue),
    queries: useWaitingQueries(place, isDue && hasQueries),
    missing: usePages(place, 'missing', isDue),
    process: usePages(place, 'process', isDue),
    attention: useNeeding(place, isDue),
    unsent: useUnsent(place, isDue),
  }
}

function readAs<Value>(list: Loadable<Value>, worked: (value: Value) => WorkOfKind): Loadable<WorkOfKind> {
  return list.state === 'ready' ? { ...list, value: worked(list.value) } : list
}

const ofCenter = (centerId: string | null) => (centerId === null ? {} : { centerId })

interface Dated {
  readonly line: VisitListLine
  readonly when: Urgency
}

/** Visits whose window is open or over, those that close first at the beginning. A line opens the page to fill in. */
function useVisitsByDay(
  { projectId, centerId }: WorkPlace,
  isDue: boolean,
): Readonly<Record<DayKind, Loadable<WorkOfKind>>> {
  const due = useVisits(projectId, { ...ofCenter(centerId), group: 'due' }, isDue)
  const overdue = useVisits(projectId, { ...ofCenter(centerId), group: 'overdue' }, isDue)
  const itemOf = useVisitItem(projectId)
  const day = today()
  const [open, late] = [useDated(due, day), useDated(overdue, day)]
  const ofDay = (kind: DayKind): Loadable<WorkOfKind> =>
    readAs(open, ({ dated, isPart }) => {
      const own = dated.filter(({ when }) => when.kind === kind)
      return { total: own.length, isPart, items: () => own.map(itemOf) }
    })
  return {
    today: ofDay('today'),
    week: ofDay('week'),
    window: ofDay('window'),
    overdue: readAs(late, ({ dated, total }) => ({ total, items: () => dated.map(itemOf) })),
  }
}

interface DatedList {
  readonly dated: readonly Dated[]
  readonly total: number
  readonly isPart: boolean
}

function useDated(list: Loadable<VisitList>, day: string): Loadable<DatedList> {
  return useMemo(() => {
    if (list.state !== 'ready') return list
    const { lines, total } = list.value
    const dated = lines.map((line) => ({ line, when: urgencyOf(line, day) }))
    return {
      ...list,
      value: { dated: dated.toSorted((a, b) => a.when.left - b.when.left), total, isPart: total > lines.length },
    }
  }, [list, day])
}

function useVisitItem(projectId: string): (dated: Dated) => WorkItem {
  const names = useNames()
  const { t } = useTranslation(['workspace', 'visits'])
  const label = usePatientLabel()
  const version = useVersion(projectId)
  const project = useProject(projectId)
  const folders = version.state === 'ready' ? version.value.folders : []
  const pass = (project.state === 'ready' ? project.value.pass : undefined) ?? 1
  return ({ line, when: { left } }) => {
    const page = pageOf(line, folders)
    const isSoon = left !== 0 && left < FAR
    return {
      id: line.id,
      to:
        page === null
          ? casebookPath(projectId, line.patient.id)
          : entryPath(projectId, line.patient.id, idOf(line, page.id, pass)),
      subject: label(line.patient),
      place: [line.patient.initials, names.visit(line), page === null ? null : names.page(page)],
      mark: (
        <span className={classes.when} data-late={left < 0 || undefined}>
          <VisitShape status={line.status} />
          {isSoon
            ? t(left < 0 ? 'workspace:when.late' : 'workspace:when.left', { count: Math.abs(left) })
            : t(`visits:status.${line.status}`)}
        </span>
      ),
    }
  }
}

/** The page of a visit that comes next; null where the version does not know it. */
function pageOf({ folderId, nextPageId }: VisitListLine, folders: readonly FolderRow[]) {
  const folder = folders.find(({ id }) => id === folderId)
  const pageId = nextPageId ?? (folder === undefined ? null : pageToFill(folder, []))
  return folder?.pages.find(({ id }) => id === pageId) ?? null
}

function idOf({ patient, folderId, folderRepeat }: VisitListLine, pageId: string, pass: 1 | 2): string {
  return entryId({
    patientId: patient.id,
    folderId,
    folderRepeat,
    pageId,
    pageRepeat: FIRST_REPEAT,
    parentEntryId: null,
    pass,
  })
}

/** Pages that wait. One that lacks values opens at the first of them. */
function usePages(
  { projectId, centerId }: WorkPlace,
  todo: 'missing' | 'process',
  isDue: boolean,
): Loadable<WorkOfKind> {
  const names = useNames()
  const label = usePatientLabel()
  const itemOf = (line: WorkList['lines'][number]): WorkItem => ({
    id: line.entryId,
    to: entryPath(projectId, line.target.patientId, line.entryId, todo === 'missing' ? MISSING_FIELD : null),
    subject: label(line.patient),
    place: [line.patient.initials, names.place(line)],
    mark: <PageStatus pages={[line]} />,
  })
  return readAs(useWork(projectId, { ...ofCenter(centerId), todo }, isDue), ({ lines, total }) => ({
    total,
    items: () => lines.map(itemOf),
  }))
}

/** Queries that wait for the user: of a site what is asked, of who closes what is answered. */
function useWaitingQueries({ projectId, centerId }: WorkPlace, isDue: boolean): Loadable<WorkOfKind> {
  const label = usePatientLabel()
  const version = useVersion(projectId)
  const inWords = useQueryPlaces(version.state === 'ready' ? version.value : null)
  const itemOf = ({ query, patientNo, patientMark, initials }: QueryView): WorkItem => {
    const { visit, page, what } = inWords(query.place)
    return {
      id: query.id,
      to: queryPath(projectId, query.place),
      subject: label({ no: patientNo, mark: patientMark }),
      place: [initials, visit, page, what],
      mark: <QueryBadge state={query.state} />,
    }
  }
  const filter = { ...ofCenter(centerId), waits: '1', sort: 'no', current: 1, size: BULK_PAGE_SIZE } as const
  return readAs(useQueries(projectId, filter, isDue), ({ queries, total }) => ({
    total,
    items: () => queries.map(itemOf),
  }))
}

function useNeeding({ projectId }: WorkPlace, isDue: boolean): Loadable<WorkOfKind> {
  const whereOf = useAttentionWhere()
  return readAs(useAttention(isDue), (all) => {
    const own = all.filter((item) => item.projectId === projectId)
    return {
      total: own.length,
      items: () =>
        own.map((item) => ({
          id: item.id,
          to: attentionPlace(item) ?? '/attention',
          subject: item.patientLabel,
          place: [whereOf({ ...item, patientLabel: '' })],
          mark: <StatusBadge status={item.kind === 'conflict' ? 'conflict' : 'attention'} />,
        })),
    }
  })
}

function useUnsent({ projectId }: WorkPlace, isDue: boolean): Loadable<WorkOfKind> {
  const names = useNames()
  const callName = useCallName()
  return readAs(useUnsentWork(projectId, isDue), ({ lines, total }) => ({
    total,
    items: () =>
      lines.map((item) => ({
        id: item.key,
        to:
          item.target === null || item.patientId === null
            ? '/device'
            : entryPath(projectId, item.patientId, item.entityId),
        subject: item.patientLabel,
        place: [names.page(item) ?? callName(item.call), fullTime(item.actedAt)],
        mark: (
          <StatusBadge
            status={item.state === 'rejected' ? 'attention' : item.state === 'sending' ? 'sending' : 'local'}
          />
        ),
      })),
  }))
}
