import type { CallWithBody, EntryChangeCall } from '#core/api/sync/operation.ts'
import { withConfirmations } from '#core/sync/confirmation.ts'
import type { EntryChange, ItemChange, RowChange } from '#core/sync/entryChange.ts'
import { sameContent } from '#core/sync/merge.ts'
import { isExplanation, isRowExplanation, placesWithoutReason, reasonKey } from '#core/sync/reasons.ts'
import type { ReasonPlace } from '#core/sync/reasons.ts'
import { ROW_STEP } from '#core/sync/rowStep.ts'
import type { QueueableCall } from '#core/sync/protocol/operation.ts'
import type { OutboxRow } from '#offline/db/rows.ts'

/** What a person did, before it is an operation. The outbox adds key, sequence number, time and proof. */
export type PlannedOperation = PlannedPlace & CallWithBody

/** Where it was done, and what the device knows about it. */
export interface PlannedPlace {
  readonly scope: string
  readonly projectId: string
  readonly centerId: string | null
  readonly crfVersionId: string | null
  readonly pass: 1 | 2
  readonly entityId: string
  readonly patientId: string
  /** Of a page in a visit that a person made: that visit. The operation builds on the one that made it. */
  readonly visitId?: string
  /**
   * Of a save: whether its page was submitted before, as its author sees it. If so, its changes need a reason before
   * they are sent.
   */
  readonly submittedOnce?: boolean
  /** Keys (`reasonKey`) of the items that rules calculate: nobody gives a reason for those. */
  readonly calculated?: ReadonlySet<string>
  /** Of a save: where its page stands in the casebook and how full it is now. This stays on the device. */
  readonly mark?: OutboxRow['mark']
}

/** Most steps and items that a joined save may hold (core/sync/entryChange.ts takes no more). */
const MAX_STEPS = 20_000
const MAX_ITEMS = 5000

/**
 * Longest joined body, as JSON text: compressed it fits an envelope of 128 KB with room to spare. So a page that is
 * worked on all day without a network becomes several operations, because one would fit no envelope.
 */
const MAX_TEXT = 400_000

/** Whether a save changes nothing and only says why something was changed before. */
export function onlyExplains({ items, rows }: Pick<EntryChange, 'items' | 'rows'>): boolean {
  return items.length + rows.length > 0 && items.every(isExplanation) && rows.every(isRowExplanation)
}

/**
 * Calls whose unsent row is replaced by a newer save of the same entry. Submits, deletions and new repeats are never
 * merged.
 */
export const REPLACEABLE: ReadonlySet<QueueableCall> = new Set(['entry.save', 'entry.smartSave'])

/**
 * Joins two saves of one entry: the joined save builds on what the earlier one built on, and ends where the later one
 * ends. The journals are joined too, so no step is lost.
 *
 * Null when the two must go one after the other: the joined save would be too large, or the later one does not build on
 * the values of the earlier one, because another tab made it without seeing them. Joining these would drop the earlier
 * value without a trace. A save that only explains what the server has already is not joined either: its reason does
 * not belong to the new changes, and does not wait for theirs.
 */
export function joinChanges(earlier: EntryChange, later: EntryChange): EntryChange | null {
  if ([earlier, later].some(({ items, rows }) => items.some(isExplanation) || rows.some(isRowExplanation))) return null
  if (!hasSeenRows(earlier, later)) return null
  const items = new Map<string, ItemChange>()
  for (const item of [...earlier.items, ...later.items]) {
    const key = `${item.table ?? ''}|${item.rid ?? ''}|${item.code}`
    const before = items.get(key)
    if (before !== undefined && !sameContent(before.to, item.base)) return null
    items.set(key, before === undefined ? item : { ...item, base: before.base, reason: item.reason ?? before.reason })
  }
  const rows = new Map<string, RowChange>()
  for (const row of [...earlier.rows, ...later.rows]) {
    const before = rows.get(row.rid)
    rows.set(row.rid, before === undefined ? row : { ...row, base: before.base, reason: row.reason ?? before.reason })
  }
  const joined: EntryChange = {
    target: later.target,
    // An item that is back at its old value is no change any more; the journal still shows it.
    items: [...items.values()].filter(
      (item) => !sameContent(item.base, item.to) || later.items.some((one) => one === item),
    ),
    rows: [...rows.values()],
    journal: [...earlier.journal, ...later.journal],
    seen: later.seen,
    ...(earlier.confirms === undefined && later.confirms === undefined
      ? {}
      : { confirms: [...withConfirmations(earlier.confirms ?? [], later.confirms ?? [])] }),
  }
  const fits =
    joined.items.length <= MAX_ITEMS && joined.journal.length <= MAX_STEPS && JSON.stringify(joined).length <= MAX_TEXT
  return fits ? joined : null
}

/**
 * Whether the author of the later save saw the rows of the earlier one. In another tab they may not have. A deletion by
 * somebody who had not seen the edits, or an edit of a row that had been deleted, is then left to the server to judge,
 * as between two tablets.
 */
function hasSeenRows(earlier: EntryChange, later: EntryChange): boolean {
  const before = new Map(earlier.rows.map((row) => [row.rid, row.to]))
  const own = new Set(later.rows.map(({ rid }) => rid))
  const typed = new Set(later.items.map(reasonKey))
  return (
    later.rows.every(({ rid, base, to, seen }) => {
      const known = before.get(rid)
      const builds =
        known === undefined || (base !== null && base.deleted === known.deleted && base.order === known.order)
      if (!builds || !to.deleted || seen === null) return builds
      // Where both saves changed an item, the bases of the items decide.
      const unseen = earlier.items.filter((item) => item.rid === rid && !typed.has(reasonKey(item)))
      return unseen.every((item) => sameContent({ value: seen[item.code] ?? null, missing: item.to.missing }, item.to))
    }) && later.items.every(({ rid }) => rid === null || own.has(rid) || before.get(rid)?.deleted !== true)
  )
}

/**
 * The places of an operation for which its author has yet to give a reason, where its page was submitted before.
 *
 * @param body as it is to be queued, joined with what it takes over
 * @param before places of that body that were already waiting for a reason
 */
export function unexplainedOf(
  { body: own, calculated }: Extract<PlannedOperation, { readonly call: EntryChangeCall }>,
  body: EntryChange,
  before: readonly ReasonPlace[],
): readonly ReasonPlace[] {
  // A row that was taken over either had its reasons demanded then, or was entered before anybody could know of the
  // submit.
  const asked = new Set(
    [...before, ...own.items.filter((item) => calculated?.has(reasonKey(item)) !== true), ...rowPlaces(own)].map(
      reasonKey,
    ),
  )
  return placesWithoutReason(body).filter((place) => asked.has(reasonKey(place)))
}

function rowPlaces({ rows }: EntryChange): readonly ReasonPlace[] {
  return rows.map(({ table, rid }) => ({ table, rid, code: ROW_STEP }))
}
