import type { RowOf } from '#core/api/sync/rows.ts'
import type { CacheRow } from '#offline/db/rows.ts'
import type { KeyRing } from '#offline/vault/codec.ts'

import { isOwnView, openRow } from './cache.ts'

/** Kinds of which a center has thousands, and every list looks at all of them. */
type ManyKind = 'visit' | 'query'

interface Remembered<Kind extends ManyKind> {
  readonly iv: string
  readonly row: RowOf<Kind> | null
}

/** Decrypted rows, until they are sealed again. They go with the keys. */
const opened: { readonly [Kind in ManyKind]: WeakMap<KeyRing, Map<string, Remembered<Kind>>> } = {
  visit: new WeakMap(),
  query: new WeakMap(),
}
/** How many rows are decrypted at once, so that no reading blocks its thread. */
const AT_ONCE = 200

/** Opens rows as this user pulled them; what was opened before is not decrypted again. */
export async function openRemembered<Kind extends ManyKind>(
  ring: KeyRing,
  userId: string,
  kind: Kind,
  rows: readonly CacheRow[],
): Promise<readonly RowOf<Kind>[]> {
  const known = opened[kind].get(ring) ?? new Map<string, Remembered<Kind>>()
  opened[kind].set(ring, known)
  const own = rows.filter((row) => isOwnView(ring, userId, row))
  const all: RowOf<Kind>[] = []
  for (let at = 0; at < own.length; at += AT_ONCE) {
    const part = await Promise.all(own.slice(at, at + AT_ONCE).map((row) => openOnce(ring, kind, known, row)))
    all.push(...part.filter((row) => row !== null))
  }
  return all
}

async function openOnce<Kind extends ManyKind>(
  ring: KeyRing,
  kind: Kind,
  known: Map<string, Remembered<Kind>>,
  cached: CacheRow,
): Promise<RowOf<Kind> | null> {
  // The initialisation vector tells the row's versions apart: nothing is ever sealed twice with the same one.
  const iv = cached.row.iv.join(' ')
  const place = `${cached.scope} ${cached.id}`
  const before = known.get(place)
  if (before?.iv === iv) return before.row
  const row = await openRow(ring, kind, cached)
  known.set(place, { iv, row })
  return row
}
