import { orderBetween } from '#core/form/rowOrder.ts'
import type { JsonValue } from '#core/json.ts'
import type { ChangeReason, ItemChange, ItemContent, RowChange, RowState } from '#core/sync/entryChange.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { contentAt, rowsOf, stateOf } from '#core/sync/merge.ts'

import type { Gap } from './gaps.ts'
import { placeIn } from './gaps.ts'

/** What a person decided about the gaps of a page, as a change of the first pass, which the merged data are. */

/** One decision. A new value says why it is neither of the two. */
export type GapDecision =
  | { readonly choose: 'first' | 'second' }
  | { readonly choose: 'new'; readonly to: ItemContent; readonly reason: ChangeReason }

export interface Decided {
  readonly gap: Gap
  readonly decision: GapDecision
}

/** Why every value that a merge changes was changed. */
export const ADJUDICATED: ChangeReason = { code: 'adjudication', text: '' }

/** Whether a decision fits its gap: a whole row is taken from one of the passes, not made. */
export function isDecidable({ gap, decision }: Decided): boolean {
  return gap.kind !== 'row' || decision.choose !== 'new'
}

/**
 * The change of the first pass that the decisions make.
 *
 * @param first what the first pass holds
 * @param second what the second holds, for the rows that are taken from it
 */
export function changeOf(decisions: readonly Decided[], first: EntryData, second: EntryData): { readonly items: readonly ItemChange[]; readonly rows: readonly RowChange[] } {
  const items: ItemChange[] = []
  const rows: RowChange[] = []
  const ends = new Map<string, string | null>()
  for (const { gap, decision } of decisions) {
    if (decision.choose === 'first') continue
    if (gap.kind === 'row') {
      const change = gap.row?.first === null ? takenRow(gap, second, endOf(ends, gap, first)) : droppedRow(gap, first)
      rows.push(...change.rows)
      items.push(...change.items)
      continue
    }
    const place = placeIn(gap, 1)
    if (place === null) continue
    const reason = decision.choose === 'new' ? decision.reason : ADJUDICATED
    const to = decision.choose === 'new' ? decision.to : gap.second
    items.push({ ...place, base: contentAt(first, place) ?? EMPTY_ITEM, to, isShow: 1, reason })
  }
  return { items, rows }
}

/** What was decided to stay as the first pass has it, as a word about it: why it is so is the decision. */
export function upheldBy(decisions: readonly Decided[], first: EntryData): { readonly items: readonly ItemChange[]; readonly rows: readonly RowChange[] } {
  const items: ItemChange[] = []
  const rows: RowChange[] = []
  for (const { gap, decision } of decisions) {
    const place = placeIn(gap, 1)
    if (decision.choose !== 'first' || place === null) continue
    const stands = gap.kind === 'row' ? null : contentAt(first, place)
    if (stands !== null) items.push({ ...place, base: stands, to: stands, isShow: 1, reason: ADJUDICATED })
    const row = gap.kind === 'row' ? rowIn(gap, first) : null
    if (row !== null) rows.push({ table: row.table, rid: row.rid, base: row.state, to: row.state, seen: null, reason: ADJUDICATED })
  }
  return { items, rows }
}

/** A row that only the second pass has comes after those of the first. */
function takenRow(gap: Gap, second: EntryData, order: string): { readonly items: readonly ItemChange[]; readonly rows: readonly RowChange[] } {
  const [table, rid] = [gap.row?.table, gap.row?.second]
  if (table === undefined || rid === undefined || rid === null) return { items: [], rows: [] }
  const items = table.children.flatMap((child): ItemChange[] => {
    const place = { table: table.prop, rid, code: child.prop }
    const to = contentAt(second, place) ?? EMPTY_ITEM
    if (child.calculate !== null || (to.value === null && to.missing === null)) return []
    return [{ ...place, base: EMPTY_ITEM, to, isShow: 1, reason: ADJUDICATED }]
  })
  return { items, rows: [{ table: table.prop, rid, base: null, to: { deleted: false, order }, seen: null, reason: ADJUDICATED }] }
}

function droppedRow(gap: Gap, first: EntryData): { readonly items: readonly ItemChange[]; readonly rows: readonly RowChange[] } {
  const row = rowIn(gap, first)
  if (row === null) return { items: [], rows: [] }
  const { table, rid, state: base } = row
  return { items: [], rows: [{ table, rid, base, to: { ...base, deleted: true }, seen: seenOf(gap.first.value), reason: ADJUDICATED }] }
}

/** The row of the first pass that a gap is about; null where only the second has it. */
function rowIn(gap: Gap, first: EntryData): { readonly table: string; readonly rid: string; readonly state: RowState } | null {
  const [table, rid] = [gap.row?.table.prop, gap.row?.first]
  const row = table === undefined ? undefined : rowsOf(first.values[table])?.find((one) => one['_rid'] === rid)
  return table === undefined || rid === undefined || rid === null || row === undefined ? null : { table, rid, state: stateOf(row) }
}

function seenOf(value: JsonValue): RowChange['seen'] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...(value as Readonly<Record<string, JsonValue>>) } : null
}

/** The order of the next row at the end of a table. */
function endOf(ends: Map<string, string | null>, gap: Gap, first: EntryData): string {
  const table = gap.row?.table.prop ?? ''
  const orders = rowsOf(first.values[table])?.map((row) => stateOf(row).order) ?? []
  const last = ends.get(table) ?? orders.toSorted((a, b) => (a < b ? -1 : 1)).at(-1) ?? null
  const next = orderBetween(last, null)
  ends.set(table, next)
  return next
}
