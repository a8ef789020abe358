import { conflictResolution } from '#core/sync/conflict.ts'
import type { ConflictResolution } from '#core/sync/conflict.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'
import type { ConflictRow } from '#core/api/sync/rows.ts'
import type { OutboxRow, ReceiptRow } from '#offline/db/rows.ts'
import { readOutboxLines } from '#offline/outbox/outboxLines.ts'

import type { DataContext } from './context.ts'
import type { CenterScope, TakenOperation } from './local.ts'
import { readTakenOperations, localConflicts, openOperations, rowsOf } from './local.ts'

/**
 * Decisions on conflicts, from the moment they are on this device: their author sees the conflict as decided, sent or
 * not.
 */

/** A decision that this device has recorded and that is not in the server's data yet. */
export interface Decision {
  readonly row: OutboxRow | ReceiptRow
  readonly op: Operation
  readonly body: ConflictResolution
}

/**
 * Decisions of a patient, or of all patients, oldest first. A decision that the server has refused, or has handed to
 * somebody else, does not count.
 */
export async function decisionsHere(context: DataContext, patientId?: string): Promise<readonly Decision[]> {
  const lines = (await readOutboxLines(context.storage)).filter(
    (line) => isDecision(line) && (patientId === undefined || line.patientId === patientId),
  )
  return decisionsIn(context, await rowsOf(context, lines), await readTakenOperations(context, patientId))
}

/** Decisions among rows that have been read already. */
export async function decisionsIn(
  context: DataContext,
  outbox: readonly OutboxRow[],
  held: readonly TakenOperation[],
): Promise<readonly Decision[]> {
  const unsent = outbox.filter(isDecision)
  const kept = held.filter(({ op }) => op.call === 'conflict.resolve')
  return [...kept, ...(await openOperations(context, unsent))].flatMap(({ row, op }): Decision[] => {
    const body = conflictResolution.safeParse(op.body)
    return body.success ? [{ row, op, body: body.data }] : []
  })
}

function isDecision({ call, state }: Pick<OutboxRow, 'call' | 'state'>): boolean {
  return call === 'conflict.resolve' && state !== 'rejected'
}

/** Conflicts of centers that still wait for a person. */
export async function openConflicts(
  context: DataContext,
  scopes: readonly CenterScope[],
): Promise<readonly ConflictRow[]> {
  const all = (await Promise.all(scopes.map((scope) => localConflicts(context, scope))))
    .flat()
    .filter(({ state }) => state === 'open')
  if (all.length === 0) return all
  const decided = new Set((await decisionsHere(context)).map(({ body }) => body.conflictId))
  return all.filter(({ id }) => !decided.has(id))
}
