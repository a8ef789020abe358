import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { ConflictResolution } from '#core/sync/conflict.ts'
import { enqueue } from '#offline/outbox/outbox.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { centersHere, isHere, localEntry } from '#src/data/rows/local.ts'
import type { CenterScope } from '#src/data/rows/local.ts'
import type { ConflictView, DecisionInput, LocalWrite } from '#src/data/shapes/types.ts'

/**
 * Decides a conflict. Where its center is kept, the decision is queued like any write: durable when this resolves, and
 * sent when there is a network. Otherwise the server is asked at once.
 */
export async function decide(
  context: DataContext,
  view: ConflictView,
  { choice, to, reason }: DecisionInput,
): Promise<LocalWrite> {
  const { row, target } = view
  const body: ConflictResolution = { target, conflictId: row.id, choice, seen: view.current, to, reason }
  return view.kept ? decideHere(context, view, body) : decideThere(context, view, body)
}

async function decideHere(
  context: DataContext,
  { row, projectId, target, versionId }: ConflictView,
  body: ConflictResolution,
): Promise<LocalWrite> {
  const author = context.author()
  if (author === null) return err({ code: 'vault_locked' })
  const scope = await context.storage.run(() => scopeOfEntry(context, projectId, row.entryId))
  if (!scope.ok) return scope
  if (scope.value === null) return err({ code: 'not_kept' })
  const queued = await enqueue(context.storage, author, {
    call: 'conflict.resolve',
    scope: scope.value.text,
    projectId,
    centerId: scope.value.centerId,
    crfVersionId: versionId,
    pass: target.pass,
    entityId: row.entryId,
    patientId: target.patientId,
    body,
  })
  if (!queued.ok) return queued
  context.kickSync()
  return { ok: true, at: queued.value.at }
}

async function scopeOfEntry(context: DataContext, projectId: string, entryId: string): Promise<CenterScope | null> {
  for (const scope of await centersHere(context, projectId)) {
    const entry = await localEntry(context, scope.text, entryId)
    if (entry !== null && isHere(scope, entry.patientId)) return scope
  }
  return null
}

async function decideThere(
  context: DataContext,
  { row, projectId, target, versionId }: ConflictView,
  body: ConflictResolution,
): Promise<LocalWrite> {
  const decided = await context.api.call('conflict.resolve', {
    params: { id: row.entryId },
    body,
    projectId,
    pass: target.pass,
    ...(versionId === null ? {} : { crfId: versionId }),
  })
  context.remote.refresh()
  return decided.ok ? { ok: true, at: decided.value.receipt.receivedAt } : decided
}

/**
 * A person has taken note that an operation was returned from the inbox. Its receipt stays, with the operation and the
 * comment on it.
 */
export async function noteReturn(context: DataContext, key: string): Promise<Result<true, ApiError>> {
  const noted = await context.storage.run(({ work }) =>
    work.receipts.update(key, { notedAt: new Date().toISOString() }),
  )
  return noted.ok ? (noted.value === 0 ? err({ code: 'not_found' }) : ok(true)) : noted
}
