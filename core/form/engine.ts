import type { EntryData } from '#core/sync/entryData.ts'
import type { JsonValue } from '#core/json.ts'
import type { Moment } from '#core/rules/values.ts'
import { toCel } from '#core/rules/values.ts'

import type { Cell, Completeness, ItemChange, RuleFault, SetResult } from './cell.ts'
import type { CompiledPage } from './compile.ts'
import type { DataElsewhere } from './elsewhere.ts'
import { NOTHING_ELSEWHERE, takeElsewhere } from './elsewhere.ts'
import { isError, isSeenByRules } from './issue.ts'
import type { Issue } from './issue.ts'
import { MASK } from './mask.ts'
import { isCollected } from './page.ts'
import type { Field, FormMode } from './page.ts'
import { RuleScopes } from './scopes.ts'
import type { Slot } from './slot.ts'
import { begin, evaluateCalculation, evaluateShow, evaluateSinks, newSlot, refreshSnapshot, sameMissing, sameValue } from './slot.ts'
import type { Missing } from './value.ts'
import { canonicalValue, rangeFromTyping, readMissing, readValue, typingText, valueFromTyping } from './value.ts'

/** What a form is opened with besides its data. */
export interface FormContext {
  readonly moment: Moment
  /** Nothing can be edited, and calculated fields show what is stored. */
  readonly readOnly: boolean
  /** Nobody has saved anything of the entry yet: fields begin with what the definition says. */
  readonly isNew?: boolean
  /** Absent for a page whose rules read no other. */
  readonly elsewhere?: DataElsewhere
}

/**
 * One open form: cells, and what an edit does to the others. An edit costs its dependants: rules are run again only where one of
 * their inputs changed, in topological order, and only the listeners of cells that look different are called.
 */
export class FormState {
  readonly compiled: CompiledPage
  readonly #mode: FormMode
  /** By the key of the cell: those of the page's own fields by prop. */
  readonly #slots = new Map<string, Slot>()
  /** All in topological order, then those of the page's own fields and those of other pages apart. */
  readonly #ordered: readonly Slot[]
  readonly #own: readonly Slot[]
  readonly #others: readonly Slot[]
  readonly #scopes: RuleScopes
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #formListeners = new Set<() => void>()
  /** Cells to settle, by their place in the topological order. */
  readonly #unsettled: Uint8Array
  #base: EntryData

  constructor(compiled: CompiledPage, data: EntryData, context: FormContext) {
    this.compiled = compiled
    this.#mode = context.readOnly ? 'view' : context.isNew === true ? 'add' : 'input'
    this.#base = data
    this.#scopes = new RuleScopes(compiled, context.moment)
    this.#ordered = compiled.ordered.map((cell) => newSlot(cell, readValue(cell.field, data), readMissing(cell.field, data)))
    for (const slot of this.#ordered) this.#slots.set(slot.cell.key, slot)
    this.#own = this.#ordered.filter(({ cell }) => cell.place === null)
    this.#others = this.#ordered.filter(({ cell }) => cell.place !== null)
    if (this.#mode === 'add') for (const slot of this.#own) begin(slot)
    for (const slot of this.#others) takeElsewhere(slot, context.elsewhere ?? NOTHING_ELSEWHERE)
    this.#unsettled = new Uint8Array(this.#ordered.length)
    this.#settleAll()
  }

  /** The cell of a field as it is now; the same object until it looks different. Undefined for a field that the page has not. */
  getCell(prop: string): Cell | undefined {
    return this.#slots.get(prop)?.snapshot
  }

  /** Calls `listener` whenever the cell of `prop` looks different. Gives the way to stop. */
  subscribe(prop: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(prop) ?? new Set()
    this.#listeners.set(prop, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  /** Calls `listener` after any change of any cell, once per edit. Gives the way to stop. */
  subscribeForm(listener: () => void): () => void {
    this.#formListeners.add(listener)
    return () => this.#formListeners.delete(listener)
  }

  /** Sets a value that a person chose (a choice, a date from a calendar, a list). Clears a missing reason. */
  setValue(prop: string, raw: unknown): SetResult {
    const slot = this.#slots.get(prop)
    if (slot === undefined) return 'unknown-prop'
    return this.#edit(slot, canonicalValue(slot.cell.field, raw), null, null)
  }

  /** Sets what a person typed. The text is kept for the journal where it differs from the value. Clears a missing reason. */
  setText(prop: string, typed: string): SetResult {
    const slot = this.#slots.get(prop)
    if (slot === undefined) return 'unknown-prop'
    const value = valueFromTyping(slot.cell.field, typed)
    return this.#edit(slot, value, typed === typingText(slot.cell.field, value) ? null : typed, null)
  }

  /** Sets what a person typed, or where they put a slider, for one end of a range. Clears a missing reason. */
  setEnd(prop: string, end: 0 | 1, typed: string): SetResult {
    const slot = this.#slots.get(prop)
    if (slot === undefined) return 'unknown-prop'
    return this.#edit(slot, rangeFromTyping(slot.cell.field, slot.value, end, typed), null, null)
  }

  /** Says why there is no value, which empties it; null takes the reason back. */
  setMissing(prop: string, missing: Missing | null): SetResult {
    const slot = this.#slots.get(prop)
    if (slot === undefined) return 'unknown-prop'
    return this.#edit(slot, missing === null ? slot.value : null, missing === null ? slot.text : null, missing)
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
  leave(prop: string): void {
    const slot = this.#slots.get(prop)
    if (slot === undefined || slot.left) return
    slot.left = true
    this.#announce([slot])
  }

  /** Shows all issues from now on and gives them, in reading order. Hidden fields have none. */
  validate(): readonly { readonly prop: string; readonly issues: readonly Issue[] }[] {
    for (const slot of this.#own) slot.left = true
    this.#announce(this.#own)
    return this.issues()
  }

  /** All issues in reading order, without showing them. */
  issues(): readonly { readonly prop: string; readonly issues: readonly Issue[] }[] {
    return this.compiled.page.fields.flatMap(({ prop }) => {
      const issues = this.#slots.get(prop)?.issues ?? []
      return issues.length === 0 ? [] : [{ prop, issues }]
    })
  }

  /** Messages of the server, by field. Each stays until its field is edited; those of fields not named are taken away. */
  setServerMessages(messages: Readonly<Record<string, string>>): void {
    for (const slot of this.#own) {
      const { prop } = slot.cell.field
      slot.serverMessage = Object.hasOwn(messages, prop) ? (messages[prop] ?? null) : null
    }
    this.#announce(this.#own)
  }

  /** The conflicts that wait for a decision, by field. Only the rows of fields where that changed are drawn again. */
  setConflicts(conflicts: ReadonlyMap<string, string>): void {
    const changed = this.#own.filter((slot) => slot.conflict !== (conflicts.get(slot.cell.field.prop) ?? null))
    for (const slot of changed) slot.conflict = conflicts.get(slot.cell.field.prop) ?? null
    this.#announce(changed)
  }

  /**
   * Items that differ from the base, in reading order. Calculated items, and what a new entry begins with, are among them only once a
   * person has edited something: opening a page is no change of it.
   */
  changes(): readonly ItemChange[] {
    const edited = this.#own.some((slot) => slot.edited)
    return this.compiled.page.fields.flatMap((field): ItemChange[] => {
      const slot = this.#slots.get(field.prop)
      if (slot === undefined) return []
      const calculated = slot.cell.calculate !== null
      const base = readValue(field, this.#base)
      const baseMissing = readMissing(field, this.#base)
      if ((calculated || slot.initial) && !edited) return []
      if (isUnseen(slot)) return []
      if (sameValue(base, slot.value) && sameMissing(baseMissing, slot.missing)) return []
      const { value, missing, text } = slot
      return [{ prop: field.prop, value, base, missing, baseMissing, text, calculated }]
    })
  }

  /**
   * A new base, after a save was taken down or newer data arrived. Items that a person has changed since the last base and that
   * still differ keep their value; all others take the new one.
   */
  rebase(data: EntryData): void {
    const { differs } = this.#take(data)
    this.#base = data
    // Mostly it is what is on the screen already: then nothing looks different, and no rule has to run.
    if (differs) this.#settleAll()
  }

  /**
   * Newer data from elsewhere. An item that a person is changing keeps its value, and the base that it was changed from: nobody has
   * seen the newer one, so it must not look as if it was meant to be overwritten.
   */
  receive(data: EntryData): void {
    const values = { ...data.values }
    const missing = { ...data.missing }
    for (const { prop } of this.#take(data).kept) {
      replace(values, prop, this.#base.values[prop])
      replace(missing, prop, this.#base.missing[prop])
    }
    this.#base = { values, missing }
    this.#settleAll()
  }

  /** What is saved on other pages now. Rules that read it run again. */
  setElsewhere(data: DataElsewhere): void {
    const changed = this.#others.filter((slot) => takeElsewhere(slot, data))
    if (changed.length > 0) this.#announce(this.#settle(changed))
  }

  /** Takes values where nobody is changing them. Gives the fields that keep theirs, and whether anything else is as it was not before. */
  #take(data: EntryData): { readonly kept: readonly Field[]; readonly differs: boolean } {
    const kept: Field[] = []
    let differs = false
    for (const slot of this.#own) {
      const { field } = slot.cell
      const value = readValue(field, data)
      const missing = readMissing(field, data)
      const isSame = sameValue(value, slot.value) && sameMissing(missing, slot.missing)
      // What a new entry began with gives way to what somebody entered.
      const isBegun = slot.initial && value === null && missing === null
      if ((slot.edited || isBegun) && !isSame) {
        kept.push(field)
        continue
      }
      // What was entered and reads like a mask is one from here on.
      differs ||= !isSame || slot.initial || (slot.edited && value === MASK)
      if (!sameValue(value, slot.value)) slot.text = null
      slot.value = value
      slot.missing = missing
      slot.edited = false
      slot.initial = false
    }
    return { kept, differs }
  }

  /**
   * The data of the form as it would be stored: hidden values kept, empty ones absent. What no field of the page holds stays, and a
   * value that nobody changed stays as it was written: a save leaves both alone.
   */
  data(): EntryData {
    const values = this.#offPage(this.#base.values)
    const missing = this.#offPage(this.#base.missing)
    for (const slot of this.#own) {
      if (isUnseen(slot)) continue
      const { cell, value, missing: reason } = slot
      const { prop } = cell.field
      const written = this.#base.values[prop]
      const kept = written !== undefined && cell.calculate === null && sameValue(readValue(cell.field, this.#base), value)
      if (value !== null) values[prop] = kept ? written : value
      if (reason !== null) missing[prop] = reason
    }
    return { values, missing }
  }

  #offPage<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
    return Object.fromEntries(Object.entries(record).filter(([key]) => !this.#slots.has(key)))
  }

  completeness(): Completeness {
    const missingRequired: string[] = []
    const withErrors: string[] = []
    let [total, answered, required] = [0, 0, 0]
    for (const { prop } of this.compiled.page.fields) {
      const slot = this.#slots.get(prop)
      if (slot === undefined || !slot.visible) continue
      if (slot.issues.some(isError)) withErrors.push(prop)
      if (!isCollected(slot.cell.field)) continue
      const done = slot.value !== null || slot.missing !== null
      total += 1
      if (done) answered += 1
      if (slot.required) {
        required += 1
        if (!done) missingRequired.push(prop)
      }
    }
    const requiredAnswered = required - missingRequired.length
    return { total, answered, required, requiredAnswered, missingRequired, withErrors }
  }

  /** Rules that failed although all their inputs were there. */
  faults(): readonly RuleFault[] {
    return this.#own.flatMap((slot) => slot.faults)
  }

  #edit(slot: Slot, value: JsonValue | null, text: string | null, missing: Missing | null): SetResult {
    if (slot.readOnly) return 'read-only'
    if (sameValue(value, slot.value) && text === slot.text && sameMissing(missing, slot.missing)) return 'same'
    slot.value = value
    slot.text = text
    slot.missing = missing
    slot.serverMessage = null
    slot.edited = true
    slot.initial = false
    this.#announce(this.#settle([slot]))
    return 'changed'
  }

  #settleAll(): void {
    this.#announce(this.#settle(this.#ordered))
  }

  /**
   * Brings the form to rest after `started` changed. First visibility and calculation, in topological order, so that every cell is
   * settled once; then what nothing depends on. Gives the slots that were looked at.
   */
  #settle(started: readonly Slot[]): Iterable<Slot> {
    const touched = new Set<Slot>(started)
    const changed: Slot[] = []
    let last = -1
    const mark = (order: number) => {
      this.#unsettled[order] = 1
      last = Math.max(last, order)
    }
    for (const slot of started) mark(slot.cell.order)
    for (let order = Math.min(...started.map((slot) => slot.cell.order)); order <= last; order++) {
      const slot = this.#ordered[order]
      if (this.#unsettled[order] !== 1 || slot === undefined) continue
      this.#unsettled[order] = 0
      touched.add(slot)
      if (!this.#settleValue(slot)) continue
      changed.push(slot)
      for (const prop of slot.cell.feeds) {
        const fed = this.#slots.get(prop)
        if (fed !== undefined) mark(fed.cell.order)
      }
    }
    for (const slot of changed) {
      for (const prop of slot.cell.watchedBy) {
        const watcher = this.#slots.get(prop)
        if (watcher !== undefined) touched.add(watcher)
      }
    }
    for (const slot of touched) this.#settleSinks(slot)
    return touched
  }

  /** Visibility and calculated value of one cell. Gives whether what rules see of it has changed. */
  #settleValue(slot: Slot): boolean {
    const { cell } = slot
    const scope = this.#scopes.of(cell)
    const faults: RuleFault[] = []
    slot.shown = evaluateShow(cell, scope, faults)
    slot.visible = slot.shown && !cell.field.hidden[this.#mode]
    if (cell.calculate !== null && this.#mode !== 'view') {
      slot.value = evaluateCalculation(cell, cell.calculate, scope, faults)
    }
    slot.faults = faults
    return this.#scopes.put(cell, this.#valueForRules(slot))
  }

  #valueForRules(slot: Slot): ReturnType<typeof toCel> {
    if (!slot.shown || slot.value === null) return null
    return isSeenByRules(slot.cell.field, slot.value) ? toCel(slot.value) : null
  }

  #settleSinks(slot: Slot): void {
    const faults: RuleFault[] = []
    Object.assign(slot, evaluateSinks(slot, this.#scopes.of(slot.cell), this.#mode, faults))
    const values = slot.faults.filter((fault) => fault.role === 'show' || fault.role === 'calculate')
    slot.faults = [...values, ...faults]
  }

  #announce(slots: Iterable<Slot>): void {
    let any = false
    for (const slot of slots) {
      // Nobody draws the cells of other pages.
      if (slot.cell.place !== null || !refreshSnapshot(slot)) continue
      any = true
      for (const listener of this.#listeners.get(slot.cell.field.prop) ?? []) listener()
    }
    if (any) for (const listener of this.#formListeners) listener()
  }
}

/** Whether it holds what the definition began it with while a rule hides it: nobody has had a chance to say otherwise, so it is nobody's value. */
function isUnseen({ initial, shown }: Slot): boolean {
  return initial && !shown
}

/** Puts what was there before back, be it nothing. */
function replace<Value>(record: Record<string, Value>, key: string, value: Value | undefined): void {
  if (value === undefined) delete record[key]
  else record[key] = value
}

/** Opens a form on a compiled page. */
export function createFormState(compiled: CompiledPage, data: EntryData, context: FormContext): FormState {
  return new FormState(compiled, data, context)
}
