import { isUnanswered, isWarning } from '#core/form/engine/warning.ts'
import type { Confirmation, ConfirmationGiven } from '#core/sync/confirmation.ts'
import { withConfirmations } from '#core/sync/confirmation.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import type { Judgement } from '#server/areas/entry/judgement/judge.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import type { AnyAct } from '#server/operations/act.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'

/** Answers to warnings on the server (docs/adr/0037-warnings-and-their-answers.md). */

/** The answers that an act gives, in its author's name and with the time of receipt. */
export function confirmationsOf(
  act: Pick<AnyAct, 'author' | 'receivedAt'>,
  given: readonly ConfirmationGiven[],
): readonly Confirmation[] {
  return given.map((one) => ({
    ...one,
    by: act.author.userId,
    byName: act.author.realName,
    receivedAt: act.receivedAt,
  }))
}

/**
 * All answers that may fit a warning of an entry once an act has written to it. The value and the warning decide
 * which of them holds.
 */
export function answersTo(
  entry: Pick<StoredEntry, 'confirmed'>,
  given: readonly Confirmation[],
): readonly Confirmation[] {
  return [...given, ...entry.confirmed]
}

/**
 * The answers of an entry, with new ones added. An answer to a value that waits for a decision removes no answer that
 * holds for the current value. Both are kept until the decision, whatever it is.
 */
export function confirmedWith(
  entry: Pick<StoredEntry, 'confirmed'>,
  given: readonly Confirmation[],
  { evaluation }: Pick<Judgement, 'evaluation'>,
): readonly Confirmation[] {
  if (given.length === 0) return entry.confirmed
  const holding = new Set(
    evaluation.issues.flatMap(({ issues }) =>
      issues.flatMap((issue) => (isWarning(issue) && issue.answer !== null ? [issue.answer] : [])),
    ),
  )
  const kept = withConfirmations(entry.confirmed, given)
  return [...entry.confirmed.filter((one) => holding.has(one) && !kept.includes(one)), ...kept]
}

/** An audit row for each answer, in the trail of its field: the value, the warning, and the reason. */
export function confirmationRows(place: EntryPlace, given: readonly Confirmation[]): readonly NewAuditRow[] {
  return given.map(({ table, rid, code, warning, says, value, reason, at }) => ({
    ...place,
    action: 'item.confirm',
    table,
    rid,
    prop: code,
    old: { value, missing: null },
    new: { value, missing: null, warning, says },
    ...(reason === '' ? {} : { reasonText: reason }),
    occurredAt: at,
  }))
}

/** Whether a warning waits for an answer. */
export function hasUnanswered({ evaluation }: Judgement): boolean {
  return evaluation.issues.some(({ issues }) => issues.some(isUnanswered))
}
