import type { ApiError } from '#core/api/errors.ts'
import { FIRST_REPEAT, entryId } from '#core/ids.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { EntryRow, FolderRow, PageRow, PatientRow, ProjectRow, VersionRow } from '#core/sync/rows.ts'
import type { OutboxRow } from '#offline/db/rows.ts'

import { openBounces } from './bounced.ts'
import type { Bounced } from './bounced.ts'
import type { DataContext } from './context.ts'
import { heldOps, keptCenters, localCenters, localEntries, localPatient, localRow, localRows, openConflicts, opened, outboxAsOf, outboxRows } from './local.ts'
import type { Held } from './local.ts'
import { markOf, patientWith, statusWith, withUnsent } from './overlay.ts'
import { readCenters, readProject, readVersion } from './readProjects.ts'
import type { PatientFilter, PatientList, Reading } from './source.ts'
import type { Casebook, CasebookPage, EntryView, PatientView, SyncMark } from './types.ts'

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
    outboxRows(context),
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
    const unsent = await opened(context, own.filter(({ call }) => call.startsWith('patient.')))
    const patientHeld = heldOf.get(id) ?? []
    const patient = patientWith(servers.get(id) ?? null, [...patientHeld, ...unsent])
    if (patient === null || patient.deleted) continue
    views.push(viewOf(patient, names.get(patient.centerId) ?? '', { own, held: patientHeld, conflicted: conflicted.has(id), bounced: waiting.has(id) }))
  }
  // Numbered ones by their number; what has none yet stands at the end, oldest first.
  return views.toSorted((a, b) => (a.no ?? '\uffff').localeCompare(b.no ?? '\uffff') || a.createdAt.localeCompare(b.createdAt))
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
  readonly own: readonly OutboxRow[]
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

/** All that a casebook and its entries are made from. */
interface Patient {
  readonly project: ProjectRow
  readonly version: VersionRow
  readonly view: PatientView
  readonly entries: readonly EntryRow[]
  readonly outbox: readonly OutboxRow[]
  readonly held: readonly Held[]
  readonly bounced: readonly Bounced[]
  /** The device's write number at which the outbox was read. */
  readonly order: number
  /** The scope that it is kept in, or null where it was read from the server. */
  readonly scope: string | null
  readonly pass: 1 | 2
}

async function readPatient(context: DataContext, patientId: string, projectId: string): Promise<Result<Patient, ApiError>> {
  const [project, version] = await Promise.all([readProject(context, projectId), readVersion(context, projectId)])
  if (!project.ok) return project
  if (!version.ok) return version
  const local = await context.storage.run(async () => {
    // The device's own work first, the server's rows after it: what is acknowledged in between is in the one or the other.
    const { outbox, order } = await outboxAsOf(context, patientId)
    const held = await heldOps(context, patientId)
    const unsent = await opened(context, outbox.filter(({ call }) => call.startsWith('patient.')))
    const patient = patientWith(await localPatient(context, patientId), [...held, ...unsent])
    const scope = (await keptCenters(context, projectId)).find(({ centerId }) => centerId === patient?.centerId)
    if (patient === null || scope === undefined) return null
    const entries = await localEntries(context, patientId)
    const center = (await localCenters(context, projectId)).find(({ id }) => id === patient.centerId)
    const bounced = await openBounces(context, patientId)
    const conflicted = entries.some(({ conflicts }) => conflicts > 0)
    const view = viewOf(patient, center?.centerName ?? '', { own: outbox, held, conflicted, bounced: bounced.length > 0 })
    return { entries, outbox, held, bounced, order, view, scope: scope.text, pass: scope.pass }
  })
  if (!local.ok) return local
  const common = { project: project.value, version: version.value }
  if (local.value !== null) return ok({ ...common, ...local.value })
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
  return ok({ ...common, view, entries: entries.value, outbox: [], held: [], bounced: [], order: 0, scope: null, pass })
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
      status: statusWith(server?.status ?? 'init', own),
      mark: entryMark(server ?? null, own, held, bounceOf(patient, id)),
      repeatable: page.repeatable,
      repeatNo: at + 1,
    }
  })
}

function bounceOf({ bounced }: Patient, entry: string): Bounced | null {
  return bounced.find(({ row }) => row.entityId === entry) ?? null
}

function entryMark(server: EntryRow | null, own: readonly OutboxRow[], held: readonly Held[], bounced: Bounced | null): SyncMark | null {
  return localMark({ own, held, conflicted: server !== null && server.conflicts > 0, bounced: bounced !== null }) ?? (server === null ? null : 'received')
}

function localMark({ own, held, conflicted, bounced }: Local): SyncMark | null {
  if (conflicted) return 'conflict'
  const unsent = markOf(own)
  return bounced || held.length > 0 ? 'attention' : unsent
}

function entryAllowed({ project, scope }: Patient): Casebook['entry'] {
  if (!project.permissions.includes('database_submit_page')) return { allowed: false, why: 'no_right' }
  if (project.projectStatus === 'stop') return { allowed: false, why: 'project_stopped' }
  if (project.projectStatus === 'close') return { allowed: false, why: 'project_closed' }
  return scope === null ? { allowed: false, why: 'not_kept' } : { allowed: true }
}

export async function readEntry(context: DataContext, projectId: string, target: EntryTarget): Reading<EntryView> {
  const read = await readPatient(context, target.patientId, projectId)
  if (!read.ok) return read
  const id = entryId(target)
  const server = read.value.entries.find((entry) => entry.id === id) ?? null
  const own = read.value.outbox.filter(({ entityId }) => entityId === id)
  const held = read.value.held.filter(({ row }) => row.entityId === id)
  const found = await definitionOf(context, projectId, read.value.version, target, server)
  if (!found.ok) return found
  const unsent = await context.storage.run(() => opened(context, own))
  if (!unsent.ok) return unsent
  const { version, page } = found.value
  const bounced = bounceOf(read.value, id)
  return ok({
    target,
    entryId: id,
    page: { pageName: page.pageName, pageCode: page.pageCode, option: page.option },
    versionId: version.id,
    data: withUnsent(server, [...held, ...unsent.value]),
    order: read.value.order,
    status: statusWith(server?.status ?? 'init', own),
    server,
    mark: entryMark(server, own, held, bounced),
    bounced: bounced === null ? null : { why: bounced.row.why, messages: bounced.answer.messages },
    recovered: context.recovered.get(id) ?? 0,
  })
}

/** The page as the current version defines it, or as the version that the entry was written under did. */
async function definitionOf(
  context: DataContext,
  projectId: string,
  current: VersionRow,
  target: EntryTarget,
  server: EntryRow | null,
): Reading<{ readonly version: VersionRow; readonly page: PageRow }> {
  const now = pageIn(current, target)
  if (now !== null) return ok({ version: current, page: now })
  if (server === null) return err({ code: 'not_found' })
  const local = await context.storage.run(() => localRow(context, projectId, 'version', server.versionId))
  if (!local.ok) return local
  const older = local.value === null ? null : pageIn(local.value, target)
  return local.value === null || older === null ? err({ code: 'not_found' }) : ok({ version: local.value, page: older })
}

function pageIn(version: VersionRow, target: Pick<EntryTarget, 'folderId' | 'pageId'>): PageRow | null {
  const folder = version.folders.find(({ id }) => id === target.folderId)
  return folder?.pages.find(({ id }) => id === target.pageId) ?? null
}
