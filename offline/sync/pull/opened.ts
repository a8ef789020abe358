import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import type { CacheDb } from '#offline/db/databases.ts'
import { casebooksOfScope, deleteMarked, marksOfPatient } from '#offline/db/marks.ts'
import type { OpenedRow } from '#offline/db/rows.ts'
import { viewFor } from '#offline/sync/cache.ts'
import type { CacheKey, Pulled } from '#offline/sync/cache.ts'
import type { SyncContext } from '#offline/sync/context.ts'
import type { KeyRing } from '#offline/vault/codec.ts'

/**
 * Centers of which only opened patients are on this device (docs/adr/0038-opened-patients.md). The list of these
 * patients is stored beside the rows: whatever removes the rows removes the list too, so nobody is listed who is not
 * here.
 */

/** The patients of a scope whose rows are taken in; null where the user keeps all of the scope. */
export function openedIn(
  { storage, userId }: Pick<SyncContext, 'storage' | 'userId'>,
  scope: string,
): Promise<Result<ReadonlySet<string> | null, ApiError>> {
  return storage.run(async ({ work, cache }) => {
    const kept = await work.kept.get([scope, userId])
    if (kept?.light !== 1) return null
    return new Set((await openedRows(cache, scope, userId)).map(({ patientId }) => patientId))
  })
}

export function openedRows(cache: CacheDb, scope: string, userId: string): Promise<OpenedRow[]> {
  return cache.opened.where('[scope+userId]').equals([scope, userId]).toArray()
}

/** The opened patients whose rows are here in the user's current view. */
export async function openedHere(
  cache: CacheDb,
  ring: KeyRing,
  scope: string,
  userId: string,
): Promise<ReadonlySet<string>> {
  const view = viewFor(ring, scope, 'patient')
  return new Set((await openedRows(cache, scope, userId)).flatMap((row) => (row.view === view ? [row.patientId] : [])))
}

/**
 * Whether a row that a pull brings is taken in. All conflicts are: they are few, and may come before the entry that
 * tells their patient.
 *
 * @param opened null where the whole scope is kept
 */
export function isTakenIn(opened: ReadonlySet<string> | null, one: Pulled): boolean {
  if (opened === null || one.kind === 'conflict') return true
  if (one.kind === 'patient') return opened.has(one.id)
  return one.kind === 'entry' || one.kind === 'visit' || one.kind === 'query' ? opened.has(one.row.patientId) : true
}

/**
 * Puts a patient on the list, to be fetched with the next cycle.
 *
 * @param isNew enrolled here: all that exists of the patient is on this device already
 */
export async function noteOpened(
  cache: CacheDb,
  ring: KeyRing,
  {
    scope,
    userId,
    patientId,
    at,
    isNew = false,
  }: Pick<OpenedRow, 'scope' | 'userId' | 'patientId' | 'at'> & { readonly isNew?: boolean },
): Promise<void> {
  await cache.transaction('rw', cache.opened, async () => {
    const known = await cache.opened.get([scope, userId, patientId])
    const view = isNew ? viewFor(ring, scope, 'patient') : (known?.view ?? null)
    await cache.opened.put({ scope, userId, patientId, at, view, due: 1 })
  })
}

/**
 * The server's data, or what it shows to this user, have changed as a whole: all opened patients are fetched once more,
 * one by one. Until then their old rows stay readable.
 */
export function fetchAnew(
  { storage, userId }: Pick<SyncContext, 'storage' | 'userId'>,
  scope: string,
): Promise<Result<unknown, ApiError>> {
  return storage.run(
    ({ cache }) =>
      cache.transaction('rw', cache.pulls, cache.opened, async () => {
        await cache.pulls.delete([scope, userId])
        await cache.opened.where('[scope+userId]').equals([scope, userId]).modify({ due: 1 })
      }),
    'cache',
  )
}

/** Keys of everything that is cached of a patient in a scope, in every view. In the caller's transaction. */
export async function keysOfPatient(cache: CacheDb, scope: string, patientId: string): Promise<readonly CacheKey[]> {
  const of = async (kind: string, parents: readonly string[]): Promise<CacheKey[]> =>
    (
      await cache.rows
        .where('[kind+parent]')
        .anyOf(parents.map((parent) => [kind, parent]))
        .primaryKeys()
    ).filter(([where]) => where === scope)
  const patient = await cache.rows
    .where('[kind+id]')
    .between(['patient', patientId], ['patient', `${patientId}\uffff`])
    .primaryKeys()
  const marks = await marksOfPatient(cache, scope, patientId)
  const [entries, visits, queries, conflicts] = await Promise.all([
    of('entry', [patientId]),
    of('visit', [patientId]),
    of('query', [patientId]),
    of('conflict', [...new Set(marks.map(({ entryId }) => entryId))]),
  ])
  // Entries are in packs too, and marks stay when rows gave way on a full disk.
  const away = marks.map(({ id }): CacheKey => [scope, 'entry', id])
  return [...patient.filter(([where]) => where === scope), ...entries, ...visits, ...queries, ...conflicts, ...away]
}

/**
 * Nobody keeps all of a scope any more: the rows of opened patients stay, the others go. In the caller's transaction.
 */
export async function keepOpenedOnly(cache: CacheDb, scope: string): Promise<void> {
  const opened = new Set((await cache.opened.where('scope').equals(scope).toArray()).map(({ patientId }) => patientId))
  const going: CacheKey[] = []
  const staying = new Set<string>()
  await casebooksOfScope(cache, scope).each(({ patientId, marks }) => {
    if (opened.has(patientId)) for (const { entryId } of marks) staying.add(entryId)
    else going.push(...marks.map(({ id }): CacheKey => [scope, 'entry', id]))
  })
  await cache.rows
    .where('scope')
    .equals(scope)
    .each(({ kind, id, parent }) => {
      const stays =
        kind === 'patient'
          ? opened.has(id.slice(0, ID_LENGTH))
          : kind === 'conflict'
            ? staying.has(parent)
            : opened.has(parent)
      if (!stays) going.push([scope, kind, id])
    })
  await deleteMarked(cache, going)
}

/** Length of an id, which stands first in the key of its row. */
const ID_LENGTH = 36
