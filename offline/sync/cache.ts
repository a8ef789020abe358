import type { ApiError } from '#core/api/errors.ts'
import type { JsonValue } from '#core/json.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { todoOf } from '#core/sync/entryMark.ts'
import { isPlainEntry } from '#core/api/sync/plainEntry.ts'
import { rowKinds } from '#core/api/sync/rows.ts'
import type { EntryRow, RowKind, RowOf } from '#core/api/sync/rows.ts'
import type { CacheDb } from '#offline/db/databases.ts'
import { cachedTables, knownOf, putMarked } from '#offline/db/marks.ts'
import type { Known, MarkedRow, SealedRows } from '#offline/db/marks.ts'
import type { CacheRow, MarkRow, PackRow, RowView, Sealed } from '#offline/db/rows.ts'
import { idInView, viewOf } from '#offline/db/view.ts'
import { seal, sensitiveLevel, unseal } from '#offline/vault/codec.ts'
import type { KeyRing } from '#offline/vault/codec.ts'
import type { SealedKinds } from '#offline/vault/sealedKinds.ts'

import type { SyncContext } from './context.ts'
import { partsToPack, sealPack } from './pull/packs.ts'

/** Pulled rows on the device: sealed when they are stored, opened when they are read. */

export type Pulled = {
  readonly [Kind in RowKind]: {
    readonly kind: Kind
    readonly id: string
    readonly seq: number
    readonly row: RowOf<Kind>
  }
}[RowKind]

/** A pulled line's row, checked against the schema of its kind; null when it does not fit (a newer server's row). */
export function checkedRow(kind: RowKind, id: string, seq: number, row: JsonValue): Pulled | null {
  if (kind === 'entry' && isPlainEntry(row)) return { kind, id, seq, row }
  const parsed = rowKinds[kind].safeParse(row)
  // The schema of a kind gives the row of that kind.
  return parsed.success ? ({ kind, id, seq, row: parsed.data } as Pulled) : null
}

const MASKABLE: ReadonlySet<string> = new Set(['patient', 'entry', 'conflict', 'query'])

/** Kinds of rows that a colleague who pulls the same scope sees differently, or not at all. */
const PERSONAL: ReadonlySet<string> = new Set(['project', 'inbox'])

/** The view that a user has of rows of a kind. */
export function viewFor(ring: KeyRing, scope: string, kind: string): RowView {
  return MASKABLE.has(kind) && sensitiveLevel(ring, scope) === 'data' ? 'masked' : 'whole'
}

/**
 * Whether a row came in the view for which the user has keys here. The right to identifying data is given and withdrawn
 * while people are at work. A masked row must never replace the whole one, and a whole row must never be sealed under
 * the key that everybody has.
 */
export function isInView(ring: KeyRing, scope: string, { kind, row }: Pulled): boolean {
  if (!('masked' in row) || row.masked === undefined) return true
  return row.masked === (viewFor(ring, scope, kind) === 'masked')
}

/**
 * Id of a cached row. A project's row holds the role and the codes of the user who pulled it, and each user sees their
 * own inbox: so each user of the device has rows of their own for these kinds. Users without the sensitive key have
 * masked rows.
 */
export function cacheId(ring: KeyRing, userId: string, scope: string, kind: RowKind, id: string): string {
  if (PERSONAL.has(kind)) return `${id}@${userId}`
  return idInView(id, viewFor(ring, scope, kind))
}

/**
 * Whether a cached row is in this user's own view: not in a colleague's view of the same row, and not a row that only a
 * colleague sees.
 */
export function isOwnView(
  ring: KeyRing,
  userId: string,
  { scope, kind, id, notFor }: Pick<CacheRow, 'scope' | 'kind' | 'id' | 'notFor'>,
): boolean {
  if (PERSONAL.has(kind)) return id.endsWith(`@${userId}`)
  return viewOf(id) === viewFor(ring, scope, kind) && notFor?.includes(userId) !== true
}

/**
 * Seals rows, ready to be put in one transaction. Entries of a patient that came together are sealed together.
 *
 * @param epoch to which the change numbers belong, to be stored with each row; null where the pull of the scope names
 *   the same one
 */
export async function sealRows(
  ring: KeyRing,
  userId: string,
  scope: string,
  pulled: readonly Pulled[],
  epoch: string | null,
): Promise<SealedRows> {
  const parts = partsToPack(pulled.filter((one) => one.kind === 'entry'))
  const packOf = new Map<string, string>()
  const view = viewFor(ring, scope, 'entry')
  const packing = parts.map(async (part) => {
    const pack = await sealPack(
      ring,
      scope,
      part.map(({ row }) => row),
      { level: sensitiveLevel(ring, scope), view },
    )
    for (const { id } of part) packOf.set(id, pack.id)
    return pack
  })
  const packed = new Set(parts.flatMap((part) => part.map(({ id }) => id)))
  const sealing = pulled.map((one) =>
    one.kind === 'entry' && packed.has(one.id)
      ? Promise.resolve(null)
      : sealOne(ring, scope, one, cacheId(ring, userId, scope, one.kind, one.id)),
  )
  const packs = await Promise.all(packing)
  const sealed = await Promise.all(sealing)
  const named = epoch === null ? {} : { epoch }
  const rows = pulled.map((one, at): MarkedRow => {
    const id = cacheId(ring, userId, scope, one.kind, one.id)
    const base = { scope, kind: one.kind, id, seq: one.seq, ...named, parent: parentOf(one), row: sealed[at] ?? null }
    if (one.kind !== 'entry') return base
    const pack = packOf.get(one.id)
    const mark = markOf(scope, id, one.row)
    return { ...base, mark: pack === undefined ? mark : { ...mark, pack, seq: one.seq, ...named } }
  })
  return { rows, packs }
}

function sealOne(ring: KeyRing, scope: string, { kind, row }: Pulled, id: string): Promise<Sealed> {
  // A whole row may hold identifying data in any field: only a masked row is sealed under the ordinary key.
  const level = MASKABLE.has(kind) ? sensitiveLevel(ring, scope) : 'data'
  return seal(ring, { scope, kind, id }, level, row)
}

function markOf(scope: string, id: string, entry: EntryRow): MarkRow {
  const mark = {
    scope,
    id,
    entryId: entry.id,
    patientId: entry.patientId,
    folderId: entry.folderId,
    folderRepeat: entry.folderRepeat,
    pageId: entry.pageId,
    pageRepeat: entry.pageRepeat,
    parentEntryId: entry.parentEntryId,
    status: entry.status,
    progress: entry.progress ?? null,
    conflicts: entry.conflicts,
    updatedAt: entry.updatedAt,
  }
  // A deleted entry keeps a mark, so that nothing takes it for one that was never counted. The mark asks nobody to do
  // anything.
  if (entry.deleted) return { ...mark, status: 'init', progress: null, conflicts: 0 }
  const todo = todoOf(mark)
  return todo === null ? mark : { ...mark, todo: idInView(todo, viewOf(id)) }
}

function parentOf(one: Pulled): string {
  return one.kind === 'entry' || one.kind === 'visit' || one.kind === 'query'
    ? one.row.patientId
    : one.kind === 'conflict'
      ? one.row.entryId
      : ''
}

/**
 * Seals and puts rows that an answer brought, as they were at its change number (`seq`). An operation that is sent
 * again gets the answer that was stored with it. Rows that were pulled since are newer and would never come again,
 * because the cursor is beyond them: so they are not replaced. During a comparison, rows of an answer count as having
 * come (offline/sync/pull/compare.ts).
 *
 * @param epoch of the server that answered; null where it is not known
 */
export async function putRows(
  context: SyncContext,
  scope: string,
  pulled: readonly Pulled[],
  epoch: string | null,
): Promise<Result<true, ApiError>> {
  if (pulled.length === 0) return ok(true)
  const { ring, userId, storage } = context
  // A row that is no longer in the user's view comes by a pull, once the keys for it are here.
  const shown = pulled.filter((one) => isInView(ring, scope, one))
  const sealed = await storage.run(async () => sealRows(ring, userId, scope, shown, epoch))
  if (!sealed.ok) return sealed
  const put = await storage.run(({ cache }) =>
    cache.transaction('rw', [...cachedTables(cache), cache.pulls, cache.compared], async () => {
      const { rows, packs } = sealed.value
      const known = await knownOf(cache, rows)
      const cursor = await cache.pulls.get([scope, userId])
      const newer = rows.flatMap((row, at) =>
        isNewer(row, known[at], cursor?.epoch) ? [keepingHidden(row, known[at], userId)] : [],
      )
      await putMarked(cache, { rows: newer, packs: packsOf(packs, newer) })
      if ((cursor?.comparing ?? null) !== null) await noteCompared(cache, scope, userId, rows)
    }),
  )
  return put.ok ? ok(true) : put
}

/**
 * Whether a row of an answer is newer than the row that is here. Change numbers of a restored server begin again where
 * its backup ends. So a row from before the restore cannot be compared with an answer of now.
 *
 * @param pulled epoch that the pull of the scope names
 */
function isNewer({ seq, epoch }: MarkedRow, known: Known | undefined, pulled: string | undefined): boolean {
  if (known === undefined) return true
  const before = known.epoch ?? pulled
  return (epoch !== undefined && before !== undefined && before !== epoch) || known.seq < seq
}

export type CacheKey = [scope: string, kind: string, id: string]

export function keyOf({ scope, kind, id }: Pick<CacheRow, 'scope' | 'kind' | 'id'>): CacheKey {
  return [scope, kind, id]
}

/**
 * Puts rows that a user may see. A row that the server withholds from a colleague stays withheld from the colleague. In
 * the caller's transaction.
 */
export async function putKeepingHidden(cache: CacheDb, { rows, packs }: SealedRows, userId: string): Promise<void> {
  const known = await knownOf(cache, rows)
  await putMarked(cache, { rows: rows.map((row, at) => keepingHidden(row, known[at], userId)), packs })
}

/** The row as it replaces the one before in the cache, once it has come to this user. */
function keepingHidden(row: MarkedRow, before: Known | undefined, userId: string): MarkedRow {
  const notFor = before?.notFor?.filter((other) => other !== userId) ?? []
  if (notFor.length === 0) return row
  return row.mark === undefined || row.row !== null ? { ...row, notFor } : { ...row, mark: { ...row.mark, notFor } }
}

/** The packs that hold some of the rows. */
export function packsOf(packs: readonly PackRow[], rows: readonly MarkedRow[]): readonly PackRow[] {
  const named = new Set(rows.map(({ mark }) => mark?.pack))
  return packs.filter(({ id }) => named.has(id))
}

/** Notes for a comparison which rows have come. In the transaction that puts the rows. */
export async function noteCompared(
  cache: CacheDb,
  scope: string,
  userId: string,
  rows: readonly MarkedRow[],
): Promise<void> {
  if (rows.length > 0)
    await cache.compared.add({ scope, userId, keys: rows.map(({ kind, id }) => [kind, id] as const) })
}

/** A cached row of a kind in the clear; null when the ring has no key for it. */
export function openRow<Kind extends RowKind>(ring: KeyRing, kind: Kind, cached: CacheRow): Promise<RowOf<Kind> | null>
export function openRow(ring: KeyRing, kind: RowKind, cached: CacheRow): Promise<RowOf<RowKind> | null> {
  return kind === 'version' ? openedVersion(ring, cached) : unsealRow(ring, kind, cached)
}

/**
 * Versions that were opened already: all definitions of a study are large, and every screen reads them. They go with
 * the keys.
 */
const versions = new WeakMap<
  KeyRing,
  Map<string, { readonly iv: string; readonly row: Promise<RowOf<'version'> | null> }>
>()

function openedVersion(ring: KeyRing, cached: CacheRow): Promise<RowOf<'version'> | null> {
  const known =
    versions.get(ring) ?? new Map<string, { readonly iv: string; readonly row: Promise<RowOf<'version'> | null> }>()
  versions.set(ring, known)
  // An initialisation vector is never used twice, so it identifies the sealed bytes.
  const iv = cached.row.iv.join(' ')
  const place = keyOf(cached).join(' ')
  const before = known.get(place)
  if (before?.iv === iv) return before.row
  const row = unsealRow(ring, 'version', cached)
  known.set(place, { iv, row })
  return row
}

/** Rows were checked against the schema of their kind before they were sealed. */
function unsealRow<Kind extends RowKind>(
  ring: KeyRing,
  kind: Kind,
  { scope, id, row }: CacheRow,
): Promise<SealedKinds[Kind] | null> {
  return unseal(ring, { scope, kind, id }, row)
}

/** Opens many rows, and leaves out those of scopes for which the ring has no key. */
export async function openRows<Kind extends RowKind>(
  ring: KeyRing,
  kind: Kind,
  cached: readonly CacheRow[],
): Promise<RowOf<Kind>[]> {
  const rows = await Promise.all(cached.map((row) => openRow(ring, kind, row)))
  return rows.filter((row) => row !== null)
}
