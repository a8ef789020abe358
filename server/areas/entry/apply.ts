import type { SaveResult } from '#core/api/calls/entry.ts'
import { mergeEntry } from '#core/sync/merge.ts'
import type { Merged } from '#core/sync/merge.ts'
import { ruleErrors } from '#server/areas/entry/answer.ts'
import { composeWork } from '#server/areas/entry/compose.ts'
import type { Composed, EntryWork, Verdict } from '#server/areas/entry/compose.ts'
import { withNeverNamed } from './missingFiles.ts'
import { openEntry } from '#server/areas/entry/open.ts'
import { dataHash } from '#server/areas/entry/store.ts'
import { READ_ALONE } from '#server/areas/entry/saveReads.ts'
import type { SaveReads } from '#server/areas/entry/saveReads.ts'
import { writeWork } from '#server/areas/entry/write.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { OperationEffect } from '#server/http/idempotency.ts'
import type { EntryChangeAct } from '#server/operations/act.ts'
import { orderOfChange } from '#server/operations/lostPlace.ts'

import { hasUnanswered } from './disputes/confirmations.ts'
import { hasOpenConflict } from './disputes/conflicts.ts'
import type { Judgement } from './judgement/judge.ts'
import { isCalculatedOn } from './judgement/judge.ts'
import { requireReasons } from './disputes/reasons.ts'

/**
 * Saves a change of an entry, for every call that brings one. A change is refused only for a wrong structure, or
 * where its author never had the right. A sound change that cannot be applied is held. What collides becomes a
 * conflict.
 */
export async function applyEntryChange(
  transaction: Queryable,
  act: EntryChangeAct,
): Promise<OperationEffect<SaveResult>> {
  const found = await composeChange(transaction, act, READ_ALONE)
  return 'held' in found ? found.held : writeWork(transaction, found.composed)
}

/** What a change makes of its entry, with nothing written yet; or that the change was held. */
export async function composeChange(
  transaction: Queryable,
  act: EntryChangeAct,
  reads: SaveReads,
): Promise<{ readonly composed: Composed } | { readonly held: OperationEffect<SaveResult> }> {
  const opened = await openEntry(transaction, act, () => Promise.resolve({ said: act.body }), reads)
  if ('held' in opened) return opened
  const { entry, journal, compiled, patientDeleted } = opened.open
  const items = await withNeverNamed(transaction, act, entry, opened.open.placed.items)
  const placed = { ...opened.open.placed, items }
  const gone = entry.deleted || patientDeleted
  const order = await orderOfChange(transaction, act, placed)
  const merged = mergeEntry(entry, placed, { isCalculated: isCalculatedOn(compiled), deleted: gone, order })
  requireReasons(act, entry, merged)
  const work: EntryWork = {
    merged,
    deleted: entry.deleted,
    journal,
    verdict: async (judgement) =>
      act.call === 'entry.submit' ? submitVerdict(transaction, act, gone, merged, judgement) : null,
    audit: [],
    decides: null,
  }
  return { composed: await composeWork(transaction, act, opened.open, work, reads) }
}

/** Whether the page can be submitted as the person saw it. */
async function submitVerdict(
  transaction: Queryable,
  act: EntryChangeAct,
  gone: boolean,
  merged: Merged,
  judgement: Judgement,
): Promise<Verdict> {
  if (merged.collisions.length > 0 || (await hasOpenConflict(transaction, act.entityId)))
    return { done: false, why: 'conflict' }
  const { seen } = act.body
  if (gone || (seen !== null && seen !== dataHash(judgement.data))) return { done: false, why: 'changed' }
  if (Object.keys(ruleErrors(judgement, act.language, true)).length > 0) return { done: false, why: 'invalid' }
  if (act.body.confirms !== undefined && hasUnanswered(judgement)) return { done: false, why: 'unanswered' }
  return { done: true, why: null }
}
