import type { CheckRule } from '#core/form/definition/column.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { isTable } from '#core/form/definition/page.ts'
import type { Reference } from '#core/form/definition/readLimits.ts'
import { valueKind } from '#core/form/definition/value.ts'
import type { RuleExpectation, RuleProblem } from '#core/rules/problem.ts'
import { NO_OTHER_PAGES, pathOf } from '#core/rules/reads.ts'
import type { FieldReference } from '#core/rules/reads.ts'
import type { Rule, RuleCompiler } from '#core/rules/rule.ts'
import { ruleCompiler } from '#core/rules/rule.ts'

import { readersOf, topologicalOrder } from './order.ts'
import type { PagePlace, ReadPlace, VersionPages } from './version.ts'
import { fieldTypes, placeKey, sourcesOf } from './version.ts'

/**
 * A page that is compiled once: its rules, and the order in which its cells are settled. All forms of that page share
 * it. Fields of other pages that its rules read are among the cells, with the rules that show or hide them there: a
 * hidden value is missing to rules of any page.
 */

type RuleRole = 'show' | 'require' | 'readOnlyWhen' | 'calculate' | 'check' | 'reference'

export interface CompiledCheck {
  readonly check: CheckRule
  readonly rule: Rule
  /**
   * The fields of the page and the row that the check reads and that identify nobody: an answer is remembered with
   * their values.
   */
  readonly open: { readonly page: readonly string[]; readonly row: readonly string[] }
}

/** A reference range and the condition for whom it holds; null for everybody. */
interface CompiledReference {
  readonly range: Reference
  readonly rule: Rule | null
}

export interface CompiledCell {
  /** Name among the cells: the code for a field of the page itself, `folder/page/code` for a field of another page. */
  readonly key: string
  /** The other entry to which the field belongs; null for a field of the page itself. */
  readonly place: ReadPlace | null
  readonly field: Field
  /** The fields of a row, where the field is a table. */
  readonly table: CompiledTable | null
  /** Place in the topological order: a cell comes after everything that its visibility and its calculation read. */
  readonly order: number
  readonly show: Rule | null
  /** Null for a field of another page: its value is the one saved there. */
  readonly calculate: Rule | null
  readonly require: Rule | null
  readonly readOnlyWhen: Rule | null
  readonly checks: readonly CompiledCheck[]
  readonly references: readonly CompiledReference[]
  /** Cells whose visibility or value may change when this cell changes. */
  readonly feeds: readonly string[]
  /** Cells whose requirement, lock or checks may change when this cell changes. */
  readonly watchedBy: readonly string[]
  /** Cells whose visibility or value reads what this cell holds, shown or not. They may come before it. */
  readonly storedBy: readonly string[]
}

/**
 * The fields of a table's rows: cells in an order of their own, which read the row and the page. In the page's order
 * the table is one cell: it comes after every field of the page that its rows' visibility and calculations read.
 */
export interface CompiledTable {
  /** Fields of a row by their codes, in the order of the definition. */
  readonly cells: ReadonlyMap<string, CompiledCell>
  readonly ordered: readonly CompiledCell[]
}

export interface CompiledPage {
  readonly page: PageModel
  /** The page's place in the version; null for a page by itself. */
  readonly place: PagePlace | null
  /** Cells of the page's own fields, by code. */
  readonly cells: ReadonlyMap<string, CompiledCell>
  /** All cells in topological order, including those of other pages. */
  readonly ordered: readonly CompiledCell[]
  /** Other entries whose saved data the rules need. */
  readonly otherPages: readonly ReadPlace[]
  /** Every field that a rule reads across pages, each once for each page whose rules name it. */
  readonly crossings: readonly Crossing[]
}

/** A field of another page, as the rules of a page name it. */
export interface Crossing {
  /** The entry whose rules name the field; null for the page itself. */
  readonly of: ReadPlace | null
  readonly path: ReturnType<typeof pathOf>
  /** Key of the cell. No cell has that key where the visit does not have the page. */
  readonly cell: string
}

/** Why a page has no engine. A designer shows these; a released page has none. */
export type CompileError =
  | {
      readonly kind: 'rule'
      readonly code: string
      readonly role: RuleRole
      readonly source: string
      readonly problem: RuleProblem
    }
  /** Cells that wait for each other, by their keys: each reads the next; the first is repeated at the end. */
  | { readonly kind: 'cycle'; readonly path: readonly string[] }
  /** The rules reach too many fields of other pages. */
  | { readonly kind: 'too-far' }

export type CompileResult =
  | { readonly ok: true; readonly compiled: CompiledPage }
  | { readonly ok: false; readonly errors: readonly CompileError[] }

interface RawCell extends Omit<CompiledCell, 'order' | 'feeds' | 'watchedBy' | 'storedBy' | 'table'> {
  /** Fields of a row, where the field is a table. */
  readonly children: readonly RawCell[]
}

/** The place of a page among the pages of its version. */
export interface PlaceInVersion extends PagePlace {
  readonly version: VersionPages
}

/**
 * Compiles a page: all rules are type-checked and the graph is ordered. Gives every problem, not only the first.
 *
 * @param at for a page whose rules may read other pages; without it such a rule reads an unknown field
 */
export function compilePage(page: PageModel, at: PlaceInVersion | null = null): CompileResult {
  const errors: CompileError[] = []
  const own = compileCells(page, at?.version ?? NO_OTHER_PAGES, errors)
  const otherCells = at === null ? [] : cellsOfOtherPages(own, at)
  if (otherCells === null) return { ok: false, errors: [...errors, { kind: 'too-far' }] }
  const rawCells = [...own, ...otherCells]
  const reads = findReads(rawCells, at)
  const sorted = topologicalOrder(reads.feeding)
  for (const path of sorted.cycles) errors.push({ kind: 'cycle', path })
  const tables = new Map(own.flatMap((raw) => (isTable(raw.field) ? [[raw.key, compileTable(raw, errors)]] : [])))
  if (errors.length > 0) return { ok: false, errors }

  const readers = {
    feeds: readersOf(reads.feeding),
    storedBy: readersOf(reads.stored),
    watchedBy: readersOf(reads.watching),
  }
  const byKey = new Map(rawCells.map((raw) => [raw.key, raw]))
  const ordered = sorted.order.flatMap((key, order): CompiledCell[] => {
    const raw = byKey.get(key)
    return raw === undefined ? [] : [placeCell(raw, order, readers, tables.get(key) ?? null)]
  })
  const cells = new Map(ordered.flatMap((cell) => (cell.place === null ? [[cell.field.code, cell]] : [])))
  const otherPages = new Map(ordered.flatMap(({ place }) => (place === null ? [] : [[placeKey(place), place]])))
  const place = at === null ? null : { folder: at.folder, page: at.page }
  const crossings = uniqueCrossings(
    at === null
      ? []
      : rawCells.flatMap((raw) =>
          rulesOf(raw).flatMap((rule) => rule.readsOtherPages.map((read) => crossingOf(read, raw.place, at))),
        ),
  )
  return { ok: true, compiled: { page, place, cells, ordered, otherPages: [...otherPages.values()], crossings } }
}

/** The page's fields with their compiled rules, including the fields in the rows of its tables. */
function compileCells(
  page: PageModel,
  others: Parameters<typeof ruleCompiler>[1],
  errors: CompileError[],
): readonly RawCell[] {
  const types = fieldTypes(page.fields)
  const compileFields = (fields: readonly Field[], table: Field | null, compiler: RuleCompiler): readonly RawCell[] =>
    fields.map((field) => {
      const code = table === null ? field.code : `${table.code}.${field.code}`
      return {
        key: field.code,
        place: null,
        field,
        children: isTable(field) && table === null ? compileRows(field) : [],
        ...compileRules(page, fields, field, (role, source, expected) => {
          if (source === null) return null
          const result = compiler.compile(source, expected)
          if (result.ok) return result.rule
          errors.push({ kind: 'rule', code, role, source, problem: result.problem })
          return null
        }),
      }
    })
  const compileRows = (table: Field): readonly RawCell[] => {
    const compiler = ruleCompiler(types, others, sourcesOf(table.children), fieldTypes(table.children))
    return compileFields(table.children, table, compiler)
  }
  return compileFields(page.fields, null, ruleCompiler(types, others, sourcesOf(page.fields)))
}

/** @param beside the fields in the same row, or those of the page where the field is in no row */
function compileRules(
  page: PageModel,
  beside: readonly Field[],
  field: Field,
  compileRule: (role: RuleRole, source: string | null, expected: RuleExpectation) => Rule | null,
): Pick<RawCell, 'show' | 'calculate' | 'require' | 'readOnlyWhen' | 'checks' | 'references'> {
  return {
    show: compileRule('show', field.show, 'bool'),
    calculate: compileRule('calculate', field.calculate, calculationResult(field)),
    require: compileRule('require', field.require, 'bool'),
    readOnlyWhen: compileRule('readOnlyWhen', field.readOnlyWhen, 'bool'),
    checks: field.checks.flatMap((check) => {
      const rule = compileRule('check', check.when, 'bool')
      if (rule === null) return []
      const open = {
        page: rule.reads.filter((code) => page.byCode.get(code)?.identifier === false),
        row: rule.readsRow.filter((code) => beside.find((one) => one.code === code)?.identifier === false),
      }
      return [{ check, rule, open }]
    }),
    references: field.references.flatMap((range) => {
      const rule = compileRule('reference', range.when, 'bool')
      return rule === null && range.when !== null ? [] : [{ range, rule }]
    }),
  }
}

/** Which cells each cell reads, by the purpose. */
interface Reads {
  /** Read for visibility and value, as the cells are shown: the read cells must come first. */
  readonly feeding: ReadonlyMap<string, readonly string[]>
  /** Read for the same, but as the cells are stored: these need no order. */
  readonly stored: ReadonlyMap<string, ReadonlySet<string>>
  /** Read for requirement, lock, checks and choices. */
  readonly watching: ReadonlyMap<string, readonly string[]>
}

function findReads(rawCells: readonly RawCell[], at: PlaceInVersion | null): Reads {
  const keysOf = (raw: RawCell, rules: readonly (Rule | null)[]) => [
    ...new Set(rules.flatMap((rule) => (rule === null ? [] : readKeys(rule, raw.place, at)))),
  ]
  // Entered values depend on nothing, so reading them as stored needs no order.
  const entered = new Set(
    rawCells.flatMap(({ key, field, calculate }) => (calculate === null && !isTable(field) ? [key] : [])),
  )
  const stored = new Map(rawCells.map((raw) => [raw.key, storedKeys(withRows(raw, feedingRules), raw.place)]))
  return {
    stored,
    feeding: new Map(
      rawCells.map((raw) => [
        raw.key,
        keysOf(raw, withRows(raw, feedingRules)).filter(
          (key) => !entered.has(key) || stored.get(raw.key)?.has(key) !== true,
        ),
      ]),
    ),
    watching: new Map(
      rawCells.map((raw) => [
        raw.key,
        [...new Set([...keysOf(raw, withRows(raw, watchingRules)), ...listFollowed(raw)])],
      ]),
    ),
  }
}

type Readers = ReadonlyMap<string, readonly string[]>

const NOBODY: Readers = new Map()

function placeCell(
  { children: _children, ...raw }: RawCell,
  order: number,
  readers: { readonly feeds: Readers; readonly watchedBy: Readers; readonly storedBy: Readers },
  table: CompiledTable | null,
): CompiledCell {
  const of = (by: Readers) => by.get(raw.key) ?? []
  return {
    ...raw,
    table,
    order,
    feeds: of(readers.feeds),
    watchedBy: of(readers.watchedBy),
    storedBy: of(readers.storedBy),
  }
}

/** The cells of which rules only read what is stored. */
function storedKeys(rules: readonly (Rule | null)[], of: ReadPlace | null): ReadonlySet<string> {
  const stored = new Set(rules.flatMap((rule) => rule?.readsStored ?? []))
  if (stored.size === 0) return stored
  const seen = new Set(rules.flatMap((rule) => rule?.reads.filter((code) => !rule.readsStored.includes(code)) ?? []))
  return new Set([...stored].flatMap((code) => (seen.has(code) ? [] : [cellKey(of, code)])))
}

/** The order within a row. The table, as one cell, follows the fields of the page that its rows' rules read. */
function compileTable(table: RawCell, errors: CompileError[]): CompiledTable {
  const readsOf = (rules: (raw: RawCell) => readonly (Rule | null)[]) =>
    new Map(table.children.map((raw) => [raw.key, [...new Set(rules(raw).flatMap((rule) => rule?.readsRow ?? []))]]))
  const reads = readsOf(feedingRules)
  const sorted = topologicalOrder(reads)
  for (const path of sorted.cycles) errors.push({ kind: 'cycle', path: path.map((code) => `${table.key}.${code}`) })
  const watching = new Map(Array.from(readsOf(watchingRules), ([key, codes]) => [key, codes]))
  for (const raw of table.children)
    watching.set(raw.key, [...new Set([...(watching.get(raw.key) ?? []), ...listFollowed(raw)])])
  const [feeds, watchedBy] = [readersOf(reads), readersOf(watching)]
  const byKey = new Map(table.children.map((raw) => [raw.key, raw]))
  const ordered = sorted.order.flatMap((key, order) => {
    const raw = byKey.get(key)
    return raw === undefined ? [] : [placeCell(raw, order, { feeds, watchedBy, storedBy: NOBODY }, null)]
  })
  const cells = new Map(ordered.map((cell) => [cell.key, cell]))
  return {
    cells: new Map(
      table.children.flatMap(({ key }) => {
        const cell = cells.get(key)
        return cell === undefined ? [] : [[key, cell] as const]
      }),
    ),
    ordered,
  }
}

function feedingRules({ show, calculate }: RawCell): readonly (Rule | null)[] {
  return [show, calculate]
}

function watchingRules({ require, readOnlyWhen, checks, references }: RawCell): readonly (Rule | null)[] {
  return [require, readOnlyWhen, ...checks.map(({ rule }) => rule), ...references.map(({ rule }) => rule)]
}

/** The field whose answer decides what may be chosen in this field. */
function listFollowed({ place, field: { chain } }: RawCell): readonly string[] {
  return chain === null || place !== null ? [] : [chain.parent]
}

/** Rules of a cell, and of the cells in its rows where it is a table. */
function withRows(raw: RawCell, rules: (raw: RawCell) => readonly (Rule | null)[]): readonly (Rule | null)[] {
  return [...rules(raw), ...raw.children.flatMap(rules)]
}

/** Most cells of other pages that the rules of one page may reach: real studies read a few dozen. */
const MAX_ELSEWHERE = 1_000

/**
 * The cells of other pages that rules read, and the cells there that decide whether these are shown. Null where there
 * are too many.
 */
function cellsOfOtherPages(own: readonly RawCell[], at: PlaceInVersion): readonly RawCell[] | null {
  const found = new Map<string, RawCell>()
  const waiting = own.flatMap((raw) => rulesOf(raw).flatMap((rule) => readCells(rule, null, at)))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { place, code } = next
    const key = cellKey(place, code)
    const model = place === null || found.has(key) ? null : at.version.model(place.page)
    const field = model?.byCode.get(code)
    if (place === null || model === null || field === undefined) continue
    const show = at.version.showOf(place.page, field)
    found.set(key, {
      key,
      place,
      field,
      children: [],
      show,
      calculate: null,
      require: null,
      readOnlyWhen: null,
      checks: [],
      references: [],
    })
    if (found.size > MAX_ELSEWHERE) return null
    if (show !== null) waiting.push(...readCells(show, place, at))
  }
  return [...found.values()]
}

interface CellName {
  /** Null for the page that is compiled. */
  readonly place: ReadPlace | null
  readonly code: string
}

/**
 * The cells that a rule of a page reads. A field of a page that its visit does not have gives no cell: its value is
 * always missing.
 */
function readCells(rule: Rule, of: ReadPlace | null, at: PlaceInVersion): readonly CellName[] {
  const there = rule.readsOtherPages.flatMap((read): CellName[] => {
    const place = resolveEntry(read, of, at)
    return place === null || at.version.standsIn(place.folder, place.page) ? [{ place, code: read.code }] : []
  })
  return [...rule.reads.map((code) => ({ place: of, code })), ...there]
}

/** The entry that a rule means; null for the page that is compiled. @param of the entry whose rule it is */
function resolveEntry(
  { folder, page, pick }: FieldReference,
  of: ReadPlace | null,
  at: PlaceInVersion,
): ReadPlace | null {
  const there = folder ?? of?.folder ?? at.folder
  if (pick !== null)
    return {
      folder: there,
      page,
      pick: { which: pick, sameVisit: folder === null },
      ...(of === null ? {} : { from: of }),
    }
  // What a picked entry's rules name in the same visit belongs to that entry. The same holds for the rules of entries
  // that belong to it.
  const leader = of?.pick === undefined ? of?.from : of
  if (leader !== undefined && there === leader.folder)
    return page === leader.page ? leader : { folder: there, page, from: leader }
  return there === at.folder && page === at.page ? null : { folder: there, page }
}

function crossingOf(read: FieldReference, of: ReadPlace | null, at: PlaceInVersion): Crossing {
  return { of, path: pathOf(read), cell: cellKey(resolveEntry(read, of, at), read.code) }
}

function uniqueCrossings(all: readonly Crossing[]): readonly Crossing[] {
  return [
    ...new Map(all.map((one) => [`${one.of === null ? '' : placeKey(one.of)} ${one.path.join('.')}`, one])).values(),
  ]
}

function readKeys(rule: Rule, of: ReadPlace | null, at: PlaceInVersion | null): readonly string[] {
  return at === null ? rule.reads : readCells(rule, of, at).map(({ place, code }) => cellKey(place, code))
}

function cellKey(place: ReadPlace | null, code: string): string {
  return place === null ? code : `${placeKey(place)}/${code}`
}

function rulesOf(raw: RawCell): readonly Rule[] {
  return [...withRows(raw, feedingRules), ...withRows(raw, watchingRules)].filter((rule) => rule !== null)
}

export function calculationResult(field: Field): RuleExpectation {
  return valueKind(field) === 'number' ? 'number' : 'value'
}
