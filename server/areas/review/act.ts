import type { ReviewDeed, ReviewResult } from '#core/api/calls/review/check.ts'
import { reviewRightsOf } from '#core/access/reviewRights.ts'
import { fail } from '#core/api/errors.ts'
import { isEmptyValue } from '#core/sync/emptyValue.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { sameContent } from '#core/sync/merge.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import { markAfter } from '#core/review/verification.ts'
import type { MarkState, ReviewRights } from '#core/review/verification.ts'
import { membership } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { isCalculatedOn } from '#server/areas/entry/judgement/judge.ts'
import { fieldAt } from '#server/areas/entry/reading/pages.ts'
import { itemKey, statesOf } from '#server/areas/entry/review/due.ts'
import { reviewFacts } from '#server/areas/entry/review/facts.ts'
import type { ReviewFacts } from '#server/areas/entry/review/facts.ts'
import { contentShown, countsOf } from '#server/areas/entry/review/follow.ts'
import { writeCounts } from '#server/areas/entry/review/store.ts'
import { lockEntry, lockPatient } from '#server/areas/entry/store.ts'
import { versionEngine } from '#server/areas/entry/versions/versionEngine.ts'
import { commitProject } from '#server/database/commit.ts'
import type { Committed } from '#server/database/commit.ts'
import type { NewAuditRow, Stamp } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

import { maskFor, tellReview } from './entry.ts'
import { requireTrack } from './rights.ts'
import { entryOf, putMarks } from './store.ts'
import type { NewMark } from './store.ts'

/** Verifying, taking back and exempting. */

/** Project statuses in which values may be checked. */
const STATUSES = ['process'] as const

/**
 * Marks items of a page as their author has seen them. An item that holds something else by now is left as it is, and
 * so is one that somebody else was faster with: the answer says so.
 */
export async function actOn(context: Write<'review.act'>): Promise<ReviewResult> {
  const { actor, body, services } = context
  const { projectId, entryId } = body
  // The answer tells of values that its author may not be allowed to see any more.
  const mayReadAgain = async (transaction: Queryable, member: Membership): Promise<void> => {
    requireTrack(member, body.track)
    if ((await entryOf(transaction, member, entryId)) === null) throw fail('not_found')
  }
  return runOnce(context, { projectId, entityId: entryId, mayReadAgain }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requireTrack(member, body.track)
    const facts = await lockForReview(transaction, member, entryId)
    const hides = await maskFor(transaction, member, facts)
    const { marks, refused } = judgeItems(body, facts, {
      rights: reviewRightsOf(member.permissions),
      hides,
      ...(await fieldsOf(transaction, facts)),
    })
    if (marks.length > 0) {
      const { track, method, note } = body
      const said = { track, method, note: noteOf(note), by: actor.userId, at: services.now() }
      await putMarks(transaction, { entryId, projectId, ...said, marks })
    }
    const [after = facts] = marks.length > 0 ? await reviewFacts(transaction, [entryId]) : [facts]
    await writeCounts(transaction, await countsOf(transaction, after))
    const review = await tellReview(transaction, after, hides)
    const committed = await commitMarks(transaction, member, stampAs(member.role), auditOf(body, facts, marks))
    return { committed, result: { review, refused: [...refused] } }
  })
}

/**
 * The entry, locked as its writers lock it.
 *
 * @throws ApiFailure not_found for an entry that the member may not see, or that is deleted; invalid for one of a
 *   second pass, or of a patient whose passes are not merged; locked
 */
async function lockForReview(transaction: Queryable, member: Membership, entryId: string): Promise<ReviewFacts> {
  const known = await entryOf(transaction, member, entryId)
  if (known === null) throw fail('not_found')
  if (known.pass === 2) throw fail('invalid', { fields: [{ path: 'body.entryId', code: 'second_pass' }] })
  const patient = await lockPatient(transaction, member.projectId, known.patientId)
  const entry = await lockEntry(transaction, member.projectId, entryId)
  if (patient === null || patient.deleted || entry === null || entry.deleted) throw fail('not_found')
  // Frozen data are still checked; what is locked is settled.
  if (entry.control === 'locked') throw fail('locked')
  const [facts] = await reviewFacts(transaction, [entryId])
  if (facts === undefined) throw fail('not_found')
  if (!facts.settled) throw fail('invalid', { fields: [{ path: 'body.entryId', code: 'not_merged' }] })
  return facts
}

/** What the entry's page has. Of a page that cannot be read, nobody has seen any field. */
interface PageFields {
  readonly hasField: (place: ItemPlace) => boolean
  /** Whether a rule gives the field its value: there is no source to hold it against. */
  readonly isCalculated: (place: ItemPlace) => boolean
}

async function fieldsOf(transaction: Queryable, facts: ReviewFacts): Promise<PageFields> {
  const page = (await versionEngine(transaction, facts)).page(facts)
  if (!page.ok) return { hasField: () => false, isCalculated: () => false }
  const { compiled } = page
  const isCalculated = isCalculatedOn(compiled)
  return {
    hasField: ({ table, code }) => fieldAt(compiled.page, table, code) !== null,
    isCalculated: ({ table, code }) => isCalculated(table, code),
  }
}

interface Sight extends PageFields {
  readonly rights: ReviewRights
  readonly hides: (place: ItemPlace) => boolean
}

type Refused = ReviewResult['refused'][number]

/** What the act marks, and what it leaves as it is. */
function judgeItems(
  { track, act, items }: ReviewDeed,
  facts: ReviewFacts,
  { rights, hides, hasField, isCalculated }: Sight,
): { readonly marks: readonly NewMark[]; readonly refused: readonly Refused[] } {
  const states = new Map<string, MarkState>(statesOf(track, facts))
  const marks: NewMark[] = []
  const refused: Refused[] = []
  for (const { table, rid, code, seen } of items) {
    const place = { table, rid, code }
    const content = hasField(place) ? contentShown(facts, place) : null
    const after = markAfter(states.get(itemKey(place)) ?? null, act, track, rights)
    if (hides(place)) refused.push({ ...place, why: 'masked' })
    else if (content === null || isNothing(content)) refused.push({ ...place, why: 'gone' })
    // A mark from before a release that calculates the field may still be taken back.
    else if (act !== 'unverify' && isCalculated(place)) refused.push({ ...place, why: 'calculated' })
    else if (!sameContent(seen, content)) refused.push({ ...place, why: 'value' })
    else if (!after.ok) refused.push({ ...place, why: 'state' })
    else {
      marks.push({ ...place, state: after.state, content })
      states.set(itemKey(place), after.state)
    }
  }
  return { marks, refused }
}

function isNothing({ value, missing }: ItemContent): boolean {
  return isEmptyValue(value) && missing === null
}

function noteOf(note: string | null): string | null {
  return note === null || note.trim() === '' ? null : note
}

/** A row for each marked item, at its place. */
function auditOf(
  { track, act, method, note }: ReviewDeed,
  facts: ReviewFacts,
  marks: readonly NewMark[],
): readonly NewAuditRow[] {
  const before = statesOf(track, facts)
  const { id: entryId, centerId, patientId, versionId } = facts
  return marks.map(({ table, rid, code, state, content }) => ({
    centerId,
    patientId,
    entryId,
    versionId,
    pass: 1,
    action: `review.${act}`,
    table,
    rid,
    prop: code,
    old: { state: before.get(itemKey({ table, rid, code })) ?? null },
    new: { state, track, method, note: noteOf(note), value: content.value, missing: content.missing },
  }))
}

/** Ends the act. Where it marks nothing, nothing is booked: its place is that of what was booked last. */
async function commitMarks(
  transaction: Queryable,
  member: Membership,
  stamp: Stamp,
  audit: readonly NewAuditRow[],
): Promise<Committed> {
  const { projectId } = member
  if (audit.length > 0)
    return commitProject(transaction, { projectId, statuses: STATUSES, under: member, stamp, audit, changes: [] })
  const { rows } = await transaction.query<Committed & { readonly status: string }>({
    name: 'review_nothing_booked',
    text: 'SELECT seq, head, status FROM project WHERE id = $1 AND NOT deleted',
    values: [projectId],
  })
  const [last] = rows
  if (last === undefined) throw fail('not_found')
  if (last.status === 'stop') throw fail('project_stopped')
  if (last.status === 'close') throw fail('project_closed')
  return { seq: last.seq, head: last.head }
}
