import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { DeviceKeys } from '#core/sync/protocol/deviceKeys.ts'
import { parseScope, scopesFor } from '#core/sync/protocol/scope.ts'
import { countOnlyHere } from '#offline/files/onlyHere.ts'
import { forgetPulls } from '#offline/sync/pull/compare.ts'
import type { DataContext } from '#src/data/rows/context.ts'

/** Choosing what this device keeps. */

/** Puts a scope's keys into the vault of the user to whom the server gave them. */
export interface ScopeKeeper {
  addKeys(userId: string, given: DeviceKeys): Promise<void>
}

/** Keeps a scope and its project's common scope: keys first, then the choice, then the download. */
export async function keepScope(
  context: DataContext,
  keeper: ScopeKeeper,
  scope: string,
): Promise<Result<true, ApiError>> {
  if (context.vault().state === 'locked') return err({ code: 'vault_locked' })
  const scopes = scopesFor(scope)
  if (scopes.length === 0) return err({ code: 'not_found' })
  const given = await context.api.call('sync.keys', { body: { deviceId: context.deviceId, scopes: [...scopes] } })
  if (!given.ok) return given
  const granted = new Set(given.value.scopes.map((keys) => keys.scope))
  if (!scopes.every((one) => granted.has(one))) return err({ code: 'forbidden' })
  const stored = await context.storage.run(async ({ work, cache }) => {
    await keeper.addKeys(context.user.userId, given.value)
    const since = new Date().toISOString()
    await work.kept.bulkPut(scopes.map((one) => ({ scope: one, userId: context.user.userId, since })))
    // Patients who had been opened stay here with the others.
    await cache.opened.where('[scope+userId]').equals([scope, context.user.userId]).delete()
  })
  if (!stored.ok) return stored
  context.kickSync()
  return ok(true)
}

/**
 * Gets the current keys for scopes in which the user sees more or fewer patients than before. Unsent work that only the
 * old keys open stays openable (offline/vault/storedKeys.ts).
 *
 * @returns whether the keys have changed, so that fetching again makes sense
 */
export async function renewKeys(
  { api, deviceId, storage, ring, user }: Pick<DataContext, 'api' | 'deviceId' | 'storage' | 'ring' | 'user'>,
  keeper: ScopeKeeper,
  scopes: readonly string[],
): Promise<Result<boolean, ApiError>> {
  const seesPatients = (): readonly boolean[] => scopes.map((scope) => (ring().get(scope)?.sensitive ?? null) !== null)
  const before = seesPatients()
  const given = await api.call('sync.keys', { body: { deviceId, scopes: [...scopes] } })
  if (!given.ok) return given
  const taken = await storage.run(() => keeper.addKeys(user.userId, given.value))
  return taken.ok ? ok(seesPatients().some((sees, at) => sees !== before[at])) : taken
}

/** Whether a scope was given up, or how much of it is unsent. */
export type ScopeDropped = { readonly done: true } | { readonly done: false; readonly unsent: number }

/** Gives a scope up. Never while something in it is unsent; the project's common scope goes with its last center. */
export async function dropScope(context: DataContext, scope: string): Promise<ScopeDropped> {
  const parsed = parseScope(scope)
  const projectId = parsed?.projectId ?? scope
  const { userId } = context.user
  const dropped = await context.storage.run(async (databases) => {
    const { work } = databases
    const kept = await work.kept.where('userId').equals(userId).toArray()
    const others = kept.filter(
      (row) => row.scope !== scope && row.scope !== projectId && parseScope(row.scope)?.projectId === projectId,
    )
    const going =
      parsed?.kind === 'center' && others.length > 0
        ? [scope]
        : [scope, projectId, ...(parsed?.kind === 'project' ? others.map((row) => row.scope) : [])]
    const unsent = await work.transaction('rw', work.kept, work.outbox, work.drafts, work.files, async () => {
      const files = await countOnlyHere(work, (row) => going.includes(row.scope))
      const rows =
        files +
        (await work.outbox.where('scope').anyOf(going).count()) +
        (await work.drafts.where('scope').anyOf(going).count())
      if (rows === 0) await work.kept.bulkDelete(going.map((one): [string, string] => [one, userId]))
      return rows
    })
    if (unsent > 0) return unsent
    // Rows stay for colleagues who also keep the scope.
    for (const one of going) await forgetPulls(databases, one, userId)
    return 0
  })
  return dropped.ok && dropped.value === 0 ? { done: true } : { done: false, unsent: dropped.ok ? dropped.value : 0 }
}

/**
 * A right was withdrawn: the keys and the choice go once nothing of the scope is unsent. Until then a colleague can
 * carry unsent work. A project's common scope stays while anything of its centers is unsent: without the definitions
 * there, typing cannot be turned into values.
 */
export async function forgetWithdrawn(
  context: Pick<DataContext, 'storage' | 'user'>,
  withdrawn: readonly string[],
): Promise<Result<ReadonlySet<string>, ApiError>> {
  return context.storage.run(async (databases) => {
    const { work } = databases
    const gone = new Set<string>()
    for (const scope of withdrawn) {
      const unsent = await work.transaction('rw', work.kept, work.outbox, work.drafts, work.files, async () => {
        const files = await countOnlyHere(work, (row) => row.scope.startsWith(scope))
        // Typing is not in the outbox yet, and nobody could read it without the keys.
        const typed = await work.drafts.where('scope').startsWith(scope).count()
        const waiting = await work.outbox
          .where('scope')
          .startsWith(scope)
          .filter(({ state }) => state !== 'aside')
          .count()
        if (typed + waiting + files === 0) await work.kept.delete([scope, context.user.userId])
        return typed + waiting + files
      })
      if (unsent > 0) continue
      await forgetPulls(databases, scope, context.user.userId)
      gone.add(scope)
    }
    return gone
  })
}
