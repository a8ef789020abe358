import { jsonEqual } from '../json.ts'
import type { JsonValue } from '../json.ts'
import { isEmptyValue } from './entryData.ts'
import type { EntryData } from './entryData.ts'

import type { ItemChange, ItemContent, RowChange, RowState } from './entryChange.ts'

/**
 * Three-way merge of one entry: base (what the person built on), server, mine; per item (docs/adr/0003-conflict-and-inbox.md). Pure:
 * the server books what it returns, and a tablet uses it to show unsent work over what it pulled.
 */

/** Where an item lies in an entry. */
export interface Place {
  readonly table: string | null
  readonly rid: string | null
  readonly code: string
}

/** What a person changed: the items and rows of an `EntryChange`. */
export interface Changes {
  readonly items: readonly ItemChange[]
  readonly rows: readonly RowChange[]
}

/** An item that changed, with what it held before and holds now. */
export interface AppliedItem extends Place {
  readonly from: ItemContent
  readonly to: ItemContent
  readonly change: ItemChange
}

/** A row whose state changed. */
export interface AppliedRow {
  readonly table: string
  readonly rid: string
  readonly from: RowState | null
  readonly to: RowState
  readonly change: RowChange
}

/** Two people's different will for one item. `code` is `_deleted` where a deletion met an edit. */
export interface Collision extends Place {
  readonly base: ItemContent
  readonly server: ItemContent
  readonly mine: ItemContent
}

/** An address that has no place in the data: refused as structure. */
export interface Misplaced extends Place {
  readonly why: 'unknown_row' | 'not_a_table'
}

export interface Merged {
  readonly data: EntryData
  readonly items: readonly AppliedItem[]
  readonly rows: readonly AppliedRow[]
  readonly collisions: readonly Collision[]
  readonly misplaced: readonly Misplaced[]
}

/** Code under which a deletion that met an edit stands in a conflict record. */
export const DELETED = '_deleted'

type Row = Record<string, JsonValue>

/**
 * Merges a change into an entry's data.
 *
 * @param current what the entry holds now
 * @param change items and rows changed, each with its base
 * @param isCalculated whether a rule computes the field; such items are left out, because they are computed again after the merge
 */
export function mergeEntry(
  current: EntryData,
  change: Changes,
  isCalculated: (table: string | null, code: string) => boolean,
): Merged {
  const draft = new Draft(current)
  for (const row of change.rows) draft.changeRow(row)
  for (const item of change.items) if (!isCalculated(item.table, item.code)) draft.changeItem(item)
  return draft.result()
}

/**
 * What a change means to an entry that somebody deleted in the meantime: nothing is applied, and whatever would have changed it
 * collides with the deletion.
 */
export function collideWithDeleted(
  current: EntryData,
  change: Changes,
  isCalculated: (table: string | null, code: string) => boolean,
): Merged {
  const merged = mergeEntry(current, change, isCalculated)
  const collisions = [
    ...merged.rows.map(({ table, rid, from, to }) => ({
      table,
      rid,
      code: DELETED,
      base: stateContent(from),
      server: stateContent(from),
      mine: stateContent(to),
    })),
    ...merged.items.map(({ table, rid, code, from, to, change: item }) => ({ table, rid, code, base: item.base, server: from, mine: to })),
    ...merged.collisions,
  ]
  return { data: current, items: [], rows: [], collisions, misplaced: merged.misplaced }
}

function stateContent(state: RowState | null): ItemContent {
  return { value: state === null ? null : state.deleted, missing: null }
}

/** The content of an item in an entry's data. Null when its row does not exist. */
export function contentAt(data: EntryData, place: Place): ItemContent | null {
  const missing = data.missing[missingKey(place)] ?? null
  if (place.table === null) return { value: data.values[place.code] ?? null, missing }
  const row = rowsOf(data.values[place.table])?.find((candidate) => candidate['_rid'] === place.rid)
  return row === undefined ? null : { value: row[place.code] ?? null, missing }
}

/** Key of an item's missing reason: `code`, or `rid.code` in a table. */
export function missingKey(place: Place): string {
  return place.rid === null ? place.code : `${place.rid}.${place.code}`
}

/** Whether two contents say the same. All ways of being empty are one. */
export function sameContent(a: ItemContent, b: ItemContent): boolean {
  const sameValue = isEmptyValue(a.value) ? isEmptyValue(b.value) : jsonEqual(a.value, b.value)
  return sameValue && jsonEqual(a.missing, b.missing)
}

/** State of a stored row. */
export function stateOf(row: Readonly<Record<string, JsonValue>>): RowState {
  const order = row['_ord']
  return { deleted: row['_deleted'] === true, order: typeof order === 'string' ? order : '' }
}

/** What a row holds, without its own state: what `seen` of a deletion is compared with. */
export function rowContent(row: Readonly<Record<string, JsonValue>>): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(row).filter(([key, value]) => !key.startsWith('_') && !isEmptyValue(value)),
  )
}

/** The rows of a table's value; null when the value is not a list of rows. */
export function rowsOf(value: JsonValue | undefined): readonly Row[] | null {
  if (value === undefined || isEmptyValue(value)) return []
  if (!isList(value)) return null
  const rows: Row[] = []
  for (const row of value) {
    if (typeof row !== 'object' || row === null || isList(row)) return null
    rows.push({ ...row })
  }
  return rows
}

class Draft {
  private readonly values: Record<string, JsonValue>
  private readonly missing: Record<string, NonNullable<ItemContent['missing']>>
  private readonly tables = new Map<string, Row[]>()
  private readonly items: AppliedItem[] = []
  private readonly rows: AppliedRow[] = []
  private readonly collisions: Collision[] = []
  private readonly misplaced: Misplaced[] = []

  constructor(current: EntryData) {
    this.values = { ...current.values }
    this.missing = { ...current.missing }
  }

  changeRow(change: RowChange): void {
    const { table, rid, to, base } = change
    const rows = this.table(table)
    if (rows === null) {
      this.misplaced.push({ table, rid, code: DELETED, why: 'not_a_table' })
      return
    }
    const row = rows.find((candidate) => candidate['_rid'] === rid)
    if (row === undefined) {
      if (base !== null) {
        this.misplaced.push({ table, rid, code: DELETED, why: 'unknown_row' })
        return
      }
      rows.push(withState({ _rid: rid }, to))
      this.rows.push({ table, rid, from: null, to, change })
      return
    }
    const from = stateOf(row)
    // Order is a convenience, never worth a conflict: the later word stands. Deleting is a decision.
    let deleted = to.deleted
    if (to.deleted !== from.deleted) {
      const unseenEdit = to.deleted && change.seen !== null && !jsonEqual(rowContent(row), rowContent(change.seen))
      const unseenDecision = base !== null && base.deleted !== from.deleted
      if (unseenEdit || unseenDecision) {
        this.collisions.push({
          table,
          rid,
          code: DELETED,
          base: { value: base?.deleted ?? false, missing: null },
          server: { value: from.deleted, missing: null },
          mine: { value: to.deleted, missing: null },
        })
        deleted = from.deleted
      }
    }
    const next = { deleted, order: to.order }
    if (next.deleted === from.deleted && next.order === from.order) return
    rows[rows.indexOf(row)] = withState(row, next)
    this.rows.push({ table, rid, from, to: next, change })
  }

  changeItem(change: ItemChange): void {
    const { table, rid, code, to, base } = change
    const place = { table, rid, code }
    if (table === null) {
      const current = { value: this.values[code] ?? null, missing: this.missing[missingKey(place)] ?? null }
      if (this.decide(place, current, change)) put(this.values, code, to.value)
      return
    }
    const rows = this.table(table)
    if (rows === null) {
      this.misplaced.push({ ...place, why: 'not_a_table' })
      return
    }
    const row = rows.find((candidate) => candidate['_rid'] === rid)
    if (row === undefined) {
      this.misplaced.push({ ...place, why: 'unknown_row' })
      return
    }
    const current = { value: row[code] ?? null, missing: this.missing[missingKey(place)] ?? null }
    if (stateOf(row).deleted && !sameContent(current, to)) {
      this.collisions.push({ ...place, base, server: current, mine: to })
      return
    }
    if (this.decide(place, current, change)) put(row, code, to.value)
  }

  result(): Merged {
    for (const [table, rows] of this.tables) {
      if (rows.length > 0) this.values[table] = rows.toSorted(byOrder)
    }
    return {
      data: { values: this.values, missing: this.missing },
      items: this.items,
      rows: this.rows,
      collisions: this.collisions,
      misplaced: this.misplaced,
    }
  }

  /** Whether the item takes the new content. Books the change, or the collision. */
  private decide(place: Place, current: ItemContent, change: ItemChange): boolean {
    const { to, base } = change
    if (sameContent(current, to)) return false
    if (!sameContent(current, base)) {
      this.collisions.push({ ...place, base, server: current, mine: to })
      return false
    }
    if (to.missing === null) delete this.missing[missingKey(place)]
    else this.missing[missingKey(place)] = to.missing
    this.items.push({ ...place, from: current, to, change })
    return true
  }

  private table(prop: string): Row[] | null {
    const known = this.tables.get(prop)
    if (known !== undefined) return known
    const rows = rowsOf(this.values[prop])
    if (rows === null) return null
    const copy = [...rows]
    this.tables.set(prop, copy)
    return copy
  }
}

/** Empty is an absent key, so that an item never touched and one emptied are stored alike. */
function put(into: Record<string, JsonValue>, code: string, value: JsonValue): void {
  if (isEmptyValue(value)) delete into[code]
  else into[code] = value
}

function withState(row: Row, state: RowState): Row {
  const { _deleted: _old, ...rest } = row
  return state.deleted ? { ...rest, _ord: state.order, _deleted: true } : { ...rest, _ord: state.order }
}

function byOrder(a: Row, b: Row): number {
  const [left, right] = [sortKey(a), sortKey(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Rows with one order key stand in the order in which they were made: a `_rid` is time-ordered. */
function sortKey(row: Row): string {
  const rid = row['_rid']
  return `${stateOf(row).order} ${typeof rid === 'string' ? rid : ''}`
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** The empty entry, before anything was entered. */
export const EMPTY_ENTRY: EntryData = { values: {}, missing: {} }
