import type { CelType, Rule, RuleExpectation, RuleProblem } from '#core/rules/rule.ts'
import { ruleCompiler } from '#core/rules/rule.ts'

import type { CheckRule } from './column.ts'
import type { Field, PageModel } from './page.ts'
import { valueKind } from './value.ts'

/** A page compiled once: its rules, and which field must be settled before which. Shared by all forms of that page. */

type RuleRole = 'show' | 'require' | 'readOnlyWhen' | 'calculate' | 'check'

interface CompiledCheck {
  readonly check: CheckRule
  readonly rule: Rule
}

export interface CompiledCell {
  readonly field: Field
  /** Place in the topological order: a cell comes after everything that its visibility and calculation read. */
  readonly order: number
  readonly show: Rule | null
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
  readonly cells: ReadonlyMap<string, CompiledCell>
  /** All cells in topological order. */
  readonly ordered: readonly CompiledCell[]
}

/** Why a page has no engine. A designer shows these; a released page has none. */
export type CompileError =
  | { readonly kind: 'rule'; readonly prop: string; readonly role: RuleRole; readonly source: string; readonly problem: RuleProblem }
  /** Fields that wait for each other: each reads the next; the first is repeated at the end. */
  | { readonly kind: 'cycle'; readonly path: readonly string[] }
  /** Rules on the fields of a table row are not evaluated by this version of the engine. */
  | { readonly kind: 'row-rule'; readonly prop: string; readonly child: string }

export type CompileResult =
  | { readonly ok: true; readonly compiled: CompiledPage }
  | { readonly ok: false; readonly errors: readonly CompileError[] }

interface Draft {
  readonly field: Field
  readonly show: Rule | null
  readonly calculate: Rule | null
  readonly require: Rule | null
  readonly readOnlyWhen: Rule | null
  readonly checks: readonly CompiledCheck[]
}

/** Compiles a page: all rules type-checked, the graph ordered. Gives every problem found, not only the first. */
export function compilePage(page: PageModel): CompileResult {
  const errors: CompileError[] = []
  const compiler = ruleCompiler(new Map(page.fields.map((field) => [field.prop, celType(field)])))
  const compileRule = (field: Field, role: RuleRole, source: string | null, expected: RuleExpectation): Rule | null => {
    if (source === null) return null
    const result = compiler.compile(source, expected)
    if (result.ok) return result.rule
    errors.push({ kind: 'rule', prop: field.prop, role, source, problem: result.problem })
    return null
  }

  const drafts = page.fields.map((field): Draft => {
    for (const child of field.children) {
      const rules = [child.show, child.require, child.readOnlyWhen, child.calculate]
      if (child.checks.length > 0 || rules.some((rule) => rule !== null)) {
        errors.push({ kind: 'row-rule', prop: field.prop, child: child.prop })
      }
    }
    return {
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

  const feedingReads = new Map(drafts.map((draft) => [draft.field.prop, readsOf([draft.show, draft.calculate])]))
  const sorted = topologicalOrder(feedingReads)
  for (const path of sorted.cycles) errors.push({ kind: 'cycle', path })
  if (errors.length > 0) return { ok: false, errors }

  const feeds = reverse(feedingReads)
  const watchedBy = reverse(
    new Map(
      drafts.map((draft) => {
        const sinks = [draft.require, draft.readOnlyWhen, ...draft.checks.map((check) => check.rule)]
        return [draft.field.prop, readsOf(sinks)]
      }),
    ),
  )
  const byProp = new Map(drafts.map((draft) => [draft.field.prop, draft]))
  const ordered = sorted.order.flatMap((prop, order): CompiledCell[] => {
    const draft = byProp.get(prop)
    return draft === undefined ? [] : [{ ...draft, order, feeds: feeds.get(prop) ?? [], watchedBy: watchedBy.get(prop) ?? [] }]
  })
  return { ok: true, compiled: { page, ordered, cells: new Map(ordered.map((cell) => [cell.field.prop, cell])) } }
}

/** How rules see a field. */
function celType(field: Field): CelType {
  switch (valueKind(field)) {
    case 'number':
      return 'double'
    case 'text':
      return 'string'
    case 'texts':
      return 'list<string>'
    case 'numbers':
      return 'list<double>'
    case 'paths':
    case 'files':
    case 'rows':
      return 'list<dyn>'
  }
}

function calculationResult(field: Field): RuleExpectation {
  return valueKind(field) === 'number' ? 'number' : 'value'
}

function readsOf(rules: readonly (Rule | null)[]): readonly string[] {
  return [...new Set(rules.flatMap((rule) => rule?.reads ?? []))]
}

function reverse(reads: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const result = new Map<string, string[]>()
  for (const [reader, props] of reads) {
    for (const prop of props) {
      const readers = result.get(prop)
      if (readers === undefined) result.set(prop, [reader])
      else readers.push(reader)
    }
  }
  return result
}

/** Most cycles that are named at once. */
const MAX_CYCLES = 1_000

interface Order {
  readonly order: readonly string[]
  readonly cycles: readonly (readonly string[])[]
}

/**
 * Depth-first order over "reads"; iterative, since a chain may be as long as a page. Taking away what the last field of each named
 * cycle reads makes the graph free of cycles (up to `MAX_CYCLES` of them).
 */
function topologicalOrder(reads: ReadonlyMap<string, readonly string[]>): Order {
  const order: string[] = []
  const cycles: (readonly string[])[] = []
  const done = new Set<string>()
  for (const root of reads.keys()) {
    const path: { readonly prop: string; next: number }[] = done.has(root) ? [] : [{ prop: root, next: 0 }]
    const onPath = new Set(path.map((step) => step.prop))
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const read = reads.get(step.prop)?.[step.next++]
      if (read === undefined) {
        done.add(step.prop)
        onPath.delete(step.prop)
        order.push(step.prop)
        path.pop()
      } else if (onPath.has(read)) {
        const props = path.map((item) => item.prop)
        cycles.push([...props.slice(props.indexOf(read)), read])
        if (cycles.length === MAX_CYCLES) return { order, cycles }
      } else if (!done.has(read)) {
        onPath.add(read)
        path.push({ prop: read, next: 0 })
      }
    }
  }
  return { order, cycles }
}
