import { patientChange } from '#core/api/calls/patient.ts'
import type { PatientChange } from '#core/api/calls/patient.ts'
import type { PatientRow } from '#core/api/sync/rows.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'
import type { OutboxRow, ReceiptRow } from '#offline/db/rows.ts'
import { factOf } from '#src/data/shapes/patientFacts.ts'
import type { OverruledChange, PatientFact } from '#src/data/shapes/types.ts'

import type { DataContext } from './context.ts'
import { openable } from './local.ts'

/**
 * Facts of a patient that two people changed differently. The word that was there first stands. The author of the other
 * is told until they change the fact again, take note of it, or both say the same. The device tells it as long as it
 * keeps what it sent; the audit trail keeps both for ever.
 */

/** Overruled changes of a patient that this user's keys open, oldest first. */
export async function overruledChanges(
  context: DataContext,
  patient: PatientRow,
  outbox: readonly OutboxRow[],
): Promise<readonly OverruledChange[]> {
  const receipts = (await context.storage.work.receipts.where('entityId').equals(patient.id).toArray()).filter(
    ({ call }) => call === 'patient.update',
  )
  const rows = receipts.filter(({ outcome, notedAt }) => outcome === 'conflict' && notedAt === undefined)
  if (rows.length === 0) return []
  const sent = await Promise.all(rows.map(async (row) => ({ row, change: changeIn(await openable(context, row)) })))
  const later = await saidSince(context, [
    ...receipts,
    ...outbox.filter(({ call, state }) => call === 'patient.update' && state !== 'rejected'),
  ])
  return sent
    .flatMap(({ row, change }): OverruledChange[] => {
      const facts = (change?.fields ?? []).flatMap(({ field, to }): PatientFact[] =>
        factOf(patient, field) === to || (later.get(field) ?? -1) > row.seq ? [] : [{ field, value: to }],
      )
      return facts.length === 0 ? [] : [{ opKey: row.key, at: row.receivedAt, facts }]
    })
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
}

/** The highest change number under which this device changed a fact; unsent changes come after all others. */
async function saidSince(
  context: DataContext,
  rows: readonly (OutboxRow | ReceiptRow)[],
): Promise<ReadonlyMap<PatientFact['field'], number>> {
  const said = new Map<PatientFact['field'], number>()
  for (const row of rows) {
    const seq = 'outcome' in row ? row.seq : Number.MAX_SAFE_INTEGER
    for (const { field } of changeIn(await openable(context, row))?.fields ?? [])
      said.set(field, Math.max(seq, said.get(field) ?? -1))
  }
  return said
}

function changeIn(op: Operation | null): PatientChange | null {
  const change = patientChange.safeParse(op?.body)
  return change.success ? change.data : null
}
