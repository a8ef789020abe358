import type { DictRow } from '#core/api/calls/projectDict.ts'
import type { ListedEntry } from '#core/form/definition/projectLists.ts'
import type { DictRecord } from '#server/areas/projectDict/store.ts'

/** Entries of a dictionary as a tree, for the wire and for the copies in pages. */

/** Entries by their parents, in their order. */
type Below = ReadonlyMap<string | null, readonly DictRecord[]>

function belowOf(records: readonly DictRecord[]): Below {
  const below = new Map<string | null, DictRecord[]>()
  for (const record of records) {
    const known = below.get(record.parent_id)
    if (known === undefined) below.set(record.parent_id, [record])
    else known.push(record)
  }
  return below
}

/** A record without its children. */
export function toRow(record: DictRecord, hasChildren: boolean): DictRow {
  return {
    id: record.id,
    parentId: record.parent_id,
    code: record.code,
    dictKey: record.dict_key,
    dictValue: record.dict_value,
    labelEn: record.label_en,
    sort: record.sort,
    isDisabled: record.disabled,
    hasChildren,
  }
}

/**
 * The tree below a record.
 *
 * @param records all entries of the dictionary
 */
export function rowsBelow(records: readonly DictRecord[], parentId: string): DictRow[] {
  const below = belowOf(records)
  const rowsOf = (parent: string): DictRow[] =>
    (below.get(parent) ?? []).map((record) => {
      const children = rowsOf(record.id)
      // Clients of the BladeX family would show an empty list as something that can be opened.
      return { ...toRow(record, children.length > 0), ...(children.length === 0 ? {} : { children }) }
    })
  return rowsOf(parentId)
}

/**
 * The entries right below a record.
 *
 * @param records all entries of the dictionary
 */
export function rowsRightBelow(records: readonly DictRecord[], parentId: string): DictRow[] {
  const below = belowOf(records)
  return (below.get(parentId) ?? []).map((record) => toRow(record, below.has(record.id)))
}

/**
 * All entries below a record, as a field offers them.
 *
 * @param records all entries of the dictionary
 */
export function listedBelow(records: readonly DictRecord[], parentId: string): readonly ListedEntry[] {
  const below = belowOf(records)
  const entriesOf = (parent: string): readonly ListedEntry[] =>
    (below.get(parent) ?? []).map((record) => ({
      dictKey: record.dict_key,
      dictValue: record.dict_value,
      labelEn: record.label_en,
      isDisabled: record.disabled,
      children: entriesOf(record.id),
    }))
  return entriesOf(parentId)
}

/** The depth of each entry, by its id: entries right below the dictionary have depth 1. */
export function levelsOf(records: readonly DictRecord[], rootId: string): ReadonlyMap<string, number> {
  const below = belowOf(records)
  const levels = new Map<string, number>()
  const walk = (parent: string, level: number): void => {
    for (const { id } of below.get(parent) ?? []) {
      levels.set(id, level)
      walk(id, level + 1)
    }
  }
  walk(rootId, 1)
  return levels
}
