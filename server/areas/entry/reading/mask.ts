import { MASK } from '#core/form/definition/mask.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import type { JsonValue } from '#core/json.ts'
import type { ChangeReason, ItemContent } from '#core/sync/entryChange.ts'
import type { ConflictRow, EntryRow } from '#core/api/sync/rows.ts'

/** Fields whose values identify a person: `code`, or `table.code` for those of a table's rows. */
export function identifyingFields(page: PageModel): ReadonlySet<string> {
  const codes = page.fields.flatMap((field) => [
    ...(field.identifier ? [field.code] : []),
    ...field.children.flatMap((child) => (child.identifier || field.identifier ? [`${field.code}.${child.code}`] : [])),
  ])
  return new Set(codes)
}

export function fieldKey(table: string | null, code: string): string {
  return table === null ? code : `${table}.${code}`
}

/** Whether the value at a place may tell who the patient is: at a field, or at a whole table with such a column. */
export function isMasked(masked: ReadonlySet<string>, table: string | null, code: string): boolean {
  return masked.has(fieldKey(table, code)) || (table === null && [...masked].some((key) => key.startsWith(`${code}.`)))
}

/**
 * The entry as a reader sees it who has no right to what identifies a patient. Such a reader does not get its data
 * hash either (`rows.ts`).
 */
export function maskEntry(row: EntryRow, masked: ReadonlySet<string>): EntryRow {
  if (masked.size === 0) return row
  const values = Object.fromEntries(
    Object.entries(row.values).map(([code, value]) => [code, maskValue(code, value, masked)]),
  )
  const hidden = maskedItems(row.values, masked)
  const missing = Object.fromEntries(
    Object.entries(row.missing).map(([key, why]) => [key, hidden.has(key) ? { ...why, reason: MASK } : why]),
  )
  const retired = row.retired === undefined ? {} : { retired: maskRetired(row.retired, masked) }
  const confirmed =
    row.confirmed === undefined
      ? {}
      : {
          confirmed: row.confirmed.map((one) =>
            isMasked(masked, one.table, one.code) ? { ...one, value: MASK, reason: MASK } : one,
          ),
        }
  return { ...row, values, missing, ...retired, ...confirmed }
}

/** Values that are kept beside the data are masked as they were in the data. */
function maskRetired(
  retired: NonNullable<EntryRow['retired']>,
  masked: ReadonlySet<string>,
): NonNullable<EntryRow['retired']> {
  return Object.fromEntries(
    Object.entries(retired).map(([key, one]) => {
      const { table, value, missing } = one
      const code = one.code ?? key.slice(key.lastIndexOf('.') + 1)
      if (!isMasked(masked, table, code)) return [key, one]
      return [
        key,
        {
          ...one,
          value: value === null ? null : MASK,
          missing: missing === null ? null : { ...missing, reason: MASK },
          ...(one.text === undefined ? {} : { text: MASK }),
        },
      ]
    }),
  )
}

/**
 * Keys of the missing reasons (`code`, or `rid.code` in a table) whose words are masked with their values. The reason
 * why a table has no rows may tell about its columns, so it is masked too.
 */
function maskedItems(values: EntryRow['values'], masked: ReadonlySet<string>): ReadonlySet<string> {
  const inRows = Object.entries(values).flatMap(([table, value]) =>
    isRows(value) ? value.flatMap((row) => [...masked].flatMap((key) => keyInRow(table, row['_rid'], key))) : [],
  )
  const tables = [...masked].flatMap((key) => (key.includes('.') ? [key.slice(0, key.indexOf('.'))] : []))
  return new Set([...masked, ...tables, ...inRows])
}

function keyInRow(table: string, rid: JsonValue | undefined, key: string): readonly string[] {
  return typeof rid === 'string' && key.startsWith(`${table}.`) ? [`${rid}.${key.slice(table.length + 1)}`] : []
}

/** The conflict as such a reader sees it. */
export function maskConflict(row: ConflictRow, masked: ReadonlySet<string>): ConflictRow {
  if (!isMasked(masked, row.table, row.code)) return row
  const { base, server, mine, resolution } = row
  return {
    ...row,
    base: maskContent(base),
    server: maskContent(server),
    mine: maskContent(mine),
    // The reason for the decision may name the masked value, as in the trail.
    resolution:
      resolution === null
        ? null
        : { ...resolution, to: maskContent(resolution.to), reason: maskReason(resolution.reason) },
  }
}

/** An item with its value and the words of its missing reason masked. */
export function maskContent(content: ItemContent): ItemContent {
  const { value, missing } = content
  return { value: value === null ? null : MASK, missing: missing === null ? null : { ...missing, reason: MASK } }
}

/** A reason whose words may name what is masked; its code stays. */
export function maskReason(reason: ChangeReason): ChangeReason {
  return reason.text === '' ? reason : { ...reason, text: MASK }
}

function maskValue(code: string, value: JsonValue, masked: ReadonlySet<string>): JsonValue {
  // A table that identifies is known by its columns; its own code would hide the rows themselves.
  if (isRows(value)) {
    return value.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([child, item]) => [child, masked.has(`${code}.${child}`) ? MASK : item]),
      ),
    )
  }
  return masked.has(code) && value !== null ? MASK : value
}

function isRows(value: JsonValue): value is readonly Readonly<Record<string, JsonValue>>[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((row) => typeof row === 'object' && row !== null && '_rid' in row)
  )
}
