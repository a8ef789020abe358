import type { ApiError } from '#core/api/errors.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { OutboxRow } from '#offline/db/rows.ts'
import type { Pulled } from '#offline/sync/cache.ts'
import type { SyncContext } from '#offline/sync/context.ts'

/**
 * An operation that was refused because something was missing goes again when that thing comes. After a restore a
 * tablet may be back before another one: the one that enrolled its patient, that made the row which it edits, that
 * wrote the other side of a conflict which it decides, or that asked what it answers. Then nobody has to decide
 * anything; it only has to wait.
 */
export async function retryMissing(
  { storage }: SyncContext,
  pulled: readonly Pulled[],
): Promise<Result<true, ApiError>> {
  const idsOf = (kind: Pulled['kind']) => new Set(pulled.flatMap((one) => (one.kind === kind ? [one.id] : [])))
  const [patients, entries, visits, queries] = [idsOf('patient'), idsOf('entry'), idsOf('visit'), idsOf('query')]
  if (patients.size + entries.size + visits.size + queries.size === 0) return ok(true)
  const visited = new Set(pulled.flatMap((one) => (one.kind === 'visit' ? [one.row.patientId] : [])))
  const isBack = ({ error, patientId, entityId }: OutboxRow): boolean =>
    (error?.code === 'not_found' && (patients.has(patientId) || visits.has(entityId) || queries.has(entityId))) ||
    (lacksPart(error, PARTS) && entries.has(entityId)) ||
    (lacksPart(error, VISIT) && visited.has(patientId))
  const done = await storage.run(({ work }) =>
    work.outbox.where('state').equals('rejected').filter(isBack).modify({ state: 'queued', attempts: 0, nextAt: 0 }),
  )
  return done.ok ? ok(true) : done
}

const PARTS: ReadonlySet<string> = new Set(['unknown_row', 'unknown_conflict'])

/** A page was refused because nobody has made its visit yet. */
const VISIT: ReadonlySet<string> = new Set(['unknown_visit'])

/** Whether an operation was refused only because the thing that it writes is not there. */
function lacksPart(error: ApiError | null, parts: ReadonlySet<string>): boolean {
  const fields = error?.code === 'invalid' ? (error.fields ?? []) : []
  return fields.length > 0 && fields.every(({ code }) => parts.has(code))
}
