import type { CacheDb } from './databases.ts'
import type { CacheRow } from './rows.ts'

/**
 * Notes of what changed in the cached patients since they were listed (offline/sync/pull/directory.ts), written in the
 * transactions that change them. So a list of thousands is brought up to date by reading only the few that changed.
 */

/** Stands for all patients of a scope: nothing that was listed of the scope is valid any more. */
const ALL = '*'

/** Notes cached patients that are put, removed or withheld. In the caller's transaction, over `unlisted`. */
export async function noteUnlisted(
  cache: CacheDb,
  rows: readonly Pick<CacheRow, 'scope' | 'kind' | 'id'>[],
): Promise<void> {
  const patients = rows.flatMap(({ scope, kind, id }) => (kind === 'patient' ? [{ scope, id }] : []))
  if (patients.length > 0) await cache.unlisted.bulkAdd(patients)
}

/**
 * Notes that a whole scope was removed, and deletes its directories. In the caller's transaction, over `unlisted` and
 * `directories`.
 */
export async function noteScopeGone(cache: CacheDb, scope: string): Promise<void> {
  await cache.directories.where('scope').equals(scope).delete()
  await cache.unlisted.add({ scope, id: ALL })
}

/** The cached patients of a scope that changed after a note. */
export type Unlisted = { readonly upTo: number; readonly ids: readonly string[] } | 'unknown'

/** Ids of the cached patients that changed after note `after`; `unknown` where the notes do not go back that far. */
export async function unlistedSince(cache: CacheDb, scope: string, after: number): Promise<Unlisted> {
  return cache.transaction('r', cache.unlisted, async () => {
    const first = await cache.unlisted.orderBy('n').first()
    if (first?.n !== undefined && first.n > after + 1) return 'unknown'
    const notes = await cache.unlisted.where('n').above(after).toArray()
    const own = notes.filter((note) => note.scope === scope)
    if (own.some(({ id }) => id === ALL)) return 'unknown'
    return { upTo: notes.at(-1)?.n ?? after, ids: [...new Set(own.map(({ id }) => id))] }
  })
}

/** The last note that was written. */
export async function lastNote(cache: CacheDb): Promise<number> {
  return (await cache.unlisted.orderBy('n').last())?.n ?? 0
}

/** Removes notes that no directory needs any more, except the last ones, because other tabs may be that far behind. */
export async function letGoOfNotes(cache: CacheDb): Promise<void> {
  const oldest = await cache.directories.orderBy('upTo').first()
  if (oldest !== undefined)
    await cache.unlisted
      .where('n')
      .belowOrEqual(oldest.upTo - KEPT)
      .delete()
}

/** How many notes stay that no directory needs. */
const KEPT = 500
