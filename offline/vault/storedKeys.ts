import * as z from 'zod/mini'
import { deviceKeys, scopeKeys } from '#core/sync/protocol/deviceKeys.ts'

/**
 * A user's keys as this device holds them: what the server has handed out, and what it hands out no more while
 * something unsent needs it.
 */

const storedScopeKeys = z.extend(scopeKeys, {
  /**
   * Key of what identifies a patient, where the right to it was withdrawn: it opens operations and typing from before,
   * and nothing else (offline/vault/codec.ts).
   */
  withdrawn: z.optional(scopeKeys.shape.sensitive),
})
export const storedKeys = z.extend(deviceKeys, { scopes: z.array(storedScopeKeys) })

export type StoredScopeKeys = z.infer<typeof storedScopeKeys>
export type StoredKeys = z.infer<typeof storedKeys>

/**
 * Keys with those of further scopes. Of a scope that is in both the first are in force, and the others open what was
 * sealed before.
 */
export function withScopes(given: StoredKeys, more: readonly StoredScopeKeys[]): StoredKeys {
  return { ...given, scopes: joinScopes(given.scopes, more) }
}

/** The same, of lists: what is in force first, the earlier the later. */
export function joinScopes(...lists: readonly (readonly StoredScopeKeys[])[]): StoredScopeKeys[] {
  const joined = new Map<string, StoredScopeKeys>()
  for (const keys of lists.flat()) {
    const known = joined.get(keys.scope)
    joined.set(keys.scope, known === undefined ? keys : withEarlier(known, keys))
  }
  return [...joined.values()]
}

/**
 * The key that opens what a user has sealed in a scope at the sensitive level, whether or not the right to it still
 * stands.
 */
export function sensitiveOf({ sensitive, withdrawn = null }: StoredScopeKeys): string | null {
  return sensitive ?? withdrawn
}

function withEarlier(keys: StoredScopeKeys, earlier: StoredScopeKeys): StoredScopeKeys {
  if (earlier.keyId !== keys.keyId || keys.sensitive !== null) return keys
  return { ...keys, withdrawn: sensitiveOf(keys) ?? sensitiveOf(earlier) }
}
