import type { DeviceKeys } from '#core/sync/deviceKeys.ts'
import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { parseScope } from '#core/sync/scope.ts'

import type { DataContext } from './context.ts'
import { scopesFor } from './readProjects.ts'
import type { DataActions } from './source.ts'

/** Choosing what this device keeps. */

/** Brings a scope's keys into the vault. */
export interface ScopeKeeper {
  addKeys(given: DeviceKeys): Promise<void>
}

/** Keeps a scope and its project's common one: keys first, then the choice, then the download. */
export async function keepScope(context: DataContext, keeper: ScopeKeeper, scope: string): Promise<Result<true, ApiError>> {
  if (context.vault().state === 'locked') return err({ code: 'vault_locked' })
  const scopes = scopesFor(scope)
  if (scopes.length === 0) return err({ code: 'not_found' })
  const given = await context.api.call('sync.keys', { body: { deviceId: context.deviceId, scopes: [...scopes] } })
  if (!given.ok) return given
  const granted = new Set(given.value.scopes.map((keys) => keys.scope))
  if (!scopes.every((one) => granted.has(one))) return err({ code: 'forbidden' })
  const stored = await context.storage.run(async ({ work }) => {
    await keeper.addKeys(given.value)
    const since = new Date().toISOString()
    await work.kept.bulkPut(scopes.map((one) => ({ scope: one, userId: context.user.userId, since })))
  })
  if (!stored.ok) return stored
  context.kickSync()
  return ok(true)
}

/** Gives a scope up. Never while something in it is unsent; the project's common scope goes with its last center. */
export async function dropScope(context: DataContext, scope: string): ReturnType<DataActions['dropScope']> {
  const parsed = parseScope(scope)
  const projectId = parsed?.projectId ?? scope
  const { userId } = context.user
  const dropped = await context.storage.run(async ({ work, cache }) => {
    const kept = await work.kept.where('userId').equals(userId).toArray()
    const others = kept.filter((row) => row.scope !== scope && row.scope !== projectId && parseScope(row.scope)?.projectId === projectId)
    const going = parsed?.kind === 'center' && others.length > 0 ? [scope] : [scope, projectId, ...(parsed?.kind === 'project' ? others.map((row) => row.scope) : [])]
    const unsent = await work.transaction('rw', work.kept, work.outbox, work.drafts, async () => {
      const rows = (await work.outbox.where('scope').anyOf(going).count()) + (await work.drafts.where('scope').anyOf(going).count())
      if (rows === 0) await work.kept.bulkDelete(going.map((one): [string, string] => [one, userId]))
      return rows
    })
    if (unsent > 0) return unsent
    // Rows stay for the colleagues who keep the scope too.
    for (const one of going) {
      await cache.cursors.delete([one, userId])
      if ((await work.kept.where('scope').equals(one).count()) === 0) await cache.rows.where('scope').equals(one).delete()
    }
    return 0
  })
  return dropped.ok && dropped.value === 0 ? { done: true } : { done: false, unsent: dropped.ok ? dropped.value : 0 }
}

/** A right was withdrawn: keys and choice go, once nothing of the scope is unsent. What is unsent can still be carried. */
export async function forgetWithdrawn(
  context: Pick<DataContext, 'storage' | 'user'>,
  withdrawn: readonly string[],
): Promise<Result<ReadonlySet<string>, ApiError>> {
  return context.storage.run(async ({ work, cache }) => {
    const gone = new Set<string>()
    for (const scope of withdrawn) {
      const unsent = await work.transaction('rw', work.kept, work.outbox, work.drafts, async () => {
        // What is being typed is not in the outbox yet, and nobody could read it without the keys.
        const typed = await work.drafts.where('scope').equals(scope).count()
        const waiting = await work.outbox.where('scope').equals(scope).filter(({ state }) => state !== 'aside').count()
        if (typed + waiting === 0) await work.kept.delete([scope, context.user.userId])
        return typed + waiting
      })
      if (unsent > 0) continue
      await cache.cursors.delete([scope, context.user.userId])
      if ((await work.kept.where('scope').equals(scope).count()) === 0) await cache.rows.where('scope').equals(scope).delete()
      gone.add(scope)
    }
    return gone
  })
}
