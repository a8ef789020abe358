import type { RuleScope } from '#core/rules/rule.ts'
import type { CelValue, ElsewhereValues, Moment } from '#core/rules/values.ts'
import { PageValues, RedcapValues } from '#core/rules/values.ts'

import type { CompiledCell, CompiledPage, Crossing } from './compile.ts'
import { sameValue } from './slot.ts'
import type { PagePlace } from './version.ts'
import { placeKey } from './version.ts'

/** What the rules of one form read: the values of its page, and of other pages what they need. Each value is kept once a view reads it. */
export class RuleScopes {
  readonly #own: RuleScope
  readonly #place: PagePlace | null
  readonly #elsewhere = new Map<string, RuleScope>()
  readonly #views: CrossingViews | null

  constructor(compiled: CompiledPage, moment: Moment) {
    const { place, crossings } = compiled
    this.#place = place
    this.#views = crossings.length === 0 ? null : new CrossingViews(crossings)
    this.#own = this.#newScope(moment, place)
    for (const other of compiled.elsewhere) this.#elsewhere.set(placeKey(other), this.#newScope(moment, other))
  }

  /** What the rules of a cell read. */
  of({ place }: CompiledCell): RuleScope {
    return place === null ? this.#own : (this.#elsewhere.get(placeKey(place)) ?? this.#own)
  }

  /** Sets what rules see of a cell; null where it is missing to them. Gives whether they see another value than before. */
  put(cell: CompiledCell, value: CelValue | null): boolean {
    const { page } = this.of(cell)
    const { prop } = cell.field
    const place = cell.place ?? this.#place
    if (this.#views !== null && place !== null) this.#views.put({ ...place, prop }, value)
    const before = page.get(prop)
    if (value === null) return page.delete(prop)
    page.set(prop, value)
    return before === undefined || !sameValue(before, value)
  }

  #newScope(moment: Moment, place: PagePlace | null): RuleScope {
    const page = new PageValues()
    const scope = { page, rc: new RedcapValues(page), moment }
    return this.#views === null || place === null ? scope : { ...scope, elsewhere: this.#views.from(place.folder) }
  }
}

/** The values that rules read across pages, by visit and page. A page that its visit does not have is there without values. */
class CrossingViews {
  readonly #form = new Map<string, Map<string, Map<string, CelValue>>>()
  /** The same with '' for what is missing. */
  readonly #rcForm = new Map<string, Map<string, Map<string, CelValue>>>()

  constructor(crossings: readonly Crossing[]) {
    for (const { folder, page, prop } of crossings) {
      within(within(this.#form, folder), page)
      within(within(this.#rcForm, folder), page).set(prop, '')
    }
  }

  from(folder: string): ElsewhereValues {
    return { visit: within(this.#form, folder), rcVisit: within(this.#rcForm, folder), form: this.#form }
  }

  put({ folder, page, prop }: Crossing, value: CelValue | null): void {
    const blanks = this.#rcForm.get(folder)?.get(page)
    if (blanks?.has(prop) !== true) return
    blanks.set(prop, value ?? '')
    const values = this.#form.get(folder)?.get(page)
    if (value === null) values?.delete(prop)
    else values?.set(prop, value)
  }
}

function within<Value>(outer: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const inner = outer.get(key) ?? new Map<string, Value>()
  outer.set(key, inner)
  return inner
}
