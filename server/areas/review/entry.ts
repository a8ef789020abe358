import type { DataOf } from '#core/api/call.ts'
import type { EntryReview, ReviewItem } from '#core/api/calls/review/check.ts'
import type { CallOf } from '#core/api/table.ts'
import { fail } from '#core/api/errors.ts'
import { NO_COUNTS, reviewTracks } from '#core/review/verification.ts'
import type { ReviewCounts, ReviewTrack } from '#core/review/verification.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import { passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { isMasked } from '#server/areas/entry/reading/mask.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import { requirePatient } from '#server/areas/entry/reading/read.ts'
import { entryReviewOf, itemKey } from '#server/areas/entry/review/due.ts'
import type { TrackReview } from '#server/areas/entry/review/due.ts'
import { reviewFacts } from '#server/areas/entry/review/facts.ts'
import type { ReviewFacts } from '#server/areas/entry/review/facts.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { entryOf, marksOf } from './store.ts'
import type { ToldMark } from './store.ts'

/** What is checked of one page, and how far the pages of a patient are. */

/**
 * What is checked of an entry, as the member may see it.
 *
 * @throws ApiFailure not_found for an entry that they may not see
 */
export async function reviewOfEntry(transaction: Queryable, member: Membership, entryId: string): Promise<EntryReview> {
  const known = await entryOf(transaction, member, entryId)
  if (known === null) throw fail('not_found')
  const [facts] = await reviewFacts(transaction, [entryId])
  // Of a second pass, nothing is ever checked.
  if (facts === undefined)
    return { entryId, ready: false, sdv: { ...NO_COUNTS, items: [] }, dmr: { ...NO_COUNTS, items: [] } }
  return tellReview(transaction, facts, await maskFor(transaction, member, facts))
}

/** Whether an item of an entry is one that the member may not see. */
export async function maskFor(
  transaction: Queryable,
  member: Membership,
  { pageId }: Pick<ReviewFacts, 'pageId'>,
): Promise<(place: Pick<ItemPlace, 'table' | 'code'>) => boolean> {
  if (member.sensitive) return () => false
  const mask = (await pageMasks(transaction, member.projectId, [pageId])).get(pageId)
  return ({ table, code }) => mask !== undefined && isMasked(mask, table, code)
}

/** What is checked of an entry, without what is masked. */
export async function tellReview(
  transaction: Queryable,
  facts: ReviewFacts,
  hides: (place: Pick<ItemPlace, 'table' | 'code'>) => boolean,
): Promise<EntryReview> {
  const review = await entryReviewOf(transaction, facts)
  const marks = await marksOf(transaction, facts.id)
  const tell = (track: ReviewTrack) => ({
    ...review[track].counts,
    items: itemsOf(
      review[track],
      marks.filter((mark) => mark.track === track),
    ).filter((item) => !hides(item)),
  })
  return { entryId: facts.id, ready: facts.ready, sdv: tell('sdv'), dmr: tell('dmr') }
}

/** What the plan asks for, and what else has a mark. */
function itemsOf({ due }: TrackReview, marks: readonly ToldMark[]): readonly ReviewItem[] {
  const marked = new Map(marks.map((mark) => [itemKey(mark), mark]))
  const asked = new Set(due.map(itemKey))
  return [
    ...due.map((place) => itemOf(place, true, marked.get(itemKey(place)))),
    ...marks.flatMap((mark) => (asked.has(itemKey(mark)) ? [] : [itemOf(mark, false, mark)])),
  ]
}

function itemOf({ table, rid, code }: ItemPlace, due: boolean, mark: ToldMark | undefined): ReviewItem {
  if (mark === undefined)
    return { table, rid, code, due, state: null, by: null, byName: '', at: null, method: null, note: null }
  const { state, by, byName, at, method, note } = mark
  return { table, rid, code, due, state, by, byName, at, method, note }
}

type PatientReview = DataOf<CallOf<'review.patient'>>

/**
 * How far the pages of a patient are checked.
 *
 * @throws ApiFailure not_found for a patient that the member may not see
 */
export async function reviewOfPatient(
  transaction: Queryable,
  member: Membership,
  patientId: string,
): Promise<readonly PatientReview[]> {
  await requirePatient(transaction, member, patientId)
  const { rows } = await transaction.query<
    ReviewCounts & { readonly entryId: string; readonly track: ReviewTrack; readonly ready: boolean }
  >({
    name: 'review_of_patient',
    text: `
      SELECT c.entry_id AS "entryId", c.track, c.ready, c.due, c.done, c.changed FROM review_count c JOIN entry e ON e.id = c.entry_id
      WHERE c.patient_id = $1 AND NOT e.deleted AND ($2::smallint IS NULL OR e.pass = $2) ORDER BY c.entry_id, c.track`,
    values: [patientId, passParameter(member)],
  })
  return Array.from(
    Map.groupBy(rows, ({ entryId }) => entryId),
    ([entryId, ofEntry]) => {
      const [sdv, dmr] = reviewTracks.map((track) => countsOf(ofEntry.find((row) => row.track === track)))
      return { entryId, ready: ofEntry.some(({ ready }) => ready), sdv: sdv ?? NO_COUNTS, dmr: dmr ?? NO_COUNTS }
    },
  )
}

function countsOf(row: ReviewCounts | undefined): ReviewCounts {
  if (row === undefined) return NO_COUNTS
  const { due, done, changed } = row
  return { due, done, changed }
}
