import { BULK_AT_ONCE, BULK_PAGE_SIZE } from '#core/api/call.ts'
import { ok } from '#core/result.ts'
import { parseScope } from '#core/sync/scope.ts'
import type { PatientRow } from '#core/sync/rows.ts'
import { outboxHeads } from '#offline/outbox/heads.ts'

import { openBounces } from './bounced.ts'
import type { DataContext } from './context.ts'
import { openConflicts } from './decisions.ts'
import { heldOps, keptCenters, localCenters, localEntry, localMembers, opened, rowsOf } from './local.ts'
import type { CenterScope } from './local.ts'
import { localPatientRows } from './localPatients.ts'
import { patientsOnPage, remoteOnPage } from './onPage.ts'
import { patientWith } from './overlay.ts'
import { NOTHING_LOCAL, viewOf } from './patientView.ts'
import type { Local } from './patientView.ts'
import { readCenters } from './readProjects.ts'
import { patientsWaiting } from './waiting.ts'
import type { PatientFilter, PatientList, Reading } from './source.ts'
import type { PatientView } from './types.ts'

/** Lists of patients: local where the centers' scopes are kept, with this device's unsent work over them. */

export async function readPatients(context: DataContext, projectId: string, filter: PatientFilter): Reading<PatientList> {
  const { current = 1, size = 10, centerId, todo } = filter
  const onPage = filter.pageId === undefined ? null : { pageId: filter.pageId, table: filter.table ?? null }
  const local = await context.storage.run(async () => {
    const scopes = await scopesToRead(context, projectId, centerId)
    if (scopes === null) return null
    const [patients, waiting, filled, memberId] = await Promise.all([
      localPatients(context, projectId, scopes.map(({ text }) => text)),
      todo === undefined ? null : patientsWaiting(context, scopes),
      onPage === null ? null : patientsOnPage(context, scopes, onPage),
      filter.mine === undefined ? null : ownMemberId(context, projectId),
    ])
    return { patients: patients.filter((patient) => (waiting?.has(patient.id) ?? true) && fits(patient, filter, { userId: context.user.userId, memberId })), filled }
  })
  if (!local.ok) return local
  if (local.value === null) return remotePatients(context, projectId, filter)
  const { patients, filled } = local.value
  // What gave way on a full disk the server knows, while it can be asked.
  const elsewhere = onPage !== null && filled?.unread === true && context.online() ? await remoteOnPage(context, projectId, onPage) : null
  const found = filled === null ? patients : patients.filter(({ id }) => filled.ids.has(id) || elsewhere?.has(id) === true)
  return ok({ patients: found.slice((current - 1) * size, current * size), total: found.length })
}

/** Whether a patient is among those that a filter asks for, by what is known of them alone. The same as the server's list. */
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
  if (filter.mine !== undefined && createdBy !== userId && (memberId === null || ![...expertIds, ...memIds].includes(memberId))) return false
  return filter.sync === undefined || IS_IN[filter.sync].includes(sync)
}

const IS_IN: Readonly<Record<'attention' | 'local', readonly PatientView['sync'][]>> = { attention: ['attention', 'conflict'], local: ['local', 'sending'] }

/** What the user is in a project whose common scope is kept; null where they are no member. */
async function ownMemberId(context: DataContext, projectId: string): Promise<string | null> {
  return (await localMembers(context, projectId)).find(({ userId }) => userId === context.user.userId)?.id ?? null
}

/** The kept scopes that a list is read from; null where it is the server's to give: not all of it is kept, and the server can be asked. */
export async function scopesToRead(context: DataContext, projectId: string, centerId?: string): Promise<readonly CenterScope[] | null> {
  const kept = (await keptCenters(context, projectId)).filter((scope) => centerId === undefined || scope.centerId === centerId)
  const visible = (await localCenters(context, projectId)).filter(({ id }) => centerId === undefined || id === centerId)
  const all = visible.length > 0 && visible.every(({ id }) => kept.some((scope) => scope.centerId === id))
  return all || !context.online() ? kept : null
}

/** All patients of kept scopes, with this device's unsent work over them. */
export async function localPatients(context: DataContext, projectId: string, scopes: readonly string[]): Promise<PatientView[]> {
  const [rows, centers, outbox, conflicted, held, bounced] = await Promise.all([
    Promise.all(scopes.map((scope) => localPatientRows(context, scope))),
    localCenters(context, projectId),
    outboxHeads(context.storage),
    patientsInConflict(context, scopes),
    heldOps(context),
    openBounces(context),
  ])
  const heldOf = Map.groupBy(held.filter(({ row }) => scopes.includes(row.scope)), ({ row }) => row.patientId)
  const ofPatient = Map.groupBy(outbox.filter(({ scope }) => scopes.includes(scope)), ({ patientId }) => patientId)
  const waiting = new Set(bounced.map(({ row }) => row.patientId))
  const names = new Map(centers.map(({ id, centerName }) => [id, centerName]))
  const passOf = new Map(scopes.flatMap((text) => centerPass(text)))
  const views: PatientView[] = []
  const add = (patient: PatientRow | null, local: Local): void => {
    if (patient === null || patient.deleted) return
    views.push(viewOf(patient, names.get(patient.centerId) ?? '', passOf.get(patient.centerId) ?? 1, local))
  }
  // Nearly all of thousands have nothing of their own here, and cost next to nothing.
  const touched = new Set([...heldOf.keys(), ...ofPatient.keys(), ...conflicted, ...waiting])
  const known = new Map<string, PatientRow>()
  // In two passes of one center the same patients stand twice.
  const all = rows.length === 1 ? (rows[0] ?? []) : new Map(rows.flat().map((row) => [row.id, row])).values()
  for (const row of all) {
    if (touched.has(row.id)) known.set(row.id, row)
    else add(row, NOTHING_LOCAL)
  }
  for (const id of touched) {
    const own = ofPatient.get(id) ?? []
    const unsent = await opened(context, await rowsOf(context, own.filter(({ call }) => call.startsWith('patient.'))))
    const patientHeld = heldOf.get(id) ?? []
    const patient = patientWith(known.get(id) ?? null, [...patientHeld, ...unsent])
    add(patient, { own, held: patientHeld, conflicted: conflicted.has(id), bounced: waiting.has(id) })
  }
  return inListOrder(views)
}

/** Numbered ones by their number, 999 before 1000, as in the server's list; what has none yet stands at the end, oldest first. */
function inListOrder(views: readonly PatientView[]): PatientView[] {
  const long = views.find(({ no }) => no !== null)?.no?.length
  // As a rule all are of one length, and are as they are in order.
  const keys = views.every(({ no }) => no === null || no.length === long) ? null : new Map(views.map(({ id, no }) => [id, no === null ? null : inDigits(no)]))
  const keyOf = ({ id, no }: PatientView): string => (keys === null ? no : keys.get(id)) ?? '\uffff'
  return views.toSorted((a, b) => inOrder(keyOf(a), keyOf(b)) || inOrder(a.createdAt, b.createdAt))
}

function centerPass(text: string): [string, 1 | 2][] {
  const scope = parseScope(text)
  return scope?.kind === 'center' ? [[scope.centerId, scope.pass]] : []
}

/** A subject number so that 999 stands before 1000, as in the server's list. */
function inDigits(no: string): string {
  return no.replaceAll(/\d+/g, (digits) => digits.padStart(9, '0'))
}

/** Numbers and instants need no rules of a language, which take a hundred times as long. */
function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

async function remotePatients(context: DataContext, projectId: string, { sync, ...filter }: PatientFilter): Reading<PatientList> {
  // Of patients that it does not keep this device has nothing that the server lacks.
  if (sync !== undefined) return ok({ patients: [], total: 0 })
  const page = await remotePage(context, projectId, filter)
  if (!page.ok) return page
  const centers = await readCenters(context, projectId)
  const names = new Map(centers.ok ? centers.value.map(({ id, centerName }) => [id, centerName]) : [])
  return ok({ patients: page.value.records.map((row) => viewOf(row, names.get(row.centerId) ?? '', 1, NOTHING_LOCAL)), total: page.value.total })
}

type PatientPage = { readonly records: readonly PatientRow[]; readonly total: number }

/** A page of the server's list; of a longer one all, in pages of their own, some at a time (SPEC §7). */
async function remotePage(context: DataContext, projectId: string, filter: Omit<PatientFilter, 'sync'>): Reading<PatientPage> {
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
    const part = Array.from({ length: Math.min(BULK_AT_ONCE, pages - from + 1) }, (_, at) => ask({ ...filter, current: from + at, size: BULK_PAGE_SIZE }))
    for (const page of await Promise.all(part)) {
      if (!page.ok) return page
      records.push(...page.value.records)
    }
  }
  return ok({ records, total: first.value.total })
}

async function patientsInConflict(context: DataContext, scopes: readonly string[]): Promise<ReadonlySet<string>> {
  const entryIds = new Set((await openConflicts(context, scopes)).map((conflict) => conflict.entryId))
  const found = scopes.flatMap((scope) => [...entryIds].map((id) => localEntry(context, scope, id)))
  return new Set((await Promise.all(found)).flatMap((entry) => (entry === null ? [] : [entry.patientId])))
}

