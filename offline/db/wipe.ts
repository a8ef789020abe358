import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import { clearSent, countOnlyHere } from '#offline/files/onlyHere.ts'
import { isOwnView } from '#offline/sync/cache.ts'

import { noteScopeGone } from './listed.ts'
import { cachedTables, deleteScope } from './marks.ts'
import type { Databases, WorkDb } from './databases.ts'
import { getMeta, setMeta } from './meta.ts'
import type { Storage } from './open.ts'

/**
 * Clearing a device: copies of what the server holds, the choice of what to keep, and the keys. It never removes an
 * unsent operation or typing. It does not remove receipts either, because a restored server may need their sealed
 * operations; without keys nobody can read them here.
 */

/**
 * `unsent`: operations and files that the server has not taken, without those set aside. `typed`: pages with typing
 * that is in no operation yet.
 */
export type Wiped = { readonly done: true } | { readonly done: false; readonly unsent: number; readonly typed: number }

/** The name under which the device keeps its own key (offline/vault/deviceKey.ts). */
const DEVICE_KEY = 'deviceKey'

/**
 * Clears what one user has on this device, or what everybody has. Refused, with the numbers, while something would be
 * lost: the user's own unsent work, or others' work in a scope that nobody else keeps here.
 *
 * @param userId null for everybody
 */
export async function wipe(storage: Storage, userId: string | null): Promise<Result<Wiped, ApiError>> {
  const wiped = await storage.run(({ work }) =>
    // Counted inside the clearing transaction, so that nothing can be queued in between.
    work.transaction(
      'rw',
      [work.outbox, work.drafts, work.files, work.designs, work.trials, work.kept, work.vault, work.meta],
      async (): Promise<Wiped> => {
        const left = await waiting(work, userId)
        if (left.unsent + left.typed > 0) return { done: false, ...left }
        if (userId === null) {
          await work.vault.clear()
          await work.kept.clear()
          await work.meta.delete(DEVICE_KEY)
          await setMeta(work, 'lastUser', null)
        } else {
          await work.vault.delete(userId)
          await work.kept.where('userId').equals(userId).delete()
          if ((await getMeta(work, 'lastUser')) === userId) await setMeta(work, 'lastUser', null)
        }
        await setMeta(work, 'clearing', { userId })
        return { done: true }
      },
    ),
  )
  if (!wiped.ok || !wiped.value.done) return wiped
  const finished = await finishWipe(storage)
  return finished.ok ? wiped : finished
}

/** Finishes a clearing that was begun; also at the next start, where the app died in between. */
export async function finishWipe(storage: Storage): Promise<Result<true, ApiError>> {
  return storage.run(async (databases): Promise<true> => {
    const clearing = (await getMeta(databases.work, 'clearing')) ?? null
    if (clearing === null) return true
    await clearCache(databases, clearing.userId)
    await setMeta(databases.work, 'clearing', null)
    return true
  })
}

/** What would be lost if the keys of the user, or of everybody, were removed now. */
async function waiting(
  work: WorkDb,
  userId: string | null,
): Promise<{ readonly unsent: number; readonly typed: number }> {
  const kept = await work.kept.toArray()
  const others = new Set(kept.filter((row) => row.userId !== userId).map(({ scope }) => scope))
  const isTheirs = ({ author, scope }: { readonly author: string; readonly scope: string }): boolean =>
    userId === null || author === userId || !others.has(scope)
  const unsent = (await work.outbox.where('state').notEqual('aside').toArray()).filter(isTheirs)
  const typed = (await work.drafts.toArray()).filter(isTheirs)
  const files = await countOnlyHere(work, isTheirs)
  const designed =
    userId === null ? await work.designs.toArray() : await work.designs.where('userId').equals(userId).toArray()
  const designs = designed.filter(({ saved }) => saved !== true).length
  const uat = (
    userId === null ? await work.trials.toArray() : await work.trials.where('userId').equals(userId).toArray()
  ).flatMap(({ pages }) => pages).length
  return { unsent: unsent.length + files + designs + uat, typed: new Set(typed.map(({ entryId }) => entryId)).size }
}

async function clearCache({ work, cache }: Databases, userId: string | null): Promise<void> {
  const keptNow = new Set((await work.kept.toArray()).map(({ scope }) => scope))
  await clearSent(work, ({ scope }) => userId === null || !keptNow.has(scope))
  if (userId === null) {
    for (const table of [
      cache.rows,
      cache.packs,
      cache.casebooks,
      cache.directories,
      cache.unlisted,
      cache.pulls,
      cache.compared,
      cache.evicted,
      cache.touched,
      cache.opened,
    ])
      await table.clear()
    return
  }
  const stillKept = keptNow
  const noKeys = new Map()
  await cache.transaction(
    'rw',
    [...cachedTables(cache), cache.directories, cache.pulls, cache.compared, cache.evicted, cache.opened],
    async () => {
      await cache.pulls.where('userId').equals(userId).delete()
      await cache.compared.filter((list) => list.userId === userId).delete()
      await cache.opened.where('userId').equals(userId).delete()
      await cache.evicted.filter(({ scope }) => !stillKept.has(scope)).delete()
      const keys = await cache.rows.toCollection().primaryKeys()
      const going = keys.filter(
        ([scope, kind, id]) =>
          !stillKept.has(scope) || (kind === 'project' && isOwnView(noKeys, userId, { scope, kind, id })),
      )
      await cache.rows.bulkDelete(going)
      await cache.directories.where('userId').equals(userId).delete()
      for (const scope of new Set(going.map(([of]) => of))) if (!stillKept.has(scope)) await noteScopeGone(cache, scope)
      const scopes = new Set((await cache.casebooks.toCollection().primaryKeys()).map(([scope]) => scope))
      for (const scope of scopes) if (!stillKept.has(scope)) await deleteScope(cache, scope)
    },
  )
}
