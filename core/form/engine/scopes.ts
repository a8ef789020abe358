import type { CompiledCell, CompiledPage, Crossing } from '#core/form/compiled/compile.ts'
import type { ReadPlace } from '#core/form/compiled/version.ts'
import { placeKey } from '#core/form/compiled/version.ts'
import { FormWork } from '#core/rules/budget.ts'
import type { RuleScope } from '#core/rules/rule.ts'
import type { CelValue, OtherPageValues, Moment } from '#core/rules/values.ts'
import { PageValues, RedcapValues } from '#core/rules/values.ts'

import type { Slot } from './slot.ts'
import { sameValue, storedRuleValue } from './slot.ts'

/**
 * What the rules of one form read: the values of its own page, and the needed values of other pages. A value that rules
 * read across pages is kept under every name by which they read it.
 */
export class RuleScopes {
  readonly #own: RuleScope
  readonly #otherPages = new Map<string, RuleScope>()
  /** Values for rules that read what is stored, by the map of the values that rules see. */
  readonly #stored = new Map<PageValues, PageValues>()
  readonly #views: CrossingViews | null
  readonly #work = new FormWork()

  constructor(compiled: CompiledPage, moment: Moment) {
    const { crossings } = compiled
    this.#views = crossings.length === 0 ? null : new CrossingViews(crossings)
    this.#own = this.#newScope(moment, null)
    for (const other of compiled.otherPages) this.#otherPages.set(placeKey(other), this.#newScope(moment, other))
  }

  /** What the rules of a cell read. */
  of({ place }: CompiledCell): RuleScope {
    return place === null ? this.#own : (this.#otherPages.get(placeKey(place)) ?? this.#own)
  }

  /** The form settles anew: the work that its rules may spend starts again at zero. */
  renewWork(): void {
    this.#work.renew()
  }

  /** Sets what rules see of a cell; null where the value is missing to them. Gives whether this differs from before. */
  put(cell: CompiledCell, value: CelValue | null): boolean {
    const { page } = this.of(cell)
    const { code } = cell.field
    this.#views?.put(cell.key, value)
    const before = page.get(code)
    if (value === null) return page.delete(code)
    page.set(code, value)
    return before === undefined || !sameValue(before, value)
  }

  /** Sets what a cell holds, whether it is shown or not. Gives whether this differs from before. */
  putStored(cell: CompiledCell, value: CelValue | null): boolean {
    const stored = this.#stored.get(this.of(cell).page)
    const before = stored?.get(cell.field.code)
    if (value === null) return stored?.delete(cell.field.code) === true
    stored?.set(cell.field.code, value)
    return before === undefined || !sameValue(before, value)
  }

  #newScope(moment: Moment, place: ReadPlace | null): RuleScope {
    const page = new PageValues()
    const stored = new PageValues()
    this.#stored.set(page, stored)
    const scope = { page, rc: new RedcapValues(page), rcStored: new RedcapValues(stored), moment, work: this.#work }
    return this.#views === null ? scope : { ...scope, otherPages: this.#views.of(place) }
  }
}

/**
 * Stores what a cell holds, whether it is shown or not, for rules that read it. Most cells have no such rule. Gives
 * whether it changed.
 */
export function putStored(slot: Slot, scopes: RuleScopes): boolean {
  return slot.cell.storedBy.length > 0 && scopes.putStored(slot.cell, storedRuleValue(slot))
}

/**
 * The values that rules read across pages: for each entry, under the names that its rules use. Names of an entry that
 * does not exist are there without values.
 */
class CrossingViews {
  readonly #views = new Map<string, Record<keyof OtherPageValues, Names>>()
  readonly #names = new Map<string, Named[]>()

  constructor(crossings: readonly Crossing[]) {
    for (const { of, path, cell } of crossings) {
      const [variable, ...names] = path
      const view = this.of(of)
      const code = names.pop() ?? ''
      const named = [{ values: within(view[variable], names), code, isBlank: false }]
      // Imported logic reads the same pages under the name `rcVisit`, with '' for a missing value.
      if (variable === 'visit' && names.length === 1)
        named.push({ values: within(view.rcVisit, names), code, isBlank: true })
      for (const one of named) set(one, null)
      this.#names.set(cell, [...(this.#names.get(cell) ?? []), ...named])
    }
  }

  /** What the rules of an entry see. @param place null for the page that is compiled */
  of(place: ReadPlace | null): Record<keyof OtherPageValues, Names> {
    const key = place === null ? '' : placeKey(place)
    const known = this.#views.get(key)
    if (known !== undefined) return known
    const view: Record<keyof OtherPageValues, Names> = {
      visit: new Map(),
      rcVisit: new Map(),
      form: new Map(),
      visits: new Map(),
    }
    this.#views.set(key, view)
    return view
  }

  put(cell: string, value: CelValue | null): void {
    for (const named of this.#names.get(cell) ?? []) set(named, value)
  }
}

/** One name under which a value is stored. */
interface Named {
  readonly values: Names
  readonly code: string
  readonly isBlank: boolean
}

function set({ values, code, isBlank }: Named, value: CelValue | null): void {
  if (value !== null || isBlank) values.set(code, value ?? '')
  else values.delete(code)
}

function within(outer: Names, names: readonly string[]): Names {
  let at = outer
  for (const name of names) {
    const known = at.get(name)
    const inner: Names = known instanceof Map ? known : new Map()
    at.set(name, inner)
    at = inner
  }
  return at
}

/** `NamedValues` that can be written to. */
interface Names extends Map<string, Names | CelValue> {}
