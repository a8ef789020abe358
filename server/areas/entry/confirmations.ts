import { isUnanswered } from '#core/form/warning.ts'
import type { Confirmation, ConfirmationGiven } from '#core/sync/confirmation.ts'
import { withConfirmations } from '#core/sync/confirmation.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import type { Judgement } from '#server/areas/entry/judge.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import type { AnyAct } from '#server/areas/sync/act.ts'
import type { AuditDraft } from '#server/database/seal.ts'

/** Answers to warnings on the server (docs/adr/0037-warnings-and-their-answers.md). */

/** The answers of an act, in its author's name and with the time of receipt. */
export function confirmationsOf(act: Pick<AnyAct, 'author' | 'receivedAt'>, given: readonly ConfirmationGiven[]): readonly Confirmation[] {
  return given.map((one) => ({ ...one, by: act.author.userId, byName: act.author.realName, receivedAt: act.receivedAt }))
}

/** The answers of an entry with new ones. */
export function confirmedWith(entry: Pick<StoredEntry, 'confirmed'>, given: readonly Confirmation[]): readonly Confirmation[] {
  return withConfirmations(entry.confirmed, given)
}

/** Each answer in the trail of its field: the value, which warning, and why it is right. */
export function confirmationRows(place: EntryPlace, given: readonly Confirmation[]): readonly AuditDraft[] {
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
