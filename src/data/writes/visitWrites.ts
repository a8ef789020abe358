import type { ApiError } from '#core/api/errors.ts'
import { entryId, visitId } from '#core/derivedIds.ts'
import type { VisitKey } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { ChangeReason, EntryTarget } from '#core/sync/entryChange.ts'
import type { QueueableCall } from '#core/sync/protocol/operation.ts'
import { enqueue } from '#offline/outbox/outbox.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { unsentVisits, visitsOfPatients } from '#src/data/rows/localVisits.ts'
import { readVersion } from '#src/data/rows/readProjects.ts'
import type { KnownVisit } from '#src/data/rows/visitOverlay.ts'
import type { LocalWrite } from '#src/data/shapes/types.ts'
import type { VisitAct } from '#src/data/shapes/visitTypes.ts'

import type { DraftPlaces } from './writes.ts'

/** What people do with visits, made durable on this device. */

interface Change {
  readonly call: QueueableCall
  readonly fields?: readonly { readonly field: string; readonly to: string | null; readonly base: string | null }[]
  readonly reason: ChangeReason | null
}

/** Queues what a person does with a visit, field by field with what this device knows of it. */
export async function actOnVisit(
  context: DataContext,
  places: DraftPlaces,
  projectId: string,
  visit: VisitKey,
  act: VisitAct,
): Promise<LocalWrite & { readonly visit?: VisitKey }> {
  const known = await context.storage.run(async () =>
    visitsOfPatients(context, [visit.patientId], await unsentVisits(context)),
  )
  if (!known.ok) return known
  const key = act.do === 'make' ? { patientId: visit.patientId, folderId: act.folderId, folderRepeat: newId() } : visit
  const id = visitId(key)
  const change = changeOf(act, known.value.find((row) => row.id === id) ?? null)
  if (change === null) return { ok: true, at: new Date().toISOString(), visit: key }
  const queued = await queue(context, places, projectId, key, id, change)
  return queued.ok ? { ok: true, at: queued.value, visit: key } : queued
}

function changeOf(act: VisitAct, row: KnownVisit | null): Change | null {
  switch (act.do) {
    case 'make':
      return {
        call: 'visit.save',
        fields: Object.entries({ actualDate: act.actualDate, deviationReason: act.why ?? null }).flatMap(
          ([field, to]) => (to === null ? [] : [{ field, to, base: null }]),
        ),
        reason: null,
      }
    case 'say': {
      const fields = Object.entries(act.input).flatMap(([field, to]: [string, string | null]) => {
        const base = row === null ? null : saidOf(row, field)
        return base === to ? [] : [{ field, to, base }]
      })
      // That it did not take place is said with its reason, also where the reason stays.
      const outcome = fields.find(({ field, to }) => field === 'outcome' && to !== null)
      const why = act.input.outcomeReason ?? null
      if (outcome !== undefined && !fields.some(({ field }) => field === 'outcomeReason'))
        fields.push({ field: 'outcomeReason', to: why, base: why })
      return fields.length === 0 ? null : { call: row === null ? 'visit.save' : 'visit.update', fields, reason: null }
    }
    case 'remove':
      return { call: 'visit.remove', reason: act.reason }
    case 'restore':
      return { call: 'visit.update', fields: [{ field: 'removed', to: null, base: 'true' }], reason: null }
    case 'leaveOut':
      return { call: 'folder.remove', reason: act.reason }
    case 'bringBack':
      return { call: 'folder.config', fields: [{ field: 'applies', to: null, base: 'no' }], reason: null }
    case 'place': {
      const [to, base] = [act.order, row?.order ?? null].map((order) => (order === null ? null : String(order))) as [
        string,
        string | null,
      ]
      return to === base ? null : { call: 'folder.config', fields: [{ field: 'order', to, base }], reason: null }
    }
  }
}

function saidOf(row: KnownVisit, field: string): string | null {
  switch (field) {
    case 'actualDate':
    case 'outcome':
    case 'outcomeReason':
    case 'deviationReason':
      return row[field]
    default:
      return null
  }
}

async function queue(
  context: DataContext,
  places: DraftPlaces,
  projectId: string,
  { patientId, folderId, folderRepeat }: VisitKey,
  id: string,
  { call, fields, reason }: Change,
): Promise<Result<string, ApiError>> {
  const isFolder = call === 'folder.config' || call === 'folder.remove'
  const body = {
    id,
    projectId,
    patientId,
    folderId,
    reason,
    ...(isFolder ? {} : { folderRepeat }),
    ...(fields === undefined ? {} : { fields }),
  }
  return queueFor(context, places, projectId, patientId, { call, entityId: id, body: body as unknown as JsonValue })
}

/** Deletes a repeat of a page: a mark with a reason, at the revision that the person saw. */
export async function deleteEntry(
  context: DataContext,
  places: DraftPlaces,
  projectId: string,
  target: EntryTarget,
  seenRev: number,
  reason: ChangeReason,
): Promise<LocalWrite> {
  const body = { target, seenRev, reason } as unknown as JsonValue
  const queued = await queueFor(context, places, projectId, target.patientId, {
    call: 'entry.delete',
    entityId: entryId(target),
    body,
  })
  return queued.ok ? { ok: true, at: queued.value } : queued
}

async function queueFor(
  context: DataContext,
  places: DraftPlaces,
  projectId: string,
  patientId: string,
  what: { readonly call: QueueableCall; readonly entityId: string; readonly body: JsonValue },
): Promise<Result<string, ApiError>> {
  const author = context.author()
  if (author === null) return err({ code: 'vault_locked' })
  const [scope, version] = [await places.scopeOf(projectId, patientId), await readVersion(context, projectId)]
  if (!scope.ok) return scope
  if (!version.ok) return version
  const { text, centerId, pass } = scope.value
  const queued = await enqueue(context.storage, author, {
    ...what,
    scope: text,
    projectId,
    centerId,
    crfVersionId: version.value.id,
    pass,
    patientId,
  })
  if (!queued.ok) return queued
  context.kickSync()
  return ok(queued.value.at)
}
