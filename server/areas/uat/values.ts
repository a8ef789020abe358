import type { FieldError } from '#core/api/errors.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { holdsData } from '#core/form/definition/page.ts'
import { checkValueShape } from '#core/form/definition/shape.ts'
import { canonicalValue } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import { LONGEST_UAT_PAGE } from '#core/study/uat.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { rowsOf } from '#core/sync/merge.ts'
import { fieldAt } from '#server/areas/entry/reading/pages.ts'
import { fieldError } from '#server/areas/entry/structure.ts'

/**
 * The data of a UAT page compared with the page's fields. A version that went back to draft may have other fields by
 * now.
 */

/** The data in canonical form, or all errors of their structure. Rules have no say here. */
export function checkedData(
  page: PageModel,
  sent: EntryData,
): { readonly data: EntryData; readonly problems: readonly FieldError[] } {
  const problems: FieldError[] = []
  const values: Record<string, JsonValue> = {}
  for (const [code, raw] of Object.entries(sent.values)) {
    const field = page.byCode.get(code)
    if (field === undefined) {
      problems.push({ path: code, code: 'unknown_field' })
      continue
    }
    const value = canonicalValue(field, raw)
    const problem = checkValueShape(field, value)
    if (problem !== null) problems.push(fieldError(problem.code, problem))
    else if (value !== null) values[code] = value
  }
  const data = { values, missing: sent.missing }
  for (const key of Object.keys(sent.missing))
    if (reasonField(page, data, key) === null) problems.push({ path: key, code: 'unknown_field' })
  if (JSON.stringify(data).length > LONGEST_UAT_PAGE)
    problems.push({ path: 'values', code: 'too_long', params: { max: LONGEST_UAT_PAGE } })
  return { data, problems }
}

/** The values for which the page has fields. */
export function placedData(page: PageModel, stored: EntryData): EntryData {
  const values = Object.fromEntries(
    Object.entries(stored.values).flatMap(([code, value]): readonly (readonly [string, JsonValue])[] => {
      const field = page.byCode.get(code)
      if (field === undefined || checkValueShape(field, placedValue(field, value)) !== null) return []
      return [[code, placedValue(field, value)]]
    }),
  )
  const data = { values, missing: stored.missing }
  return {
    values,
    missing: Object.fromEntries(
      Object.entries(stored.missing).filter(([key]) => reasonField(page, data, key) !== null),
    ),
  }
}

/**
 * The new data, together with stored values for which the page has no place, so that a field that comes back finds
 * its value again.
 */
export function withUnplaced(page: PageModel, stored: EntryData, came: EntryData): EntryData {
  const placed = placedData(page, stored)
  const unplaced = Object.entries(stored.values).filter(
    ([code]) => placed.values[code] === undefined && came.values[code] === undefined,
  )
  const values = Object.fromEntries([
    ...unplaced,
    ...Object.entries(came.values).map(
      ([code, value]) => [code, withUnplacedItems(page.byCode.get(code), stored.values[code], value)] as const,
    ),
  ])
  const reasons = Object.entries(stored.missing).filter(([key]) => placed.missing[key] === undefined)
  return { values, missing: { ...Object.fromEntries(reasons), ...came.missing } }
}

/** Keys that identify and place a row and hold no entered value. */
const ROW_KEYS: ReadonlySet<string> = new Set(['_rid', '_ord', '_deleted'])

function placedValue(field: Field, value: JsonValue): JsonValue {
  const rows = field.type === 'dynamic' ? rowsOf(value) : null
  if (rows === null) return value
  const codes = new Set(field.children.map(({ code }) => code))
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([code]) => ROW_KEYS.has(code) || codes.has(code))),
  )
}

function withUnplacedItems(field: Field | undefined, stored: JsonValue | undefined, came: JsonValue): JsonValue {
  const rows = field?.type === 'dynamic' ? rowsOf(came) : null
  if (field === undefined || rows === null) return came
  const before = new Map((rowsOf(stored) ?? []).map((row) => [row['_rid'], row]))
  const codes = new Set(field.children.map(({ code }) => code))
  return rows.map((row) => {
    const unplaced = Object.entries(before.get(row['_rid']) ?? {}).filter(
      ([code]) => !ROW_KEYS.has(code) && !codes.has(code),
    )
    return { ...Object.fromEntries(unplaced), ...row }
  })
}

/** The field of a missing reason, by its key: `code`, or `rid.code` in an existing row. */
function reasonField(page: PageModel, { values }: Pick<EntryData, 'values'>, key: string): Field | null {
  const own = page.byCode.get(key)
  if (own !== undefined) return holdsData(own) ? own : null
  const dot = key.indexOf('.')
  if (dot === -1) return null
  const [rid, code] = [key.slice(0, dot), key.slice(dot + 1)]
  for (const [table, value] of Object.entries(values)) {
    const field = rowsOf(value)?.some((row) => row['_rid'] === rid) === true ? fieldAt(page, table, code) : null
    if (field !== null) return field
  }
  return null
}
