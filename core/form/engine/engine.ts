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
 * One open form: cells, and what an edit does to the others. An edit costs its dependants: rules are run again only
 * where one of their inputs changed, in topological order, and only the listeners of cells that look different are
 * called.
 */
export class FormState {
  readonly compiled: CompiledPage
  readonly #mode: FormMode
  /** By address; those of other pages by the name of their cell. */
  readonly #slots = new Map<string, Slot>()
  /** By the code of the table. */
  readonly #tables = new Map<string, TableRows>()
  /** All in topological order, then those of the page's own fields and those of other pages apart. */
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
   * The cell of a field as it is now; the same object until it looks different. Undefined for an address that the page
   * has not.
   */
  getCell(key: string): Cell | undefined {
    return this.#slots.get(key)?.snapshot
  }

  /** A row of a table as it is now; the same object until one of its cells looks different. */
  getRow(table: string, rid: string): RowView | undefined {
    return this.#tables.get(table)?.row(rid)?.view
  }

  /** Calls `listener` whenever a cell of a row looks different. Gives the way to stop. */
  subscribeRow(table: string, rid: string, listener: () => void): () => void {
    return this.subscribe(rowKey(table, rid), listener)
  }

  /** Calls `listener` whenever the cell at an address looks different. Gives the way to stop. */
  subscribe(key: string, listener: () => void): () => void {
    return this.#listeners.add(key, listener)
  }

  /** Calls `listener` after any change of any cell, once per edit. Gives the way to stop. */
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

  /** Says why there is no value, which empties it; null takes the reason back. */
  setMissing(key: string, missing: Missing | null): SetResult {
    const slot = this.#slots.get(key)
    if (slot === undefined) return 'unknown-field'
    return this.#edit(slot, missing === null ? slot.value : null, missing === null ? slot.text : null, missing)
  }

  /**
   * Adds a row to a table: after another, or at the end.
   *
   * @param copied the row whose values it begins with; without one it begins with what the definition says
   * @returns null where the table takes no more rows, or is not to be edited
   */
  addRow(table: string, after: string | null = null, copied: string | null = null): RowEdit | null {
    return this.#editRows(table, (rows) => rows.add(after, copied))
  }

  /** Moves a row so that it stands before so many of those that are there. Null where nothing comes of it. */
  moveRow(table: string, rid: string, to: number): RowEdit | null {
    return this.#editRows(table, (rows) => rows.move(rid, to))
  }

  /** Deletes a row, or brings it back with what it held. Null where nothing comes of it. */
  setRowDeleted(table: string, rid: string, deleted: boolean): RowEdit | null {
    return this.#editRows(table, (rows) => rows.setDeleted(rid, deleted))
  }

  #editRows(code: string, change: (rows: TableRows) => RowEdit | null): RowEdit | null {
    const [slot, table] = [this.#slots.get(code), this.#tables.get(code)]
    if (slot === undefined || table === undefined || slot.readOnly) return null
    const edit = change(table)
    if (edit === null) return null
    // Rows are a value: why there was none is no longer so. Older data must not say it again before that is saved.
    slot.edited ||= slot.missing !== null
    slot.missing = null
    slot.serverMessage = null
    this.#announce(this.#settle([slot]))
    return edit
  }

  /** What a new entry begins with is meant: a person submits the page with it. */
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
   * Answers to warnings, all that there are of the entry. Cells where one comes or goes are drawn again; which of them
   * hold is found with the values.
   */
  setConfirmed(confirmed: readonly Confirmation[]): void {
    const touched = [...this.#answers.take(confirmed)].flatMap((key) => this.#slots.get(key) ?? [])
    for (const slot of touched) slot.row?.mark(slot)
    this.#announce(this.#settle(touched))
  }

  /**
   * Messages of the server, by address. Each stays until its field is edited; those of fields not named are taken away.
   */
  setServerMessages(messages: Readonly<Record<string, string>>): void {
    for (const { key } of this.#entered())
      this.setServerMessage(key, Object.hasOwn(messages, key) ? (messages[key] ?? null) : null)
  }

  /** The same for one field alone; null takes it away. */
  setServerMessage(key: string, message: string | null): void {
    const slot = this.#slots.get(key)
    if (slot === undefined || slot.serverMessage === message) return
    slot.serverMessage = message
    this.#announce([slot])
  }

  /** The conflicts that wait for a decision, by address. Only the rows of fields where that changed are drawn again. */
  setConflicts(conflicts: ReadonlyMap<string, string>): void {
    const changed = this.#entered().filter((slot) => slot.conflict !== (conflicts.get(slot.key) ?? null))
    for (const slot of changed) slot.conflict = conflicts.get(slot.key) ?? null
    this.#announce(changed)
  }

  /**
   * Items that differ from the base, in reading order. Calculated items, and what a new entry begins with, are among
   * them only once a person has edited something: opening a page is no change of it.
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

  /** Whether its data came masked for this reader: then nobody who sees it so has seen all of it. */
  get masked(): boolean {
    return this.#masked
  }

  /** Whether a person has changed anything since the base. */
  get edited(): boolean {
    return this.#own.some((slot) => slot.edited) || [...this.#tables.values()].some((table) => table.edited)
  }

  /**
   * A new base, after a save was taken down or newer data arrived. Items that a person has changed since the last base
   * and that still differ keep their value; all others take the new one.
   */
  rebase(data: EntryData): void {
    const { taken } = this.#take(data, false)
    this.#base = data
    this.#settleTaken(taken)
  }

  /**
   * Newer data from elsewhere. An item that a person is changing keeps its value, and the base that it was changed
   * from: nobody has seen the newer one, so it must not look as if it was meant to be overwritten.
   *
   * @param masked whether they came masked for this reader; as before where it is not said
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

  /** What is saved on other pages now. Rules that read it run again. */
  setOtherPages(data: OtherPages): void {
    const changed = this.#others.filter((slot) => takeOtherPage(slot, data))
    if (changed.length > 0) this.#announce(this.#settle(changed))
  }

  /**
   * Takes values where nobody is changing them. Gives the cells that are as they were not before, and the fields that
   * keep theirs.
   */
  #take(data: EntryData, keepsBase: boolean): { readonly taken: ReadonlySet<Slot>; readonly kept: readonly Field[] } {
    const taken = new Set<Slot>()
    const kept: Field[] = []
    for (const [code, table] of this.#tables) {
      const slot = this.#slots.get(code)
      if (!table.take(data, { keepsBase, masked: this.#masked, mode: this.#mode }) || slot === undefined) continue
      taken.add(slot)
      // Of a row that went nothing is left to start from, and others may have held the same value.
      table.markAll()
    }
    for (const slot of this.#own) {
      const { field } = slot.cell
      const saved = slot.rows === null ? readValue(field, data) : null
      const value = isGivenByRule(slot, this.#mode) ? slot.value : saved
      const missing = readMissing(field, data)
      const isSame = sameValue(value, slot.value) && sameMissing(missing, slot.missing)
      // What a new entry began with gives way to what somebody entered.
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

  /** Mostly data that come are what is on the screen already: then nothing looks different, and no rule has to run. */
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
    // A table is edited by its rows; that there are none, and why, is said of it as of any field.
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
   * Brings the form to rest after `started` changed. First visibility and calculation, in topological order, so that
   * every cell is settled once; then what nothing depends on. Gives the slots that were looked at.
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
      // Who reads what is stored may come before the cell itself.
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

  /** Visibility and value of one cell, and of its rows. Gives whether what rules see of it has changed. */
  #settleValue(slot: Slot, touched: Set<Slot>): boolean {
    const value = settleValue(slot, this.#scopes.of(slot.cell), this.#mode)
    const table = slot.cell.place === null ? this.#tables.get(slot.key) : undefined
    const isStoredAnew = putStored(slot, this.#scopes)
    if (table === undefined || slot.rows === null) return this.#scopes.put(slot.cell, value) || isStoredAnew
    if (!table.settle(this.#mode, touched)) return false
    this.#scopes.put(slot.cell, table.seenByRules())
    return true
  }

  /** What nothing depends on; of rows after their table, because a table that is locked locks them. */
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
