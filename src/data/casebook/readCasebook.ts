import type { PermissionCode } from '#core/access/permissions.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { EntryRow, ProjectRow } from '#core/api/sync/rows.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { pagesToDo } from '#core/study/visits/pagesToDo.ts'
import { touchPatient } from '#offline/db/room.ts'
import { bringBack, isEvicted } from '#offline/sync/pull/refill.ts'
import { openBounces } from '#src/data/rows/bounced.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { decisionsIn } from '#src/data/rows/decisions.ts'
import type { Decision } from '#src/data/rows/decisions.ts'
import {
  centerOf,
  centersHere,
  conflictsOfEntry,
  readTakenOperations,
  localCenters,
  localEntries,
  localPatient,
  openOperations,
  outboxAsOf,
} from '#src/data/rows/local.ts'
import { visitsOfPatients } from '#src/data/rows/localVisits.ts'
import { patientWith } from '#src/data/rows/overlay.ts'
import { overruledChanges } from '#src/data/rows/overruled.ts'
import { readCenters, readProject, readVersion } from '#src/data/rows/readProjects.ts'
import { isVisitCall } from '#src/data/rows/visitOverlay.ts'
import { today } from '#src/data/shapes/today.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

import { archivedPages } from './archivedPages.ts'
import { visitsOfCasebook } from './casebookVisits.ts'
import { isInConflict } from './patientMarks.ts'
import type { Conflicts, Patient } from './patientParts.ts'
import { NOTHING_LOCAL, viewOf } from './patientView.ts'

/** A patient's casebook: local where the center's scope is kept, with this device's unsent work over it. */

const NO_CONFLICTS: Conflicts = { rows: [], decisions: [] }

export async function readPatient(
  context: DataContext,
  patientId: string,
  projectId: string,
): Promise<Result<Patient, ApiError>> {
  const [project, version] = await Promise.all([readProject(context, projectId), readVersion(context, projectId)])
  if (!project.ok) return project
  if (!version.ok) return version
  await context.storage.run(({ cache }) => touchPatient(cache, patientId, Date.now()), 'cache')
  const common = { project: project.value, version: version.value }
  let local = await readPatientHere(context, patientId, projectId)
  if (local.ok && local.value !== null && 'evicted' in local.value) {
    // Their entries gave way on a full disk. A person who opens the patient needs them here.
    const { evicted } = local.value
    const back = await bringBackOpened(context, evicted, patientId, projectId, version.value.id)
    local = back ? await readPatientHere(context, patientId, projectId) : ok(null)
  }
  if (!local.ok) return local
  if (local.value !== null && !('evicted' in local.value)) return ok({ ...common, ...local.value })
  if (!context.online()) return err({ code: 'not_kept' })
  const [patient, entries, visits, centers] = await Promise.all([
    context.remote.read(['patient', patientId], () =>
      context.api.call('patient.detail', { query: { id: patientId }, projectId }),
    ),
    context.remote.read(['entries', patientId], () =>
      context.api.call('entry.list', { query: { patientId }, projectId, crfId: version.value.id }),
    ),
    context.remote.read(['visits of', patientId], () =>
      context.api.call('visit.list', { query: { projectId, patientId, today: today(), size: 500 }, projectId }),
    ),
    readCenters(context, projectId),
  ])
  if (!patient.ok) return patient
  if (!entries.ok) return entries
  if (!visits.ok) return visits
  const center = centers.ok ? centers.value.find(({ id }) => id === patient.value.centerId) : undefined
  const pass = project.value.pass ?? 1
  const view = viewOf(patient.value, center?.centerName ?? '', pass, NOTHING_LOCAL)
  const said = visits.value.records.flatMap(({ row }) => row ?? [])
  return ok({
    ...common,
    view,
    entries: entries.value,
    visits: said,
    outbox: [],
    held: [],
    bounced: [],
    conflicts: NO_CONFLICTS,
    order: 0,
    scope: null,
    pass,
    ended: null,
  })
}

async function patientConflicts(
  context: DataContext,
  entries: readonly EntryRow[],
  decisions: readonly Decision[],
): Promise<Conflicts> {
  const decided = new Set(decisions.map(({ row }) => row.entityId))
  const concerned = entries.filter(({ id, conflicts }) => conflicts > 0 || decided.has(id))
  return { decisions, rows: (await Promise.all(concerned.map(({ id }) => conflictsOfEntry(context, id)))).flat() }
}

/**
 * A patient as this device holds them. Null where the patient is not here; the scope alone where only the entries are
 * missing.
 */
function readPatientHere(
  context: DataContext,
  patientId: string,
  projectId: string,
): Promise<Result<Omit<Patient, 'project' | 'version'> | { readonly evicted: string } | null, ApiError>> {
  return context.storage.run(async () => {
    // The outbox is read before the server's rows: an operation that is acknowledged in between is then in one of the
    // two.
    const { outbox, order } = await outboxAsOf(context, patientId)
    const held = await readTakenOperations(context, patientId)
    const unsent = await openOperations(
      context,
      outbox.filter(({ call }) => call.startsWith('patient.')),
    )
    const patient = patientWith(await localPatient(context, patientId), [...held, ...unsent])
    const scope = centerOf(await centersHere(context, projectId), patient)
    if (patient === null || scope === undefined) return null
    if (await isEvicted({ storage: context.storage, ring: context.ring() }, scope.text, patientId))
      return { evicted: scope.text }
    const entries = await localEntries(context, patientId)
    const visits = await visitsOfPatients(
      context,
      [patientId],
      [
        ...held,
        ...(await openOperations(
          context,
          outbox.filter(({ call }) => isVisitCall(call)),
        )),
      ],
    )
    const center = (await localCenters(context, projectId)).find(({ id }) => id === patient.centerId)
    const bounced = await openBounces(context, patientId)
    const conflicts = await patientConflicts(context, entries, await decisionsIn(context, outbox, held))
    const conflicted = entries.some((entry) => isInConflict(entry, conflicts))
    const view = viewOf(patient, center?.centerName ?? '', scope.pass, {
      own: outbox,
      held,
      conflicted,
      bounced: bounced.length > 0,
    })
    const ended = (await context.storage.work.kept.get([scope.text, context.user.userId]))?.ended ?? null
    return {
      entries,
      visits,
      outbox,
      held,
      bounced,
      conflicts,
      order,
      view,
      scope: scope.text,
      pass: scope.pass,
      ended,
    }
  })
}

/** Fetches a patient's entries that gave way on a full disk, while the server can be asked. */
async function bringBackOpened(
  context: DataContext,
  scope: string,
  patientId: string,
  projectId: string,
  crfId: string,
): Promise<boolean> {
  if (!context.online()) return false
  const keeper = { storage: context.storage, ring: context.ring(), userId: context.user.userId }
  const ask = () => context.api.call('entry.list', { query: { patientId }, projectId, crfId })
  const back = await bringBack(keeper, scope, patientId, ask, 'cache')
  return back.ok && back.value
}

export async function readCasebook(context: DataContext, patientId: string, projectId: string): Reading<Casebook> {
  const read = await readPatient(context, patientId, projectId)
  if (!read.ok) return read
  const { project, version, view, scope } = read.value
  const { visits, folders } = visitsOfCasebook(read.value)
  const pages = folders
    .flatMap((folder) => folder.pages)
    .map(({ target, status, progress, mark }) => ({ ...target, status, progress, conflicted: mark === 'conflict' }))
  // Of a patient who is not kept here only the server knows what is to be done, and which part of it is this user's.
  const todo =
    scope !== null
      ? ok(pagesToDo(visits, version.folders, pages))
      : await context.remote.read(['todo', patientId], () =>
          context.api.call('entry.todo', { query: { patientId, today: today() }, projectId }),
        )
  if (!todo.ok) return todo
  const visitBar =
    barOf(project, 'visit_edit') ?? (scope === null ? 'not_kept' : read.value.ended === null ? null : 'no_right')
  const overruled =
    scope === null ? ok([]) : await context.storage.run(() => overruledChanges(context, view, read.value.outbox))
  if (!overruled.ok) return overruled
  const archived = await archivedPages(context, read.value)
  return ok({
    project,
    patient: view,
    version,
    folders,
    archived,
    visits,
    todo: todo.value,
    visitBar,
    entry: entryAllowed(read.value),
    overruled: overruled.value,
  })
}

function entryAllowed({ project, scope, view, ended }: Patient): Casebook['entry'] {
  const why = ended ?? entryBar(project) ?? (view.deleted ? 'patient_removed' : scope === null ? 'not_kept' : null)
  return why === null ? { allowed: true } : { allowed: false, why }
}

/** Why the user may not enter data in a project at all; null where they may. */
export function entryBar(project: ProjectRow): 'no_right' | 'project_stopped' | 'project_closed' | null {
  return barOf(project, 'database_submit_page')
}

function barOf(
  { permissions, projectStatus }: ProjectRow,
  code: PermissionCode,
): 'no_right' | 'project_stopped' | 'project_closed' | null {
  if (!permissions.includes(code)) return 'no_right'
  if (projectStatus === 'stop') return 'project_stopped'
  return projectStatus === 'close' ? 'project_closed' : null
}
