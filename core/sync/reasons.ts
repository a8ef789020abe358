import { deletion, missingKey, sameContent } from './merge.ts'
import type { Changes, ItemPlace } from './merge.ts'
import { ROW_STEP } from './rowStep.ts'
import type { ChangeReason, ItemChange, ItemContent, RowChange } from './entryChange.ts'

/** The reasons for changing submitted data (docs/adr/0022-reasons-for-change.md). */

/**
 * Reasons that a person is offered, in this order; `other` needs words. The other codes are given by processes
 * themselves: a merge of two passes (`adjudication`), an import (`import`), a new version of the form (`migration`).
 */
export const OFFERED_REASONS = [
  'transcription',
  'new_source',
  'query_answer',
  'clarification',
  'other',
] as const satisfies readonly ChangeReason['code'][]
export type OfferedReason = (typeof OFFERED_REASONS)[number]

/** Code in the audit trail of a change that needed a reason and came without one. */
export const NO_REASON = 'not_given'

/** Where a reason is missing: an item, or the presence of a row (`code` is `ROW_STEP`). */
export type ReasonPlace = ItemPlace

/** A place as one text; no two places of an entry share it. */
export function reasonKey({ table, rid, code }: ReasonPlace): string {
  return `${table ?? ''}.${missingKey({ table, rid, code })}`
}

/**
 * The places of a change that need a reason and have none, once the page was submitted. A row that was added, deleted
 * or brought back has one reason for all of it. Moving a row needs none, and neither does a row that was added and
 * deleted in one change. An item that is back at its old value is no change.
 *
 * @param change the items as a person changed them, without those that rules calculate
 */
export function placesWithoutReason({ items, rows }: Changes): readonly ReasonPlace[] {
  const whole = new Set<string>()
  const places: ReasonPlace[] = []
  for (const row of rows) {
    if (!changesPresence(row)) continue
    whole.add(`${row.table}.${row.rid}`)
    if (row.reason === null && !(row.base === null && row.to.deleted))
      places.push({ table: row.table, rid: row.rid, code: ROW_STEP })
  }
  for (const { table, rid, code, reason, base, to } of items) {
    if (reason !== null || whole.has(`${table}.${rid}`) || sameContent(base, to)) continue
    places.push({ table, rid, code })
  }
  return places
}

/**
 * A reason that a person gave, and what they saw at its place: the item's content, or whether the row is deleted
 * (`deletion`). The reason holds only for that.
 */
export interface GivenReason {
  readonly reason: ChangeReason
  readonly shown: ItemContent
}

/** The new content that a change gives to a place; null where the change does not name the place. */
export function saidAt({ items, rows }: Changes, place: ReasonPlace): ItemContent | null {
  if (place.code !== ROW_STEP) return items.find((item) => reasonKey(item) === reasonKey(place))?.to ?? null
  const row = rows.find(({ table, rid }) => table === place.table && rid === place.rid)
  return row === undefined ? null : deletion(row.to.deleted)
}

/** Whether a row is added, deleted or brought back, and not only moved. */
function changesPresence({ base, to }: RowChange): boolean {
  return base === null || base.deleted !== to.deleted
}

/** Whether an item changes nothing and says why it was changed before. */
export function isExplanation({ reason, base, to }: Pick<ItemChange, 'reason' | 'base' | 'to'>): boolean {
  return reason !== null && sameContent(base, to)
}

/** Whether a row is unchanged, and the change only says why it was added or deleted before. */
export function isRowExplanation({ reason, base, to }: Pick<RowChange, 'reason' | 'base' | 'to'>): boolean {
  return reason !== null && base !== null && base.deleted === to.deleted && base.order === to.order
}

/** A change with the reasons that were given for its places. A reason that is there already is not replaced. */
export function withReasons<Change extends Changes>(change: Change, given: ReadonlyMap<string, ChangeReason>): Change {
  return {
    ...change,
    items: change.items.map((item) => ({ ...item, reason: item.reason ?? given.get(reasonKey(item)) ?? null })),
    rows: change.rows.map((row) => ({
      ...row,
      reason: row.reason ?? given.get(reasonKey({ table: row.table, rid: row.rid, code: ROW_STEP })) ?? null,
    })),
  }
}
