import * as z from 'zod/mini'
import { id, instant, json, prop, text } from '#core/wire/shapes.ts'

/**
 * A person's word that they have looked at a warning and stand by the value
 * (docs/adr/0037-warnings-and-their-answers.md). It is a fact beside the value. It holds as long as the value and the
 * content of the warning are unchanged; after that only the audit trail shows it.
 */

/** Longest name of a warning: as long as the id of a check and a few letters more. */
const NAME = 240

const answer = {
  /** Code of the table field when the item is in a row, else null; `_rid` of the row. */
  table: z.nullable(prop),
  rid: z.nullable(id),
  code: prop,
  /** Which warning: `plausible`, or `check.` and the id of the check. */
  warning: z.string().check(z.minLength(1), z.maxLength(NAME)),
  /** What the warning said: a short text that changes when its rule, its bounds or a value that it reads changes. */
  says: z.string().check(z.maxLength(40)),
  /** The value that the person confirmed. */
  value: json,
  /** Why; empty only where the project asks for no reason. */
  reason: text(1000),
  /** When, by the device's clock. */
  at: instant,
}

/** A confirmation as it travels with a save. */
export const confirmationGiven = z.object(answer)
export type ConfirmationGiven = z.infer<typeof confirmationGiven>

/**
 * A confirmation as it is stored with an entry. `receivedAt` is by the server's clock; null as long as only the device
 * knows of the confirmation.
 */
export const confirmation = z.object({ ...answer, by: id, byName: z.string(), receivedAt: z.nullable(instant) })
export type Confirmation = z.infer<typeof confirmation>

/** Which warning of which item: each warning of a value has at most one answer, the latest. */
export function confirmationKey({
  table,
  rid,
  code,
  warning,
}: Pick<ConfirmationGiven, 'table' | 'rid' | 'code' | 'warning'>): string {
  return [table ?? '', rid ?? '', code, warning].join(' ')
}

/** Earlier answers joined with later ones; a later answer replaces an earlier one to the same warning. */
export function withConfirmations<Given extends ConfirmationGiven>(
  earlier: readonly Given[],
  later: readonly Given[],
): readonly Given[] {
  if (later.length === 0) return earlier
  const newer = new Map(later.map((one) => [confirmationKey(one), one]))
  return [...earlier.filter((one) => !newer.has(confirmationKey(one))), ...newer.values()]
}
