import { holdsData, isTable } from '#core/form/definition/page.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { orderBetween } from '#core/form/engine/rowOrder.ts'
import type { JsonValue } from '#core/json.ts'
import type { ChangeReason, ItemChange, ItemContent, RowChange, RowState } from '#core/sync/entryChange.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { contentAt, missingKey, rowContent, rowsOf, sameContent, stateOf } from '#core/sync/merge.ts'

import type { Gap } from './gaps.ts'
import { liveRows, placeIn, ridOf, whyNoRows } from './gaps.ts'

/** What a person decided about the gaps of a page, as a change of the first pass, which the merged data are. */

/** One decision. A new value says why it is neither of the two. */
export type GapDecision =
  | { readonly choose: 'first' | 'second' }
  | { readonly choose: 'new'; readonly to: ItemContent; readonly reason: ChangeReason }

/** A change of the first pass. */
interface Decision {
  readonly items: readonly ItemChange[]
  readonly rows: readonly RowChange[]
}

export interface Decided {
  readonly gap: Gap
  readonly decision: GapDecision
}

/** Why every value that a merge changes was changed. */
export const ADJUDICATED: ChangeReason = { code: 'adjudication', text: '' }

/**
 * Whether a decision fits its gap: of a table, a whole row or why it has none is taken from one of the passes, not
 * made.
 */
export function isDecidable({ gap, decision }: Decided): boolean {
  return !isTable(gap.field) || decision.choose !== 'new'
}

/**
 * The change of the first pass that the decisions make.
 *
 * @param first what the first pass holds
 * @param second what the second holds, for the rows that are taken from it
 */
export function changeOf(decisions: readonly Decided[], first: EntryData, second: EntryData): Decision {
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
  return { items: [...items, ...reasonsAfter(takenTables(decisions), rows, first, second)], rows }
}

/** Tables of which a row was taken from the second pass, or is left out as it is there. */
function takenTables(decisions: readonly Decided[]): ReadonlyMap<string, Field> {
  return new Map(
    decisions.flatMap(({ gap, decision }) =>
      gap.kind === 'row' && decision.choose === 'second' ? [[gap.field.code, gap.field] as const] : [],
    ),
  )
}

/**
 * Why tables have no rows once these are as decided: with rows there is no such reason, and where the last went, it is
 * what the second pass says.
 */
function reasonsAfter(
  tables: ReadonlyMap<string, Field>,
  changed: readonly RowChange[],
  first: EntryData,
  second: EntryData,
): readonly ItemChange[] {
  return [...tables.values()].flatMap((table): readonly ItemChange[] => {
    const place = reasonPlace(table)
    const rows = changed.filter((row) => row.table === table.code)
    const dropped = new Set(rows.filter(({ to }) => to.deleted).map(({ rid }) => rid))
    const hasRows = rows.some(({ to }) => !to.deleted) || liveRows(table, first).some((row) => !dropped.has(ridOf(row)))
    const base = contentAt(first, place) ?? EMPTY_ITEM
    const to = hasRows ? EMPTY_ITEM : whyNoRows(table, second)
    return sameContent(base, to) ? [] : [{ ...place, base, to, isShow: 1, reason: ADJUDICATED }]
  })
}

/** Where it is said why a table has no rows. */
function reasonPlace(table: Field) {
  return { table: null, rid: null, code: table.code }
}

/**
 * A change of a page that was deleted, and so was compared as one that is not there: it comes back as what was decided,
 * and nothing that was deleted with it comes along.
 *
 * @param deleted what it holds
 * @param change what was decided, built on nothing
 */
export function changeOfDeleted(page: PageModel, deleted: EntryData, change: Decision): Decision {
  const fields = page.fields.filter((field) => holdsData(field) && field.calculate === null)
  const decided = new Set(change.items.map(missingKey))
  const emptied = fields.flatMap(({ code }): readonly ItemChange[] => {
    const place = { table: null, rid: null, code }
    const base = contentAt(deleted, place) ?? EMPTY_ITEM
    return decided.has(code) || sameContent(base, EMPTY_ITEM)
      ? []
      : [{ ...place, base, to: EMPTY_ITEM, isShow: 1, reason: ADJUDICATED }]
  })
  const dropped = fields.filter(isTable).flatMap(({ code }) =>
    (rowsOf(deleted.values[code]) ?? []).flatMap((row): readonly RowChange[] => {
      const [base, rid] = [stateOf(row), row['_rid']]
      return base.deleted || typeof rid !== 'string'
        ? []
        : [{ table: code, rid, base, to: { ...base, deleted: true }, seen: rowContent(row), reason: ADJUDICATED }]
    }),
  )
  return {
    items: [...change.items.map((item) => ({ ...item, base: contentAt(deleted, item) ?? EMPTY_ITEM })), ...emptied],
    rows: [...change.rows, ...dropped],
  }
}

/** What was decided to stay as the first pass has it, as a word about it: why it is so is the decision. */
export function upheldBy(decisions: readonly Decided[], first: EntryData): Decision {
  const items: ItemChange[] = []
  const rows: RowChange[] = []
  const taken = takenTables(decisions)
  const reasons = new Set<Field>()
  for (const { gap, decision } of decisions) {
    // Where rows of the second pass are not taken, it stays why the first has none.
    if (gap.kind === 'row' && gap.first.missing !== null && !taken.has(gap.field.code)) reasons.add(gap.field)
    const place = placeIn(gap, 1)
    if (decision.choose !== 'first' || place === null) continue
    const stands = gap.kind === 'row' ? null : contentAt(first, place)
    if (stands !== null) items.push({ ...place, base: stands, to: stands, isShow: 1, reason: ADJUDICATED })
    const row = gap.kind === 'row' ? rowIn(gap, first) : null
    if (row !== null)
      rows.push({ table: row.table, rid: row.rid, base: row.state, to: row.state, seen: null, reason: ADJUDICATED })
  }
  for (const table of reasons) {
    const stands = whyNoRows(table, first)
    items.push({ ...reasonPlace(table), base: stands, to: stands, isShow: 1, reason: ADJUDICATED })
  }
  return { items, rows }
}

/** A row that only the second pass has comes after those of the first. */
function takenRow(gap: Gap, second: EntryData, order: string): Decision {
  const [table, rid] = [gap.row?.table, gap.row?.second]
  if (table === undefined || rid === undefined || rid === null) return { items: [], rows: [] }
  const items = table.children.flatMap((child): ItemChange[] => {
    const place = { table: table.code, rid, code: child.code }
    const to = contentAt(second, place) ?? EMPTY_ITEM
    if (child.calculate !== null || (to.value === null && to.missing === null)) return []
    return [{ ...place, base: EMPTY_ITEM, to, isShow: 1, reason: ADJUDICATED }]
  })
  return {
    items,
    rows: [{ table: table.code, rid, base: null, to: { deleted: false, order }, seen: null, reason: ADJUDICATED }],
  }
}

function droppedRow(gap: Gap, first: EntryData): Decision {
  const row = rowIn(gap, first)
  if (row === null) return { items: [], rows: [] }
  const { table, rid, state: base } = row
  return {
    items: [],
    rows: [{ table, rid, base, to: { ...base, deleted: true }, seen: seenOf(gap.first.value), reason: ADJUDICATED }],
  }
}

/** The row of the first pass that a gap is about; null where only the second has it. */
function rowIn(
  gap: Gap,
  first: EntryData,
): { readonly table: string; readonly rid: string; readonly state: RowState } | null {
  const [table, rid] = [gap.row?.table.code, gap.row?.first]
  const row = table === undefined ? undefined : rowsOf(first.values[table])?.find((one) => one['_rid'] === rid)
  return table === undefined || rid === undefined || rid === null || row === undefined
    ? null
    : { table, rid, state: stateOf(row) }
}

function seenOf(value: JsonValue): RowChange['seen'] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...(value as Readonly<Record<string, JsonValue>>) }
    : null
}

/** The order of the next row at the end of a table. */
function endOf(ends: Map<string, string | null>, gap: Gap, first: EntryData): string {
  const table = gap.row?.table.code ?? ''
  const orders = rowsOf(first.values[table])?.map((row) => stateOf(row).order) ?? []
  const last = ends.get(table) ?? orders.toSorted((a, b) => (a < b ? -1 : 1)).at(-1) ?? null
  const next = orderBetween(last, null)
  ends.set(table, next)
  return next
}
