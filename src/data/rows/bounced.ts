import type { EntryRow } from '#core/api/sync/rows.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import type { BouncedRow } from '#offline/db/rows.ts'
import { readOutboxLines } from '#offline/outbox/outboxLines.ts'
import type { OutboxLine } from '#offline/outbox/outboxLines.ts'
import { openBounce } from '#offline/sync/bounce.ts'
import type { BounceAnswer } from '#offline/vault/sealedKinds.ts'

import type { DataContext } from './context.ts'
import { localEntry } from './local.ts'
import { statusWith } from './overlay.ts'

/** Pages whose submit did not go through and that still have to be submitted again. */

export interface Bounced {
  readonly row: BouncedRow
  readonly entry: EntryRow
  readonly answer: BounceAnswer
}

/** Bounced pages of one patient, or of all. */
export async function openBounces(context: DataContext, patientId?: string): Promise<readonly Bounced[]> {
  const { bounced } = context.storage.work
  const rows = await (patientId === undefined
    ? bounced.toArray()
    : bounced.where('patientId').equals(patientId).toArray())
  if (rows.length === 0) return []
  const outbox = await readOutboxLines(context.storage)
  const all = await Promise.all(rows.map((row) => standing(context, row, outbox)))
  return all.filter((one) => one !== null)
}

async function standing(context: DataContext, row: BouncedRow, outbox: readonly OutboxLine[]): Promise<Bounced | null> {
  const entry = await localEntry(context, row.scope, row.entityId, row.patientId)
  const own = outbox.filter(({ entityId }) => entityId === row.entityId)
  // Submitted since, or being submitted again: the newer answer counts.
  if (entry === null || entry.deleted || statusWith(entry, own) === SUBMITTED) return null
  if (row.why === 'unknown' && !(await pulledUpTo(context, row))) return null
  return { row, entry, answer: await openBounce(context.ring(), row) }
}

/** Whether the pulled rows already show the result of a submit. */
async function pulledUpTo(context: DataContext, { scope, seq }: BouncedRow): Promise<boolean> {
  const known = await context.storage.cache.pulls.get([scope, context.user.userId])
  return known !== undefined && known.cursor >= seq
}
