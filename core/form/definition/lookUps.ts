import type { JsonValue } from '#core/json.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { rowContent, rowsOf, stateOf } from '#core/sync/merge.ts'

import type { LookUp } from './lookUp.ts'
import type { Field } from './page.ts'

/** What the look-ups of a page find: records of the patient's other pages. */

/** The key under which the records of a look-up are kept: fields with the same page and table share them. */
export function lookUpKey({ page, table }: Pick<LookUp, 'page' | 'table'>): string {
  return table === null ? page : `${page}.${table}`
}

/** What may be picked: an entry of the other page, or a row of its table. */
export interface LookUpRecord {
  /** Id of the entry, or `_rid` of the row. */
  readonly key: string
  /** By the codes of the fields. */
  readonly values: Readonly<Record<string, JsonValue>>
}

/** The records of some entries, in their order. Deleted rows and entries are left out, and so are empty ones. */
export function lookUpRecords(
  table: string | null,
  entries: readonly { readonly id: string; readonly data: EntryData }[],
): readonly LookUpRecord[] {
  const records = entries.flatMap(({ id, data: { values } }): readonly LookUpRecord[] => {
    if (table === null) return [{ key: id, values }]
    return (rowsOf(values[table]) ?? []).flatMap((row) => {
      const rid = row['_rid']
      return stateOf(row).deleted || typeof rid !== 'string' ? [] : [{ key: rid, values: rowContent(row) }]
    })
  })
  return records.filter(({ values }) => Object.keys(values).length > 0)
}

/** What may be picked from one place: its records, and the fields to which their values belong. */
export interface LookUpTable {
  readonly fields: readonly Field[]
  readonly records: readonly LookUpRecord[]
}

/** The tables by `lookUpKey`. */
export type LookUps = ReadonlyMap<string, LookUpTable>

/** For a page without look-ups. */
export const NO_LOOK_UPS: LookUps = new Map()

/** Every look-up of a page, each place once: those of its fields and those in the rows of its tables. */
export function lookUpsOf(fields: readonly Field[]): readonly LookUp[] {
  const found = fields.flatMap(({ lookUp, children }) => [...(lookUp === null ? [] : [lookUp]), ...lookUpsOf(children)])
  return [...new Map(found.map((lookUp) => [lookUpKey(lookUp), lookUp])).values()]
}

/**
 * The field from which a look-up takes its value; the first field of the place where the look-up names none. Null where
 * the place has no such field.
 */
export function takenField({ column }: LookUp, { fields }: Pick<LookUpTable, 'fields'>): Field | null {
  return (column === null ? fields[0] : fields.find((field) => field.code === column)) ?? null
}
