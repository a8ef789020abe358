import { FIRST_REPEAT } from '#core/derivedIds.ts'
import type { EntryStatus } from '#core/sync/entryMark.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { addDays } from './days.ts'
import { isMadeByHand } from './pageDemand.ts'
import type { FolderSchedule, PlannedFolder, PlannedSchedule } from './visitPlan.ts'

/**
 * A patient's visits: when each is planned, within which days, and its status today. Tablet and server work out the
 * same from the same facts. Nothing of it is stored except what a person says of a visit (`VisitFacts`); all else
 * follows from that.
 */

/** How a person says that a visit ended without taking place as planned. */
export const visitOutcomes = ['missed', 'skipped', 'stopped'] as const
export type VisitOutcome = (typeof visitOutcomes)[number]

/**
 * The status of a visit. The first that fits counts:
 *
 * - `removed`: a person took the visit back.
 * - `notApplicable`: a person took the folder out of this patient's casebook.
 * - `stopped`: a person said that the patient's part in the study ended here. Every later planned visit that has not
 *   begun has this status too.
 * - `done`: all expected pages are submitted, and no page that was begun is left open.
 * - `inWindow`, `early`, `late`: the visit took place on its actual date; pages are still open. Without a planned date
 *   every day is in the window.
 * - `begun`: something was entered, but there is no actual date.
 * - `missed`, `skipped`: a person said that the visit did not take place: nobody came, or it was left out on purpose. A
 *   visit with an actual date or with pages took place, whatever was said before.
 * - `planned`: its window is not open yet, or its planned date is not known yet.
 * - `due`: its window is open today.
 * - `overdue`: its window is over, and nobody has said why.
 * - `open`: it has no plan (a log, or a folder without one); pages may be entered at any time.
 */
export const visitStatuses = [
  'removed',
  'notApplicable',
  'stopped',
  'done',
  'inWindow',
  'early',
  'late',
  'begun',
  'missed',
  'skipped',
  'planned',
  'due',
  'overdue',
  'open',
] as const
export type VisitStatus = (typeof visitStatuses)[number]

/** Whether a visit took place within its window. */
export type VisitTiming = 'inWindow' | 'early' | 'late'

/** What people said of a visit. */
export interface VisitFacts {
  readonly folderId: string
  readonly folderRepeat: string
  /** `yyyy-MM-dd`. */
  readonly actualDate: string | null
  readonly outcome: VisitOutcome | null
  readonly outcomeReason: string | null
  readonly deviationReason: string | null
  readonly removed: boolean
  /**
   * Whether the folder is part of this patient's casebook. It is stored with the first visit and holds for the whole
   * folder.
   */
  readonly applies: boolean
  /** Its place among the folders of this patient; null for the place in the definition. */
  readonly order: number | null
}

/**
 * How far an entry is, and its place in the casebook. Deleted entries are left out, and entries in which nothing was
 * entered do not count.
 */
export interface VisitPage {
  readonly folderId: string
  readonly folderRepeat: string
  readonly pageId: string
  readonly pageRepeat: string
  readonly status: EntryStatus
}

/**
 * The same, counted for one visit: how many expected pages are submitted, and whether any page is begun and not
 * submitted.
 */
export interface VisitTally {
  readonly folderId: string
  readonly folderRepeat: string
  readonly submitted: number
  readonly open: boolean
}

export interface ScheduleFolder extends PlannedFolder {
  readonly id: string
  readonly sort: number
  readonly pages: readonly { readonly id: string; readonly option: string }[]
}

export interface ScheduledVisit {
  readonly folderId: string
  readonly folderCode: string
  readonly folderRepeat: string
  /** 1 for the first visit of the folder. */
  readonly no: number
  readonly kind: FolderSchedule['kind'] | 'none'
  readonly plannedDate: string | null
  /** First and last day of the window. */
  readonly window: { readonly from: string; readonly to: string } | null
  /** Null where nobody has said anything of the visit yet. */
  readonly facts: VisitFacts | null
  readonly status: VisitStatus
  /** Whether the visit took place within its window; null without an actual date. */
  readonly timing: VisitTiming | null
  /** Whether anything was entered. */
  readonly begun: boolean
  /** Number of expected pages, and how many of them are submitted. */
  readonly asked: number
  readonly submitted: number
}

interface ScheduleFacts {
  readonly folders: readonly ScheduleFolder[]
  /** Day of the patient's enrolment, `yyyy-MM-dd`. */
  readonly enrolledOn: string | null
  readonly visits: readonly VisitFacts[]
  /** The day on the clock of the person who looks, `yyyy-MM-dd`. */
  readonly today: string
}

/** What was entered is given page by page, or counted by visit. A visit in which nothing was entered is in neither. */
export type ScheduleInput = ScheduleFacts &
  ({ readonly pages: readonly VisitPage[] } | { readonly tallies: readonly VisitTally[] })

/**
 * All visits of a patient in their order. Folders are in this patient's own order, else in that of the definition.
 * Within a folder the visit of the schedule comes first, then the visits that people made, by date and by when they
 * were made. An unscheduled folder has only visits that somebody made or in which something was entered.
 */
export function scheduleOf(input: ScheduleInput): readonly ScheduledVisit[] {
  const facts = Map.groupBy(input.visits, ({ folderId }) => folderId)
  const entered = Map.groupBy(
    'tallies' in input ? input.tallies : tallyVisits(input.folders, input.pages),
    ({ folderId }) => folderId,
  )
  const dates = new PlannedDates(input)
  const ordered = input.folders
    .map((folder) => ({ folder, order: firstOf(facts.get(folder.id))?.order ?? folder.sort }))
    .toSorted((a, b) => a.order - b.order || a.folder.sort - b.folder.sort)
  const all = ordered.flatMap(({ folder }) => {
    const own = { facts: facts.get(folder.id) ?? [], entered: entered.get(folder.id) ?? [] }
    return repeatsOf(folder, own).map((folderRepeat, at) =>
      visitOf(folder, folderRepeat, at + 1, own, dates, input.today),
    )
  })
  return stoppedAfter(all)
}

/** What was entered, counted by visit. */
function tallyVisits(folders: readonly ScheduleFolder[], pages: readonly VisitPage[]): readonly VisitTally[] {
  const begun = Map.groupBy(
    pages.filter(({ status }) => status !== 'init'),
    ({ folderId, folderRepeat }) => `${folderId} ${folderRepeat}`,
  )
  const asked = new Map(folders.map((folder) => [folder.id, askedIn(folder)]))
  return [...begun.values()].flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const { folderId, folderRepeat } = first
    const submitted = (asked.get(folderId) ?? []).filter((id) =>
      own.some((page) => page.pageId === id && page.pageRepeat === FIRST_REPEAT && page.status === SUBMITTED),
    ).length
    return [{ folderId, folderRepeat, submitted, open: own.some(({ status }) => status === 'process') }]
  })
}

/** Pages that are expected at a visit of the folder. */
function askedIn({ pages }: ScheduleFolder): readonly string[] {
  return pages.filter(({ option }) => !isMadeByHand(option)).map(({ id }) => id)
}

interface OfFolder {
  readonly facts: readonly VisitFacts[]
  readonly entered: readonly VisitTally[]
}

/** The visits of a folder that a patient has, in the order in which they are numbered. */
export function repeatsOf(
  { schedule }: Pick<ScheduleFolder, 'schedule'>,
  {
    facts,
    entered,
  }: { readonly facts: readonly VisitFacts[]; readonly entered: readonly { readonly folderRepeat: string }[] },
): readonly string[] {
  const made = new Map<string, string>()
  for (const { folderRepeat } of entered) made.set(folderRepeat, '')
  for (const { folderRepeat, actualDate } of facts) made.set(folderRepeat, actualDate ?? '')
  const isBegun = entered.some(({ folderRepeat }) => folderRepeat === FIRST_REPEAT)
  made.delete(FIRST_REPEAT)
  // Visits without a date come last; ids are in the order in which they were made.
  const repeats = [...made]
    .toSorted(([a, dayOfA], [b, dayOfB]) => compare(dayOfA || '9', dayOfB || '9') || compare(a, b))
    .map(([repeat]) => repeat)
  return schedule?.kind === 'unscheduled' && !isBegun ? repeats : [FIRST_REPEAT, ...repeats]
}

function visitOf(
  folder: ScheduleFolder,
  folderRepeat: string,
  no: number,
  own: OfFolder,
  dates: PlannedDates,
  today: string,
): ScheduledVisit {
  const facts = own.facts.find((one) => one.folderRepeat === folderRepeat) ?? null
  const tally = own.entered.find((one) => one.folderRepeat === folderRepeat)
  const isFirst = folderRepeat === FIRST_REPEAT
  const plan = isFirst && folder.schedule?.kind === 'planned' ? folder.schedule : null
  const plannedDate = plan === null ? null : dates.of(folder.folderCode)
  const window = plan === null || plannedDate === null ? null : windowOf(plan, plannedDate)
  const timing = timingOf(facts?.actualDate ?? null, window)
  const asked = askedIn(folder).length
  const begun = tally !== undefined
  const submitted = tally?.submitted ?? 0
  const isDone = begun && submitted === asked && !tally.open
  const status = statusOf({
    facts,
    applies: firstOf(own.facts)?.applies ?? true,
    isDone,
    begun,
    timing,
    isPlanned: plan !== null,
    window,
    today,
  })
  const kind = folder.schedule?.kind ?? 'none'
  return {
    folderId: folder.id,
    folderCode: folder.folderCode,
    folderRepeat,
    no,
    kind,
    plannedDate,
    window,
    facts,
    status,
    timing,
    begun,
    asked,
    submitted,
  }
}

interface StatusInput {
  readonly facts: VisitFacts | null
  readonly applies: boolean
  readonly isDone: boolean
  readonly begun: boolean
  readonly timing: VisitTiming | null
  readonly isPlanned: boolean
  readonly window: ScheduledVisit['window']
  readonly today: string
}

function statusOf({ facts, applies, isDone, begun, timing, isPlanned, window, today }: StatusInput): VisitStatus {
  if (facts?.removed === true) return 'removed'
  if (!applies) return 'notApplicable'
  if (facts?.outcome === 'stopped') return 'stopped'
  if (isDone) return 'done'
  if (timing !== null) return timing
  if (begun) return isPlanned ? 'begun' : 'open'
  if (facts?.outcome === 'missed' || facts?.outcome === 'skipped') return facts.outcome
  if (!isPlanned) return 'open'
  if (window === null || today < window.from) return 'planned'
  return today <= window.to ? 'due' : 'overdue'
}

const NOT_BEGUN: ReadonlySet<VisitStatus> = new Set(['planned', 'due', 'overdue'])

/** Sets later visits to `stopped`: nobody comes to a planned visit after the one at which the patient's part ended. */
function stoppedAfter(visits: readonly ScheduledVisit[]): readonly ScheduledVisit[] {
  const last = visits.findIndex(({ status }) => status === 'stopped')
  if (last < 0) return visits
  return visits.map((visit, at) => (at > last && NOT_BEGUN.has(visit.status) ? { ...visit, status: 'stopped' } : visit))
}

/** Whether a day is within a window; without a window every day is. Null without a day. */
export function timingOf(actualDate: string | null, window: ScheduledVisit['window']): VisitTiming | null {
  if (actualDate === null) return null
  if (window !== null && actualDate < window.from) return 'early'
  return window !== null && actualDate > window.to ? 'late' : 'inWindow'
}

function windowOf(
  { before, after }: PlannedSchedule,
  plannedDate: string,
): { readonly from: string; readonly to: string } {
  return { from: addDays(plannedDate, -before), to: addDays(plannedDate, after) }
}

/** Planned dates of a patient's folders, each calculated once. */
class PlannedDates {
  readonly #input: ScheduleFacts
  readonly #byCode: ReadonlyMap<string, ScheduleFolder>
  readonly #known = new Map<string, string | null>()

  constructor(input: ScheduleFacts) {
    this.#input = input
    this.#byCode = new Map(input.folders.map((folder) => [folder.folderCode, folder]))
  }

  /**
   * The planned date of a folder. Null where its plan has no day to count from; plans that wait for each other never
   * have one.
   */
  of(code: string): string | null {
    const known = this.#known.get(code)
    if (known !== undefined) return known
    this.#known.set(code, null)
    const schedule = this.#byCode.get(code)?.schedule
    const anchor = schedule?.kind === 'planned' ? this.#anchorDay(schedule) : null
    const date = schedule?.kind === 'planned' && anchor !== null ? addDays(anchor, schedule.day) : null
    this.#known.set(code, date)
    return date
  }

  #anchorDay({ anchor }: PlannedSchedule): string | null {
    if (anchor.of === 'enrolment') return this.#input.enrolledOn
    const folder = this.#byCode.get(anchor.folderCode)
    if (folder === undefined) return null
    return (anchor.date === 'actual' ? this.#actual(folder.id) : null) ?? this.of(anchor.folderCode)
  }

  #actual(folderId: string): string | null {
    return firstOf(this.#input.visits.filter((one) => one.folderId === folderId))?.actualDate ?? null
  }
}

/** What was said of the visit that comes from the schedule itself. */
function firstOf(facts: readonly VisitFacts[] | undefined): VisitFacts | undefined {
  return facts?.find(({ folderRepeat }) => folderRepeat === FIRST_REPEAT)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The day by which a visit is listed: the day it took place, else the day for which it is planned. */
export function dayOfVisit({ facts, plannedDate }: Pick<ScheduledVisit, 'facts' | 'plannedDate'>): string | null {
  return facts?.actualDate ?? plannedDate
}

/**
 * Whether a study that hides visits outside of their window (`isFilterPeriod`) hides this one: it is planned, nothing
 * was entered or said of it, and today is not within its window.
 */
export function isOutsideWindow({ status, begun }: Pick<ScheduledVisit, 'status' | 'begun'>): boolean {
  return !begun && (status === 'planned' || status === 'overdue')
}
