import type { SaveResult } from '#core/api/calls/entry.ts'
import { fail } from '#core/api/errors.ts'
import type { RuleFault } from '#core/form/engine/cell.ts'
import type { JsonValue } from '#core/json.ts'
import { wordsOf } from '#core/study/migration/retiredWords.ts'
import type { ConflictResolution } from '#core/sync/conflict.ts'
import type { ItemChange, JournalStep } from '#core/sync/entryChange.ts'
import type { EntryStatus } from '#core/sync/entryMark.ts'
import { DELETED, missingKey, sameContent } from '#core/sync/merge.ts'
import type { Merged, ItemPlace } from '#core/sync/merge.ts'
import { retiredValue } from '#core/sync/retired.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { effectItems, ruleErrors, savedItems } from '#server/areas/entry/answer.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import { changeRows, conflictRows, retiredRows } from '#server/areas/entry/book.ts'
import type { OpenEntry, OwnPage } from '#server/areas/entry/open.ts'
import type { SaveReads } from '#server/areas/entry/saveReads.ts'
import type { StoredEntry, WrittenEntry } from '#server/areas/entry/store.ts'
import { dataHash } from '#server/areas/entry/store.ts'
import { pathOf } from '#server/areas/entry/structure.ts'
import type { PlacedChange } from '#server/areas/entry/structure.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { EntryWriteAct } from '#server/operations/act.ts'

import { answersTo, confirmationRows, confirmationsOf, confirmedWith, hasUnanswered } from './disputes/confirmations.ts'
import { draftConflicts, hasOpenConflict } from './disputes/conflicts.ts'
import type { NewConflict } from './disputes/conflicts.ts'
import type { Judgement } from './judgement/judge.ts'
import { judge } from './judgement/judge.ts'
import { bookReasons } from './disputes/reasons.ts'
import { isQuiet, planRuleQueries } from './queries/ruleQueries.ts'
import type { RuleQueries } from './queries/ruleQueries.ts'
import { fieldAt } from './reading/pages.ts'
import { withTaken } from './reading/unique.ts'

/** Whether a page is submitted, and if not, why. Null where nobody asked for a submit. */
export type Verdict = SaveResult['submitted']

/** What an act makes of an open entry. */
export interface EntryWork {
  readonly merged: Merged
  /** Whether the entry is deleted after the act. */
  readonly deleted: boolean
  readonly journal: readonly JournalStep[]
  readonly verdict: (judgement: Judgement) => Promise<Verdict>
  /** Audit rows of what happened besides the changes of items and rows. */
  readonly audit: readonly NewAuditRow[]
  /** The conflict that the act decides. */
  readonly decides: ConflictResolution | null
}

/** What an act makes of an open entry, ready to be written. */
export interface Composed {
  readonly act: EntryWriteAct
  readonly open: OpenEntry
  /** The entry's next revision; null where the act changes nothing of it. */
  readonly write: WrittenEntry | null
  readonly audit: readonly NewAuditRow[]
  /** The answer without the rows as they are after the write. */
  readonly parts: Omit<SaveResult, 'page_name_update' | 'receipt' | 'entry' | 'conflicts'>
  /** The collisions, which become open conflicts. */
  readonly conflicts: readonly NewConflict[]
  /** The conflict that the act decides. */
  readonly decides: ConflictResolution | null
  /** Rules that failed while the entry was judged. */
  readonly faults: readonly RuleFault[]
  /** What checks ask, and what the act ends of what was asked. */
  readonly queries: RuleQueries
}

/**
 * Works out what an act makes of an entry: runs the rules over the merged data, books every change, and makes a
 * conflict of what collides. Nothing is written yet.
 */
export async function composeWork(
  transaction: Queryable,
  act: EntryWriteAct,
  open: OpenEntry,
  work: EntryWork,
  reads: Pick<SaveReads, 'requireAlone'>,
): Promise<Composed> {
  const { entry, place, compiled } = open
  const { merged, verdict, decides } = work
  refuseMisplaced(merged)
  const ruled = judge(
    compiled,
    merged.data,
    act.acted,
    open.otherPages,
    answersTo(entry, confirmationsOf(act, open.confirms)),
  )
  const isPlain = (act.call === 'entry.save' || act.call === 'entry.insert') && entry.status !== SUBMITTED
  const judgement = isPlain
    ? ruled
    : await withTaken(transaction, { ...act.body.target, projectId: act.projectId }, compiled, ruled, reads)
  const asked = { id: entry.id, updatedBy: entry.updatedBy, patientId: place.patientId }
  const conflicts = await draftConflicts(transaction, asked, act.key, merged.collisions, decides?.conflictId ?? null)
  // This is read after the entry is locked: what came with the lock may be from before another commit.
  const waits = isSave(act) && entry.status === SUBMITTED && (await hasOpenConflict(transaction, entry.id))
  const submitted = await verdict(judgement)
  const composed = compose(act, open, work, { judgement, conflicts, waits, submitted })
  const queries = await planRuleQueries(transaction, {
    entryId: entry.id,
    judgement,
    deleted: work.deleted,
    hasQueries: entry.hasQueries,
    asks: entry.submittedOnce || (composed.write?.status ?? entry.status) === SUBMITTED,
  })
  // What is asked gets its number from the project's row, for which the rest of a batch would have to wait.
  if (!isQuiet(queries)) reads.requireAlone()
  return { act, open, ...composed, conflicts, decides, faults: judgement.evaluation.faults, queries }
}

/**
 * The outcome for the entry; every change is booked. Changed data set the status to `process`, after a submit too.
 * The page then has to be submitted again, unless the change is a correction with its reason and the page passes all
 * checks.
 *
 * @param judged.waits whether something of a submitted entry waits for a decision already; a correction then does not
 *   keep the page submitted
 */
function compose(
  act: EntryWriteAct,
  { entry, made, place, compiled, placed, own, migration, confirms }: OpenEntry,
  { merged, deleted, journal, audit: happened }: Pick<EntryWork, 'merged' | 'deleted' | 'journal' | 'audit'>,
  judged: {
    readonly judgement: Judgement
    readonly conflicts: readonly NewConflict[]
    readonly waits: boolean
    readonly submitted: Verdict
  },
): Pick<Composed, 'write' | 'audit' | 'parts'> {
  const { judgement, conflicts, waits, submitted } = judged
  const done = submitted?.done === true
  const reasons = bookReasons(act, place, entry, placed, merged)
  const changed = merged.items.length > 0 || merged.rows.length > 0 || judgement.calculated.length > 0
  const given = confirmationsOf(act, confirms)
  // A correction with its reason keeps a submitted page submitted if it passes the checks of a submit.
  const corrected =
    isSave(act) &&
    changed &&
    entry.status === SUBMITTED &&
    reasons.unexplained.length === 0 &&
    conflicts.length === 0 &&
    !waits &&
    !deleted &&
    isSound(judgement, act)
  const status = done || corrected ? SUBMITTED : changed || made ? 'process' : entry.status
  const audit: NewAuditRow[] = [
    ...(made ? [{ ...place, action: 'entry.create' }] : []),
    ...migration.audit,
    ...happened,
    ...changeRows(place, journal, merged, judgement.calculated, reasons.missing),
    ...retiredRows({ ...place, versionId: own.versionId }, placed.retired, journal),
    ...reasons.audit,
    ...confirmationRows(place, given),
    ...(corrected ? [{ ...place, action: 'entry.correct', old: entry.status, new: status }] : []),
    ...conflictRows(place, conflicts, (at) => reasonFor(act, placed, at)),
    ...statusRows(place, entry.status, status, done),
  ]
  const stays =
    migration.audit.length === 0 &&
    !changed &&
    !made &&
    deleted === entry.deleted &&
    status === entry.status &&
    !done &&
    placed.retired.length === 0 &&
    reasons.audit.length === 0 &&
    given.length === 0
  const write = {
    id: entry.id,
    versionId: place.versionId,
    status,
    data: judgement.data,
    hidden: judgement.hidden,
    progress: judgement.progress,
    retired: withRetired(entry.retired, placed, own, act),
    deleted,
    userId: act.author.userId,
    at: act.receivedAt,
    submittedHash: done || corrected ? dataHash(judgement.data) : null,
    unexplained: reasons.unexplained,
    confirmed: confirmedWith(entry, given, judgement),
  }
  const smart = act.call !== 'entry.save' && act.call !== 'entry.insert'
  return {
    write: stays ? null : write,
    audit: audit.length > 0 ? audit : [{ ...place, action: 'entry.unchanged' }],
    parts: {
      savedDataList: savedItems(entry.id, compiled.page, placed.items, judgement),
      effect: smart ? effectItems(entry.id, judgement) : [],
      error: smart ? ruleErrors(judgement, act.language, act.call === 'entry.submit') : {},
      submitted,
    },
  }
}

/**
 * Whether an act saves. A submit sets its own status. After a decided conflict a person has to look at the page
 * again.
 */
function isSave({ call }: EntryWriteAct): boolean {
  return call === 'entry.save' || call === 'entry.smartSave'
}

/** Whether a submit would go through: no error, and no warning that nobody has answered. */
function isSound(judgement: Judgement, { language }: EntryWriteAct): boolean {
  return Object.keys(ruleErrors(judgement, language, true)).length === 0 && !hasUnanswered(judgement)
}

/** The reason that a person gave for their value at a place of a collision. */
function reasonFor(act: EntryWriteAct, placed: PlacedChange, { table, rid, code }: ItemPlace): ItemChange['reason'] {
  if (act.call === 'conflict.resolve') return act.body.reason
  const changes = code === DELETED ? placed.rows : placed.items.filter((item) => item.code === code)
  return changes.find((change) => change.table === table && change.rid === rid)?.reason ?? null
}

function refuseMisplaced(merged: Merged): void {
  if (merged.misplaced.length === 0) return
  throw fail('invalid', { fields: merged.misplaced.map((place) => ({ path: pathOf(place), code: place.why })) })
}

function statusRows(place: EntryPlace, from: EntryStatus, to: EntryStatus, submitted: boolean): readonly NewAuditRow[] {
  if (submitted) return [{ ...place, action: 'entry.submit', old: from, new: to }]
  return from === to ? [] : [{ ...place, action: 'entry.status', old: from, new: to }]
}

/**
 * The items that are kept beside the data: the former ones and the ones that this act adds. Each item keeps its last
 * value; earlier values are in the audit trail. A decision is about one value, and so replaces no other value that
 * was retired under the same code.
 *
 * @param own the page on which the item was entered, whose words a person reads
 */
function withRetired(
  before: StoredEntry['retired'],
  placed: PlacedChange,
  { page: own }: OwnPage,
  act: EntryWriteAct,
): StoredEntry['retired'] {
  const added = placed.retired.map((item): [string, JsonValue] => {
    const { table, rid, code, to } = item
    const field = fieldAt(own, table, code)
    const words = {
      label: field?.label ?? code,
      tableLabel: table === null ? null : (own.byCode.get(table)?.label ?? table),
      text: wordsOf(field, to.value),
    }
    return [
      act.call === 'conflict.resolve' ? freeKey(before, item) : missingKey(item),
      {
        table,
        rid,
        code,
        value: to.value,
        missing: to.missing,
        ...words,
        by: act.author.userId,
        at: act.acted.at,
        opKey: act.key,
      },
    ]
  })
  return { ...before, ...Object.fromEntries(added) }
}

/** The key for an item beside the data: that of the value on which it builds, or a new one. */
function freeKey(before: StoredEntry['retired'], item: ItemChange): string {
  const key = missingKey(item)
  const isAnother = (kept: JsonValue | undefined): boolean => {
    const read = retiredValue.safeParse(kept)
    return kept !== undefined && !(read.success && sameContent(read.data, item.base))
  }
  let free = key
  for (let nth = 2; isAnother(before[free]); nth += 1) free = `${key}#${String(nth)}`
  return free
}
