import type { Collection } from 'dexie'

/** A key of the index of cached rows by kind and parent. */
export type KindParentKey = readonly [kind: string, parent: string]

/**
 * Keys of the index by which a collection was found, in the type that the caller knows: Dexie's own type has no place
 * for a key of several parts.
 */
export async function indexKeys<Key extends readonly string[]>(found: Pick<Collection, 'keys'>): Promise<Key[]> {
  const keys: unknown[] = await found.keys()
  return keys as Key[]
}
