import type { ASTNode, ParseResult } from '@marcbachmann/cel-js'
import { Environment, EvaluationError, ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js'
import type { JsonValue } from '#core/json.ts'

import type { FormWork } from './budget.ts'
import { beginWork, endWork, spendResult } from './budget.ts'
import { registerFunctions } from './functions.ts'
import { meter } from './metering.ts'
import type { FieldReference, KnownFields, OtherPages } from './reads.ts'
import { NO_OTHER_PAGES, PICKS, mentionsOf, pathOf, readsOf } from './reads.ts'
import type { CelType, RuleExpectation, RuleProblem } from './problem.ts'
import { registerRedcapFunctions } from './redcap/redcap.ts'
import type { CelValue, OtherPageValues, Moment, NamedValues } from './values.ts'
import { PageValues, RedcapValues, RowValues, areNamed, fromCel } from './values.ts'
import { registerXPathFunctions } from './xpath/xpath.ts'

/**
 * Rules in CEL. A rule is parsed and type-checked against the fields of its page when it is written. Its syntax tree
 * shows what it reads. Its evaluation has three outcomes: a value, unknown (an input is missing), or a fault
 * (docs/adr/0007).
 */

/**
 * Longest text of a rule, and largest size of its syntax tree. Real rules branch by hundreds of codes, and some
 * calculations have 80 nested `if`s. Depth counts brackets within brackets, not the length of a chain.
 */
const MAX_RULE_LENGTH = 64_000
const LIMITS = { maxAstNodes: 10_000, maxDepth: 250, maxListElements: 1_000, maxMapEntries: 50, maxCallArguments: 16 }

export type RuleOutcome =
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** No answer: an input is missing, or the arithmetic has no result (division by zero). */
  | { readonly kind: 'unknown'; readonly missing: readonly string[] }
  /**
   * The rule failed although every input was there, or it needed too much work (`TOO_MUCH_WORK`). The data manager gets
   * a report.
   */
  | { readonly kind: 'fault'; readonly code: string }

/** The code of a fault: the rule used up its budget before it had a result. */
export const TOO_MUCH_WORK = 'too_much_work'

/** What a rule reads: the changing values of one form, those of other pages, and the captured moment. */
export interface RuleScope {
  readonly page: PageValues
  readonly rc: RedcapValues
  /** What is stored, whether it is shown or not; absent where nothing is hidden. */
  readonly rcStored?: RedcapValues
  /** The row to which the rule belongs; absent for a rule of the page itself. */
  readonly row?: RowValues
  readonly moment: Moment
  /** Absent for a page whose rules read no other page. */
  readonly otherPages?: OtherPageValues
  /** The budget that the rules of a form share; absent for a rule that is run alone. */
  readonly work?: FormWork
}

export interface Rule {
  readonly source: string
  /** Fields that the rule reads, each once. */
  readonly reads: readonly string[]
  /** Those of them that the rule only reads as stored, whether they are shown or not. */
  readonly readsStored: readonly string[]
  /** Fields of its own row that it reads, each once; none for a rule of the page itself. */
  readonly readsRow: readonly string[]
  /** Fields of other pages that it reads, each once. */
  readonly readsOtherPages: readonly FieldReference[]
  /** Whether the rule reads `today` or `now`: then the same fields may give another result at another time. */
  readonly readsClock: boolean
  evaluate(scope: RuleScope): RuleOutcome
}

export type RuleResult =
  | { readonly ok: true; readonly rule: Rule }
  | { readonly ok: false; readonly problem: RuleProblem }

/** Compiles rules against one page. */
export interface RuleCompiler {
  compile(source: string, expected: RuleExpectation): RuleResult
}

let shared: Environment | null = null

/** The environment that all pages share; it is built once, because building it is the expensive part. */
function baseEnvironment(): Environment {
  if (shared === null) {
    shared = new Environment({ homogeneousAggregateLiterals: false, limits: LIMITS })
    registerFunctions(shared)
    registerRedcapFunctions(shared)
    registerXPathFunctions(shared)
  }
  return shared
}

/**
 * A compiler for the rules of a page whose fields have these types.
 *
 * @param others the other pages of the version, for rules that read across pages
 * @param sources all rules that will be compiled: the pages that they name decide what the compiler must know
 * @param row fields of a row, for the rules of a table's fields
 */
export function ruleCompiler(
  fields: ReadonlyMap<string, CelType>,
  others: OtherPages = NO_OTHER_PAGES,
  sources: Iterable<string> = [],
  row: ReadonlyMap<string, CelType> | null = null,
): RuleCompiler {
  const env = baseEnvironment().clone()
  env.registerType('Page', { ctor: PageValues, fields: Object.fromEntries(fields) })
  env.registerType('RedcapPage', {
    ctor: RedcapValues,
    fields: Object.fromEntries(Array.from(fields.keys(), (code) => [code, 'dyn'])),
  })
  env.registerVariable('page', 'Page')
  if (row !== null) {
    env.registerType('Row', { ctor: RowValues, fields: Object.fromEntries(row) })
    env.registerVariable('row', 'Row')
  }
  env.registerVariable('rc', 'RedcapPage')
  env.registerVariable('rcStored', 'RedcapPage')
  env.registerVariable('today', 'string')
  env.registerVariable('now', 'string')
  registerOtherPages(env, others, sources)
  return { compile: (source, expected) => compile(env, { fields, row, others }, source, expected) }
}

/** The syntax tree of a rule, whatever names it uses; null where the text is not CEL. */
export function syntaxOf(source: string): ASTNode | null {
  if (source.length > MAX_RULE_LENGTH) return null
  try {
    return baseEnvironment().parse(source).ast
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    return null
  }
}

/**
 * Registers the pages that the rules name, each with the types of its fields, in the same way as the rules' own page.
 */
function registerOtherPages(env: Environment, others: OtherPages, sources: Iterable<string>): void {
  const { visit, visits, form, picked } = mentionsOf(sources)
  if (visit.size === 0 && visits.size === 0 && form.size === 0) return
  const known = new Set<string>()
  const register = (page: string, fields: ReadonlyMap<string, CelType>) => {
    if (known.has(page)) return
    known.add(page)
    const own = Object.fromEntries(fields)
    const picks = picked.has(page) ? Object.fromEntries(PICKS.map((pick) => [pick, `Picked_${page}`])) : {}
    if (picked.has(page)) env.registerType(`Picked_${page}`, { fields: own })
    if (visits.has(page)) env.registerType(`Repeats_${page}`, { fields: picks })
    env.registerType(`Page_${page}`, { fields: { ...picks, ...own } })
  }
  const typesOf = (pages: Iterable<string>, type: 'Page' | 'Repeats' = 'Page'): Record<string, string> =>
    Object.fromEntries(
      [...pages].flatMap((page) => {
        const fields = others.fieldsOf(page)
        if (fields === null) return []
        register(page, fields)
        return [[page, `${type}_${page}`]]
      }),
    )
  env.registerType('Visit', { fields: typesOf(visit) })
  env.registerVariable('visit', 'Visit')
  if (visits.size > 0) {
    env.registerType('EveryVisit', { fields: typesOf(visits, 'Repeats') })
    env.registerVariable('visits', 'EveryVisit')
  }
  env.registerVariable('rcVisit', 'map<string, map<string, dyn>>')
  const folders = [...form].map(([folder, pages]): [string, string] => {
    env.registerType(`Visit_${folder}`, { fields: typesOf([...pages].filter((page) => others.standsIn(folder, page))) })
    return [folder, `Visit_${folder}`]
  })
  env.registerType('Visits', { fields: Object.fromEntries(folders) })
  env.registerVariable('form', 'Visits')
}

function compile(env: Environment, known: KnownFields, source: string, expected: RuleExpectation): RuleResult {
  if (source.length > MAX_RULE_LENGTH) return { ok: false, problem: { kind: 'too-long' } }
  let parsed: ParseResult
  try {
    parsed = env.parse(source)
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    return { ok: false, problem: { kind: 'syntax', ...rangeOf(error, source), detail: error.summary } }
  }
  const reading = readsOf(parsed.ast, known)
  if (!reading.ok) return reading
  const checked = parsed.check()
  if (!checked.valid || checked.type === undefined) {
    const detail = checked.error?.summary ?? ''
    return { ok: false, problem: { kind: 'type', ...rangeOf(checked.error, source), detail } }
  }
  if (!fits(checked.type, expected)) {
    return { ok: false, problem: { kind: 'wrong-result', expected, found: checked.type } }
  }
  const { reads, readsStored, readsRow, readsOtherPages, readsClock } = reading
  meter(parsed.ast)
  const inputs = { reads, readsRow, readsOtherPages: readsOtherPages }
  return {
    ok: true,
    rule: { source, ...inputs, readsStored, readsClock, evaluate: (scope) => evaluate(parsed, inputs, scope) },
  }
}

type Inputs = Pick<Rule, 'reads' | 'readsRow' | 'readsOtherPages'>

function evaluate(parsed: ParseResult, inputs: Inputs, scope: RuleScope): RuleOutcome {
  beginWork(scope.work)
  const outcome = outcomeOf(parsed, inputs, scope)
  // The budget is checked whatever the outcome: the rule may have swallowed the error that says the budget is used up.
  return endWork(scope.work) ? SPENT : outcome
}

const SPENT: RuleOutcome = { kind: 'fault', code: TOO_MUCH_WORK }

function outcomeOf(parsed: ParseResult, inputs: Inputs, scope: RuleScope): RuleOutcome {
  try {
    const { page, rc, rcStored = rc, row, moment, otherPages } = scope
    const here = { page, rc, rcStored, today: moment.today, now: moment.now, ...(row === undefined ? NO_ROW : { row }) }
    const result: unknown = parsed(otherPages === undefined ? here : { ...here, ...otherPages })
    spendResult(result)
    const value = fromCel(result)
    return value === null ? { kind: 'unknown', missing: missingOf(inputs, scope) } : { kind: 'value', value }
  } catch (error) {
    // Whatever a rule throws becomes its outcome and does not reach the form: a definition made by a stranger must not
    // stop entry.
    const missing = missingOf(inputs, scope)
    if (missing.length > 0) return { kind: 'unknown', missing }
    return {
      kind: 'fault',
      code: error instanceof EvaluationError || error instanceof CelTypeError ? error.code : 'function',
    }
  }
}

const NO_ROW = {}

function missingOf(
  { reads, readsRow, readsOtherPages }: Inputs,
  { page, row, otherPages }: RuleScope,
): readonly string[] {
  const here = [
    ...reads.filter((code) => !page.has(code)),
    ...readsRow.filter((code) => row?.has(code) !== true).map((code) => `row.${code}`),
  ]
  const there = readsOtherPages.map(pathOf).filter((path) => otherPages === undefined || !isThere(otherPages, path))
  return [...here, ...there.map((path) => path.join('.'))]
}

function isThere(otherPages: OtherPageValues, [variable, ...names]: ReturnType<typeof pathOf>): boolean {
  let at: NamedValues | CelValue | undefined = otherPages[variable]
  for (const name of names) at = areNamed(at) ? at.get(name) : undefined
  return at !== undefined
}

function fits(type: string, expected: RuleExpectation): boolean {
  if (type === 'dyn') return true
  switch (expected) {
    case 'bool':
      return type === 'bool'
    case 'number':
      return type === 'double' || type === 'int'
    case 'text':
      return type === 'string'
    case 'value':
      return ['bool', 'double', 'int', 'string', 'list<string>', 'list<double>', 'list<dyn>'].includes(type)
  }
}

function rangeOf(error: ParseError | CelTypeError | undefined, source: string): { start: number; end: number } {
  return { start: error?.range?.start ?? 0, end: error?.range?.end ?? source.length }
}
