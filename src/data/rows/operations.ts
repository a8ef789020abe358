import * as z from 'zod/mini'
import { patientChange, patientEnrolment } from '#core/api/calls/patient.ts'
import { conflictResolution } from '#core/sync/conflict.ts'
import { entryChange, entryTarget } from '#core/sync/entryChange.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { Operation, Receipt } from '#core/sync/protocol/operation.ts'
import type { ReceiptRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { unseal } from '#offline/vault/codec.ts'
import type { EnteredItem, PatientFact } from '#src/data/shapes/types.ts'

import type { DataContext } from './context.ts'

/** What operations say, whatever their call is: for lists of operations. */

const ofEntry = z.object({ target: entryTarget })

/** What an operation on a query says in words. */
const saidInQuery = z.object({ text: z.nullable(z.string()) })

/** The page that an operation is about; null where it is about a patient, or cannot be opened. */
export function targetOf(op: Operation | null): EntryTarget | null {
  const body = ofEntry.safeParse(op?.body)
  return body.success ? body.data.target : null
}

/** How many items and rows an operation changes. */
export function itemsOf(op: Operation | null): number {
  const change = entryChange.safeParse(op?.body)
  return change.success ? change.data.items.length + change.data.rows.length : 1
}

/**
 * The values that an operation brings, as they were entered. A decision lies at the place of its conflict, which only
 * the conflict knows.
 */
export function enteredIn(op: Operation): readonly EnteredItem[] {
  const change = entryChange.safeParse(op.body)
  if (change.success) {
    const { items, rows } = change.data
    const deleted = rows.filter(({ to }) => to.deleted)
    return [
      ...items.map(({ table, rid, code, to }) => ({ table, rid, code, to })),
      ...deleted.map(({ table, rid }) => ({ table, rid, code: null, to: { value: null, missing: null } })),
    ]
  }
  const words = saidInQuery.safeParse(op.body)
  if (op.call.startsWith('query.') && words.success)
    return [{ table: null, rid: null, code: null, to: { value: words.data.text, missing: null } }]
  const decision = conflictResolution.safeParse(op.body)
  return decision.success ? [{ table: null, rid: null, code: null, to: decision.data.to }] : []
}

/** What an operation says of the patient themselves. */
export function patientFactsIn(op: Operation): readonly PatientFact[] {
  const change = patientChange.safeParse(op.body)
  if (change.success) return change.data.fields.map(({ field, to }) => ({ field, value: to }))
  const enrolment = patientEnrolment.safeParse(op.body)
  if (!enrolment.success) return []
  const { initials, sex, enrolledOn, identity } = enrolment.data
  const facts = { ...identity, initials, sex, enrolledOn } as const
  return (['initials', 'sex', 'enrolledOn', 'name', 'mobile', 'email', 'birthDate'] as const).flatMap((field) => {
    const value = facts[field] ?? null
    return value === null ? [] : [{ field, value }]
  })
}

/**
 * The server's receipt of an operation. Null where the keys are somebody else's, or its bytes are damaged: the other
 * receipts are still listed.
 */
export async function openReceipt(context: DataContext, row: ReceiptRow): Promise<Receipt | null> {
  const receipt = await attempt(() =>
    unseal(context.ring(), { scope: row.scope, kind: 'receipt', id: row.key }, row.receipt),
  )
  return receipt.ok ? receipt.value : null
}
