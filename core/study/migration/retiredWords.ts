import { referencesIn } from '#core/files/reference.ts'
import { allPaths } from '#core/form/definition/choices.ts'
import type { Field } from '#core/form/definition/page.ts'
import { canonicalValue, isList, valueText } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import { rowsOf, stateOf } from '#core/sync/merge.ts'

import { holdsWays, isAnsweredByChoice } from './choiceFate.ts'

/**
 * A value as a person reads it, in the words of its field's definition. A value of an unknown field is shown as it is.
 */
export function wordsOf(field: Field | null, value: JsonValue): string {
  if (field === null) return valueText(value)
  const rows = field.type === 'dynamic' ? rowsOf(value) : null
  if (rows !== null) {
    return rows
      .filter((row) => !stateOf(row).deleted)
      .map((row) =>
        field.children
          .flatMap((child) =>
            row[child.code] === undefined ? [] : [`${child.label} ${wordsOf(child, row[child.code] ?? null)}`],
          )
          .join(', '),
      )
      .join('; ')
  }
  if (field.type === 'upload')
    return referencesIn(value)
      .map(({ name }) => name)
      .join(', ')
  const read = canonicalValue(field, value)
  if (read === null || !isAnsweredByChoice(field)) return valueText(read)
  if (holdsWays(field))
    return (field.multiple && isList(read) ? read : [read]).map((way) => wayText(field, way)).join('; ')
  return (isList(read) ? read : [read]).map((one) => labelOf(field, one)).join(', ')
}

function labelOf(field: Field, value: JsonValue): string {
  for (const path of allPaths(field.choices)) {
    const last = path.at(-1)
    if (last !== undefined && last.value === value) return last.label
  }
  return valueText(value)
}

function wayText(field: Field, way: JsonValue): string {
  if (!isList(way)) return valueText(way)
  for (const path of allPaths(field.choices)) {
    if (path.length === way.length && path.every(({ value }, at) => value === way[at]))
      return path.map(({ label }) => label).join(' / ')
  }
  return valueText(way)
}
