import type { VisitRow } from '#core/api/sync/rows.ts'
import type { CacheRow } from '#offline/db/rows.ts'
import { readOutboxLines } from '#offline/outbox/outboxLines.ts'
import { isOwnView, openRow } from '#offline/sync/cache.ts'
import type { KeyRing } from '#offline/vault/codec.ts'

import type { DataContext } from './context.ts'
import { readTakenOperations, openOperations, rowsOf } from './local.ts'
import type { TakenOperation, Unsent } from './local.ts'
import { isVisitCall, visitsWith } from './visitOverlay.ts'
import type { KnownVisit } from './visitOverlay.ts'

/** Visits as this device holds them. Nothing here asks the server; all of it may throw a storage error. */

/** An operation about a visit, with where it waits. */
export type SaidVisit = Unsent | TakenOperation

/**
 * Decrypted rows, until they are sealed again: a center has thousands of visits, and every list looks at all of them.
 * They go with the keys.
 */
const openedRows = new WeakMap<KeyRing, Map<string, { readonly iv: string; readonly row: VisitRow | null }>>()
/** How many rows are decrypted at once, so that no reading blocks its thread. */
const AT_ONCE = 200

/** All visits of a scope of which somebody has said something, with this device's unsent work. */
export async function localVisits(
  context: DataContext,
  scope: string,
  unsent: readonly SaidVisit[],
): Promise<readonly KnownVisit[]> {
  const rows = await context.storage.cache.rows.where('[scope+kind]').equals([scope, 'visit']).toArray()
  return visitsWith(
    await openVisits(context, rows),
    unsent.filter(({ row }) => row.scope === scope),
  )
}

/** The same for some patients. */
export async function visitsOfPatients(
  context: DataContext,
  patientIds: readonly string[],
  unsent: readonly SaidVisit[],
): Promise<readonly KnownVisit[]> {
  const wanted = new Set(patientIds)
  const { rows: table } = context.storage.cache
  const rows = await table
    .where('[kind+parent]')
    .anyOf(patientIds.map((id) => ['visit', id]))
    .toArray()
  return visitsWith(
    await openVisits(context, rows),
    unsent.filter(({ row }) => wanted.has(row.patientId)),
  )
}

async function openVisits(context: DataContext, rows: readonly CacheRow[]): Promise<readonly VisitRow[]> {
  const ring = context.ring()
  const known = openedRows.get(ring) ?? new Map<string, { readonly iv: string; readonly row: VisitRow | null }>()
  openedRows.set(ring, known)
  const own = rows.filter((row) => isOwnView(ring, context.user.userId, row))
  const visits: VisitRow[] = []
  for (let at = 0; at < own.length; at += AT_ONCE) {
    const part = await Promise.all(own.slice(at, at + AT_ONCE).map((row) => rememberVisit(ring, known, row)))
    visits.push(...part.filter((row) => row !== null))
  }
  return visits
}

async function rememberVisit(
  ring: KeyRing,
  known: Map<string, { readonly iv: string; readonly row: VisitRow | null }>,
  cached: CacheRow,
): Promise<VisitRow | null> {
  // The initialisation vector tells the row's versions apart: nothing is ever sealed twice with the same one.
  const iv = cached.row.iv.join(' ')
  const place = `${cached.scope} ${cached.id}`
  const before = known.get(place)
  if (before?.iv === iv) return before.row
  const row = await openRow(ring, 'visit', cached)
  known.set(place, { iv, row })
  return row
}

/**
 * Operations about visits that the server does not have, or holds until the paused project goes on, in the order in
 * which they were made.
 */
export async function unsentVisits(context: DataContext): Promise<readonly SaidVisit[]> {
  const lines = (await readOutboxLines(context.storage)).filter(({ call }) => isVisitCall(call))
  const [rows, held] = await Promise.all([rowsOf(context, lines), readTakenOperations(context)])
  const unsent = await openOperations(
    context,
    rows.toSorted((a, b) => a.seq - b.seq),
  )
  return [...held.filter(({ op }) => isVisitCall(op.call)), ...unsent]
}
