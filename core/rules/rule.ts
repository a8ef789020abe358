import type { ASTNode, ParseResult } from '@marcbachmann/cel-js'
import { Environment, EvaluationError, ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js'

import type { JsonValue } from '#core/json.ts'

import { registerFunctions } from './functions.ts'
import { registerRedcapFunctions } from './redcap.ts'
import type { Moment } from './values.ts'
import { PageValues, RedcapValues, fromCel } from './values.ts'

/**
 * Rules in CEL. A rule is parsed and type-checked against the fields of its page when it is written; what it reads is known from
 * its syntax tree; it is evaluated over three values: a value, unknown (an input is missing), or a fault (docs/adr/0007).
 */

/**
 * Longest text of a rule, and the size of its syntax tree. Branching by each of hundreds of codes and calculations with 80 nested
 * `if`s exist; depth counts brackets within brackets, not the length of a chain.
 */
const MAX_RULE_LENGTH = 64_000
const LIMITS = { maxAstNodes: 10_000, maxDepth: 250, maxListElements: 1_000, maxMapEntries: 50, maxCallArguments: 16 }

/** Functions of CEL that rules may not call: `x.matches` runs on the platform's backtracking engine, and a form has no time zone. */
const REFUSED_CALLS: ReadonlySet<string> = new Set(['matches', 'timestamp', 'duration', 'bytes', 'bind'])

/** CEL type of a field in rules. */
export type CelType = 'double' | 'string' | 'list<string>' | 'list<double>' | 'list<dyn>'

/** What a rule must give. `value` is for calculations: the engine fits the result to its field. */
export type RuleExpectation = 'bool' | 'number' | 'text' | 'value'

/** Why a text is not a rule. `start` and `end` are offsets into it. */
export type RuleProblem =
  | { readonly kind: 'too-long' }
  | { readonly kind: 'syntax'; readonly start: number; readonly end: number; readonly detail: string }
  | { readonly kind: 'unknown-field'; readonly prop: string; readonly start: number; readonly end: number }
  | { readonly kind: 'type'; readonly start: number; readonly end: number; readonly detail: string }
  | { readonly kind: 'wrong-result'; readonly expected: RuleExpectation; readonly found: string }
  | { readonly kind: 'not-allowed'; readonly name: string; readonly start: number; readonly end: number }

export type RuleOutcome =
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** No answer: an input is missing, or the arithmetic has none (division by zero). */
  | { readonly kind: 'unknown'; readonly missing: readonly string[] }
  /** The rule failed although every input was there. It is reported to the data manager. */
  | { readonly kind: 'fault'; readonly code: string }

/** What a rule reads: the changing values of one form, and the captured moment. */
export interface RuleScope {
  readonly page: PageValues
  readonly rc: RedcapValues
  readonly moment: Moment
}

export interface Rule {
  readonly source: string
  /** Fields that the rule reads, each once. */
  readonly reads: readonly string[]
  /** Whether it reads `today` or `now`: then the same fields may give another result at another time. */
  readonly readsClock: boolean
  evaluate(scope: RuleScope): RuleOutcome
}

export type RuleResult = { readonly ok: true; readonly rule: Rule } | { readonly ok: false; readonly problem: RuleProblem }

/** Compiles rules against one page. */
export interface RuleCompiler {
  compile(source: string, expected: RuleExpectation): RuleResult
}

let shared: Environment | null = null

/** The environment that all pages share; building it is the expensive part, so it is built once. */
function baseEnvironment(): Environment {
  if (shared === null) {
    shared = new Environment({ homogeneousAggregateLiterals: false, limits: LIMITS })
    registerFunctions(shared)
    registerRedcapFunctions(shared)
  }
  return shared
}

/** A compiler for the rules of a page whose fields have these types. */
export function ruleCompiler(fields: ReadonlyMap<string, CelType>): RuleCompiler {
  const env = baseEnvironment().clone()
  env.registerType('Page', { ctor: PageValues, fields: Object.fromEntries(fields) })
  env.registerType('RedcapPage', {
    ctor: RedcapValues,
    fields: Object.fromEntries(Array.from(fields.keys(), (prop) => [prop, 'dyn'])),
  })
  env.registerVariable('page', 'Page')
  env.registerVariable('rc', 'RedcapPage')
  env.registerVariable('today', 'string')
  env.registerVariable('now', 'string')
  return { compile: (source, expected) => compile(env, fields, source, expected) }
}

function compile(
  env: Environment,
  fields: ReadonlyMap<string, CelType>,
  source: string,
  expected: RuleExpectation,
): RuleResult {
  if (source.length > MAX_RULE_LENGTH) return { ok: false, problem: { kind: 'too-long' } }
  let parsed: ParseResult
  try {
    parsed = env.parse(source)
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    return { ok: false, problem: { kind: 'syntax', ...rangeOf(error, source), detail: error.summary } }
  }
  const reading = readsOf(parsed.ast, fields)
  if (!reading.ok) return reading
  const checked = parsed.check()
  if (!checked.valid || checked.type === undefined) {
    const detail = checked.error?.summary ?? ''
    return { ok: false, problem: { kind: 'type', ...rangeOf(checked.error, source), detail } }
  }
  if (!fits(checked.type, expected)) {
    return { ok: false, problem: { kind: 'wrong-result', expected, found: checked.type } }
  }
  const { reads, readsClock } = reading
  return { ok: true, rule: { source, reads, readsClock, evaluate: (scope) => evaluate(parsed, reads, scope) } }
}

function evaluate(parsed: ParseResult, reads: readonly string[], scope: RuleScope): RuleOutcome {
  try {
    const result: unknown = parsed({ page: scope.page, rc: scope.rc, today: scope.moment.today, now: scope.moment.now })
    const value = fromCel(result)
    return value === null ? { kind: 'unknown', missing: missingOf(reads, scope) } : { kind: 'value', value }
  } catch (error) {
    // Whatever a rule throws is its outcome, never the form's: a definition made by a stranger must not stop entry.
    const missing = missingOf(reads, scope)
    if (missing.length > 0) return { kind: 'unknown', missing }
    return { kind: 'fault', code: error instanceof EvaluationError || error instanceof CelTypeError ? error.code : 'function' }
  }
}

function missingOf(reads: readonly string[], scope: RuleScope): readonly string[] {
  return reads.filter((prop) => !scope.page.has(prop))
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

type Reading =
  | { readonly ok: true; readonly reads: readonly string[]; readonly readsClock: boolean }
  | { readonly ok: false; readonly problem: RuleProblem }

/** The fields that a syntax tree reads. `page` and `rc` may only be used with a field named after the dot, so this is complete. */
function readsOf(root: ASTNode, fields: ReadonlyMap<string, CelType>): Reading {
  const reads = new Set<string>()
  let readsClock = false
  const stack: ASTNode[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const { start, end } = node
    if (node.op === '.' && node.args[0].op === 'id' && isPageVariable(node.args[0].args)) {
      const prop = node.args[1]
      if (!fields.has(prop)) return { ok: false, problem: { kind: 'unknown-field', prop, start, end } }
      reads.add(prop)
      continue
    }
    if (node.op === 'id' && isPageVariable(node.args)) {
      return { ok: false, problem: { kind: 'not-allowed', name: node.args, start, end } }
    }
    if (node.op === 'id' && (node.args === 'today' || node.args === 'now')) readsClock = true
    // The two-argument `matches(text, pattern)` is ours, on a linear engine.
    const called = node.op === 'rcall' || (node.op === 'call' && node.args[0] !== 'matches') ? node.args[0] : null
    if (called !== null && REFUSED_CALLS.has(called)) {
      return { ok: false, problem: { kind: 'not-allowed', name: called, start, end } }
    }
    stack.push(...childrenOf(node).toReversed())
  }
  return { ok: true, reads: [...reads], readsClock }
}

function isPageVariable(name: string): boolean {
  return name === 'page' || name === 'rc'
}

function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return []
    case '.':
    case '.?':
      return [node.args[0]]
    case 'call':
      return node.args[1]
    case 'rcall':
      return [node.args[1], ...node.args[2]]
    case 'map':
      return node.args.flat()
    case '!_':
    case '-_':
      return [node.args]
    case 'list':
    case '?:':
    case '[]':
    case '[?]':
    case '||':
    case '&&':
    case '!=':
    case '==':
    case 'in':
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return node.args
  }
}

function rangeOf(error: ParseError | CelTypeError | undefined, source: string): { start: number; end: number } {
  return { start: error?.range?.start ?? 0, end: error?.range?.end ?? source.length }
}
