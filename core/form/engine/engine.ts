import type { CompiledPage } from '#core/form/compiled/compile.ts'
import type { Field, FormMode } from '#core/form/definition/page.ts'
import type { Missing } from '#core/form/definition/value.ts'
import {
  canonicalValue,
  rangeFromTyping,
  readMissing,
  readValue,
  typingText,
  valueFromTyping,
} from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import type { Confirmation } from '#core/sync/confirmation.ts'
import type { EntryData } from '#core/sync/entryData.ts'

import { GivenAnswers } from './answers.ts'
import type { Cell, Completeness, CellChange, RowStateChange, RowView, RuleFault, SetResult } from './cell.ts'
import { completenessOf } from './completeness.ts'
import type { OtherPages } from './otherPages.ts'
import { NO_OTHER_PAGES, takeOtherPage } from './otherPages.ts'
import type { FormContext } from './formContext.ts'
import type { FieldIssues } from './issue.ts'
import { CellListeners } from './listeners.ts'
import { RuleScopes, putStored } from './scopes.ts'
import type { Slot } from './slot.ts'
import {
  begin,
  isEmpty,
  isGivenByRule,
  isMaskIn,
  isUnseen,
  newSlot,
  sameMissing,
  sameValue,
  settleSinks,
  settleValue,
} from './slot.ts'
import { replace, storedData } from './stored.ts'
import { TableRows, addTwins, rowKey } from './tableRows.ts'
import type { RowEdit } from './tableRows.ts'

/**
 * One open form: its cells, and what an edit does to other cells. An edit costs as much as what depends on it: rules
 * run again only where one of their inputs changed, in topological order, and only listeners of cells that look
 * different are called.
 */
export class FormState {
  readonly compiled: CompiledPage
  readonly #mode: FormMode
  /** Cells by address; those of other pages by the name of their cell. */
  readonly #slots = new Map<string, Slot>()
  /** Tables by code. */
  readonly #tables = new Map<string, TableRows>()
  /** All cells in topological order; then the page's own cells, and the cells of other pages. */
  readonly #ordered: readonly Slot[]
  readonly #own: readonly Slot[]
  readonly #others: readonly Slot[]
  readonly #scopes: RuleScopes
  readonly #listeners = new CellListeners()
  readonly #answers: GivenAnswers
  /** Cells to settle, by their place in the topological order. */
  readonly #unsettled: Uint8Array
  #base: EntryData
  #masked: boolean

  constructor(compiled: CompiledPage, data: EntryData, context: FormContext) {
    this.compiled = compiled
    this.#mode = context.readOnly ? 'view' : context.isNew === true ? 'add' : 'input'
    this.#base = data
    this.#masked = context.masked ?? false
    this.#scopes = new RuleScopes(compiled, context.moment)
    this.#ordered = compiled.ordered.map((cell) =>
      newSlot(cell, readValue(cell.field, data), readMissing(cell.field, data)),
    )
    for (const slot of this.#ordered) this.#slots.set(slot.key, slot)
    for (const slot of this.#ordered) {
      if (slot.cell.table !== null)
        this.#tables.set(slot.key, new TableRows(slot, slot.cell.table, this.#scopes.of(slot.cell), this.#slots))
    }
    for (const table of this.#tables.values())
      table.take(data, { keepsBase: false, masked: this.#masked, mode: this.#mode })
    this.#own = this.#ordered.filter(({ cell }) => cell.place === null)
    this.#others = this.#ordered.filter(({ cell }) => cell.place !== null)
    for (const slot of this.#own) slot.masked = isMaskIn(slot.value, this.#masked)
    if (this.#mode === 'add') for (const slot of this.#own) begin(slot)
    for (const slot of this.#others) takeOtherPage(slot, context.otherPages ?? NO_OTHER_PAGES)
    this.#unsettled = new Uint8Array(this.#ordered.length)
    this.#answers = new GivenAnswers(context.confirmed ?? [])
    this.#announce(this.#settle(this.#ordered))
  }

  /**
   * The current cell of a field; the same object until it looks different. Undefined for an address that the page does
   * not have.
   */
  getCell(key: string): Cell | undefined {
    return this.#slots.get(key)?.snapshot
  }

  /** The current row of a table; the same object until one of its cells looks different. */
  getRow(table: string, rid: string): RowView | undefined {
    return this.#tables.get(table)?.row(rid)?.view
  }

  /** Calls `listener` whenever a cell of a row looks different. Gives a function that stops this. */
  subscribeRow(table: string, rid: string, listener: () => void): () => void {
    return this.subscribe(rowKey(table, rid), listener)
  }

  /** Calls `listener` whenever the cell at an address looks different. Gives a function that stops this. */
  subscribe(key: string, listener: () => void): () => void {
    return this.#listeners.add(key, listener)
  }

  /** Calls `listener` after any change of any cell, once per edit. Gives a function that stops this. */
  subscribeForm(listener: () => void): () => void {
    return this.#listeners.addToForm(listener)
  }

  /** Sets a value that a person chose (a choice, a date from a calendar, a list). Clears a missing reason. */
  setValue(key: string, raw: unknown): SetResult {
    const slot = this.#slots.get(key)
    if (slot === undefined) return 'unknown-field'
    return this.#edit(slot, canonicalValue(slot.cell.field, raw), null, null)
  }

  /**
   * Sets what a person typed. The text is kept for the journal where it differs from the value. Clears a missing
   * reason.
   */
  setText(key: string, typed: string): SetResult {
    const slot = this.#slots.get(key)
    if (slot === undefined) return 'unknown-field'
    const value = valueFromTyping(slot.cell.field, typed)
    return this.#edit(slot, value, typed === typingText(slot.cell.field, value) ? null : typed, null)
  }

  /** Sets what a person typed, or where they put a slider, for one end of a range. Clears a missing reason. */
  setEnd(key: string, end: 0 | 1, typed: string): SetResult {
    const slot = this.#slots.get(key)
    if (slot === undefined) return 'unknown-field'
    return this.#edit(slot, rangeFromTyping(slot.cell.field, slot.value, end, typed), null, null)
  }

  /** Gives the reason why there is no value, which also empties the value; null takes the reason back. */
  setMissing(key: string, missing: Missing | null): SetResult {
    const slot = this.#slots.get(key)
    if (slot === undefined) return 'unknown-field'
    return this.#edit(slot, missing === null ? slot.value : null, missing === null ? slot.text : null, missing)
  }

  /**
   * Adds a row to a table: after another row, or at the end.
   *
   * @param copied the row whose values the new row begins with; null for a row that begins with what the definition
   *   says
   * @returns null where the table takes no more rows, or must not be edited
   */
  addRow(table: string, after: string | null = null, copied: string | null = null): RowEdit | null {
    return this.#editRows(table, (rows) => rows.add(after, copied))
  }

  /** Moves a row to place `to` among the rows that are there. Null where nothing changes. */
  moveRow(table: string, rid: string, to: number): RowEdit | null {
    return this.#editRows(table, (rows) => rows.move(rid, to))
  }

  /** Deletes a row, or brings it back with its content. Null where nothing changes. */
  setRowDeleted(table: string, rid: string, deleted: boolean): RowEdit | null {
    return this.#editRows(table, (rows) => rows.setDeleted(rid, deleted))
  }

  #editRows(code: string, change: (rows: TableRows) => RowEdit | null): RowEdit | null {
    const [slot, table] = [this.#slots.get(code), this.#tables.get(code)]
    if (slot === undefined || table === undefined || slot.readOnly) return null
    const edit = change(table)
    if (edit === null) return null
    // The reason why the table had no rows no longer holds. Older data must not bring it back before this is saved.
    slot.edited ||= slot.missing !== null
    slot.missing = null
    slot.serverMessage = null
    this.#announce(this.#settle([slot]))
    return edit
  }

  /** Accepts the initial values of a new entry: a person submits the page with them. */
  takeInitial(): void {
    const taken = this.#own.filter((slot) => slot.initial && !isUnseen(slot))
    for (const slot of taken) {
      slot.initial = false
      slot.edited = true
    }
    this.#announce(taken)
  }

  /** A person has left the field: its issues are shown from now on. */
  leave(key: string): void {
    const slot = this.#slots.get(key)
    if (slot === undefined || slot.left) return
    slot.left = true
    this.#announce([slot])
  }

  /** Shows all issues from now on and gives them, in reading order. Hidden fields have none. */
  validate(): readonly FieldIssues[] {
    const slots = this.#entered()
    for (const slot of slots) slot.left = true
    this.#announce(slots)
    return this.issues()
  }

  /** All issues in reading order, without showing them. */
  issues(): readonly FieldIssues[] {
    return this.#entered().flatMap(({ key, issues }) => (issues.length === 0 ? [] : [{ key, issues }]))
  }

  /** The cells as they are now, in reading order: the page's own, and of each table the rows that are there. */
  cells(): readonly Cell[] {
    return this.#entered().map(({ snapshot }) => snapshot)
  }

  #entered(): readonly Slot[] {
    return this.compiled.page.fields.flatMap(({ code }) => {
      const slot = this.#slots.get(code)
      const rows = this.#tables.get(code)?.live() ?? []
      return slot === undefined ? [] : [slot, ...rows.flatMap((row) => [...row.slots])]
    })
  }

  /**
   * Takes all answers to warnings of the entry. Cells where an answer is added or removed are drawn again; the values
   * decide which answers hold.
   */
  setConfirmed(confirmed: readonly Confirmation[]): void {
    const touched = [...this.#answers.take(confirmed)].flatMap((key) => this.#slots.get(key) ?? [])
    for (const slot of touched) slot.row?.mark(slot)
    this.#announce(this.#settle(touched))
  }

  /**
   * Sets messages of the server, by address. Each stays until its field is edited. Messages of all other fields are
   * removed.
   */
  setServerMessages(messages: Readonly<Record<string, string>>): void {
    for (const { key } of this.#entered())
      this.setServerMessage(key, Object.hasOwn(messages, key) ? (messages[key] ?? null) : null)
  }

  /** The same for one field only; null removes its message. */
  setServerMessage(key: string, message: string | null): void {
    const slot = this.#slots.get(key)
    if (slot === undefined || slot.serverMessage === message) return
    slot.serverMessage = message
    this.#announce([slot])
  }

  /** Sets the open conflicts, by address. Only fields where that changed are drawn again. */
  setConflicts(conflicts: ReadonlyMap<string, string>): void {
    const changed = this.#entered().filter((slot) => slot.conflict !== (conflicts.get(slot.key) ?? null))
    for (const slot of changed) slot.conflict = conflicts.get(slot.key) ?? null
    this.#announce(changed)
  }

  /**
   * Items that differ from the base, in reading order. Calculated items and initial values are included only once a
   * person has edited something: to open a page does not change it.
   */
  changes(): readonly CellChange[] {
    const { edited } = this
    return this.compiled.page.fields.flatMap((field): readonly CellChange[] => {
      const slot = this.#slots.get(field.code)
      if (slot === undefined) return []
      const inRows =
        this.#tables
          .get(field.code)
          ?.all()
          .flatMap((row) => row.itemChanges(edited)) ?? []
      const calculated = slot.cell.calculate !== null
      if (((calculated || slot.initial) && !edited) || isUnseen(slot)) return inRows
      const [base, value] = slot.rows === null ? [readValue(field, this.#base), slot.value] : [null, null]
      const { missing, text } = slot
      const baseMissing = readMissing(field, this.#base)
      if (sameValue(base, value) && sameMissing(baseMissing, missing)) return inRows
      return [
        { table: null, rid: null, code: field.code, value, base, missing, baseMissing, text, calculated },
        ...inRows,
      ]
    })
  }

  /** Rows that were added, moved, deleted or brought back since the base, in reading order. */
  rowChanges(): readonly RowStateChange[] {
    return [...this.#tables.values()].flatMap((table) => table.all().flatMap((row) => row.stateChange() ?? []))
  }

  /** Whether the form's data came masked for this reader: then this reader has not seen all of it. */
  get masked(): boolean {
    return this.#masked
  }

  /** Whether a person has changed anything since the base. */
  get edited(): boolean {
    return this.#own.some((slot) => slot.edited) || [...this.#tables.values()].some((table) => table.edited)
  }

  /**
   * Takes over a new base, after a save was stored or newer data arrived. Items that a person has changed since the
   * last base, and that still differ, keep their value; all others take the new one.
   */
  rebase(data: EntryData): void {
    const { taken } = this.#take(data, false)
    this.#base = data
    this.#settleTaken(taken)
  }

  /**
   * Takes over newer data from elsewhere. An item that a person is changing keeps its value and its old base: nobody
   * has seen the newer value, so it must not look as if somebody had meant to overwrite it.
   *
   * @param masked whether the data came masked for this reader; unchanged where it is not given
   */
  receive(data: EntryData, masked: boolean = this.#masked): void {
    this.#masked = masked
    const values = { ...data.values }
    const missing = { ...data.missing }
    const { taken, kept } = this.#take(data, true)
    for (const { code } of kept) {
      replace(values, code, this.#base.values[code])
      replace(missing, code, this.#base.missing[code])
    }
    this.#base = { values, missing }
    this.#settleTaken(taken)
  }

  /** Takes over what is now saved on other pages. Rules that read it run again. */
  setOtherPages(data: OtherPages): void {
    const changed = this.#others.filter((slot) => takeOtherPage(slot, data))
    if (changed.length > 0) this.#announce(this.#settle(changed))
  }

  /** Takes over values where nobody is changing them. Gives the cells that changed, and the fields that keep theirs. */
  #take(data: EntryData, keepsBase: boolean): { readonly taken: ReadonlySet<Slot>; readonly kept: readonly Field[] } {
    const taken = new Set<Slot>()
    const kept: Field[] = []
    for (const [code, table] of this.#tables) {
      const slot = this.#slots.get(code)
      if (!table.take(data, { keepsBase, masked: this.#masked, mode: this.#mode }) || slot === undefined) continue
      taken.add(slot)
      // A removed row is no base for anything, and other rows may have held the same value.
      table.markAll()
    }
    for (const slot of this.#own) {
      const { field } = slot.cell
      const saved = slot.rows === null ? readValue(field, data) : null
      const value = isGivenByRule(slot, this.#mode) ? slot.value : saved
      const missing = readMissing(field, data)
      const isSame = sameValue(value, slot.value) && sameMissing(missing, slot.missing)
      // An initial value is replaced by what somebody entered.
      const isBegun = slot.initial && value === null && missing === null
      if ((slot.edited || isBegun) && !isSame) {
        kept.push(field)
        continue
      }
      const masked = isMaskIn(saved, this.#masked)
      if (!isSame || slot.initial || masked !== slot.masked) taken.add(slot)
      if (!sameValue(value, slot.value)) slot.text = null
      slot.value = value
      slot.missing = missing
      slot.masked = masked
      slot.edited = false
      slot.initial = false
    }
    return { taken, kept }
  }

  /** Incoming data mostly match what is on the screen: then nothing looks different, and no rule has to run. */
  #settleTaken(taken: ReadonlySet<Slot>): void {
    if (taken.size > 0) this.#announce(this.#settle([...taken]))
  }

  /** The data of the form as they would be stored. */
  data(): EntryData {
    return storedData(this.#base, this.#own, this.#tables)
  }

  completeness(): Completeness {
    return completenessOf(this.#entered())
  }

  /** Rules that failed although all their inputs were there. */
  faults(): readonly RuleFault[] {
    return this.#entered().flatMap((slot) => slot.faults)
  }

  #edit(slot: Slot, value: JsonValue | null, text: string | null, missing: Missing | null): SetResult {
    // A table is edited through its rows. Only the reason why it has none is set as for any field.
    if (slot.readOnly || (slot.cell.table !== null && (value !== null || (missing !== null && !isEmpty(slot)))))
      return 'read-only'
    if (sameValue(value, slot.value) && text === slot.text && sameMissing(missing, slot.missing)) return 'same'
    slot.value = value
    slot.text = text
    slot.missing = missing
    slot.serverMessage = null
    slot.edited = true
    slot.initial = false
    slot.masked = false
    this.#announce(this.#settle([slot]))
    return 'changed'
  }

  /**
   * Settles the form after `started` changed. First visibility and calculation, in topological order, so that every
   * cell is settled once; then everything on which nothing depends. Gives the slots that were looked at.
   */
  #settle(started: readonly Slot[]): Iterable<Slot> {
    this.#scopes.renewWork()
    const touched = new Set<Slot>(started)
    const changed: Slot[] = []
    let [first, last] = [this.#ordered.length, -1]
    const mark = (order: number) => {
      this.#unsettled[order] = 1
      first = Math.min(first, order)
      last = Math.max(last, order)
    }
    for (const slot of started) {
      slot.row?.mark(slot)
      // A rule that reads what is stored may come before the cell that it reads.
      if (putStored(slot, this.#scopes))
        for (const key of slot.cell.storedBy) mark(this.#slots.get(key)?.cell.order ?? 0)
      mark(slot.row === null ? slot.cell.order : (this.#slots.get(slot.row.table)?.cell.order ?? 0))
    }
    for (let order = first; order <= last; order++) {
      const slot = this.#ordered[order]
      if (this.#unsettled[order] !== 1 || slot === undefined) continue
      this.#unsettled[order] = 0
      touched.add(slot)
      if (!this.#settleValue(slot, touched)) continue
      changed.push(slot)
      for (const key of slot.cell.feeds) {
        const fed = this.#slots.get(key)
        if (fed === undefined) continue
        mark(fed.cell.order)
        if (fed !== slot) this.#tables.get(key)?.markAll()
      }
    }
    for (const slot of changed) {
      for (const key of slot.cell.watchedBy) {
        const watcher = this.#slots.get(key)
        if (watcher !== undefined) touched.add(watcher)
        for (const inRow of this.#tables.get(key)?.slots() ?? []) touched.add(inRow)
      }
    }
    this.#settleSinks(touched)
    return touched
  }

  /** Settles the visibility and the value of one cell, and of its rows. Gives whether rules see something different. */
  #settleValue(slot: Slot, touched: Set<Slot>): boolean {
    const value = settleValue(slot, this.#scopes.of(slot.cell), this.#mode)
    const table = slot.cell.place === null ? this.#tables.get(slot.key) : undefined
    const isStoredAnew = putStored(slot, this.#scopes)
    if (table === undefined || slot.rows === null) return this.#scopes.put(slot.cell, value) || isStoredAnew
    if (!table.settle(this.#mode, touched)) return false
    this.#scopes.put(slot.cell, table.seenByRules())
    return true
  }

  /**
   * Settles everything on which nothing depends. Rows come after their table, because a locked table locks its rows.
   */
  #settleSinks(touched: Set<Slot>): void {
    for (const slot of touched) {
      if (slot.row !== null) continue
      const { readOnly } = slot
      this.#answers.give(slot)
      settleSinks(slot, this.#scopes.of(slot.cell), this.#mode)
      if (slot.readOnly === readOnly) continue
      for (const inRow of this.#tables.get(slot.key)?.slots() ?? []) touched.add(inRow)
    }
    addTwins(touched, this.#tables)
    for (const slot of touched) {
      if (slot.row === null) continue
      this.#answers.give(slot)
      settleSinks(slot, slot.row.scope, this.#mode)
      slot.readOnly ||= this.#slots.get(slot.row.table)?.readOnly === true
    }
  }

  #announce(slots: Iterable<Slot>): void {
    this.#listeners.announce(slots)
  }
}

/** Opens a form on a compiled page. */
export function createFormState(compiled: CompiledPage, data: EntryData, context: FormContext): FormState {
  return new FormState(compiled, data, context)
}
