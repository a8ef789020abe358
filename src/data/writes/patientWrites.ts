import type { PatientChange } from '#core/api/calls/patient.ts'
import type { CallWithBody } from '#core/api/sync/operation.ts'
import type { PatientRow } from '#core/api/sync/rows.ts'
import { err } from '#core/result.ts'
import type { ChangeReason } from '#core/sync/entryChange.ts'
import { enqueue } from '#offline/outbox/outbox.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { factOf } from '#src/data/shapes/patientFacts.ts'
import type { LocalWrite, PatientFacts, PatientWrite } from '#src/data/shapes/types.ts'

import type { DraftPlaces } from './writes.ts'

/**
 * Changes of a patient by people, and the removal of a patient. Where the patient's center is kept, they are durable on
 * this device when this resolves, and sent when there is a network; otherwise the server is asked at once.
 */

/**
 * Changes facts of a patient, each against what the person saw.
 *
 * @param seen the patient as the person saw them when they began
 * @param facts the new values; a fact that is as the person saw it counts as no change
 */
export async function changePatient(
  context: DataContext,
  places: DraftPlaces,
  projectId: string,
  seen: PatientRow,
  facts: Partial<PatientFacts>,
  reason: ChangeReason | null,
): Promise<PatientWrite> {
  const fields = Object.entries(facts).flatMap(([name, to]): PatientChange['fields'] => {
    const field = name as keyof PatientFacts
    const base = factOf(seen, field)
    return base === to ? [] : [{ field, to, base }]
  })
  if (fields.length === 0) return { ok: true, at: new Date().toISOString() }
  const body: PatientChange = { id: seen.id, projectId, fields, reason }
  const queued = await queue(context, places, projectId, seen.id, { call: 'patient.update', body })
  if (queued !== null) return queued
  const done = await context.api.call('patient.update', { body, projectId })
  context.remote.refresh()
  if (!done.ok) return done
  const { patient, receipt } = done.value
  const overruled =
    patient === null
      ? []
      : fields.flatMap(({ field, to }) =>
          factOf(patient, field) === to ? [] : [{ field, value: factOf(patient, field) }],
        )
  return { ok: true, at: receipt.receivedAt, ...(overruled.length > 0 ? { overruled } : {}) }
}

/** Removes a patient: a mark with a reason. */
export async function removePatient(
  context: DataContext,
  places: DraftPlaces,
  projectId: string,
  patientId: string,
  reason: ChangeReason,
): Promise<LocalWrite> {
  const body = { id: patientId, projectId, reason }
  const queued = await queue(context, places, projectId, patientId, { call: 'patient.remove', body })
  if (queued !== null) return queued
  const done = await context.api.call('patient.remove', { body, projectId })
  context.remote.refresh()
  return done.ok ? { ok: true, at: done.value.receipt.receivedAt } : done
}

/** Queues an operation of a patient; null where the patient's center is not kept here and the server can be asked. */
async function queue(
  context: DataContext,
  places: DraftPlaces,
  projectId: string,
  patientId: string,
  said: CallWithBody<'patient.update' | 'patient.remove'>,
): Promise<LocalWrite | null> {
  const author = context.author()
  if (author === null) return err({ code: 'vault_locked' })
  const scope = await places.scopeOf(projectId, patientId)
  if (!scope.ok) return scope.error.code === 'not_kept' && context.online() ? null : scope
  const { text, centerId, pass } = scope.value
  const queued = await enqueue(context.storage, author, {
    ...said,
    scope: text,
    projectId,
    centerId,
    crfVersionId: null,
    pass,
    entityId: patientId,
    patientId,
  })
  if (!queued.ok) return queued
  context.kickSync()
  return { ok: true, at: queued.value.at }
}
