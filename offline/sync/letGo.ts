import type { ApiError } from '#core/api/errors.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { getMeta, setMeta } from '#offline/db/meta.ts'
import type { ReceiptRow } from '#offline/db/rows.ts'

import type { SyncContext } from './context.ts'

/**
 * What was sent is kept for a server that may be put back to a backup, until every backup that is kept there holds it. Then
 * it goes, and only its receipt stays: a tablet that is used for years does not fill up with what the server has had for long.
 */

/** Receipts that are changed in one transaction. */
const AT_ONCE = 500

/**
 * Lets go of what no restore can forget any more in a scope.
 *
 * @param durable change number that the server named together with its epoch
 */
export async function letGo({ storage }: Pick<SyncContext, 'storage'>, scope: string, epoch: string, durable: number): Promise<Result<true, ApiError>> {
  const mark = `${epoch} ${durable}`
  const read = await storage.run(async ({ work }) => {
    if (durable === 0 || (await getMeta(work, 'letGo'))?.[scope] === mark) return null
    // What a colleague has still to offer again is of an older time, in which these numbers meant something else.
    const unoffered = new Set((await getMeta(work, 'unoffered'))?.[scope])
    const going = (row: ReceiptRow): boolean => row.op !== null && row.seq <= durable && row.outcome !== 'inbox' && row.outcome !== 'held' && !unoffered.has(row.key)
    return work.receipts.where('scope').equals(scope).filter(going).primaryKeys()
  })
  if (!read.ok) return read
  if (read.value === null) return ok(true)
  for (let from = 0; from < read.value.length; from += AT_ONCE) {
    const keys = read.value.slice(from, from + AT_ONCE)
    const gone = await storage.run(({ work }) => work.receipts.where('key').anyOf(keys).modify({ op: null }))
    if (!gone.ok) return gone
  }
  const noted = await storage.run(({ work }) =>
    work.transaction('rw', work.meta, async () => setMeta(work, 'letGo', { ...(await getMeta(work, 'letGo')), [scope]: mark })),
  )
  return noted.ok ? ok(true) : noted
}
