import * as z from 'zod/mini'
import { deviceKeys, scopeKeys } from '#core/sync/protocol/deviceKeys.ts'

/**
 * A user's keys as this device holds them: those that the server hands out, and those that the server no longer hands
 * out but that something unsent needs.
 */

const storedScopeKeys = z.extend(scopeKeys, {
  /**
   * The key of identifying data, where the right to them was withdrawn. It opens operations and typing from before the
   * withdrawal, and nothing else (offline/vault/codec.ts).
   */
  withdrawn: z.optional(scopeKeys.shape.sensitive),
})
export const storedKeys = z.extend(deviceKeys, { scopes: z.array(storedScopeKeys) })

export type StoredScopeKeys = z.infer<typeof storedScopeKeys>
export type StoredKeys = z.infer<typeof storedKeys>

/**
 * Keys joined with those of further scopes. Where a scope is in both, the first keys are in force, and the others open
 * what was sealed before.
 */
export function withScopes(given: StoredKeys, more: readonly StoredScopeKeys[]): StoredKeys {
  return { ...given, scopes: joinScopes(given.scopes, more) }
}

/** The same for lists: the keys in force come first, and a list that comes earlier wins over a later one. */
export function joinScopes(...lists: readonly (readonly StoredScopeKeys[])[]): StoredScopeKeys[] {
  const joined = new Map<string, StoredScopeKeys>()
  for (const keys of lists.flat()) {
    const known = joined.get(keys.scope)
    joined.set(keys.scope, known === undefined ? keys : withEarlier(known, keys))
  }
  return [...joined.values()]
}

/**
 * The key that opens what a user has sealed in a scope at the sensitive level, whether or not the user still has the
 * right to it.
 */
export function sensitiveOf({ sensitive, withdrawn = null }: StoredScopeKeys): string | null {
  return sensitive ?? withdrawn
}

function withEarlier(keys: StoredScopeKeys, earlier: StoredScopeKeys): StoredScopeKeys {
  if (earlier.keyId !== keys.keyId || keys.sensitive !== null) return keys
  return { ...keys, withdrawn: sensitiveOf(keys) ?? sensitiveOf(earlier) }
}
