import type { CompiledTable } from '#core/form/compiled/compile.ts'
import type { FormMode } from '#core/form/definition/page.ts'
import type { Missing } from '#core/form/definition/value.ts'
import { canonicalValue } from '#core/form/definition/value.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { RuleScope } from '#core/rules/rule.ts'
import type { CelValue } from '#core/rules/values.ts'
import type { RowState } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { rowsOf, stateOf } from '#core/sync/merge.ts'

import { orderBetween } from './rowOrder.ts'
import type { Slot } from './slot.ts'
import { sameValue } from './slot.ts'
import { TableRow } from './tableRow.ts'
import type { Taking } from './tableRow.ts'

/** What a person did to a whole row: added, moved, deleted or brought it back. */
export interface RowEdit {
  readonly table: string
  readonly rid: string
  /** Null for a row that was added. */
  readonly from: RowState | null
  readonly to: RowState
  /** Of a deleted row: its content as the person saw it. Null for others, and where a part of it is masked. */
  readonly seen: Readonly<Record<string, JsonValue>> | null
  /** Addresses of the fields of an added row that begin with a value. */
  readonly filled: readonly string[]
  /** Why the table was said to have no rows; this edit ends that statement. */
  readonly saidNone: Missing | null
}

/**
 * The rows of one table in an open form. Each row has its own cells; rules of the page see all rows together as the
 * table's value.
 */
export class TableRows {
  readonly #slot: Slot
  readonly #compiled: CompiledTable
  readonly #scope: RuleScope
  /** All cells of the form by address, including those of rows. */
  readonly #cells: Map<string, Slot>
  readonly #rows = new Map<string, TableRow>()
  /** The cells of all rows have to be settled again. */
  #allMarked = true
  #wasVisible = false
  /** Rows were added, removed or moved. */
  #relisted = false

  constructor(slot: Slot, compiled: CompiledTable, scope: RuleScope, cells: Map<string, Slot>) {
    this.#slot = slot
    this.#compiled = compiled
    this.#scope = scope
    this.#cells = cells
  }

  get #table(): string {
    return this.#slot.cell.field.code
  }

  /** Something outside of the rows that their rules read has changed. */
  markAll(): void {
    this.#allMarked = true
  }

  /** The rows that are there, in order. */
  live(): readonly TableRow[] {
    return this.#sorted().filter(({ state }) => !state.deleted)
  }

  row(rid: string): TableRow | undefined {
    return this.#rows.get(rid)
  }

  /** The cells of one field in all rows. */
  *column(code: string): Iterable<Slot> {
    for (const row of this.#rows.values()) {
      const slot = row.slot(code)
      if (slot !== undefined) yield slot
    }
  }

  /** The cells of all rows, deleted ones included. */
  *slots(): Iterable<Slot> {
    for (const row of this.#rows.values()) yield* row.slots
  }

  get edited(): boolean {
    return this.all().some((row) => row.edited)
  }

  /** Every row that is or was there, in order. */
  all(): readonly TableRow[] {
    return this.#sorted().filter((row) => !row.neverWas)
  }

  /** Takes over the rows of newer data (see `TableRow.take`). Rows that nobody has saved stay. */
  take(data: EntryData, how: Taking): boolean {
    const value = canonicalValue(this.#slot.cell.field, data.values[this.#table])
    const stored = value === null ? [] : rowsOf(value)
    const rows = stored?.flatMap((row) => (typeof row['_rid'] === 'string' ? [{ rid: row['_rid'], row }] : []))
    if (rows === undefined || rows.length !== stored?.length) return this.#takeUnreadable(value)
    let differs = this.#slot.value !== null
    this.#slot.value = null
    const there = new Set<string>()
    for (const { rid, row } of rows) {
      there.add(rid)
      const known = this.#rows.get(rid)
      differs ||= known === undefined
      differs = (known ?? this.#put(rid, stateOf(row))).take(row, data.missing, how) || differs
    }
    for (const row of this.#rows.values()) {
      if (there.has(row.rid) || row.isNew || row.edited) continue
      this.#forget(row)
      differs = true
    }
    this.#listRows()
    return differs
  }

  /** A value that is no list of rows is kept as it is and cannot be edited. */
  #takeUnreadable(value: JsonValue | null): boolean {
    for (const row of this.#rows.values()) this.#forget(row)
    const differs = !sameValue(value, this.#slot.value) || this.#slot.rows !== null
    this.#slot.value = value
    this.#slot.rows = null
    return differs
  }

  /**
   * Settles the rows.
   *
   * @param touched gets every cell that was looked at
   * @returns whether the table looks different to rules of the page
   */
  settle(mode: FormMode, touched: Set<Slot>): boolean {
    const { visible } = this.#slot
    const all = this.#allMarked || visible !== this.#wasVisible
    this.#allMarked = false
    this.#wasVisible = visible
    let changed = all || this.#relisted
    this.#relisted = false
    for (const row of this.#rows.values()) {
      if (all) row.mark()
      changed = row.settle(mode, visible && !row.state.deleted, touched) || changed
    }
    return changed
  }

  /** What rules of the page see. */
  seenByRules(): CelValue | null {
    const rows = this.#slot.shown ? this.live() : []
    return rows.length === 0 ? null : rows.map((row) => row.seenByRules())
  }

  /**
   * Adds a row: after another row, or at the end.
   *
   * @param copied the row whose values the new row begins with, except values that are masked for this reader: a mask
   *   must never become a value. Null for a row that begins with what the definition says
   */
  add(after: string | null, copied: string | null): RowEdit | null {
    const { limit } = this.#slot.cell.field
    const live = this.live()
    if (limit !== null && live.length >= limit) return null
    const at = after === null ? live.length - 1 : live.findIndex(({ rid }) => rid === after)
    const order = orderBetween(live[at]?.state.order ?? null, live[at + 1]?.state.order ?? null)
    const row = this.#put(newId(), { deleted: false, order })
    row.stateEdited = true
    const source = copied === null ? undefined : this.#rows.get(copied)
    const filled = [...row.slots].flatMap((slot) => {
      const { field, calculate } = slot.cell
      const copiedFrom = source?.slot(field.code)
      const held = copiedFrom?.value ?? null
      slot.notCopied = calculate === null && copiedFrom?.masked === true
      // A file belongs to one row: two rows with the same photo would be one photo in two places.
      const value =
        source === undefined
          ? canonicalValue(field, field.initial)
          : field.type === 'upload' || slot.notCopied
            ? null
            : held
      if (calculate !== null || value === null) return []
      slot.value = value
      slot.edited = true
      return [slot.key]
    })
    this.#listRows()
    return {
      table: this.#table,
      rid: row.rid,
      from: null,
      to: row.state,
      seen: null,
      filled,
      saidNone: this.#slot.missing,
    }
  }

  /** Moves a row to place `to` among the rows that are there. */
  move(rid: string, to: number): RowEdit | null {
    const row = this.#rows.get(rid)
    const others = this.live().filter((other) => other !== row)
    if (row === undefined || row.state.deleted) return null
    const at = Math.max(0, Math.min(to, others.length))
    return this.#setState(row, {
      deleted: false,
      order: orderBetween(others[at - 1]?.state.order ?? null, others[at]?.state.order ?? null),
    })
  }

  /** Deletes a row, or brings it back. */
  setDeleted(rid: string, deleted: boolean): RowEdit | null {
    const row = this.#rows.get(rid)
    if (row === undefined || row.state.deleted === deleted) return null
    return this.#setState(row, { ...row.state, deleted })
  }

  #setState(row: TableRow, to: RowState): RowEdit {
    const from = row.state
    const seen = to.deleted ? row.seen() : null
    row.state = to
    row.stateEdited = true
    row.mark()
    this.#listRows()
    return { table: this.#table, rid: row.rid, from, to, seen, filled: [], saidNone: this.#slot.missing }
  }

  #put(rid: string, state: RowState): TableRow {
    const row = new TableRow(this.#table, rid, state, this.#compiled, {
      scope: this.#scope,
      beside: () => this.#rows.values(),
    })
    this.#rows.set(rid, row)
    for (const slot of row.slots) this.#cells.set(slot.key, slot)
    return row
  }

  #forget(row: TableRow): void {
    this.#rows.delete(row.rid)
    for (const slot of row.slots) this.#cells.delete(slot.key)
  }

  #sorted(): readonly TableRow[] {
    return [...this.#rows.values()].toSorted(byOrder)
  }

  /** Keeps the same array while the same rows stand in the same order, so that a screen need not draw again. */
  #listRows(): void {
    this.#relisted = true
    const rids = this.live().map(({ rid }) => rid)
    const { rows } = this.#slot
    if (rows?.length !== rids.length || rids.some((rid, at) => rid !== rows[at])) this.#slot.rows = rids
  }
}

/** The order in which the merge stores rows (`core/sync/merge.ts`). */
function byOrder(a: TableRow, b: TableRow): number {
  if (a.state.order !== b.state.order) return a.state.order < b.state.order ? -1 : 1
  return a.rid < b.rid ? -1 : 1
}

/** The key of a row's listeners; it is no address of a cell. */
export function rowKey(table: string, rid: string): string {
  return `${table}.${rid}`
}

/**
 * Adds the cells of other rows that may hold the same value as a cell that was looked at: whether a value is unique
 * changes for both.
 */
export function addTwins(touched: Set<Slot>, tables: ReadonlyMap<string, TableRows>): void {
  for (const { row, cell } of touched) {
    if (row === null || !cell.field.unique) continue
    for (const twin of tables.get(row.table)?.column(cell.field.code) ?? []) touched.add(twin)
  }
}
