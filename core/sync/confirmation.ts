import * as z from 'zod/mini'
import { id, instant, json, prop, text } from '#core/wire/shapes.ts'

/**
 * That a person has looked at a warning and stands by the value (docs/adr/0037-warnings-and-their-answers.md). A fact
 * beside the value: it holds as long as the value and what the warning says are as they were, and is then there to be
 * read only in the audit trail.
 */

/** Longest name of a warning: that of a check and a few letters. */
const NAME = 240

const answer = {
  /** Code of the table field when the item lies in a row, else null; `_rid` of the row. */
  table: z.nullable(prop),
  rid: z.nullable(id),
  code: prop,
  /** Which warning: `plausible`, or `check.` and the id of the check. */
  warning: z.string().check(z.minLength(1), z.maxLength(NAME)),
  /**
   * What the warning said: a short text that is another as soon as its rule, its bounds or a value that it reads is.
   */
  says: z.string().check(z.maxLength(40)),
  /** The value that stands. */
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
 * A confirmation as it stands with an entry. `receivedAt`: by the server's clock; null as long as only the device knows
 * of it.
 */
export const confirmation = z.object({ ...answer, by: id, byName: z.string(), receivedAt: z.nullable(instant) })
export type Confirmation = z.infer<typeof confirmation>

/** Which warning of which item: of one value there is at most one answer to it, the latest. */
export function confirmationKey({
  table,
  rid,
  code,
  warning,
}: Pick<ConfirmationGiven, 'table' | 'rid' | 'code' | 'warning'>): string {
  return [table ?? '', rid ?? '', code, warning].join(' ')
}

/** Earlier answers with later ones, which take the place of those to the same warning. */
export function withConfirmations<Given extends ConfirmationGiven>(
  earlier: readonly Given[],
  later: readonly Given[],
): readonly Given[] {
  if (later.length === 0) return earlier
  const newer = new Map(later.map((one) => [confirmationKey(one), one]))
  return [...earlier.filter((one) => !newer.has(confirmationKey(one))), ...newer.values()]
}
