import { FIRST_REPEAT } from '#core/derivedIds.ts'
import type { PageTodo } from '#core/study/visits/pagesToDo.ts'
import type { ScheduledVisit } from '#core/study/visits/schedule.ts'
import { dayOfVisit } from '#core/study/visits/schedule.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import type { Casebook, CasebookFolder, CasebookPage } from '#src/data/shapes/types.ts'

/** Which visits of a casebook stand together, and which are open when it is opened. */

/** The place of a visit on a screen. */
export function visitAnchor(id: string): string {
  return `visit-${id}`
}

/** Whether a visit stands apart from the plan: nobody planned it, or it is a log. */
export function isApart({ kind, folderRepeat }: Pick<ScheduledVisit, 'kind' | 'folderRepeat'>): boolean {
  return kind === 'unscheduled' || kind === 'log' || (kind === 'planned' && folderRepeat !== FIRST_REPEAT)
}

/**
 * Visits as they follow each other in time: those of the plan in their order, and the others where their day falls. A
 * log has no day: it comes last.
 */
export function inTime<Of extends { readonly visit: ScheduledVisit }>(visits: readonly Of[]): readonly Of[] {
  const planned = visits.filter(({ visit }) => !isApart(visit))
  const line = [...planned]
  for (const one of visits.filter(({ visit }) => isApart(visit))) {
    const day = one.visit.kind === 'log' ? null : dayOfVisit(one.visit)
    const at = day === null ? -1 : line.findIndex(({ visit }) => (dayOfVisit(visit) ?? '') > day)
    line.splice(at < 0 ? line.length : at, 0, one)
  }
  return line
}

/**
 * The page with which somebody goes on: the first that was begun, else the first that is asked for today, else the
 * first of a visit that may still take place.
 */
export function nextPage({ folders, todo }: Casebook): CasebookPage | null {
  const pages = folders.flatMap((folder) => folder.pages)
  const begun = pages.find(({ status }) => status === 'process')
  if (begun !== undefined) return begun
  const asked = todo.find(({ why }) => why === 'notStarted' || why === 'overdue')
  return (
    (asked && pageOf(asked, pages)) ??
    folders
      .filter(({ visit }) => !isOver(visit))
      .flatMap((folder) => folder.pages)
      .find(isNew) ??
    null
  )
}

/** The page that something is to do on; undefined where this device does not have it. */
export function pageOf(todo: PageTodo, pages: readonly CasebookPage[]): CasebookPage | undefined {
  return pages.find(
    ({ target }) =>
      target.folderId === todo.folderId &&
      target.folderRepeat === todo.folderRepeat &&
      target.pageId === todo.pageId &&
      target.pageRepeat === todo.pageRepeat,
  )
}

/** Whether a visit has a day of its own, so that it can be early, late or missed. */
export function isDated({ kind }: Pick<ScheduledVisit, 'kind'>): boolean {
  return kind !== 'none' && kind !== 'log'
}

function isNew({ status }: CasebookPage): boolean {
  return status === 'init'
}

/** Whether nothing of a visit is expected any more although it was never done. */
function isOver({ status }: ScheduledVisit): boolean {
  return status === 'missed' || status === 'skipped' || status === 'stopped' || status === 'notApplicable'
}

/** A visit as the list of visits folds it. */
type Foldable = Pick<CasebookFolder, 'visit' | 'pages'>

/** How many pages are shown when a casebook opens, so that one of hundreds is there at once. */
const SHOWN_PAGES = 60

/** Up to so many there is nothing to gain from folding. */
const FEW_PAGES = 12

/**
 * The visits that are open when the casebook is opened: those that somebody works on, or the next. Where nothing waits
 * any more it is opened to be read, and all are open.
 */
export function openedAtFirst(folders: readonly Foldable[], next: string | null): ReadonlySet<string> {
  const current = folders.filter((folder) => isCurrent(folder) || folder.pages.some(({ entryId }) => entryId === next))
  const isShort = folders.reduce((sum, { pages }) => sum + pages.length, 0) <= FEW_PAGES
  const wanted = isShort || current.length === 0 ? folders.filter(({ visit }) => !isOver(visit)) : current
  const open = new Set<string>()
  let pages = 0
  for (const { visit, pages: own } of wanted) {
    if (pages > 0 && pages + own.length > SHOWN_PAGES) continue
    pages += own.length
    open.add(visit.id)
  }
  return open
}

function isCurrent({ visit, pages }: Foldable): boolean {
  if (pages.some(({ mark, status }) => (mark !== null && mark !== 'received') || status === 'process')) return true
  if (pages.some(({ status, progress }) => status === SUBMITTED && (progress?.missing ?? 0) > 0)) return true
  return visit.status !== 'done' && visit.status !== 'planned' && visit.status !== 'removed' && !isOver(visit)
}

/** From how many on the visits that are done are one line. */
const PAST_MOST = 3

/**
 * The visits at the beginning that are done or over, where they are many and others follow: they are one line until
 * somebody asks.
 */
export function pastVisits(folders: readonly Foldable[], open: ReadonlySet<string>): ReadonlySet<string> {
  const planned = folders.filter(({ visit }) => !isApart(visit))
  const first = planned.findIndex(
    ({ visit }) => open.has(visit.id) || !(visit.status === 'done' || isOver(visit) || visit.status === 'removed'),
  )
  return new Set(first > PAST_MOST ? planned.slice(0, first).map(({ visit }) => visit.id) : [])
}
