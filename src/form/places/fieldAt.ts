import type { Field } from '#core/form/definition/page.ts'
import { parsePage } from '#core/form/definition/page.ts'

/** The place of a value on a page: a field, or a field in a table. */
export interface FieldPlace {
  readonly table: string | null
  readonly code: string | null
}

/**
 * Finds the fields of a page's definition by place; null for every place where the definition cannot be read or lacks
 * the field.
 */
export function fieldsOf(option: string | null): (place: FieldPlace) => Field | null {
  const read = option === null ? null : parsePage(option)
  if (read === null || !read.ok) return () => null
  const { byCode } = read.page
  return ({ table, code }) => {
    const children = table === null ? null : (byCode.get(table)?.children ?? [])
    return (children === null ? byCode.get(code ?? '') : children.find((child) => child.code === code)) ?? null
  }
}
