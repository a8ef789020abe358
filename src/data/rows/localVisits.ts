import { readOutboxLines } from '#offline/outbox/outboxLines.ts'
import { openRemembered } from '#offline/sync/remembered.ts'

import type { DataContext } from './context.ts'
import { readTakenOperations, openOperations, rowsOf } from './local.ts'
import type { TakenOperation, Unsent } from './local.ts'
import { isVisitCall, visitsWith } from './visitOverlay.ts'
import type { KnownVisit } from './visitOverlay.ts'

/** Visits as this device holds them. Nothing here asks the server; all of it may throw a storage error. */

/** An operation about a visit, with where it waits. */
export type SaidVisit = Unsent | TakenOperation

/** All visits of a scope of which somebody has said something, with this device's unsent work. */
export async function localVisits(
  context: DataContext,
  scope: string,
  unsent: readonly SaidVisit[],
): Promise<readonly KnownVisit[]> {
  const rows = await context.storage.cache.rows.where('[scope+kind]').equals([scope, 'visit']).toArray()
  return visitsWith(
    await openRemembered(context.ring(), context.user.userId, 'visit', rows),
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
    await openRemembered(context.ring(), context.user.userId, 'visit', rows),
    unsent.filter(({ row }) => wanted.has(row.patientId)),
  )
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
