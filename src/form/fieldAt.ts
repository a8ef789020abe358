import type { Field } from '#core/form/definition/page.ts'
import { parsePage } from '#core/form/definition/page.ts'

/** Where a value lies on a page: a field, or a field of a table's rows. */
export interface FieldPlace {
  readonly table: string | null
  readonly code: string | null
}

/** The fields of a page's definition, by place; null for each where the definition cannot be read or has none. */
export function fieldsOf(option: string | null): (place: FieldPlace) => Field | null {
  const read = option === null ? null : parsePage(option)
  if (read === null || !read.ok) return () => null
  const { byCode } = read.page
  return ({ table, code }) => {
    const children = table === null ? null : (byCode.get(table)?.children ?? [])
    return (children === null ? byCode.get(code ?? '') : children.find((child) => child.code === code)) ?? null
  }
}
