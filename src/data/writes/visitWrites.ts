import type { ApiError } from '#core/api/errors.ts'
import type { CallWithBody } from '#core/api/sync/operation.ts'
import { entryId, visitId } from '#core/derivedIds.ts'
import type { VisitKey } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
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
import type { VisitAct, VisitInput } from '#src/data/shapes/visitTypes.ts'

import type { DraftPlaces } from './writes.ts'

/** What people do with visits, made durable on this device. */

type VisitCall = Extract<QueueableCall, `visit.${string}` | `folder.${string}`>

/** Queues what a person does with a visit, field by field, each against what this device knows of it. */
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
  const said = changeOf(act, { id, projectId, ...key }, known.value.find((row) => row.id === id) ?? null)
  if (said === null) return { ok: true, at: new Date().toISOString(), visit: key }
  const queued = await queueFor(context, places, projectId, key.patientId, { ...said, entityId: id })
  return queued.ok ? { ok: true, at: queued.value, visit: key } : queued
}

/** What an act changes of a visit or its folder; null where it changes nothing. */
function changeOf(
  act: VisitAct,
  { patientId, folderId, folderRepeat, ...ids }: VisitKey & { readonly id: string; readonly projectId: string },
  row: KnownVisit | null,
): CallWithBody<VisitCall> | null {
  const folder = { ...ids, patientId, folderId }
  const visit = { ...folder, folderRepeat }
  switch (act.do) {
    case 'make': {
      const facts = { actualDate: act.actualDate, deviationReason: act.why ?? null }
      const fields = (['actualDate', 'deviationReason'] as const).flatMap((field) => {
        const to = facts[field]
        return to === null ? [] : [{ field, to, base: null }]
      })
      return { call: 'visit.save', body: { ...visit, fields, reason: null } }
    }
    case 'say': {
      const fields = Object.entries(act.input).flatMap(([name, to]: [string, string | null]) => {
        const field = name as keyof VisitInput
        const base = row === null ? null : row[field]
        return base === to ? [] : [{ field, to, base }]
      })
      // A visit that did not take place is sent with its reason, even where the reason stays the same.
      const outcome = fields.find(({ field, to }) => field === 'outcome' && to !== null)
      const why = act.input.outcomeReason ?? null
      if (outcome !== undefined && !fields.some(({ field }) => field === 'outcomeReason'))
        fields.push({ field: 'outcomeReason', to: why, base: why })
      const call = row === null ? 'visit.save' : 'visit.update'
      return fields.length === 0 ? null : { call, body: { ...visit, fields, reason: null } }
    }
    case 'remove':
      return { call: 'visit.remove', body: { ...visit, reason: act.reason } }
    case 'restore': {
      const back = { field: 'removed' as const, to: null, base: 'true' }
      return { call: 'visit.update', body: { ...visit, fields: [back], reason: null } }
    }
    case 'leaveOut':
      return { call: 'folder.remove', body: { ...folder, reason: act.reason } }
    case 'bringBack': {
      const back = { field: 'applies' as const, to: null, base: 'no' }
      return { call: 'folder.config', body: { ...folder, fields: [back], reason: null } }
    }
    case 'place': {
      const to = String(act.order)
      const before = row?.order ?? null
      const base = before === null ? null : String(before)
      const moved = { field: 'order' as const, to, base }
      return to === base ? null : { call: 'folder.config', body: { ...folder, fields: [moved], reason: null } }
    }
  }
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
  const queued = await queueFor(context, places, projectId, target.patientId, {
    call: 'entry.delete',
    entityId: entryId(target),
    body: { target, seenRev, reason },
  })
  return queued.ok ? { ok: true, at: queued.value } : queued
}

async function queueFor(
  context: DataContext,
  places: DraftPlaces,
  projectId: string,
  patientId: string,
  what: CallWithBody & { readonly entityId: string },
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
