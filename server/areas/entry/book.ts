import type { JsonValue } from '#core/json.ts'
import type { ItemChange, JournalStep, RowState } from '#core/sync/entryChange.ts'
import type { Merged, ItemPlace } from '#core/sync/merge.ts'
import { NO_REASON, reasonKey } from '#core/sync/reasons.ts'
import { ROW_STEP } from '#core/sync/rowStep.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Judgement } from './judgement/judge.ts'
import type { NewConflict } from './disputes/conflicts.ts'

/** What all audit rows of one entry share. */
export interface EntryPlace {
  readonly centerId: string
  readonly patientId: string
  readonly entryId: string
  readonly versionId: string
  readonly pass: 1 | 2
}

/**
 * The audit rows of a merged change: one per item and row, with the time of the item's last step of typing.
 *
 * @param unexplained keys (`reasonKey`) of what needed a reason and has none
 */
export function changeRows(
  place: EntryPlace,
  journal: readonly JournalStep[],
  merged: Pick<Merged, 'items' | 'rows'> & Partial<Pick<Merged, 'overtaken' | 'overtakenRows'>>,
  calculated: Judgement['calculated'],
  unexplained: ReadonlySet<string> = new Set(),
): readonly NewAuditRow[] {
  const why = (place: ItemPlace, reason: ItemChange['reason']) =>
    unexplained.has(reasonKey(place)) ? { reasonCode: NO_REASON } : reasonOf(reason)
  const at = lastTyped(journal)
  return [
    ...merged.rows.map(({ table, rid, from, to, change }) => ({
      ...place,
      action: rowAction(from, to),
      table,
      rid,
      old: stateValue(from),
      new: stateValue(to),
      ...why({ table, rid, code: ROW_STEP }, change.reason),
    })),
    ...(merged.overtakenRows ?? []).map(({ table, rid, from, to, change }) => ({
      ...place,
      action: 'row.overtaken',
      table,
      rid,
      old: stateValue(from),
      new: stateValue(to),
      ...reasonOf(change.reason),
    })),
    ...merged.items.map((item) => ({
      ...place,
      action: 'item.update',
      table: item.table,
      rid: item.rid,
      prop: item.code,
      old: item.from,
      new: item.to,
      ...why(item, item.change.reason),
      ...at(item),
    })),
    ...(merged.overtaken ?? []).map((item) => ({
      ...place,
      action: 'item.overtaken',
      table: item.table,
      rid: item.rid,
      prop: item.code,
      old: item.from,
      new: item.to,
      ...reasonOf(item.change.reason),
      ...at(item),
    })),
    ...calculated.map(({ table, rid, code, from, to }) => ({
      ...place,
      action: 'item.calculate',
      table,
      rid,
      prop: code,
      old: {
        value: from,
        missing: null,
      },
      new: {
        value: to,
        missing: null,
      },
    })),
  ]
}

/**
 * The audit rows of what was entered and has no place on the page.
 *
 * @param place with the version on whose page it was entered, because other versions may use its code for another
 *   field
 */
export function retiredRows(
  place: EntryPlace,
  retired: readonly ItemChange[],
  journal: readonly JournalStep[],
): readonly NewAuditRow[] {
  const at = lastTyped(journal)
  return retired.map((item) => ({
    ...place,
    action: 'item.retire',
    table: item.table,
    rid: item.rid,
    prop: item.code,
    old: item.base,
    new: item.to,
    ...reasonOf(item.reason),
    ...at(item),
  }))
}

/** The audit rows of conflicts: the value that stands, and the one that waits with the reason that was given for it. */
export function conflictRows(
  place: EntryPlace,
  conflicts: readonly NewConflict[],
  reasonFor: (place: ItemPlace) => ItemChange['reason'],
): readonly NewAuditRow[] {
  return conflicts.flatMap(({ table, rid, code, server, mine, known }) =>
    known
      ? []
      : [
          {
            ...place,
            action: 'conflict.open',
            table,
            rid,
            prop: code,
            old: server,
            new: mine,
            ...reasonOf(reasonFor({ table, rid, code })),
          },
        ],
  )
}

function reasonOf(
  reason: { readonly code: string; readonly text: string } | null,
): Pick<NewAuditRow, 'reasonCode' | 'reasonText'> {
  return reason === null ? {} : { reasonCode: reason.code, reasonText: reason.text }
}

function rowAction(from: RowState | null, to: RowState): string {
  if (from === null) return 'row.insert'
  if (from.deleted === to.deleted) return 'row.move'
  return to.deleted ? 'row.delete' : 'row.restore'
}

function stateValue(state: RowState | null): JsonValue {
  return state === null ? null : { deleted: state.deleted, order: state.order }
}

/** When an item was typed last. */
function lastTyped(journal: readonly JournalStep[]): (item: ItemPlace) => Pick<NewAuditRow, 'occurredAt'> {
  const typedAt = new Map(journal.map((step) => [keyOf(step), step.at]))
  return (item) => {
    const step = typedAt.get(keyOf(item))
    return step === undefined ? {} : { occurredAt: step }
  }
}

function keyOf({ table, rid, code }: ItemPlace): string {
  return [table ?? '', rid ?? '', code].join('.')
}
