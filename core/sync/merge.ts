import { jsonEqual } from '../json.ts'
import type { JsonValue } from '../json.ts'
import { isEmptyValue } from './emptyValue.ts'
import { EMPTY_ITEM } from './entryChange.ts'
import type { ItemChange, ItemContent, RowChange, RowState } from './entryChange.ts'
import { isRowList } from './entryData.ts'
import type { EntryData } from './entryData.ts'
import { canonicalReferences, mergeReferences } from './references.ts'

/**
 * Three-way merge of one entry, item by item: base (what the person built on), server, mine
 * (docs/adr/0003-conflict-and-inbox.md). It is pure: the server books the result, and a tablet uses it to show unsent
 * work over the pulled rows.
 */

/** The place of an item in an entry. */
export interface ItemPlace {
  readonly table: string | null
  readonly rid: string | null
  readonly code: string
}

/** What a person changed: the items and rows of an `EntryChange`. */
export interface Changes {
  readonly items: readonly WantedItem[]
  readonly rows: readonly RowChange[]
}

/**
 * An item of a change. `wanted` where its author changed it, although a release has since made the seen and the entered
 * value the same.
 */
export type WantedItem = ItemChange & { readonly wanted?: true }

/** An item that changed, with its content before and now. */
export interface AppliedItem extends ItemPlace {
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

/** Two people want different contents for one item. `code` is `_deleted` where a deletion met an edit. */
export interface Collision extends ItemPlace {
  readonly base: ItemContent
  readonly server: ItemContent
  readonly mine: ItemContent
}

/** An address that has no place in the data: refused because of its structure. */
export interface Misplaced extends ItemPlace {
  readonly why: 'unknown_row' | 'not_a_table'
}

/**
 * How the content of a place relates to a change that comes late, after a restore. `mine`: the content is older than
 * what the change builds on. `theirs`: it was entered later, by somebody who knew the change. `collide`: another
 * person's content collided with the change. null: their bases decide.
 */
export type Precedence = 'mine' | 'theirs' | 'collide' | null

export interface Merged {
  readonly data: EntryData
  readonly items: readonly AppliedItem[]
  /** Items that change nothing, because the current content was entered later by somebody who knew them. */
  readonly overtaken: readonly AppliedItem[]
  readonly rows: readonly AppliedRow[]
  /** Rows that were deleted or brought back, where somebody who knew that decided otherwise later. */
  readonly overtakenRows: readonly AppliedRow[]
  readonly collisions: readonly Collision[]
  readonly misplaced: readonly Misplaced[]
}

/**
 * Code of a conflict record for a deletion that met an edit. Its content says whether the row or the entry is deleted.
 */
export const DELETED = '_deleted'

/** What a merge must know of the entry besides its data. */
export interface EntryTraits {
  /**
   * Whether a rule calculates the field: such items are left out, because they are calculated again after the merge.
   */
  readonly isCalculated: (table: string | null, code: string) => boolean
  /** Whether the entry itself is deleted now. */
  readonly deleted: boolean
  /** The place of the change in a lost history; null for a new change. */
  readonly order: ((place: ItemPlace) => Precedence) | null
  /**
   * Whether the author sees both a table's rows and the reason why it has none: then the two do not contradict each
   * other.
   */
  readonly seesRows: boolean
  /**
   * Whether a person decides what shall stand. Then even an unchanged value is their will, and not only a remark on it.
   */
  readonly decides: boolean
}

type Row = Record<string, JsonValue>

/**
 * Merges a change into an entry's data. All that came is afterwards in the data, in a collision, or misplaced. All that
 * was there stays, unless the change builds on it.
 *
 * An author who leaves an item as they saw it, and only gives a remark on it, wants no other value: the current value
 * stays.
 *
 * Each item is merged by itself, and so is each file of a field, and whether a row or the entry is deleted. What is
 * entered in a row or an entry that somebody else deleted is kept in it. The deletion collides, and a person decides
 * whether the row or the entry comes back. The reason why a table has no rows is an item without a value. It collides
 * where rows come that its author had not seen, and where it comes to a table with rows. Both are then kept.
 *
 * @param current what the entry holds now
 * @param change items and rows changed, each with its base
 */
export function mergeEntry(current: EntryData, change: Changes, traits: Partial<EntryTraits> = {}): Merged {
  const { isCalculated, deleted = false, order = null, seesRows = false, decides = false } = traits
  const items = change.items.filter(({ table, code }) => isCalculated?.(table, code) !== true)
  const copy = new WorkingCopy(current, items, { order: order ?? (() => null), seesRows, decides })
  for (const row of change.rows) copy.changeRow(row)
  for (const item of items) copy.changeItem(item)
  return copy.result(deleted)
}

/**
 * The content that the author of an unsent change sees: their own, and for files also those that somebody else added.
 */
export function ownContent(
  current: ItemContent,
  change: Pick<ItemChange, 'base' | 'to'>,
  decides = false,
): ItemContent {
  return mergeContent(current, change, decides).mine
}

/** Whether an item stays as its author saw it, so that the change is only a remark on it. */
export function isWord({ base, to, wanted }: Pick<WantedItem, 'base' | 'to' | 'wanted'>): boolean {
  return wanted !== true && sameContent(base, to)
}

/**
 * The content that stands after one item was merged, and the content that its author wants. They differ where a person
 * must decide.
 */
function mergeContent(
  current: ItemContent,
  change: Pick<WantedItem, 'base' | 'to' | 'wanted'>,
  decides: boolean,
): { readonly stands: ItemContent; readonly mine: ItemContent } {
  if (!decides && isWord(change)) return { stands: current, mine: current }
  const { base, to } = change
  // A value and the reason why it is missing are one statement: if either side changed the reason, a person reads both.
  const reasons = [current.missing, to.missing].every((reason) => jsonEqual(reason, base.missing))
  const files = reasons ? mergeReferences(base.value, current.value, to.value) : null
  if (files !== null) return { stands: { ...to, value: files.stands }, mine: { ...to, value: files.mine } }
  return { stands: sameContent(current, base) ? to : current, mine: to }
}

/**
 * Files are merged one by one, whatever the order. For all other values the later one stands, or waits for a decision.
 */
function mergeOrdered(
  current: ItemContent,
  change: Pick<WantedItem, 'base' | 'to' | 'wanted'>,
  order: Precedence,
  decides: boolean,
): ReturnType<typeof mergeContent> {
  const merged = mergeContent(current, change, decides)
  // A remark wants no value, so it contradicts nobody's. But a value that the server has forgotten comes back with the
  // remark on it.
  if (!decides && isWord(change) && order !== 'mine') return merged
  const isWhole = sameContent(merged.stands, current) || sameContent(merged.stands, change.to)
  if (order === null || order === 'theirs' || !isWhole) return merged
  return order === 'mine' ? { stands: change.to, mine: change.to } : { stands: current, mine: change.to }
}

/**
 * The content of an item in an entry's data; for a table only the reason why it has no rows. Null when the item's row
 * does not exist.
 */
export function contentAt(data: EntryData, place: ItemPlace): ItemContent | null {
  const missing = data.missing[missingKey(place)] ?? null
  if (place.table === null) return { value: withoutRows(data.values[place.code] ?? null), missing }
  const row = rowsOf(data.values[place.table])?.find((candidate) => candidate['_rid'] === place.rid)
  return row === undefined ? null : { value: row[place.code] ?? null, missing }
}

/** Key of an item's missing reason: `code`, or `rid.code` in a table. */
export function missingKey(place: ItemPlace): string {
  return place.rid === null ? place.code : `${place.rid}.${place.code}`
}

/** Whether two contents say the same. All ways of being empty are the same, and files have no order. */
export function sameContent(a: ItemContent, b: ItemContent): boolean {
  return sameValue(a.value, b.value) && jsonEqual(a.missing, b.missing)
}

function sameValue(a: JsonValue, b: JsonValue): boolean {
  return isEmptyValue(a) ? isEmptyValue(b) : jsonEqual(canonicalReferences(a), canonicalReferences(b))
}

/** State of a stored row. */
export function stateOf(row: Readonly<Record<string, JsonValue>>): RowState {
  const order = row['_ord']
  return { deleted: row['_deleted'] === true, order: typeof order === 'string' ? order : '' }
}

/** What a row holds, without its own state: it is compared with `seen` of a deletion. */
export function rowContent(row: Readonly<Record<string, JsonValue>>): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([key, value]) =>
      key.startsWith('_') || isEmptyValue(value) ? [] : [[key, canonicalReferences(value)]],
    ),
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

/** An item's value without rows: rows are merged by themselves and belong to no item's value. */
function withoutRows(value: JsonValue): JsonValue {
  return isRowList(value) ? null : value
}

class WorkingCopy {
  private readonly values: Record<string, JsonValue>
  private readonly missing: Record<string, NonNullable<ItemContent['missing']>>
  private readonly tables = new Map<string, Row[]>()
  private readonly changed: readonly WantedItem[]
  private readonly items: AppliedItem[] = []
  private readonly overtaken: AppliedItem[] = []
  private readonly order: (place: ItemPlace) => Precedence
  private readonly decides: boolean
  private readonly rows: AppliedRow[] = []
  private readonly overtakenRows: AppliedRow[] = []
  private readonly collisions: Collision[] = []
  private readonly misplaced: Misplaced[] = []
  /**
   * Rows that this person deleted too: what they entered in such a row before does not contradict another person's
   * deletion.
   */
  private readonly deletedToo = new Set<string>()
  /** Rows, by key, in which something is entered and which are therefore meant to stay. */
  private readonly entered = new Map<string, { readonly table: string; readonly rid: string }>()
  private contradictsDeletion = false
  private readonly seesRows: boolean

  constructor(
    current: EntryData,
    changed: readonly WantedItem[],
    {
      order,
      seesRows,
      decides,
    }: Pick<EntryTraits, 'seesRows' | 'decides'> & { readonly order: (place: ItemPlace) => Precedence },
  ) {
    this.order = order
    this.seesRows = seesRows
    this.decides = decides
    this.values = { ...current.values }
    this.missing = { ...current.missing }
    this.changed = changed
  }

  changeRow(change: RowChange): void {
    const { table, rid, to, base } = change
    if (to.deleted) this.deletedToo.add(rowKey(table, rid))
    else this.deletedToo.delete(rowKey(table, rid))
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
      this.contradictsDeletion ||= !to.deleted
      return
    }
    const from = stateOf(row)
    const deleted = this.decideDeletion(row, from, change)
    // Order is a convenience and never worth a conflict: the later one stands. Deleting a row, or giving a remark on
    // it, does not move it.
    const next = { deleted, order: base?.order === to.order ? from.order : to.order }
    if (next.deleted === from.deleted && next.order === from.order) return
    rows[rows.indexOf(row)] = withState(row, next)
    this.rows.push({ table, rid, from, to: next, change })
    this.contradictsDeletion ||= from.deleted && !next.deleted
  }

  changeItem(change: WantedItem): void {
    const { table, rid, code } = change
    if (table === null) {
      if (this.decide(this.values, change)) this.contradictsDeletion = true
      return
    }
    const rows = this.table(table)
    const row = rows?.find((candidate) => candidate['_rid'] === rid)
    if (row === undefined || rid === null) {
      this.misplaced.push({ table, rid, code, why: rows === null ? 'not_a_table' : 'unknown_row' })
      return
    }
    if (!this.decide(row, change) || this.deletedToo.has(rowKey(table, rid))) return
    this.entered.set(rowKey(table, rid), { table, rid })
    this.contradictsDeletion = true
  }

  result(entryDeleted: boolean): Merged {
    for (const { table, rid } of this.entered.values()) {
      const row = this.table(table)?.find((candidate) => candidate['_rid'] === rid)
      if (row !== undefined && this.meetsDeletion(table, rid, stateOf(row).deleted))
        this.collideDeleted(table, rid, false, true)
    }
    if (this.contradictsDeletion && this.meetsDeletion(null, null, entryDeleted))
      this.collideDeleted(null, null, false, true)
    if (!this.seesRows) this.collideWithReasons()
    for (const [table, rows] of this.tables) {
      if (rows.length > 0) this.values[table] = rows.toSorted(byOrder)
    }
    return {
      data: { values: this.values, missing: this.missing },
      items: this.items,
      overtaken: this.overtaken,
      rows: this.rows,
      overtakenRows: this.overtakenRows,
      collisions: this.collisions,
      misplaced: this.misplaced,
    }
  }

  /**
   * Whether an edit contradicts a deletion. After a restore this also holds where the deletion with which the edit
   * collided has not been sent again yet.
   */
  private meetsDeletion(table: string | null, rid: string | null, deleted: boolean): boolean {
    const order = this.order({ table, rid, code: DELETED })
    return deleted ? order !== 'theirs' : order === 'collide'
  }

  /** Whether the row is deleted from now on. Books the collision where two people decided differently. */
  private decideDeletion(row: Row, from: RowState, change: RowChange): boolean {
    const { table, rid, to, base, seen } = change
    if (to.deleted === from.deleted) return from.deleted
    // The row was only moved: whether it is deleted was somebody else's decision.
    if (base?.deleted === to.deleted) return from.deleted
    const order = this.order({ table, rid, code: DELETED })
    if (order === 'mine') return to.deleted
    if (order === 'theirs') {
      this.overtakenRows.push({ table, rid, from, to, change })
      return from.deleted
    }
    const unseen =
      order === 'collide' || base === null || (to.deleted && seen !== null && !this.isAsSeen(row, table, rid, seen))
    if (!unseen) return to.deleted
    this.collideDeleted(table, rid, base?.deleted ?? false, from.deleted)
    return from.deleted
  }

  /**
   * Whether the row still holds what the person saw who deleted it. What that person entered in it is not counted as
   * new.
   */
  private isAsSeen(row: Row, table: string, rid: string, seen: NonNullable<RowChange['seen']>): boolean {
    const [stands, known] = [{ ...row }, { ...seen }]
    for (const item of this.changed) {
      if (item.table !== table || item.rid !== rid) continue
      if (!sameContent(mergeContent(this.contentIn(row, item), item, this.decides).stands, item.to)) return false
      delete stands[item.code]
      delete known[item.code]
    }
    return jsonEqual(rowContent(stands), rowContent(known))
  }

  private collideDeleted(table: string | null, rid: string | null, base: boolean, server: boolean): void {
    const known = this.collisions.some((other) => other.code === DELETED && other.table === table && other.rid === rid)
    if (known) return
    this.collisions.push({
      table,
      rid,
      code: DELETED,
      base: deletion(base),
      server: deletion(server),
      mine: deletion(!server),
    })
  }

  /** Books collisions for tables into which rows came while somebody gives a reason why they have none. */
  private collideWithReasons(): void {
    for (const table of new Set(
      this.rows.flatMap(({ table: code, from, to }) => (to.deleted || from?.deleted === false ? [] : [code])),
    )) {
      const [place, missing] = [{ table: null, rid: null, code: table }, this.missing[table]]
      if (
        missing === undefined ||
        this.changed.some((item) => item.table === null && item.code === table) ||
        this.order(place) === 'theirs'
      )
        continue
      this.collisions.push({ ...place, base: EMPTY_ITEM, server: { value: null, missing }, mine: EMPTY_ITEM })
    }
  }

  private contentIn(values: Readonly<Record<string, JsonValue>>, place: ItemPlace): ItemContent {
    return {
      value: place.table === null ? withoutRows(values[place.code] ?? null) : (values[place.code] ?? null),
      missing: this.missing[missingKey(place)] ?? null,
    }
  }

  /** Gives the item its new content, or books the collision. Gives whether the change says anything new. */
  private decide(values: Record<string, JsonValue>, change: WantedItem): boolean {
    const { table, rid, code, to, base } = change
    const place = { table, rid, code }
    const current = this.contentIn(values, place)
    if (sameContent(current, to)) return false
    const order = this.order(place)
    if (order === 'theirs') {
      if (isWord(change) && !this.decides) return false
      this.overtaken.push({ ...place, from: current, to, change })
      return false
    }
    const isBarred =
      table === null &&
      to.missing !== null &&
      !this.seesRows &&
      order !== 'mine' &&
      !isWord(change) &&
      this.hasRows(code)
    const { stands, mine } = isBarred
      ? { stands: current, mine: to }
      : mergeOrdered(current, change, order, this.decides)
    const [changes, collides] = [!sameContent(current, stands), !sameContent(stands, mine)]
    if (changes) {
      // The rows of a table stay, whatever is said of the table.
      if (table !== null || !isRowList(values[code] ?? null)) put(values, code, canonicalReferences(stands.value))
      if (stands.missing === null) delete this.missing[missingKey(place)]
      else this.missing[missingKey(place)] = stands.missing
      this.items.push({ ...place, from: current, to: stands, change })
    }
    if (collides) this.collisions.push({ ...place, base, server: stands, mine })
    return changes || collides
  }

  /** Whether there are rows in a table that are not deleted. */
  private hasRows(code: string): boolean {
    const rows = this.tables.get(code) ?? (isRowList(this.values[code] ?? null) ? this.table(code) : null)
    return rows?.some((row) => !stateOf(row).deleted) === true
  }

  private table(code: string): Row[] | null {
    const known = this.tables.get(code)
    if (known !== undefined) return known
    const rows = rowsOf(this.values[code])
    if (rows === null) return null
    const copy = [...rows]
    this.tables.set(code, copy)
    return copy
  }
}

/** Whether something is deleted, written as the content of an item. */
export function deletion(value: boolean): ItemContent {
  return { value, missing: null }
}

function rowKey(table: string, rid: string): string {
  return `${table}.${rid}`
}

/** Empty is an absent key, so that an untouched item and an emptied one are stored alike. */
function put(into: Record<string, JsonValue>, code: string, value: JsonValue): void {
  if (isEmptyValue(value)) delete into[code]
  else into[code] = value
}

function withState(row: Row, state: RowState): Row {
  const { _deleted: _old, ...rest } = row
  return state.deleted ? { ...rest, _ord: state.order, _deleted: true } : { ...rest, _ord: state.order }
}

/** Rows with the same order key stand in the order in which they were made: a `_rid` is time-ordered. */
function byOrder(a: Row, b: Row): number {
  const [left, right] = [stateOf(a).order, stateOf(b).order]
  if (left !== right) return left < right ? -1 : 1
  return ridOf(a) < ridOf(b) ? -1 : 1
}

function ridOf(row: Row): string {
  const rid = row['_rid']
  return typeof rid === 'string' ? rid : ''
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** The empty entry, before anything was entered. */
export const EMPTY_ENTRY: EntryData = { values: {}, missing: {} }
