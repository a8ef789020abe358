import type { ApiError } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import type { Result } from '#core/result.ts'
import type { CacheDb, Databases } from '#offline/db/databases.ts'
import { noteScopeGone, noteUnlisted } from '#offline/db/listed.ts'
import {
  cachedTables,
  casebooksOfScope,
  deleteMarked,
  deleteScope,
  packedMarks,
  putMarkRows,
} from '#offline/db/marks.ts'
import type { CacheRow, CursorRow, MarkRow, PullCursor } from '#offline/db/rows.ts'
import { isOwnView } from '#offline/sync/cache.ts'
import type { CacheKey } from '#offline/sync/cache.ts'
import type { SyncContext } from '#offline/sync/context.ts'

import { keepOpenedOnly } from './opened.ts'

/**
 * Comparing everything in a scope with what the server shows, because rights have changed or the server was restored.
 * All of it is fetched anew, in as many pulls as the network needs, while the old rows stay readable. Rows that did not
 * come are then dropped.
 *
 * What changes on the server during a pull moves behind the end of that pull. So nothing is dropped before a pull has
 * ended that brought nothing new: only then has everything that exists come.
 */

/** Begins a comparison, or begins it anew. In a transaction of its own. */
export function beginComparison(
  { userId, storage }: SyncContext,
  scope: string,
  { epoch, scopeVersion }: Omit<PullCursor, 'cursor'>,
): Promise<Result<CursorRow, ApiError>> {
  return storage.run(
    ({ cache }) =>
      cache.transaction('rw', cache.pulls, cache.compared, async () => {
        const known = await cache.pulls.get([scope, userId])
        const comparing = { id: newId(), cursor: 0, from: null, epoch, scopeVersion }
        const row: CursorRow = {
          ...(known ?? { scope, userId, cursor: 0, epoch, scopeVersion, pulledAt: null }),
          comparing,
        }
        await cache.compared.where('[scope+userId]').equals([scope, userId]).delete()
        await cache.pulls.put(row)
        return row
      }),
    'cache',
  )
}

/**
 * Drops the rows that did not come. This comparison does not judge a colleague's view of the same rows. In the caller's
 * transaction.
 */
export async function endComparison(
  { ring, userId, storage: { cache } }: SyncContext,
  scope: string,
  others: readonly string[],
): Promise<void> {
  const lists = cache.compared.where('[scope+userId]').equals([scope, userId])
  const came = new Set<string>()
  await lists.each(({ keys }) => keys.forEach(([kind, id]) => came.add(`${kind} ${id}`)))
  const all = await cache.rows.where('scope').equals(scope).primaryKeys()
  await casebooksOfScope(cache, scope).each(({ marks }) =>
    all.push(...marks.filter(({ pack }) => pack !== undefined).map(({ id }): CacheKey => [scope, 'entry', id])),
  )
  const missing = all.filter(
    ([, kind, id]) => !came.has(`${kind} ${id}`) && isOwnView(ring, userId, { scope, kind, id }),
  )
  await withdraw(cache, missing, userId, others)
  await lists.delete()
}

/**
 * Takes rows from a user's sight. The rows leave the device when nobody here may see them any more: on a shared tablet
 * a colleague's rights may go further, and the server does not send unchanged rows twice.
 */
export async function withdraw(
  cache: CacheDb,
  keys: readonly CacheKey[],
  userId: string,
  others: readonly string[],
): Promise<void> {
  if (others.length === 0) return deleteMarked(cache, keys)
  const gone: CacheKey[] = []
  const hidden: CacheRow[] = []
  const hiddenMarks: MarkRow[] = []
  const withheld = (notFor: readonly string[] = []): readonly string[] => [...new Set([...notFor, userId])]
  for (const row of await cache.rows.bulkGet([...keys])) {
    if (row === undefined) continue
    const notFor = withheld(row.notFor)
    if (others.every((other) => notFor.includes(other))) gone.push([row.scope, row.kind, row.id])
    else hidden.push({ ...row, notFor })
  }
  const packed = keys.some(([, kind]) => kind === 'entry') ? await packedMarks(cache, keys) : []
  for (const mark of packed) {
    const notFor = withheld(mark.notFor)
    if (others.every((other) => notFor.includes(other))) gone.push([mark.scope, 'entry', mark.id])
    else hiddenMarks.push({ ...mark, notFor })
  }
  if (gone.length > 0) await deleteMarked(cache, gone)
  if (hidden.length > 0) await Promise.all([cache.rows.bulkPut(hidden), noteUnlisted(cache, hidden)])
  if (hiddenMarks.length > 0) await putMarkRows(cache, hiddenMarks)
}

/** Forgets how far a user's pull of a scope has come, and all rows of the scope when nobody keeps it any more. */
export async function forgetPulls({ work, cache }: Databases, scope: string, userId: string): Promise<void> {
  const left = await work.kept.where('scope').equals(scope).toArray()
  await cache.transaction(
    'rw',
    [...cachedTables(cache), cache.directories, cache.pulls, cache.compared, cache.evicted, cache.opened],
    async () => {
      if (left.length > 0) {
        for (const table of [cache.pulls, cache.compared, cache.opened])
          await table.where('[scope+userId]').equals([scope, userId]).delete()
        return left.every(({ light }) => light === 1) ? keepOpenedOnly(cache, scope) : undefined
      }
      // Of all users: a user who is left over from a crash, or who chooses the scope at this moment, would otherwise go
      // on without the rows.
      for (const table of [cache.pulls, cache.compared, cache.opened]) await table.where('scope').equals(scope).delete()
      await cache.rows.where('scope').equals(scope).delete()
      await deleteScope(cache, scope)
      await noteScopeGone(cache, scope)
      await cache.evicted.where('scope').equals(scope).delete()
    },
  )
}

/**
 * Removes again what a download has brought of a scope that its user has given up. A user who gives a scope up does not
 * wait for the rows that are being written at that moment.
 *
 * @returns whether the scope was given up
 */
export function forgetGivenUp(
  { storage, userId }: Pick<SyncContext, 'storage' | 'userId'>,
  scope: string,
): Promise<Result<boolean, ApiError>> {
  return storage.run(async (databases) => {
    if ((await databases.work.kept.get([scope, userId])) !== undefined) return false
    await forgetPulls(databases, scope, userId)
    return true
  }, 'cache')
}

/** Colleagues who keep the same scope on this device. */
export function othersWhoKeep(
  { storage, userId }: SyncContext,
  scope: string,
): Promise<Result<readonly string[], ApiError>> {
  return storage.run(async ({ work }) =>
    (await work.kept.where('scope').equals(scope).toArray())
      .map((kept) => kept.userId)
      .filter((other) => other !== userId),
  )
}
