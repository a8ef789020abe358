import type { ApiError } from '#core/api/errors.ts'
import type { JsonValue } from '#core/json.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { rowKinds } from '#core/sync/rows.ts'
import type { RowKind, RowOf } from '#core/sync/rows.ts'
import type { CacheRow } from '#offline/db/rows.ts'
import { seal, sensitiveLevel, unseal } from '#offline/vault/codec.ts'
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

/** What the server masks for a user without `patient_sensitive` lies beside the whole row of a colleague, not over it. */
const MASKED = '~masked'
const MASKABLE: ReadonlySet<string> = new Set(['patient', 'entry', 'conflict'])

function seesMasked(ring: KeyRing, scope: string, kind: string): boolean {
  return MASKABLE.has(kind) && sensitiveLevel(ring, scope) === 'data'
}

/**
 * Id of a cached row. Role and codes in a project's row are those of the user who pulled it, so each user of the device has a row of
 * their own; and users without the sensitive key have masked rows.
 */
export function cacheId(ring: KeyRing, userId: string, scope: string, kind: RowKind, id: string): string {
  if (kind === 'project') return `${id}@${userId}`
  return seesMasked(ring, scope, kind) ? `${id}${MASKED}` : id
}

/** Whether a cached row is the one that this user pulled, rather than a colleague's view of the same. */
export function isOwnView(ring: KeyRing, userId: string, { scope, kind, id }: Pick<CacheRow, 'scope' | 'kind' | 'id'>): boolean {
  if (kind === 'project') return id.endsWith(`@${userId}`)
  return id.endsWith(MASKED) === seesMasked(ring, scope, kind)
}

/** Seals rows, ready to be put in one transaction. */
export async function sealRows(ring: KeyRing, userId: string, scope: string, pulled: readonly Pulled[]): Promise<CacheRow[]> {
  return Promise.all(
    pulled.map(async (one): Promise<CacheRow> => {
      const id = cacheId(ring, userId, scope, one.kind, one.id)
      const place = { scope, kind: one.kind, id }
      const base = { ...place, seq: one.seq, parent: parentOf(one) }
      // A whole row may hold what identifies a patient in any field: only a masked one is for the ordinary key.
      const level = MASKABLE.has(one.kind) ? sensitiveLevel(ring, scope) : 'data'
      return { ...base, row: await seal(ring, place, level, one.row as unknown as JsonValue) }
    }),
  )
}

function parentOf(one: Pulled): string {
  return one.kind === 'entry' ? one.row.patientId : one.kind === 'conflict' ? one.row.entryId : ''
}

/** Seals and puts rows that an answer brought. An older revision never takes the place of a newer one: pulls are newer than answers. */
export async function putRows(context: SyncContext, scope: string, pulled: readonly Pulled[]): Promise<Result<true, ApiError>> {
  if (pulled.length === 0) return ok(true)
  const { ring, userId, storage } = context
  const fresh = await storage.run(async ({ cache }) => {
    const kept: Pulled[] = []
    for (const one of pulled) {
      const known = await cache.rows.get([scope, one.kind, cacheId(ring, userId, scope, one.kind, one.id)])
      const older = known === undefined ? null : await openRow(ring, one.kind, known)
      if (older === null || !('rev' in older) || !('rev' in one.row) || older.rev <= one.row.rev) kept.push({ ...one, seq: known?.seq ?? 0 })
    }
    return sealRows(ring, userId, scope, kept)
  })
  if (!fresh.ok) return fresh
  const put = await storage.run(({ cache }) => cache.rows.bulkPut(fresh.value))
  return put.ok ? ok(true) : put
}

/** A cached row in the clear; null when the ring has no key for it. */
export async function openRow<Kind extends RowKind>(ring: KeyRing, _kind: Kind, cached: CacheRow): Promise<RowOf<Kind> | null> {
  // Checked against its kind before it was sealed, and authenticated since.
  return (await unseal(ring, { scope: cached.scope, kind: cached.kind, id: cached.id }, cached.row)) as unknown as RowOf<Kind> | null
}

/** Opens many rows, leaving out those of other people's scopes. */
export async function openRows<Kind extends RowKind>(ring: KeyRing, kind: Kind, cached: readonly CacheRow[]): Promise<RowOf<Kind>[]> {
  const rows = await Promise.all(cached.map((row) => openRow(ring, kind, row)))
  return rows.filter((row) => row !== null)
}
