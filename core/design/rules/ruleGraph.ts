import type { Design } from '#core/design/design.ts'
import type { DesignFieldKey } from '#core/design/designEdit.ts'
import { childrenOf, namesOf } from '#core/rules/reads.ts'
import { syntaxOf } from '#core/rules/rule.ts'

import { rulesOf } from './ruleList.ts'

/**
 * Which fields the rules of each field read: by page, in whatever visits it is, and even where the rules are invalid
 * now.
 */

/** The identity of a field: page, table, code. */
export type FieldKey = string

export function fieldKey({ pageId, table, prop }: DesignFieldKey): FieldKey {
  return [pageId, table ?? '', prop].join('/')
}

export interface RuleGraph {
  readonly fields: ReadonlyMap<FieldKey, DesignFieldKey>
  /** The fields that the rules of a field read. */
  readonly reads: ReadonlyMap<FieldKey, readonly FieldKey[]>
  /** The fields whose rules read it. */
  readonly readBy: ReadonlyMap<FieldKey, readonly FieldKey[]>
}

/** Names in rules, by the rule's text: a rule is parsed once, however often the rest of the design changes. */
const names = new Map<string, readonly (readonly string[])[]>()
const MAX_KNOWN = 20_000

/** The graph of a design. */
export function ruleGraph(design: Design): RuleGraph {
  const byCode = new Map([...design.pages.values()].map(({ pageCode, id }) => [pageCode, id]))
  const fields = new Map<FieldKey, DesignFieldKey>()
  const reads = new Map<FieldKey, Set<FieldKey>>()
  const readBy = new Map<FieldKey, Set<FieldKey>>()
  const noteField = (field: DesignFieldKey): FieldKey => {
    const key = fieldKey(field)
    fields.set(key, { pageId: field.pageId, table: field.table, prop: field.prop })
    return key
  }
  for (const { address, source } of rulesOf(design)) {
    const reader = noteField(address)
    for (const path of namesIn(source)) {
      const field = fieldOf(path, address, byCode)
      if (field === null) continue
      const read = noteField(field)
      reads.set(reader, (reads.get(reader) ?? new Set()).add(read))
      readBy.set(read, (readBy.get(read) ?? new Set()).add(reader))
    }
  }
  const listKeys = (sets: ReadonlyMap<FieldKey, ReadonlySet<FieldKey>>) =>
    new Map(Array.from(sets, ([key, set]) => [key, [...set]]))
  return { fields, reads: listKeys(reads), readBy: listKeys(readBy) }
}

function fieldOf(
  [variable, ...path]: readonly string[],
  { pageId, table }: DesignFieldKey,
  byCode: ReadonlyMap<string, string>,
): DesignFieldKey | null {
  const prop = path.at(-1)
  if (prop === undefined) return null
  if (variable === 'page' || variable === 'rc' || variable === 'rcStored') return { pageId, table: null, prop }
  if (variable === 'row') return { pageId, table, prop }
  const page = byCode.get(path[variable === 'form' ? 1 : 0] ?? '')
  return page === undefined ? null : { pageId: page, table: null, prop }
}

const VARIABLES: ReadonlySet<string> = new Set(['page', 'row', 'rc', 'rcStored', 'visit', 'rcVisit', 'form', 'visits'])

/** The names of fields in a rule; none where it is not valid CEL. */
function namesIn(source: string): readonly (readonly string[])[] {
  const before = names.get(source)
  if (before !== undefined) return before
  const found: (readonly string[])[] = []
  const root = syntaxOf(source)
  const stack = root === null ? [] : [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const path = namesOf(node)
    if (path.length > 1 && VARIABLES.has(path[0] ?? '')) found.push(path)
    else stack.push(...childrenOf(node).toReversed())
  }
  if (names.size >= MAX_KNOWN) names.clear()
  names.set(source, found)
  return found
}

/** A field near another one: how many steps up (what is read, below 0) or down (what reads it). */
export interface Neighbour {
  readonly key: FieldKey
  readonly level: number
}

/** The fields around one field, each once at its nearest place, and which of them reads which. */
export function around(
  { reads, readBy }: RuleGraph,
  key: FieldKey,
  levels = 2,
): {
  readonly fields: readonly Neighbour[]
  readonly edges: readonly { readonly from: FieldKey; readonly to: FieldKey }[]
} {
  const found = new Map<FieldKey, number>([[key, 0]])
  for (const [step, next] of [
    [-1, reads],
    [1, readBy],
  ] as const) {
    let edge: readonly FieldKey[] = [key]
    for (let level = 1; level <= levels; level += 1) {
      edge = [...new Set(edge.flatMap((one) => next.get(one) ?? []))].filter((one) => !found.has(one))
      for (const one of edge) found.set(one, step * level)
    }
  }
  const edges = [...found.keys()].flatMap((to) =>
    (reads.get(to) ?? []).flatMap((from) => (found.has(from) ? [{ from, to }] : [])),
  )
  return { fields: Array.from(found, ([one, level]) => ({ key: one, level })), edges }
}
