import type { ASTNode } from '@marcbachmann/cel-js'

import type { CelType, RuleProblem } from './problem.ts'
import type { OtherPageValues } from './values.ts'

/** What a rule reads, found in its syntax tree. */

/**
 * Which entry a rule means where a page may have several: the first, the last, or the one before the entry to which the
 * rule belongs.
 */
export type RepeatPick = 'first' | 'last' | 'prev'

/** Means all visits, where a visit's code is expected. No code contains this sign. */
export const ALL_VISITS = '*'

/** A field of another page. All parts are given by their codes. */
export interface FieldReference {
  /** Null for the same visit; `ALL_VISITS` for any visit. */
  readonly folder: string | null
  readonly page: string
  /** Null for the first entry of the page in its visit. */
  readonly pick: RepeatPick | null
  readonly code: string
}

/** The names through which a rule reaches a field of another page: `visit`, `<page>`, `<code>` and the like. */
export function pathOf({
  folder,
  page,
  pick,
  code,
}: FieldReference): readonly [keyof OtherPageValues, ...(readonly string[])] {
  const names = [page, ...(pick === null ? [] : [pick]), code]
  if (folder === null) return ['visit', ...names]
  return folder === ALL_VISITS ? ['visits', ...names] : ['form', folder, ...names]
}

/** The other pages of a version that rules may read. */
export interface OtherPages {
  /** How rules see the fields of a page; null where the version has no page of that code. */
  fieldsOf(page: string): ReadonlyMap<string, CelType> | null
  /** Whether the page stands in the visit. */
  standsIn(folder: string, page: string): boolean
}

/** A version of one page alone. */
export const NO_OTHER_PAGES: OtherPages = { fieldsOf: () => null, standsIn: () => false }

/**
 * CEL functions that rules may not call. `x.matches` runs on the platform's backtracking engine, and the time functions
 * need a time zone, which a form does not have.
 */
const REFUSED_CALLS: ReadonlySet<string> = new Set(['matches', 'timestamp', 'duration', 'bytes', 'bind'])

/** How many names follow the variable until a field is named: `page.x`, `row.x`. */
const OWN: ReadonlyMap<string, number> = new Map([
  ['page', 1],
  ['row', 1],
  ['rc', 1],
  ['rcStored', 1],
])

/**
 * The same for other pages: `visit.<page>.x`, `form.<folder>.<page>.x`. With one name more, one of several entries is
 * picked: `visit.<page>.last.x`, `form.<folder>.<page>.first.x`, `visits.<page>.prev.x`.
 */
const OTHERS: ReadonlyMap<string, readonly number[]> = new Map([
  ['visit', [2, 3]],
  ['rcVisit', [2]],
  ['form', [3, 4]],
  ['visits', [3]],
])

export const PICKS: readonly RepeatPick[] = ['first', 'last', 'prev']

export type Reading =
  | {
      readonly ok: true
      /** Fields of the rule's own page, each once. */
      readonly reads: readonly string[]
      /** Those of them that the rule only reads as stored, whether they are shown or not. */
      readonly readsStored: readonly string[]
      /** Fields of the rule's own table row, each once. */
      readonly readsRow: readonly string[]
      /** Fields of other pages, each once. */
      readonly readsOtherPages: readonly FieldReference[]
      readonly readsClock: boolean
    }
  | { readonly ok: false; readonly problem: RuleProblem }

/** What the rules of a page may name. */
export interface KnownFields {
  readonly fields: ReadonlyMap<string, CelType>
  /** Fields of a row, for the rules of a table's fields; null for rules of the page's own fields. */
  readonly row: ReadonlyMap<string, CelType> | null
  readonly others: OtherPages
}

/**
 * The fields that a syntax tree reads. The list is complete, because a variable may only be used with a field named
 * after it.
 */
export function readsOf(root: ASTNode, { fields, row, others }: KnownFields): Reading {
  const reads = new Set<string>()
  const seen = new Set<string>()
  const readsRow = new Set<string>()
  const otherPages = new Map<string, FieldReference>()
  let readsClock = false
  const stack: ASTNode[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const { start, end } = node
    const [variable, ...names] = namesOf(node)
    const [code] = names
    if (variable !== undefined && code !== undefined && OWN.get(variable) === names.length) {
      const here = variable === 'row' ? row : fields
      if (here?.has(code) !== true)
        return {
          ok: false,
          problem: { kind: 'unknown-field', code: variable === 'row' ? `row.${code}` : code, start, end },
        }
      ;(variable === 'row' ? readsRow : reads).add(code)
      if (variable !== 'rcStored' && variable !== 'row') seen.add(code)
      continue
    }
    const reference = variable === undefined ? null : referenceOf(variable, names, others)
    if (reference !== null) {
      const { folder, page } = reference
      const isKnown =
        others.fieldsOf(page)?.has(reference.code) === true &&
        (folder === null || folder === ALL_VISITS || others.standsIn(folder, page))
      if (!isKnown)
        return { ok: false, problem: { kind: 'unknown-field', code: [variable, ...names].join('.'), start, end } }
      otherPages.set(pathOf(reference).join('.'), reference)
      continue
    }
    if (node.op === 'id' && (OWN.has(node.args) || OTHERS.has(node.args))) {
      return { ok: false, problem: { kind: 'not-allowed', name: node.args, start, end } }
    }
    if (node.op === 'id' && (node.args === 'today' || node.args === 'now')) readsClock = true
    // The function `matches(text, pattern)` with two arguments is our own, on a linear engine.
    const called = node.op === 'rcall' || (node.op === 'call' && node.args[0] !== 'matches') ? node.args[0] : null
    if (called !== null && REFUSED_CALLS.has(called)) {
      return { ok: false, problem: { kind: 'not-allowed', name: called, start, end } }
    }
    if (node.op === 'map') {
      // A loop variable may be of any type, and the type of a map is as long as the type of its keys: types would
      // double with each loop.
      const key = node.args.map(([name]) => name).find(namesLoopVariable)
      if (key !== undefined)
        return { ok: false, problem: { kind: 'not-allowed', name: '{ }', start: key.start, end: key.end } }
    }
    stack.push(...childrenOf(node).toReversed())
  }
  return {
    ok: true,
    reads: [...reads],
    readsStored: [...reads].filter((code) => !seen.has(code)),
    readsRow: [...readsRow],
    readsOtherPages: [...otherPages.values()],
    readsClock,
  }
}

/** Whether an expression contains a name that is no variable of rules. */
function namesLoopVariable(root: ASTNode): boolean {
  const stack: ASTNode[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (
      node.op === 'id' &&
      !OWN.has(node.args) &&
      !OTHERS.has(node.args) &&
      node.args !== 'today' &&
      node.args !== 'now'
    )
      return true
    stack.push(...childrenOf(node))
  }
  return false
}

/** The meaning of the names after a variable; null where they do not name a field of another page completely. */
function referenceOf(variable: string, names: readonly string[], others: OtherPages): FieldReference | null {
  if (OTHERS.get(variable)?.includes(names.length) !== true) return null
  const folder = variable === 'form' ? (names[0] ?? '') : variable === 'visits' ? ALL_VISITS : null
  const [page = '', ...rest] = variable === 'form' ? names.slice(1) : names
  const [first = '', second] = rest
  if (second === undefined) return { folder, page, pick: null, code: first }
  const pick = PICKS.find((one) => one === first)
  // The page may have a field of that name; what follows it is then no field.
  return pick === undefined || others.fieldsOf(page)?.has(first) === true ? null : { folder, page, pick, code: second }
}

/** `a`, `b`, `c` of the expression `a.b.c`; empty for any other expression. */
export function namesOf(node: ASTNode): readonly string[] {
  const names: string[] = []
  let at = node
  while (at.op === '.') {
    names.push(at.args[1])
    at = at.args[0]
  }
  return at.op === 'id' ? [at.args, ...names.toReversed()] : []
}

/**
 * Pages that rules name, by where they look for them. They are found in the text, so there may be more than the rules
 * read.
 */
export interface Mentions {
  readonly visit: ReadonlySet<string>
  /** Pages that are looked for in all visits. */
  readonly visits: ReadonlySet<string>
  /** Pages that are looked for in one visit, by folder. */
  readonly form: ReadonlyMap<string, ReadonlySet<string>>
  /** Pages of which an entry may be picked. */
  readonly picked: ReadonlySet<string>
}

/** The pages that rules may read, found before any rule is parsed. */
export function mentionsOf(sources: Iterable<string>): Mentions {
  const visit = new Set<string>()
  const visits = new Set<string>()
  const picked = new Set<string>()
  const form = new Map<string, Set<string>>()
  for (const source of sources) {
    for (const [, page = ''] of source.matchAll(/\b(?:visit|rcVisit)\s*\.\s*([A-Za-z_]\w*)/g)) visit.add(page)
    for (const [, page = ''] of source.matchAll(/\b([A-Za-z_]\w*)\s*\.\s*(?:first|last|prev)\s*\./g)) picked.add(page)
    for (const [, page = ''] of source.matchAll(/\bvisits\s*\.\s*([A-Za-z_]\w*)/g)) visits.add(page)
    for (const [, folder = '', page = ''] of source.matchAll(/\bform\s*\.\s*([A-Za-z_]\w*)\s*\.\s*([A-Za-z_]\w*)/g)) {
      form.set(folder, (form.get(folder) ?? new Set()).add(page))
    }
  }
  return { visit, visits, form, picked }
}

export function childrenOf(node: ASTNode): readonly ASTNode[] {
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
