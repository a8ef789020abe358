import { jsonEqual } from '../json.ts'
import type { JsonValue } from '../json.ts'
import { isEmptyValue } from './emptyValue.ts'

/**
 * Values that are sets of references: the files of a field, each an object with its `id`. Only such a field holds a
 * list of objects (`checkValueShape`), so the value itself shows what it is. The files of two people are merged by id,
 * because two photos never contradict each other.
 */

type Reference = Readonly<Record<string, JsonValue>>
type References = ReadonlyMap<string, Reference>

/** The result for a set that two people changed. */
export interface MergedReferences {
  /** The value that stands: everything that merges by itself, and the server's version of what does not. */
  readonly stands: JsonValue
  /** The same with the other person's version. It differs from `stands` where a person must decide. */
  readonly mine: JsonValue
}

/**
 * Merges three sets by id: what one side added, changed or removed is taken over, unless the other side did something
 * else to the same reference. Null where one of the three is no set, or all are empty: then they are merged as plain
 * values.
 */
export function mergeReferences(base: JsonValue, server: JsonValue, mine: JsonValue): MergedReferences | null {
  const [before, theirs, ours] = [referencesOf(base), referencesOf(server), referencesOf(mine)]
  if (before === null || theirs === null || ours === null) return null
  const ids = new Set([...before.keys(), ...theirs.keys(), ...ours.keys()])
  if (ids.size === 0) return null
  const merged = [...ids].map((id) => mergeOne(before.get(id), theirs.get(id), ours.get(id)))
  return {
    stands: canonicalReferences(merged.flatMap(({ stands }) => stands ?? [])),
    mine: canonicalReferences(merged.flatMap((one) => one.mine ?? [])),
  }
}

function mergeOne(base: Reference | undefined, server: Reference | undefined, mine: Reference | undefined) {
  if (sameReference(server, base)) return { stands: mine, mine }
  return sameReference(mine, base) ? { stands: server, mine: server } : { stands: server, mine }
}

function sameReference(a: Reference | undefined, b: Reference | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && jsonEqual(a, b))
}

/**
 * A set in the order of its ids, so that all devices hold the same; ids are in the order in which they were made. Other
 * values are unchanged.
 */
export function canonicalReferences(value: JsonValue): JsonValue {
  const references = referencesOf(value)
  if (references === null || references.size === 0) return value
  return [...references].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, reference]) => reference)
}

/** The references of a value by id; null where the value is no set of references. */
function referencesOf(value: JsonValue): References | null {
  if (isEmptyValue(value)) return new Map()
  if (!Array.isArray(value)) return null
  const references = new Map<string, Reference>()
  for (const item of value as readonly JsonValue[]) {
    if (!isReference(item)) return null
    const { id } = item
    // Two references with one id are no set: neither may replace the other.
    if (references.has(id)) return null
    references.set(id, item)
  }
  return references
}

function isReference(item: JsonValue): item is Reference & { readonly id: string } {
  return typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string' && !('_rid' in item)
}
