/**
 * The address of a value on a page, as one text: `code` for a field of the page, `table.rid.code` for a field in a row
 * of a table. Screens, messages of the server and links use it.
 */

export interface FieldAddress {
  /** Code of the table field when the value is in a row, else null. */
  readonly table: string | null
  /** `_rid` of the row, else null. */
  readonly rid: string | null
  readonly code: string
}

/** Neither field codes nor row ids have a dot. */
const BETWEEN = '.'

export function addressKey({ table, rid, code }: FieldAddress): string {
  return table === null || rid === null ? code : [table, rid, code].join(BETWEEN)
}

/** The address that a text names. A text that is no address gives one that no page has. */
export function addressOf(key: string): FieldAddress {
  const [first = '', rid, code, ...more] = key.split(BETWEEN)
  if (rid === undefined || code === undefined || more.length > 0) return { table: null, rid: null, code: key }
  return { table: first, rid, code }
}

/** The field of the page to which an address belongs: the field itself, or its table. */
export function pageFieldOf(key: string): string {
  const { table, code } = addressOf(key)
  return table ?? code
}
