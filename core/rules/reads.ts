import type { ASTNode } from '@marcbachmann/cel-js'

import type { CelType, RuleProblem } from './problem.ts'

/** What a rule reads, found in its syntax tree. */

/** A field of another page: in the same visit where `folder` is null. All by their codes. */
export interface FieldReference {
  readonly folder: string | null
  readonly page: string
  readonly prop: string
}

/** The other pages of a version, as far as rules may read them. */
export interface OtherPages {
  /** How rules see the fields of a page; null where the version has no page of that code. */
  fieldsOf(page: string): ReadonlyMap<string, CelType> | null
  /** Whether the page stands in the visit. */
  standsIn(folder: string, page: string): boolean
}

/** A version of one page alone. */
export const NO_OTHER_PAGES: OtherPages = { fieldsOf: () => null, standsIn: () => false }

/**
 * Functions of CEL that rules may not call: `x.matches` runs on the platform's backtracking engine, and a form has no time zone.
 */
const REFUSED_CALLS: ReadonlySet<string> = new Set(['matches', 'timestamp', 'duration', 'bytes', 'bind'])

/** How many names follow the variable before a field is named: `page.x`, `visit.<page>.x`, `form.<folder>.<page>.x`. */
const DEPTHS: ReadonlyMap<string, number> = new Map([
  ['page', 1],
  ['rc', 1],
  ['visit', 2],
  ['rcVisit', 2],
  ['form', 3],
])

export type Reading =
  | {
      readonly ok: true
      /** Fields of the same page, each once. */
      readonly reads: readonly string[]
      /** Fields of other pages, each once. */
      readonly readsElsewhere: readonly FieldReference[]
      readonly readsClock: boolean
    }
  | { readonly ok: false; readonly problem: RuleProblem }

/** The fields that a syntax tree reads. The variables may only be used with a field named after them, so this is complete. */
export function readsOf(root: ASTNode, fields: ReadonlyMap<string, CelType>, others: OtherPages): Reading {
  const reads = new Set<string>()
  const elsewhere = new Map<string, FieldReference>()
  let readsClock = false
  const stack: ASTNode[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const { start, end } = node
    const [variable, ...names] = pathOf(node)
    if (variable !== undefined && names.length > 0 && DEPTHS.get(variable) === names.length) {
      const [prop = '', page = null, folder = null] = names.toReversed()
      const isKnown = page === null ? fields.has(prop) : others.fieldsOf(page)?.has(prop) === true && (folder === null || others.standsIn(folder, page))
      if (!isKnown) return { ok: false, problem: { kind: 'unknown-field', prop: page === null ? prop : [variable, ...names].join('.'), start, end } }
      if (page === null) reads.add(prop)
      else elsewhere.set([folder, page, prop].join('.'), { folder, page, prop })
      continue
    }
    if (node.op === 'id' && DEPTHS.has(node.args)) {
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
  return { ok: true, reads: [...reads], readsElsewhere: [...elsewhere.values()], readsClock }
}

/** `a`, `b`, `c` of the expression `a.b.c`; nothing where it is another. */
function pathOf(node: ASTNode): readonly string[] {
  const names: string[] = []
  let at = node
  while (at.op === '.') {
    names.push(at.args[1])
    at = at.args[0]
  }
  return at.op === 'id' ? [at.args, ...names.toReversed()] : []
}

/** Pages that rules name, by where they look for them. Found in the text, so that it may name more than the rules read. */
export interface Mentions {
  readonly visit: ReadonlySet<string>
  /** By folder. */
  readonly form: ReadonlyMap<string, ReadonlySet<string>>
}

/** The pages that rules may read, before any of them is parsed. */
export function mentionsOf(sources: Iterable<string>): Mentions {
  const visit = new Set<string>()
  const form = new Map<string, Set<string>>()
  for (const source of sources) {
    for (const [, page = ''] of source.matchAll(/\b(?:visit|rcVisit)\s*\.\s*([A-Za-z_]\w*)/g)) visit.add(page)
    for (const [, folder = '', page = ''] of source.matchAll(/\bform\s*\.\s*([A-Za-z_]\w*)\s*\.\s*([A-Za-z_]\w*)/g)) {
      form.set(folder, (form.get(folder) ?? new Set()).add(page))
    }
  }
  return { visit, form }
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
