import type { RuleExpectation, RuleProblem } from '#core/rules/problem.ts'
import { NO_OTHER_PAGES } from '#core/rules/reads.ts'
import type { Rule } from '#core/rules/rule.ts'
import { ruleCompiler } from '#core/rules/rule.ts'

import type { CheckRule } from './column.ts'
import { readersOf, topologicalOrder } from './order.ts'
import type { Field, PageModel } from './page.ts'
import { valueKind } from './value.ts'
import type { PagePlace, VersionPages } from './version.ts'
import { fieldTypes, placeKey, sourcesOf } from './version.ts'

/**
 * A page compiled once: its rules, and which cell must be settled before which. Shared by all forms of that page. What its rules read of
 * other pages is among the cells, with the rules that show or hide it there: a hidden value is missing to rules, wherever they stand.
 */

type RuleRole = 'show' | 'require' | 'readOnlyWhen' | 'calculate' | 'check'

interface CompiledCheck {
  readonly check: CheckRule
  readonly rule: Rule
}

export interface CompiledCell {
  /** Name among the cells: the prop of a field of the page itself, `folder/page/prop` of one of another page. */
  readonly key: string
  /** The other page that the field is of; null for a field of the page itself. */
  readonly place: PagePlace | null
  readonly field: Field
  /** Place in the topological order: a cell comes after everything that its visibility and calculation read. */
  readonly order: number
  readonly show: Rule | null
  /** Null for a field of another page: its value is the one that was saved there. */
  readonly calculate: Rule | null
  readonly require: Rule | null
  readonly readOnlyWhen: Rule | null
  readonly checks: readonly CompiledCheck[]
  /** Cells whose visibility or value may change with this one. */
  readonly feeds: readonly string[]
  /** Cells whose requirement, lock or checks may change with this one. */
  readonly watchedBy: readonly string[]
}

export interface CompiledPage {
  readonly page: PageModel
  /** Where it stands; null for a page by itself. */
  readonly place: PagePlace | null
  /** Cells of the page's own fields, by prop. */
  readonly cells: ReadonlyMap<string, CompiledCell>
  /** All cells in topological order, those of other pages included. */
  readonly ordered: readonly CompiledCell[]
  /** Other pages whose saved data the rules need. */
  readonly elsewhere: readonly PagePlace[]
  /** Every field that a rule reads across pages, wherever it stands, each once. */
  readonly crossings: readonly Crossing[]
}

/** A field as rules of another page name it, with its visit. */
export interface Crossing extends PagePlace {
  readonly prop: string
}

/** Why a page has no engine. A designer shows these; a released page has none. */
export type CompileError =
  | { readonly kind: 'rule'; readonly prop: string; readonly role: RuleRole; readonly source: string; readonly problem: RuleProblem }
  /** Cells that wait for each other, by their keys: each reads the next; the first is repeated at the end. */
  | { readonly kind: 'cycle'; readonly path: readonly string[] }
  /** The rules reach too many fields of other pages. */
  | { readonly kind: 'too-far' }
  /** Rules on the fields of a table row are not evaluated by this version of the engine. */
  | { readonly kind: 'row-rule'; readonly prop: string; readonly child: string }

export type CompileResult =
  | { readonly ok: true; readonly compiled: CompiledPage }
  | { readonly ok: false; readonly errors: readonly CompileError[] }

type Draft = Omit<CompiledCell, 'order' | 'feeds' | 'watchedBy'>

/** Where a page stands among the pages of its version. */
export interface Standing extends PagePlace {
  readonly version: VersionPages
}

/**
 * Compiles a page: all rules type-checked, the graph ordered. Gives every problem found, not only the first.
 *
 * @param standing for a page whose rules may read others; without it such a rule reads a field that is not known
 */
export function compilePage(page: PageModel, standing: Standing | null = null): CompileResult {
  const errors: CompileError[] = []
  const compiler = ruleCompiler(fieldTypes(page), standing?.version ?? NO_OTHER_PAGES, sourcesOf(page))
  const compileRule = (field: Field, role: RuleRole, source: string | null, expected: RuleExpectation): Rule | null => {
    if (source === null) return null
    const result = compiler.compile(source, expected)
    if (result.ok) return result.rule
    errors.push({ kind: 'rule', prop: field.prop, role, source, problem: result.problem })
    return null
  }

  const own = page.fields.map((field): Draft => {
    for (const child of field.children) {
      const rules = [child.show, child.require, child.readOnlyWhen, child.calculate]
      if (child.checks.length > 0 || rules.some((rule) => rule !== null)) {
        errors.push({ kind: 'row-rule', prop: field.prop, child: child.prop })
      }
    }
    return {
      key: field.prop,
      place: null,
      field,
      show: compileRule(field, 'show', field.show, 'bool'),
      calculate: compileRule(field, 'calculate', field.calculate, calculationResult(field)),
      require: compileRule(field, 'require', field.require, 'bool'),
      readOnlyWhen: compileRule(field, 'readOnlyWhen', field.readOnlyWhen, 'bool'),
      checks: field.checks.flatMap((check) => {
        const rule = compileRule(field, 'check', check.when, 'bool')
        return rule === null ? [] : [{ check, rule }]
      }),
    }
  })

  const elsewhereCells = standing === null ? [] : cellsElsewhere(own, standing)
  if (elsewhereCells === null) return { ok: false, errors: [...errors, { kind: 'too-far' }] }
  const drafts = [...own, ...elsewhereCells]
  const keysOf = (draft: Draft, rules: readonly (Rule | null)[]) => [...new Set(rules.flatMap((rule) => (rule === null ? [] : readKeys(rule, draft.place, standing))))]
  const feedingReads = new Map(drafts.map((draft) => [draft.key, keysOf(draft, [draft.show, draft.calculate])]))
  const sorted = topologicalOrder(feedingReads)
  for (const path of sorted.cycles) errors.push({ kind: 'cycle', path })
  if (errors.length > 0) return { ok: false, errors }

  const feeds = readersOf(feedingReads)
  const watchedBy = readersOf(
    new Map(drafts.map((draft) => [draft.key, keysOf(draft, [draft.require, draft.readOnlyWhen, ...draft.checks.map((check) => check.rule)])])),
  )
  const byKey = new Map(drafts.map((draft) => [draft.key, draft]))
  const ordered = sorted.order.flatMap((key, order): CompiledCell[] => {
    const draft = byKey.get(key)
    return draft === undefined ? [] : [{ ...draft, order, feeds: feeds.get(key) ?? [], watchedBy: watchedBy.get(key) ?? [] }]
  })
  const cells = new Map(ordered.flatMap((cell) => (cell.place === null ? [[cell.field.prop, cell]] : [])))
  const elsewhere = new Map(ordered.flatMap(({ place }) => (place === null ? [] : [[placeKey(place), place]])))
  const place = standing === null ? null : { folder: standing.folder, page: standing.page }
  const crossings = new Map(
    standing === null ? [] : drafts.flatMap((draft) => rulesOf(draft).flatMap((rule) => crossingsOf(rule, draft.place, standing).map((field) => [cellKey(field, field.prop), field]))),
  )
  return { ok: true, compiled: { page, place, cells, ordered, elsewhere: [...elsewhere.values()], crossings: [...crossings.values()] } }
}

/** Most cells of other pages that the rules of one page may reach: real studies read a few dozen. */
const MAX_ELSEWHERE = 1_000

/** The cells of other pages that rules read, and those that decide there whether these are shown. Null where they are too many. */
function cellsElsewhere(own: readonly Draft[], standing: Standing): readonly Draft[] | null {
  const found = new Map<string, Draft>()
  const waiting = own.flatMap((draft) => rulesOf(draft).flatMap((rule) => readCells(rule, null, standing)))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { place, prop } = next
    const key = cellKey(place, prop)
    const model = place === null || found.has(key) ? null : standing.version.model(place.page)
    const field = model?.byProp.get(prop)
    if (place === null || model === null || field === undefined) continue
    const show = standing.version.showOf(place.page, field)
    found.set(key, { key, place, field, show, calculate: null, require: null, readOnlyWhen: null, checks: [] })
    if (found.size > MAX_ELSEWHERE) return null
    if (show !== null) waiting.push(...readCells(show, place, standing))
  }
  return [...found.values()]
}

interface CellName {
  /** Null for the page that is compiled. */
  readonly place: PagePlace | null
  readonly prop: string
}

/** The cells that a rule of a page reads. What stands on a page that its visit does not have is no cell: it is always missing. */
function readCells(rule: Rule, of: PagePlace | null, standing: Standing): readonly CellName[] {
  const there = crossingsOf(rule, of, standing).flatMap(({ folder, page, prop }): CellName[] => {
    if (folder === standing.folder && page === standing.page) return [{ place: null, prop }]
    return standing.version.standsIn(folder, page) ? [{ place: { folder, page }, prop }] : []
  })
  return [...rule.reads.map((prop) => ({ place: of, prop })), ...there]
}

function crossingsOf(rule: Rule, of: PagePlace | null, standing: Standing): readonly Crossing[] {
  return rule.readsElsewhere.map(({ folder, page, prop }) => ({ folder: folder ?? of?.folder ?? standing.folder, page, prop }))
}

function readKeys(rule: Rule, of: PagePlace | null, standing: Standing | null): readonly string[] {
  return standing === null ? rule.reads : readCells(rule, of, standing).map(({ place, prop }) => cellKey(place, prop))
}

function cellKey(place: PagePlace | null, prop: string): string {
  return place === null ? prop : `${placeKey(place)}/${prop}`
}

function rulesOf({ show, calculate, require, readOnlyWhen, checks }: Draft): readonly Rule[] {
  return [show, calculate, require, readOnlyWhen, ...checks.map(({ rule }) => rule)].filter((rule) => rule !== null)
}

function calculationResult(field: Field): RuleExpectation {
  return valueKind(field) === 'number' ? 'number' : 'value'
}
