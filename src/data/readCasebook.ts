import type { ApiError } from '#core/api/errors.ts'
import { FIRST_REPEAT, entryId } from '#core/ids.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { sameContent } from '#core/sync/merge.ts'
import type { ConflictRow, EntryRow, FolderRow, PageRow, ProjectRow, VersionRow } from '#core/sync/rows.ts'
import { touchPatient } from '#offline/db/room.ts'
import type { OutboxRow } from '#offline/db/rows.ts'
import { bringBack, isEvicted } from '#offline/sync/refill.ts'

import { openBounces } from './bounced.ts'
import type { Bounced } from './bounced.ts'
import type { DataContext } from './context.ts'
import { decisionsIn } from './decisions.ts'
import type { Decision } from './decisions.ts'
import { conflictsOfEntry, heldOps, keptCenters, localCenters, localEntries, localPatient, opened, outboxAsOf } from './local.ts'
import type { Held } from './local.ts'
import { patientWith, statusWith } from './overlay.ts'
import { NOTHING_LOCAL, localMark, viewOf } from './patientView.ts'
import { readCenters, readProject, readVersion } from './readProjects.ts'
import type { Reading } from './source.ts'
import type { Casebook, CasebookPage, PatientView, SyncMark } from './types.ts'

/** A patient's casebook: local where the center's scope is kept, with this device's unsent work over it. */

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
  const pass = entries.value[0]?.pass ?? 1
  const view = viewOf(patient.value, center?.centerName ?? '', pass, NOTHING_LOCAL)
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
    const view = viewOf(patient, center?.centerName ?? '', scope.pass, { own: outbox, held, conflicted, bounced: bounced.length > 0 })
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
      progress: own.findLast(({ mark }) => mark !== undefined)?.mark?.progress ?? server?.progress ?? null,
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
