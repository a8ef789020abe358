import type { FormField, FormPage } from './form.ts'
import { fieldsOf } from './form.ts'
import type { XPathScope, XPathTarget } from './translate.ts'
import { givesTruth } from './translate.ts'

/** What names and paths of nodes mean, seen from where a rule stands. */

interface Home {
  readonly page: FormPage
  /** The table that the field is of; null for one of the page itself. */
  readonly table: FormField | null
  readonly field: FormField
}

export class FormNames {
  readonly #byName = new Map<string, Home[]>()
  readonly #byPath = new Map<string, Home>()
  readonly #truths = new Map<FormField, boolean>()
  /** Fields that are calculated from each other, while it is asked whether they are truths. */
  #asked = 0

  constructor(pages: readonly FormPage[]) {
    for (const page of pages) {
      for (const field of fieldsOf(page)) {
        this.#add({ page, table: null, field })
        for (const row of field.rows ?? []) this.#add({ page, table: field, field: row })
      }
    }
  }

  /**
   * @param table whose rows the rule is of; null for a rule of the page
   * @param path the node that the rule is of
   * @param stored fields of the page of which it reads what they hold, shown or not
   */
  scope(
    page: FormPage,
    table: FormField | null,
    path: readonly string[],
    stored: ReadonlySet<string> = NONE,
  ): XPathScope {
    const target = (home: Home | null): XPathTarget | null => {
      const found = this.#target(home, page, table)
      const isStored =
        found?.kind === 'field' && home?.page === page && home.table === null && stored.has(home.field.prop)
      return isStored ? { ...found, cel: `rcStored.${home.field.prop}` } : found
    }
    return {
      named: (name) => target(this.#named(name, page, table)),
      at: (steps, absolute) => {
        const place = resolvePath(steps, absolute, path)
        return place === null ? null : target(this.#byPath.get(place.join('/')) ?? null)
      },
    }
  }

  /** How a rule of a field reads the field itself. */
  own(field: FormField, table: FormField | null): string {
    return table === null ? `rc.${field.prop}` : rowValue(field.prop)
  }

  #add(home: Home): void {
    const { name, path } = home.field
    const same = this.#byName.get(name)
    if (same === undefined) this.#byName.set(name, [home])
    else same.push(home)
    const place = path.join('/')
    if (!this.#byPath.has(place)) this.#byPath.set(place, home)
  }

  /** Of several fields with one name the nearest: of the same row, of the same page, the first. */
  #named(name: string, page: FormPage, table: FormField | null): Home | null {
    const homes = this.#byName.get(name) ?? []
    return (
      homes.find((home) => home.table === table && home.page === page) ??
      homes.find((home) => home.page === page) ??
      homes[0] ??
      null
    )
  }

  #target(home: Home | null, page: FormPage, table: FormField | null): XPathTarget | null {
    if (home === null) return null
    const variable = home.page === page ? 'rc' : `rcVisit.${home.page.code}`
    const { prop, rows } = home.field
    const truth = this.#isTruth(home) ? ({ truth: true } as const) : {}
    if (home.table === null)
      return rows === null
        ? { kind: 'field', cel: `${variable}.${prop}`, ...truth }
        : { kind: 'table', cel: `${variable}.${prop}` }
    if (home.table === table) return rows === null ? { kind: 'field', cel: rowValue(prop), ...truth } : null
    return { kind: 'column', cel: `${variable}.${home.table.prop}`, prop }
  }

  /** Whether a field is calculated as a truth, which it holds as text. One that asks for itself is none. */
  #isTruth({ page, table, field }: Home): boolean {
    const { calculate } = field.rules
    if (calculate === null || field.column.type !== 'input') return false
    const known = this.#truths.get(field)
    if (known !== undefined || this.#asked >= MAX_ASKED) return known ?? false
    this.#truths.set(field, false)
    this.#asked += 1
    const truth = givesTruth(calculate.text, this.scope(page, table, calculate.path))
    this.#asked -= 1
    this.#truths.set(field, truth)
    return truth
  }
}

const NONE: ReadonlySet<string> = new Set()

/** Longest chain of fields, each calculated as the next, that is followed to a truth. */
const MAX_ASKED = 50

/** A field of the same row, '' where it is blank. */
function rowValue(prop: string): string {
  return `(has(row.${prop}) ? dyn(row.${prop}) : dyn(""))`
}

/** Names from the root down, the root left out; null for a way that leads above it. */
function resolvePath(steps: readonly string[], absolute: boolean, from: readonly string[]): readonly string[] | null {
  const place = absolute ? [] : ['', ...from]
  for (const step of steps) {
    if (step !== '..') place.push(step)
    else if (place.pop() === undefined) return null
  }
  return place.slice(1)
}
