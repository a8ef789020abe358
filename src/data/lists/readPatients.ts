import { BULK_AT_ONCE, BULK_PAGE_SIZE } from '#core/api/call.ts'
import type { PatientRow } from '#core/api/sync/rows.ts'
import { ok } from '#core/result.ts'
import { readOutboxLines } from '#offline/outbox/outboxLines.ts'
import { NOTHING_LOCAL, viewOf } from '#src/data/casebook/patientView.ts'
import type { Local } from '#src/data/casebook/patientView.ts'
import { openBounces } from '#src/data/rows/bounced.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { openConflicts } from '#src/data/rows/decisions.ts'
import {
  centersHere,
  readTakenOperations,
  isHere,
  localCenters,
  localEntry,
  localMembers,
  openOperations,
  rowsOf,
} from '#src/data/rows/local.ts'
import type { CenterScope } from '#src/data/rows/local.ts'
import { localPatientRows } from '#src/data/rows/localPatients.ts'
import { patientsOnPage, remoteOnPage } from '#src/data/rows/onPage.ts'
import { patientWith } from '#src/data/rows/overlay.ts'
import { readCenters } from '#src/data/rows/readProjects.ts'
import { patientsWaiting } from '#src/data/rows/waiting.ts'
import type { PatientView } from '#src/data/shapes/types.ts'
import { ALL_PATIENTS } from '#src/data/shapes/listTypes.ts'
import type { PatientFilter, PatientList } from '#src/data/shapes/listTypes.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

/** Lists of patients: local where the centers' scopes are kept, with this device's unsent work over them. */

export async function readPatients(
  context: DataContext,
  projectId: string,
  filter: PatientFilter,
): Reading<PatientList> {
  const { current = 1, size = 10, centerId, todo } = filter
  if (filter.searchId !== undefined) return remotePatients(context, projectId, filter)
  const onPage = filter.pageId === undefined ? null : { pageId: filter.pageId, table: filter.table ?? null }
  const local = await context.storage.run(async () => {
    const scopes = await scopesToRead(context, projectId, centerId)
    if (scopes === null) return null
    const [patients, waiting, filled, memberId] = await Promise.all([
      localPatients(context, projectId, scopes),
      todo === undefined ? null : patientsWaiting(context, scopes),
      onPage === null ? null : patientsOnPage(context, scopes, onPage),
      filter.mine === undefined ? null : ownMemberId(context, projectId),
    ])
    return {
      patients: patients.filter(
        (patient) =>
          (waiting?.has(patient.id) ?? true) && fits(patient, filter, { userId: context.user.userId, memberId }),
      ),
      filled,
    }
  })
  if (!local.ok) return local
  if (local.value === null) return remotePatients(context, projectId, filter)
  const { patients, filled } = local.value
  // While the server can be asked, it answers for patients that gave way on a full disk.
  const remote =
    onPage !== null && filled?.unread === true && context.online()
      ? await remoteOnPage(context, projectId, onPage)
      : null
  const found = filled === null ? patients : patients.filter(({ id }) => filled.ids.has(id) || remote?.has(id) === true)
  return ok({ patients: found.slice((current - 1) * size, current * size), total: found.length })
}

/** Whether a patient matches a filter, by the patient's own facts. The same as the server's list. */
function fits(
  { no, mark, initials, sex, enrolledOn, createdBy, expertIds = [], memIds = [], sync }: PatientView,
  filter: PatientFilter,
  reader: { readonly userId: string; readonly memberId: string | null },
): boolean {
  const wanted = filter.no?.trim().toLowerCase() ?? ''
  if (wanted !== '' && ![no ?? mark, initials ?? ''].some((text) => text.toLowerCase().includes(wanted))) return false
  if (filter.sex !== undefined && sex !== filter.sex) return false
  if (filter.from !== undefined && (enrolledOn === null || enrolledOn < filter.from)) return false
  if (filter.to !== undefined && (enrolledOn === null || enrolledOn > filter.to)) return false
  const { userId, memberId } = reader
  if (
    filter.mine !== undefined &&
    createdBy !== userId &&
    (memberId === null || ![...expertIds, ...memIds].includes(memberId))
  )
    return false
  return filter.sync === undefined || IS_IN[filter.sync].includes(sync)
}

const IS_IN: Readonly<Record<'attention' | 'local', readonly PatientView['sync'][]>> = {
  attention: ['attention', 'conflict'],
  local: ['local', 'sending'],
}

/** What the user is in a project whose common scope is kept; null where they are no member. */
async function ownMemberId(context: DataContext, projectId: string): Promise<string | null> {
  return (await localMembers(context, projectId)).find(({ userId }) => userId === context.user.userId)?.id ?? null
}

/**
 * The centers that a list is read from. Null where the server has to give the list: not all of it is kept, and the
 * server can be asked. Without the server, a center with only opened patients lists those.
 */
export async function scopesToRead(
  context: DataContext,
  projectId: string,
  centerId?: string,
): Promise<readonly CenterScope[] | null> {
  const [found, centerRows] = await Promise.all([centersHere(context, projectId), localCenters(context, projectId)])
  const here = found.filter((scope) => centerId === undefined || scope.centerId === centerId)
  const visible = centerRows.filter(({ id }) => centerId === undefined || id === centerId)
  const all =
    visible.length > 0 &&
    visible.every(({ id }) => here.some((scope) => scope.opened === null && scope.centerId === id))
  return all || !context.online() ? here : null
}

/** All patients of these centers who are on this device, with its unsent work over them. */
export async function localPatients(
  context: DataContext,
  projectId: string,
  centers: readonly CenterScope[],
): Promise<readonly PatientView[]> {
  const scopes = centers.map(({ text }) => text)
  const [rows, ofProject, outbox, conflicted, held, bounced] = await Promise.all([
    Promise.all(centers.map(async (center) => here(center, await localPatientRows(context, center.text)))),
    localCenters(context, projectId),
    readOutboxLines(context.storage),
    patientsInConflict(context, centers),
    readTakenOperations(context),
    openBounces(context),
  ])
  const heldOf = Map.groupBy(
    held.filter(({ row }) => scopes.includes(row.scope)),
    ({ row }) => row.patientId,
  )
  const ofPatient = Map.groupBy(
    outbox.filter(({ scope }) => scopes.includes(scope)),
    ({ patientId }) => patientId,
  )
  const waiting = new Set(bounced.map(({ row }) => row.patientId))
  const names = new Map(ofProject.map(({ id, centerName }) => [id, centerName]))
  const passOf = new Map(centers.map(({ centerId, pass }) => [centerId, pass]))
  const view = (patient: PatientRow, local: Local): PatientView =>
    viewOf(patient, names.get(patient.centerId) ?? '', passOf.get(patient.centerId) ?? 1, local)
  const said = JSON.stringify([[...names], [...passOf]])
  const lists = rows.map((list) => receivedViews(list, said, (patient) => view(patient, NOTHING_LOCAL)))
  // Two passes of one center hold the same patients twice.
  const received =
    lists.length === 1 ? (lists[0] ?? []) : [...new Map(lists.flat().map((one) => [one.id, one])).values()]
  const touched = new Set([...heldOf.keys(), ...ofPatient.keys(), ...conflicted, ...waiting])
  // Nearly all of thousands have no unsent work here, and cost next to nothing.
  if (touched.size === 0) return lists.length === 1 ? received : inListOrder(received)
  const known = new Map(
    rows
      .flat()
      .filter(({ id }) => touched.has(id))
      .map((row) => [row.id, row]),
  )
  const views = received.filter(({ id }) => !touched.has(id))
  for (const id of touched) {
    const own = ofPatient.get(id) ?? []
    const unsent = await openOperations(
      context,
      await rowsOf(
        context,
        own.filter(({ call }) => call.startsWith('patient.')),
      ),
    )
    const patientHeld = heldOf.get(id) ?? []
    const patient = patientWith(known.get(id) ?? null, [...patientHeld, ...unsent])
    if (patient !== null && !patient.deleted)
      views.push(view(patient, { own, held: patientHeld, conflicted: conflicted.has(id), bounced: waiting.has(id) }))
  }
  return inListOrder(views)
}

interface Received {
  /** What the views were made of besides the rows. */
  readonly said: string
  readonly views: readonly PatientView[]
}

const made = new WeakMap<readonly PatientRow[], Received>()

/**
 * The patients of a scope without unsent work of this device, in list order: made once and kept as long as nothing of
 * it changes.
 */
function receivedViews(
  rows: readonly PatientRow[],
  said: string,
  view: (patient: PatientRow) => PatientView,
): readonly PatientView[] {
  const before = made.get(rows)
  if (before?.said === said) return before.views
  const views = inListOrder(rows.filter(({ deleted }) => !deleted).map(view))
  made.set(rows, { said, views })
  return views
}

/**
 * Patients with a number by their number, 999 before 1000, as in the server's list; patients without one at the end,
 * oldest first.
 */
function inListOrder(views: readonly PatientView[]): PatientView[] {
  const long = views.find(({ no }) => no !== null)?.no?.length
  // Usually all numbers have the same length and sort as they are.
  const keys = views.every(({ no }) => no === null || no.length === long)
    ? null
    : new Map(views.map(({ id, no }) => [id, no === null ? null : inDigits(no)]))
  const keyOf = ({ id, no }: PatientView): string => (keys === null ? no : keys.get(id)) ?? '\uffff'
  return views.toSorted((a, b) => inOrder(keyOf(a), keyOf(b)) || inOrder(a.createdAt, b.createdAt))
}

function here(center: CenterScope, rows: readonly PatientRow[]): readonly PatientRow[] {
  return center.opened === null ? rows : rows.filter(({ id }) => isHere(center, id))
}

/** A subject number so that 999 stands before 1000, as in the server's list. */
function inDigits(no: string): string {
  return no.replaceAll(/\d+/g, (digits) => digits.padStart(9, '0'))
}

/** Numbers and instants need no language rules for sorting: those take a hundred times as long. */
function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

async function remotePatients(
  context: DataContext,
  projectId: string,
  { sync, ...filter }: PatientFilter,
): Reading<PatientList> {
  const read = await context.storage.run(() => knownHere(context, projectId, filter.centerId))
  if (!read.ok) return read
  const { views, enrolled, removed, memberId } = read.value
  const { current = 1, size = 10 } = filter
  const isWanted = (view: PatientView): boolean =>
    fits(view, { ...filter, ...(sync === undefined ? {} : { sync }) }, { userId: context.user.userId, memberId })
  if (sync !== undefined) {
    // For patients who are not here, this device has nothing that the server lacks; but only the server knows whom a
    // search finds.
    const searched = await idsFound(context, projectId, filter)
    if (!searched.ok) return searched
    const found = [...views.values()].filter((view) => isWanted(view) && (searched.value?.has(view.id) ?? true))
    return ok({ patients: found.slice((current - 1) * size, current * size), total: found.length })
  }
  const page = await remotePage(context, projectId, filter)
  if (!page.ok) return page
  const centers = await readCenters(context, projectId)
  const names = new Map(centers.ok ? centers.value.map(({ id, centerName }) => [id, centerName]) : [])
  const listed = page.value.records
    .filter(({ id }) => !removed.has(id))
    .map((row) => views.get(row.id) ?? viewOf(row, names.get(row.centerId) ?? '', 1, NOTHING_LOCAL))
  // A patient whom the server does not know yet stands at the end of its list.
  const isLast =
    current * size >= page.value.total &&
    filter.todo === undefined &&
    filter.pageId === undefined &&
    filter.searchId === undefined
  const more = isLast
    ? [...views.values()].filter(
        (view) => enrolled.has(view.id) && !listed.some(({ id }) => id === view.id) && isWanted(view),
      )
    : []
  return ok({
    patients: [...listed, ...more],
    total: page.value.total - (page.value.records.length - listed.length) + more.length,
  })
}

/** Whom a search finds; null where the filter has none. */
async function idsFound(
  context: DataContext,
  projectId: string,
  { searchId }: PatientFilter,
): Reading<ReadonlySet<string> | null> {
  if (searchId === undefined) return ok(null)
  const all = await remotePage(context, projectId, { searchId, size: ALL_PATIENTS })
  return all.ok ? ok(new Set(all.value.records.map(({ id }) => id))) : all
}

/**
 * What this device knows of patients beyond the server's list: which of them are here, and which it has enrolled or
 * removed since.
 */
async function knownHere(
  context: DataContext,
  projectId: string,
  centerId: string | undefined,
): Promise<{
  readonly views: ReadonlyMap<string, PatientView>
  readonly enrolled: ReadonlySet<string>
  readonly removed: ReadonlySet<string>
  readonly memberId: string | null
}> {
  const centers = (await centersHere(context, projectId)).filter(
    (center) => centerId === undefined || center.centerId === centerId,
  )
  const [views, outbox, memberId] = await Promise.all([
    localPatients(context, projectId, centers),
    readOutboxLines(context.storage),
    ownMemberId(context, projectId),
  ])
  const of = (call: string): ReadonlySet<string> =>
    new Set(outbox.flatMap((line) => (line.call === call ? [line.patientId] : [])))
  return {
    views: new Map(views.map((view) => [view.id, view])),
    enrolled: of('patient.save'),
    removed: of('patient.remove'),
    memberId,
  }
}

type PatientPage = { readonly records: readonly PatientRow[]; readonly total: number }

/**
 * One list page from the server. A longer list comes whole, in several list pages, some at a time (specification §7).
 */
async function remotePage(
  context: DataContext,
  projectId: string,
  filter: Omit<PatientFilter, 'sync'>,
): Reading<PatientPage> {
  const ask = (part: Omit<PatientFilter, 'sync'>) =>
    context.remote.read(['patients', projectId, JSON.stringify(part)], () =>
      context.api.call('patient.list', { query: { projectId, ...part }, projectId }),
    )
  if ((filter.size ?? 0) <= BULK_PAGE_SIZE) return ask(filter)
  const first = await ask({ ...filter, current: 1, size: BULK_PAGE_SIZE })
  if (!first.ok) return first
  const records = [...first.value.records]
  const pages = Math.ceil(first.value.total / BULK_PAGE_SIZE)
  for (let from = 2; from <= pages; from += BULK_AT_ONCE) {
    const part = Array.from({ length: Math.min(BULK_AT_ONCE, pages - from + 1) }, (_, at) =>
      ask({ ...filter, current: from + at, size: BULK_PAGE_SIZE }),
    )
    for (const page of await Promise.all(part)) {
      if (!page.ok) return page
      records.push(...page.value.records)
    }
  }
  return ok({ records, total: first.value.total })
}

async function patientsInConflict(context: DataContext, centers: readonly CenterScope[]): Promise<ReadonlySet<string>> {
  const entryIds = new Set((await openConflicts(context, centers)).map((conflict) => conflict.entryId))
  const found = centers.flatMap(({ text }) => [...entryIds].map((id) => localEntry(context, text, id)))
  return new Set((await Promise.all(found)).flatMap((entry) => (entry === null ? [] : [entry.patientId])))
}
