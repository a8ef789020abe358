import { addressKey } from '#core/form/definition/address.ts'
import { markAfterChange, reviewTracks } from '#core/review/verification.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { contentAt, rowsOf, sameContent, stateOf } from '#core/sync/merge.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { entryReviewOf } from './due.ts'
import { checkedEntries, reviewFacts } from './facts.ts'
import type { ReviewFacts, StoredMark } from './facts.ts'
import { writeCounts, writeMarkStates } from './store.ts'
import type { Counted } from './store.ts'

/**
 * What follows a write of entries (docs/adr/0046-verification.md): a verified value that is another one now is marked
 * as changed, and how far the page is checked is counted again. The writer of the entries holds their locks.
 */

/** Audit rows about marks, by entry. */
export type MarkRows = ReadonlyMap<string, readonly NewAuditRow[]>

export const NO_MARK_ROWS: MarkRows = new Map()

/** Follows a write of these entries, of which something is checked. */
export async function followReview(transaction: Queryable, ids: readonly string[]): Promise<MarkRows> {
  if (ids.length === 0) return NO_MARK_ROWS
  const changed: (StoredMark & { readonly entryId: string })[] = []
  const counted: Counted[] = []
  const rows = new Map<string, readonly NewAuditRow[]>()
  for (const facts of await reviewFacts(transaction, ids)) {
    const marks = facts.marks.map((mark) => ({ mark, now: stateAfter(facts, mark) }))
    const moved = marks.filter(({ mark, now }) => now !== mark.state).map(({ mark, now }) => ({ ...mark, state: now }))
    changed.push(...moved.map((mark) => ({ ...mark, entryId: facts.id })))
    if (moved.length > 0) rows.set(facts.id, changeRows(facts, moved))
    counted.push(
      ...(await countsOf(transaction, { ...facts, marks: marks.map(({ mark, now }) => ({ ...mark, state: now })) })),
    )
  }
  await writeMarkStates(transaction, changed)
  await writeCounts(transaction, counted)
  return rows
}

/** Follows what happened to a patient as a whole, such as a merge of passes: no value is another one by that. */
export async function followPatient(transaction: Queryable, patientId: string): Promise<void> {
  await followReview(transaction, await checkedEntries(transaction, patientId))
}

/** How far an entry is checked in the tracks that have a plan; in another, nothing is due. */
export async function countsOf(transaction: Queryable, facts: ReviewFacts): Promise<readonly Counted[]> {
  const review = await entryReviewOf(transaction, facts)
  const { id: entryId, projectId, patientId, ready } = facts
  return reviewTracks.flatMap((track): readonly Counted[] =>
    facts[track] === null ? [] : [{ entryId, projectId, patientId, track, ready, ...review[track].counts }],
  )
}

/**
 * A mark after the write. What is deleted or hidden holds what was verified, until it is shown again: then it is
 * compared.
 */
function stateAfter(facts: ReviewFacts, mark: StoredMark): StoredMark['state'] {
  const content = contentShown(facts, mark)
  return content === null || sameContent(content, mark.content) ? mark.state : markAfterChange(mark.state)
}

/** The content of an item; null where it is gone: deleted, with its row or its page, or hidden by a rule. */
export function contentShown(
  facts: Pick<ReviewFacts, 'values' | 'missing' | 'hidden' | 'deleted'>,
  place: ItemPlace,
): ItemContent | null {
  const { table, rid, code } = place
  if (facts.deleted || facts.hidden.includes(addressKey({ table, rid, code }))) return null
  if (table !== null) {
    const row = rowsOf(facts.values[table])?.find((one) => one['_rid'] === rid)
    if (facts.hidden.includes(table) || row === undefined || stateOf(row).deleted) return null
  }
  return contentAt(facts, place)
}

function changeRows(facts: ReviewFacts, moved: readonly StoredMark[]): readonly NewAuditRow[] {
  const { centerId, patientId, id: entryId, versionId } = facts
  return moved.map(({ track, state, table, rid, code }) => {
    const { value, missing } = contentAt(facts, { table, rid, code }) ?? { value: null, missing: null }
    return {
      centerId,
      patientId,
      entryId,
      versionId,
      pass: 1,
      action: 'review.changed',
      table,
      rid,
      prop: code,
      old: { state: 'verified' },
      new: { state, track, value, missing },
    }
  })
}
