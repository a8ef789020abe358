import type { ApiError } from '#core/api/errors.ts'
import { FIRST_REPEAT, entryId } from '#core/ids.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { sameContent } from '#core/sync/merge.ts'
import type { ConflictRow, EntryRow, FolderRow, PageRow, PatientRow, ProjectRow, VersionRow } from '#core/sync/rows.ts'
import { touchPatient } from '#offline/db/room.ts'
import type { OutboxRow } from '#offline/db/rows.ts'
import { outboxHeads } from '#offline/outbox/heads.ts'
import { bringBack, isEvicted } from '#offline/sync/refill.ts'

import { openBounces } from './bounced.ts'
import type { Bounced } from './bounced.ts'
import type { DataContext } from './context.ts'
import { decisionsIn, openConflicts } from './decisions.ts'
import type { Decision } from './decisions.ts'
import { conflictsOfEntry, heldOps, keptCenters, localCenters, localEntries, localPatient, localRow, localRows, opened, outboxAsOf, rowsOf } from './local.ts'
import type { Held } from './local.ts'
import { markOf, patientWith, statusWith } from './overlay.ts'
import { readCenters, readProject, readVersion } from './readProjects.ts'
import type { PatientFilter, PatientList, Reading } from './source.ts'
import type { Casebook, CasebookPage, PatientView, SyncMark } from './types.ts'

/** Patients, casebooks and entries: local where the center's scope is kept, with this device's unsent work over them. */

export async function readPatients(context: DataContext, projectId: string, filter: PatientFilter): Reading<PatientList> {
  const { current = 1, size = 10, centerId, no } = filter
  const local = await context.storage.run(async () => {
    const kept = (await keptCenters(context, projectId)).filter((scope) => centerId === undefined || scope.centerId === centerId)
    const visible = (await localCenters(context, projectId)).filter(({ id }) => centerId === undefined || id === centerId)
    const all = visible.length > 0 && visible.every(({ id }) => kept.some((scope) => scope.centerId === id))
    return all || !context.online() ? localPatients(context, projectId, kept.map(({ text }) => text)) : null
  })
  if (!local.ok) return local
  if (local.value === null) return remotePatients(context, projectId, filter)
  const wanted = no?.trim().toLowerCase() ?? ''
  const found = local.value.filter((patient) => wanted === '' || (patient.no ?? patient.mark).toLowerCase().includes(wanted))
  return ok({ patients: found.slice((current - 1) * size, current * size), total: found.length })
}

async function localPatients(context: DataContext, projectId: string, scopes: readonly string[]): Promise<PatientView[]> {
  const [rows, centers, outbox, conflicted, held, bounced] = await Promise.all([
    Promise.all(scopes.map((scope) => localRows(context, scope, 'patient'))),
    localCenters(context, projectId),
    outboxHeads(context.storage),
    patientsInConflict(context, scopes),
    heldOps(context),
    openBounces(context),
  ])
  const heldOf = Map.groupBy(held.filter(({ row }) => scopes.includes(row.scope)), ({ row }) => row.patientId)
  const ofPatient = Map.groupBy(outbox.filter(({ scope }) => scopes.includes(scope)), ({ patientId }) => patientId)
  const servers = new Map(rows.flat().map((row) => [row.id, row]))
  const waiting = new Set(bounced.map(({ row }) => row.patientId))
  const names = new Map(centers.map(({ id, centerName }) => [id, centerName]))
  const views: PatientView[] = []
  for (const id of new Set([...servers.keys(), ...heldOf.keys(), ...ofPatient.keys()])) {
    const own = ofPatient.get(id) ?? []
    const unsent = await opened(context, await rowsOf(context, own.filter(({ call }) => call.startsWith('patient.'))))
    const patientHeld = heldOf.get(id) ?? []
    const patient = patientWith(servers.get(id) ?? null, [...patientHeld, ...unsent])
    if (patient === null || patient.deleted) continue
    views.push(viewOf(patient, names.get(patient.centerId) ?? '', { own, held: patientHeld, conflicted: conflicted.has(id), bounced: waiting.has(id) }))
  }
  // Numbered ones by their number; what has none yet stands at the end, oldest first.
  return views.toSorted((a, b) => inOrder(a.no ?? '\uffff', b.no ?? '\uffff') || inOrder(a.createdAt, b.createdAt))
}

/** Numbers and instants need no rules of a language, which take a hundred times as long. */
function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

async function remotePatients(context: DataContext, projectId: string, filter: PatientFilter): Reading<PatientList> {
  const key = ['patients', projectId, JSON.stringify(filter)]
  const page = await context.remote.read(key, () => context.api.call('patient.list', { query: { projectId, ...filter }, projectId }))
  if (!page.ok) return page
  const centers = await readCenters(context, projectId)
  const names = new Map(centers.ok ? centers.value.map(({ id, centerName }) => [id, centerName]) : [])
  return ok({ patients: page.value.records.map((row) => viewOf(row, names.get(row.centerId) ?? '', NOTHING_LOCAL)), total: page.value.total })
}

/** What the device knows of a patient or an entry beyond the server's row. */
interface Local {
  readonly own: readonly Pick<OutboxRow, 'state'>[]
  readonly held: readonly Held[]
  readonly conflicted: boolean
  /** Whether a submit did not go through. */
  readonly bounced: boolean
}

const NOTHING_LOCAL: Local = { own: [], held: [], conflicted: false, bounced: false }

function viewOf(patient: PatientRow, centerName: string, local: Local): PatientView {
  const sync = localMark(local) ?? 'received'
  return { ...patient, mark4: patient.mark, sync, centerName }
}

async function patientsInConflict(context: DataContext, scopes: readonly string[]): Promise<ReadonlySet<string>> {
  const entryIds = new Set((await openConflicts(context, scopes)).map((conflict) => conflict.entryId))
  const found = scopes.flatMap((scope) => [...entryIds].map((id) => localRow(context, scope, 'entry', id)))
  return new Set((await Promise.all(found)).flatMap((entry) => (entry === null ? [] : [entry.patientId])))
}

/** The conflicts of a patient that this device knows, and what it has decided of them. */
interface Conflicts {
  readonly rows: readonly ConflictRow[]
  readonly decisions: readonly Decision[]
}

const NO_CONFLICTS: Conflicts = { rows: [], decisions: [] }

/** All that a casebook and its entries are made from. */
export interface Patient {
  readonly project: ProjectRow
  readonly version: VersionRow
  readonly view: PatientView
  readonly entries: readonly EntryRow[]
  readonly outbox: readonly OutboxRow[]
  readonly held: readonly Held[]
  readonly bounced: readonly Bounced[]
  readonly conflicts: Conflicts
  /** The device's write number at which the outbox was read. */
  readonly order: number
  /** The scope that it is kept in, or null where it was read from the server. */
  readonly scope: string | null
  readonly pass: 1 | 2
}

export async function readPatient(context: DataContext, patientId: string, projectId: string): Promise<Result<Patient, ApiError>> {
  const [project, version] = await Promise.all([readProject(context, projectId), readVersion(context, projectId)])
  if (!project.ok) return project
  if (!version.ok) return version
  await context.storage.run(({ cache }) => touchPatient(cache, patientId, Date.now()), 'cache')
  const common = { project: project.value, version: version.value }
  let local = await readKept(context, patientId, projectId)
  if (local.ok && local.value !== null && 'evicted' in local.value) {
    // Their entries gave way on a full disk. Whoever opens them needs them here.
    const { evicted } = local.value
    const back = await bringBackOpened(context, evicted, patientId, projectId, version.value.id)
    local = back ? await readKept(context, patientId, projectId) : ok(null)
  }
  if (!local.ok) return local
  if (local.value !== null && !('evicted' in local.value)) return ok({ ...common, ...local.value })
  if (!context.online()) return err({ code: 'not_kept' })
  const [patient, entries, centers] = await Promise.all([
    context.remote.read(['patient', patientId], () => context.api.call('patient.detail', { query: { id: patientId }, projectId })),
    context.remote.read(['entries', patientId], () => context.api.call('entry.list', { query: { patientId }, projectId, crfId: version.value.id })),
    readCenters(context, projectId),
  ])
  if (!patient.ok) return patient
  if (!entries.ok) return entries
  const center = centers.ok ? centers.value.find(({ id }) => id === patient.value.centerId) : undefined
  const view = viewOf(patient.value, center?.centerName ?? '', NOTHING_LOCAL)
  const pass = entries.value[0]?.pass ?? 1
  return ok({ ...common, view, entries: entries.value, outbox: [], held: [], bounced: [], conflicts: NO_CONFLICTS, order: 0, scope: null, pass })
}

async function patientConflicts(context: DataContext, entries: readonly EntryRow[], decisions: readonly Decision[]): Promise<Conflicts> {
  const decided = new Set(decisions.map(({ row }) => row.entityId))
  const concerned = entries.filter(({ id, conflicts }) => conflicts > 0 || decided.has(id))
  return { decisions, rows: (await Promise.all(concerned.map(({ id }) => conflictsOfEntry(context, id)))).flat() }
}

/** What of an entry still waits for a person, as far as this device knows. */
export function openOf(entry: string, { rows, decisions }: Conflicts): readonly ConflictRow[] {
  const decided = new Set(decisions.map(({ body }) => body.conflictId))
  return rows.filter(({ id, entryId: of, state }) => of === entry && state === 'open' && !decided.has(id))
}

/** The server's count, less what was decided here: its word on that is still to come. */
function isInConflict({ id, conflicts: count }: EntryRow, conflicts: Conflicts): boolean {
  const known = conflicts.rows.filter(({ entryId: of, state }) => of === id && state === 'open').length
  return count > known - openOf(id, conflicts).length
}

/** Decisions that leave the value as it was. */
export function keepingKeys({ decisions }: Conflicts): ReadonlySet<string> {
  return new Set(decisions.flatMap(({ row, body }) => (sameContent(body.seen, body.to) ? [row.key] : [])))
}

/** A patient as this device holds them; null where it does not, the scope alone where their entries are not here. */
function readKept(
  context: DataContext,
  patientId: string,
  projectId: string,
): Promise<Result<Omit<Patient, 'project' | 'version'> | { readonly evicted: string } | null, ApiError>> {
  return context.storage.run(async () => {
    // The device's own work first, the server's rows after it: what is acknowledged in between is in the one or the other.
    const { outbox, order } = await outboxAsOf(context, patientId)
    const held = await heldOps(context, patientId)
    const unsent = await opened(context, outbox.filter(({ call }) => call.startsWith('patient.')))
    const patient = patientWith(await localPatient(context, patientId), [...held, ...unsent])
    const scope = (await keptCenters(context, projectId)).find(({ centerId }) => centerId === patient?.centerId)
    if (patient === null || scope === undefined) return null
    if (await isEvicted({ storage: context.storage, ring: context.ring() }, scope.text, patientId)) return { evicted: scope.text }
    const entries = await localEntries(context, patientId)
    const center = (await localCenters(context, projectId)).find(({ id }) => id === patient.centerId)
    const bounced = await openBounces(context, patientId)
    const conflicts = await patientConflicts(context, entries, await decisionsIn(context, outbox, held))
    const conflicted = entries.some((entry) => isInConflict(entry, conflicts))
    const view = viewOf(patient, center?.centerName ?? '', { own: outbox, held, conflicted, bounced: bounced.length > 0 })
    return { entries, outbox, held, bounced, conflicts, order, view, scope: scope.text, pass: scope.pass }
  })
}

/** Fetches what gave way of a patient, while the server can be asked. */
async function bringBackOpened(context: DataContext, scope: string, patientId: string, projectId: string, crfId: string): Promise<boolean> {
  if (!context.online()) return false
  const keeper = { storage: context.storage, ring: context.ring(), userId: context.user.userId }
  const ask = () => context.api.call('entry.list', { query: { patientId }, projectId, crfId })
  const back = await bringBack(keeper, scope, patientId, ask, 'cache')
  return back.ok && back.value
}

export async function readCasebook(context: DataContext, patientId: string, projectId: string): Reading<Casebook> {
  const read = await readPatient(context, patientId, projectId)
  if (!read.ok) return read
  const { project, version, view } = read.value
  const folders = version.folders
    .toSorted((a, b) => a.sort - b.sort)
    .map((folder) => ({
      folderId: folder.id,
      folderName: folder.folderName,
      folderCode: folder.folderCode,
      pages: folder.pages.toSorted((a, b) => a.sort - b.sort).flatMap((page) => pagesOf(read.value, folder, page)),
    }))
  return ok({ project, patient: view, version, folders, entry: entryAllowed(read.value) })
}

/** The page itself and its repeats, whether the server or only this device has them. */
function pagesOf(patient: Patient, folder: FolderRow, page: PageRow): CasebookPage[] {
  const first = { patientId: patient.view.id, folderId: folder.id, pageId: page.id, parentEntryId: null, pass: patient.pass }
  const scheduled: EntryTarget = { ...first, folderRepeat: FIRST_REPEAT, pageRepeat: FIRST_REPEAT }
  const repeats = patient.entries
    .filter((entry) => entry.folderId === folder.id && entry.pageId === page.id && !entry.deleted && entry.pass === patient.pass)
    .filter((entry) => entry.pageRepeat !== FIRST_REPEAT || entry.folderRepeat !== FIRST_REPEAT)
    .toSorted((a, b) => (a.pageRepeat < b.pageRepeat ? -1 : 1))
    .map((entry): EntryTarget => ({ ...scheduled, folderRepeat: entry.folderRepeat, pageRepeat: entry.pageRepeat }))
  return [scheduled, ...repeats].map((target, at) => {
    const id = entryId(target)
    const server = patient.entries.find((entry) => entry.id === id)
    const own = patient.outbox.filter(({ entityId }) => entityId === id)
    const held = patient.held.filter(({ row }) => row.entityId === id)
    return {
      target,
      entryId: id,
      folderName: folder.folderName,
      pageName: page.pageName,
      pageCode: page.pageCode,
      status: statusWith(server?.status ?? 'init', own, keepingKeys(patient.conflicts)),
      mark: entryMark(patient, server ?? null, own, held, bounceOf(patient, id)),
      repeatable: page.repeatable,
      repeatNo: at + 1,
    }
  })
}

export function bounceOf({ bounced }: Patient, entry: string): Bounced | null {
  return bounced.find(({ row }) => row.entityId === entry) ?? null
}

export function entryMark(
  { conflicts }: Patient,
  server: EntryRow | null,
  own: readonly OutboxRow[],
  held: readonly Held[],
  bounced: Bounced | null,
): SyncMark | null {
  const conflicted = server !== null && isInConflict(server, conflicts)
  return localMark({ own, held, conflicted, bounced: bounced !== null }) ?? (server === null ? null : 'received')
}

function localMark({ own, held, conflicted, bounced }: Local): SyncMark | null {
  if (conflicted) return 'conflict'
  const unsent = markOf(own)
  return bounced || held.length > 0 ? 'attention' : unsent
}

function entryAllowed({ project, scope }: Patient): Casebook['entry'] {
  const why = entryBar(project) ?? (scope === null ? 'not_kept' : null)
  return why === null ? { allowed: true } : { allowed: false, why }
}

/** Why the user may not enter data in a project at all; null where they may. */
export function entryBar({ permissions, projectStatus }: ProjectRow): 'no_right' | 'project_stopped' | 'project_closed' | null {
  if (!permissions.includes('database_submit_page')) return 'no_right'
  if (projectStatus === 'stop') return 'project_stopped'
  return projectStatus === 'close' ? 'project_closed' : null
}
