import { FIRST_REPEAT } from '#core/derivedIds.ts'
import type { EntryProgress } from '#core/sync/entryMark.ts'
import { isMadeByHand } from './pageDemand.ts'
import type { ScheduleFolder, ScheduledVisit, VisitPage, VisitStatus } from './schedule.ts'

/**
 * Why somebody must go on with a page: `conflict`, two people entered different things; `missing`, required fields are
 * empty; `process`, it is saved and not submitted; `overdue`, nothing is entered and the visit's window is over;
 * `notStarted`, nothing is entered.
 */
export type PageTodoWhy = 'conflict' | 'missing' | 'process' | 'overdue' | 'notStarted'

export interface PageTodo {
  readonly folderId: string
  readonly folderRepeat: string
  readonly pageId: string
  readonly pageRepeat: string
  readonly why: PageTodoWhy
  /** Number of required fields that are empty. */
  readonly missing: number
}

export interface TodoPage extends VisitPage {
  readonly progress: EntryProgress | null
  readonly conflicted: boolean
}

/** Visits whose pages are expected now: those that are due today or before, and those that took place. */
const ASKED_FOR: ReadonlySet<VisitStatus> = new Set(['due', 'overdue', 'begun', 'inWindow', 'early', 'late'])

/**
 * Pages of a patient with which somebody must go on, in the order of the visits. These are pages that were begun and
 * are not submitted, lack a required value or are in conflict, in any visit. In visits that are due or took place, they
 * are also the expected pages that are not begun. A visit without a plan expects nothing before somebody begins it.
 */
export function pagesToDo(
  visits: readonly ScheduledVisit[],
  folders: readonly ScheduleFolder[],
  pages: readonly TodoPage[],
): readonly PageTodo[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  return visits.flatMap((visit) => {
    const folder = byId.get(visit.folderId)
    const own = pages.filter(
      ({ folderId, folderRepeat }) => folderId === visit.folderId && folderRepeat === visit.folderRepeat,
    )
    return (folder?.pages ?? []).flatMap(({ id, option }) => {
      const begun = own.filter(({ pageId }) => pageId === id).toSorted((a, b) => (a.pageRepeat < b.pageRepeat ? -1 : 1))
      const goOn = begun.flatMap((page) => whyGoOn(page) ?? [])
      const isNew = !begun.some(({ pageRepeat, status }) => pageRepeat === FIRST_REPEAT && status !== 'init')
      if (!isNew || isMadeByHand(option) || !ASKED_FOR.has(visit.status)) return goOn
      const place = { folderId: visit.folderId, folderRepeat: visit.folderRepeat, pageId: id, pageRepeat: FIRST_REPEAT }
      return [{ ...place, why: visit.status === 'overdue' ? 'overdue' : 'notStarted', missing: 0 } as const, ...goOn]
    })
  })
}

function whyGoOn({
  folderId,
  folderRepeat,
  pageId,
  pageRepeat,
  status,
  progress,
  conflicted,
}: TodoPage): PageTodo | null {
  const place = { folderId, folderRepeat, pageId, pageRepeat }
  const missing = progress?.missing ?? 0
  if (conflicted) return { ...place, why: 'conflict', missing }
  if (status === 'init') return null
  if (missing > 0) return { ...place, why: 'missing', missing }
  return status === 'process' ? { ...place, why: 'process', missing } : null
}
