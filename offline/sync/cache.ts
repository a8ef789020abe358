import type { ApiError } from '#core/api/errors.ts'
import type { JsonValue } from '#core/json.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { rowKinds } from '#core/sync/rows.ts'
import type { RowKind, RowOf } from '#core/sync/rows.ts'
import type { CacheDb } from '#offline/db/databases.ts'
import type { CacheRow } from '#offline/db/rows.ts'
import { canOpen, seal, sensitiveLevel, unseal } from '#offline/vault/codec.ts'
import type { KeyRing } from '#offline/vault/codec.ts'

import type { SyncContext } from './context.ts'

/** Pulled rows on the device: sealed on the way in, opened on the way out. */

export type Pulled = { readonly [Kind in RowKind]: { readonly kind: Kind; readonly id: string; readonly seq: number; readonly row: RowOf<Kind> } }[RowKind]

/** A pulled line's row, checked against its kind; null when it is none (a newer server's). */
export function checkedRow(kind: RowKind, id: string, seq: number, row: JsonValue): Pulled | null {
  const parsed = rowKinds[kind].safeParse(row)
  // The schema of a kind gives the row of that kind.
  return parsed.success ? ({ kind, id, seq, row: parsed.data } as Pulled) : null
}

/** Role and codes in a project's row are those of the user who pulled it, so each user of the device has a row of their own. */
export function cacheId(kind: RowKind, id: string, userId: string): string {
  return kind === 'project' ? `${id}@${userId}` : id
}

/** Seals rows, ready to be put in one transaction. */
export async function sealRows(ring: KeyRing, userId: string, scope: string, pulled: readonly Pulled[]): Promise<CacheRow[]> {
  return Promise.all(
    pulled.map(async (one): Promise<CacheRow> => {
      const id = cacheId(one.kind, one.id, userId)
      const place = { scope, kind: one.kind, id }
      const base = { ...place, seq: one.seq, parent: parentOf(one) }
      if (one.kind !== 'patient') {
        return { ...base, row: await seal(ring, place, 'data', one.row as unknown as JsonValue), identity: null }
      }
      const { identity, ...rest } = one.row
      const mayKeep = sensitiveLevel(ring, scope) === 'sensitive' && identity !== null
      return {
        ...base,
        row: await seal(ring, place, 'data', { ...rest, identity: null } as unknown as JsonValue),
        identity: mayKeep ? await seal(ring, identityPlace(place), 'sensitive', identity) : null,
      }
    }),
  )
}

function parentOf(one: Pulled): string {
  return one.kind === 'entry' ? one.row.patientId : one.kind === 'conflict' ? one.row.entryId : ''
}

function identityPlace(place: { readonly scope: string; readonly kind: string; readonly id: string }) {
  return { ...place, kind: 'identity' }
}

/**
 * Puts sealed rows inside an open transaction. A user without the sensitive key pulls patients without identity: what a colleague's
 * pull left of it stays.
 */
export async function putSealed(cache: CacheDb, ring: KeyRing, rows: readonly CacheRow[]): Promise<void> {
  const bare = rows.filter(({ kind, identity, scope }) => kind === 'patient' && identity === null && sensitiveLevel(ring, scope) === 'data')
  const known = await cache.rows.bulkGet(bare.map(({ scope, kind, id }) => [scope, kind, id]))
  const identities = new Map(known.flatMap((row) => (row === undefined || row.identity === null ? [] : [[row.id, row.identity] as const])))
  await cache.rows.bulkPut(rows.map((row) => ({ ...row, identity: row.identity ?? (row.kind === 'patient' ? (identities.get(row.id) ?? null) : null) })))
}

/** Seals and puts rows that an answer brought. An older revision never takes the place of a newer one: pulls are newer than answers. */
export async function putRows(context: SyncContext, scope: string, pulled: readonly Pulled[]): Promise<Result<true, ApiError>> {
  if (pulled.length === 0) return ok(true)
  const { ring, userId, storage } = context
  const fresh = await storage.run(async ({ cache }) => {
    const kept: Pulled[] = []
    for (const one of pulled) {
      const known = await cache.rows.get([scope, one.kind, cacheId(one.kind, one.id, userId)])
      const older = known === undefined ? null : await openRow(ring, one.kind, known)
      if (older === null || !('rev' in older) || !('rev' in one.row) || older.rev <= one.row.rev) kept.push({ ...one, seq: known?.seq ?? 0 })
    }
    return sealRows(ring, userId, scope, kept)
  })
  if (!fresh.ok) return fresh
  const put = await storage.run(({ cache }) => cache.transaction('rw', cache.rows, () => putSealed(cache, ring, fresh.value)))
  return put.ok ? ok(true) : put
}

/** A cached row in the clear; null when the ring has no key for it. Patients come with their identity where the ring opens it. */
export async function openRow<Kind extends RowKind>(ring: KeyRing, _kind: Kind, cached: CacheRow): Promise<RowOf<Kind> | null> {
  const place = { scope: cached.scope, kind: cached.kind, id: cached.id }
  const row = await unseal(ring, place, cached.row)
  if (row === null) return null
  const identity = cached.identity !== null && canOpen(ring, cached.scope, cached.identity) ? await unseal(ring, identityPlace(place), cached.identity) : null
  // Checked against its kind before it was sealed, and authenticated since.
  return (identity === null ? row : { ...(row as object), identity }) as unknown as RowOf<Kind>
}

/** Opens many rows, leaving out those of other people's scopes. */
export async function openRows<Kind extends RowKind>(ring: KeyRing, kind: Kind, cached: readonly CacheRow[]): Promise<RowOf<Kind>[]> {
  const rows = await Promise.all(cached.map((row) => openRow(ring, kind, row)))
  return rows.filter((row) => row !== null)
}
