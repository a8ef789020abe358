import type { CompiledTable } from '#core/form/compiled/compile.ts'
import { holdsMasked } from '#core/form/definition/mask.ts'
import type { FormMode } from '#core/form/definition/page.ts'
import type { Missing } from '#core/form/definition/value.ts'
import { canonicalValue } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import type { RuleScope } from '#core/rules/rule.ts'
import type { CelValue } from '#core/rules/values.ts'
import { RowValues } from '#core/rules/values.ts'
import type { RowState } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { missingKey, rowContent, stateOf } from '#core/sync/merge.ts'

import type { CellChange, RowStateChange, RowView } from './cell.ts'
import type { Slot, SlotRow } from './slot.ts'
import { isGivenByRule, isMaskIn, newSlot, sameMissing, sameValue, settleValue } from './slot.ts'

/** A row as it is stored: its items by field code beside `_rid`, `_ord` and, once deleted, `_deleted`. */
export type StoredRow = Readonly<Record<string, JsonValue>>

/** What a row is compared with: the row as last saved or received, with the missing reasons of its fields. */
interface RowBase {
  readonly row: StoredRow
  readonly missing: ReadonlyMap<string, Missing>
}

/** How newer data are taken over. */
export interface Taking {
  /** A cell that keeps its value also keeps its old base, because nobody has seen the newer value. */
  readonly keepsBase: boolean
  /** Whether the data came masked for this reader. */
  readonly masked: boolean
  readonly mode: FormMode
}

/**
 * One row of a table in an open form: a cell for each field, whether the row is there, and its place. Only the form
 * state writes to it.
 */
export class TableRow implements SlotRow {
  readonly table: string
  readonly rid: string
  state: RowState
  /** Whether a person added, moved, deleted or restored the row since the base was set. */
  stateEdited = false
  /** Null for a row that nobody has saved. */
  #base: RowBase | null = null
  #masked = false
  /** In the order of the definition. */
  readonly #slots = new Map<string, Slot>()
  readonly #ordered: readonly Slot[]
  readonly #unsettled: Uint8Array
  readonly #values = new RowValues()
  readonly #scope: RuleScope
  readonly #beside: () => Iterable<TableRow>
  #marked = true

  /** @param beside the rows of the table, including this one */
  constructor(
    table: string,
    rid: string,
    state: RowState,
    compiled: CompiledTable,
    { scope, beside }: { readonly scope: RuleScope; readonly beside: () => Iterable<TableRow> },
  ) {
    this.table = table
    this.rid = rid
    this.state = state
    this.#scope = { ...scope, row: this.#values }
    this.#beside = beside
    for (const cell of compiled.cells.values()) this.#slots.set(cell.key, newSlot(cell, null, null, this))
    this.#ordered = compiled.ordered.flatMap(({ key }) => this.#slots.get(key) ?? [])
    this.#unsettled = new Uint8Array(this.#ordered.length).fill(1)
  }

  /** What the row's rules read. */
  get scope(): RuleScope {
    return this.#scope
  }

  #view: RowView | null = null

  /** What a screen draws of the row; the same object until one of its cells looks different. */
  get view(): RowView {
    this.#view ??= { rid: this.rid, cells: [...this.#slots.values()].map(({ snapshot }) => snapshot) }
    return this.#view
  }

  /** Called when one of its cells looks different. */
  outdate(): void {
    this.#view = null
  }

  hasTwin({ key, cell: { field }, value }: Slot): boolean {
    for (const row of this.#beside()) {
      const other = row.#slots.get(field.code)
      if (other !== undefined && other.key !== key && !row.state.deleted && sameValue(other.value, value)) return true
    }
    return false
  }

  slot(code: string): Slot | undefined {
    return this.#slots.get(code)
  }

  /** In the order of the definition. */
  get slots(): Iterable<Slot> {
    return this.#slots.values()
  }

  /** Marks a cell to be settled; all cells where none is given. */
  mark(slot?: Slot): void {
    this.#marked = true
    if (slot === undefined) this.#unsettled.fill(1)
    else this.#unsettled[slot.cell.order] = 1
  }

  /**
   * Settles the marked cells. Adds to `touched` the cells that were looked at and those that watch them.
   *
   * @param shown whether the row is shown
   * @returns whether the row looks different to rules of the page
   */
  settle(mode: FormMode, shown: boolean, touched: Set<Slot>): boolean {
    if (!this.#marked) return false
    this.#marked = false
    let changed = false
    for (const [order, slot] of this.#ordered.entries()) {
      if (this.#unsettled[order] !== 1) continue
      this.#unsettled[order] = 0
      touched.add(slot)
      const value = settleValue(slot, this.#scope, mode)
      slot.visible &&= shown
      if (!this.#put(slot, value)) continue
      changed = true
      for (const code of slot.cell.feeds) {
        const fed = this.#slots.get(code)
        if (fed !== undefined) this.#unsettled[fed.cell.order] = 1
      }
      for (const code of slot.cell.watchedBy) {
        const watcher = this.#slots.get(code)
        if (watcher !== undefined) touched.add(watcher)
      }
    }
    return changed
  }

  #put({ cell }: Slot, value: CelValue | null): boolean {
    const { code } = cell.field
    const before = this.#values.get(code)
    if (value === null) return this.#values.delete(code)
    this.#values.set(code, value)
    return before === undefined || !sameValue(before as JsonValue, value as JsonValue)
  }

  /** The row as rules of the page see it: without missing values. */
  seenByRules(): CelValue {
    return Object.fromEntries(this.#values)
  }

  /**
   * Takes over a new base. Cells and row state that a person has changed since the last base, and that still differ,
   * keep what they hold; all others take the new value.
   *
   * @returns whether anything changed
   */
  take(row: StoredRow, missing: EntryData['missing'], { keepsBase, masked, mode }: Taking): boolean {
    this.#masked = masked
    const next: Record<string, JsonValue> = { ...row }
    const reasons = new Map<string, Missing>()
    let differs = false
    for (const slot of this.#ordered) {
      const { field } = slot.cell
      const saved = canonicalValue(field, row[field.code])
      const value = isGivenByRule(slot, mode) ? slot.value : saved
      const reason = missing[this.#missingKey(slot)] ?? null
      const isSame = sameValue(value, slot.value) && sameMissing(reason, slot.missing)
      const keeps = slot.edited && !isSame
      const isMask = isMaskIn(saved, masked)
      const base = keeps && keepsBase ? this.#contentOf(field.code) : { value: row[field.code], missing: reason }
      if (base.value === undefined) delete next[field.code]
      else next[field.code] = base.value
      if (base.missing !== null) reasons.set(field.code, base.missing)
      if (keeps) continue
      const looksSame = isSame && isMask === slot.masked
      differs ||= !looksSame
      if (!looksSame) {
        this.mark(slot)
        if (!sameValue(value, slot.value)) slot.text = null
      }
      slot.value = value
      slot.missing = reason
      slot.masked = isMask
      slot.edited = false
    }
    differs = this.#takeState(stateOf(row), next, keepsBase) || differs
    this.#base = { row: next, missing: reasons }
    return differs
  }

  #takeState(state: RowState, next: Record<string, JsonValue>, keepsBase: boolean): boolean {
    const isSame = sameState(state, this.state)
    if (this.stateEdited && !isSame) {
      const old = this.#base === null || !keepsBase ? null : stateOf(this.#base.row)
      if (old !== null) Object.assign(next, { _ord: old.order, ...(old.deleted ? { _deleted: true } : {}) })
      if (old?.deleted === false) delete next['_deleted']
      return false
    }
    this.state = state
    this.stateEdited = false
    if (!isSame) this.mark()
    return !isSame
  }

  #contentOf(code: string): { readonly value: JsonValue | undefined; readonly missing: Missing | null } {
    return { value: this.#base?.row[code], missing: this.#base?.missing.get(code) ?? null }
  }

  /** Whether a person changed the row since the base was set. */
  get edited(): boolean {
    return this.stateEdited || this.#ordered.some((slot) => slot.edited)
  }

  /** Whether nobody has saved the row. */
  get isNew(): boolean {
    return this.#base === null
  }

  /** Whether the row was added and deleted again before anybody saved it: it leaves no trace. */
  get neverWas(): boolean {
    return this.#base === null && this.state.deleted
  }

  /** Fields that differ from the base, in the order of the definition. */
  itemChanges(withCalculated: boolean): readonly CellChange[] {
    return [...this.#slots.values()].flatMap((slot): CellChange[] => {
      const { field, calculate } = slot.cell
      const calculated = calculate !== null
      if (calculated && !withCalculated) return []
      const content = this.#contentOf(field.code)
      const [base, baseMissing] = [canonicalValue(field, content.value), content.missing]
      const { value, missing, text } = slot
      if (sameValue(base, value) && sameMissing(baseMissing, missing)) return []
      return [
        { table: this.table, rid: this.rid, code: field.code, value, base, missing, baseMissing, text, calculated },
      ]
    })
  }

  /** The row's state (deleted, order), if it differs from the base. */
  stateChange(): RowStateChange | null {
    const base = this.#base === null ? null : stateOf(this.#base.row)
    const { table, rid, state } = this
    if (base !== null && sameState(base, state)) return null
    return { table, rid, to: state, base, seen: state.deleted ? this.seen() : null }
  }

  /** The row's content as it is on the screen; null where a part of it is masked. */
  seen(): Readonly<Record<string, JsonValue>> | null {
    const content = rowContent(this.stored())
    return this.#masked && holdsMasked(content) ? null : content
  }

  /**
   * The row as it would be stored. Values that belong to no field stay, and a value that nobody changed stays as it was
   * written.
   */
  stored(): StoredRow {
    const { _deleted: _old, ...row } = { ...this.#base?.row } as Record<string, JsonValue>
    for (const { cell, value } of this.#ordered) {
      const { code } = cell.field
      const written = this.#base?.row[code]
      const kept =
        written !== undefined && cell.calculate === null && sameValue(canonicalValue(cell.field, written), value)
      if (value === null) delete row[code]
      else row[code] = kept ? written : value
    }
    const { order, deleted } = this.state
    return { ...row, _rid: this.rid, _ord: order, ...(deleted ? { _deleted: true } : {}) }
  }

  /** Keys under which missing reasons of its fields are stored. */
  missingKeys(): readonly string[] {
    return this.#ordered.map((slot) => this.#missingKey(slot))
  }

  /** The missing reasons of its fields, by `missingKey`. */
  reasons(): Readonly<Record<string, Missing>> {
    return Object.fromEntries(
      this.#ordered.flatMap((slot) => (slot.missing === null ? [] : [[this.#missingKey(slot), slot.missing]])),
    )
  }

  #missingKey({ cell }: Slot): string {
    return missingKey({ table: this.table, rid: this.rid, code: cell.key })
  }
}

export function sameState(a: RowState, b: RowState): boolean {
  return a.deleted === b.deleted && a.order === b.order
}
