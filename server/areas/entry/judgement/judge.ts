import type { CompiledPage } from '#core/form/compiled/compile.ts'
import type { OtherPages } from '#core/form/engine/otherPages.ts'
import { evaluateEntry } from '#core/form/engine/evaluate.ts'
import type { EntryEvaluation } from '#core/form/engine/evaluate.ts'
import type { JsonValue } from '#core/json.ts'
import type { Moment } from '#core/rules/values.ts'
import type { Confirmation } from '#core/sync/confirmation.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { EntryProgress } from '#core/sync/entryMark.ts'
import type { Merged, ItemPlace } from '#core/sync/merge.ts'
import { contentAt, rowsOf, sameContent } from '#core/sync/merge.ts'
import type { Acted } from '#server/http/handler.ts'

/** An item that a rule calculated, with what it held before and holds now. */
export interface CalculatedItem extends ItemPlace {
  readonly from: JsonValue
  readonly to: JsonValue
}

/** What the rules make of an entry after a merge. */
export interface Judgement {
  /** The data with every calculated item at its calculated value. What no field of the page holds is left alone. */
  readonly data: EntryData
  readonly hidden: readonly string[]
  readonly progress: EntryProgress
  /** Calculated items whose value has changed. */
  readonly calculated: readonly CalculatedItem[]
  readonly evaluation: EntryEvaluation
}

/**
 * Runs the page's rules over the merged data, as of the moment at which the person acted.
 *
 * @param otherPages the saved data of the pages that the rules read
 * @param confirmed the answers that were given to warnings of the entry
 */
export function judge(
  compiled: CompiledPage,
  data: EntryData,
  acted: Acted,
  otherPages: OtherPages,
  confirmed: readonly Confirmation[] = [],
): Judgement {
  const evaluation = evaluateEntry(compiled, data, momentOf(acted), otherPages, confirmed)
  const calculated = evaluation.calculated.flatMap(({ table, rid, code, value: to }): readonly CalculatedItem[] => {
    const place = { table, rid, code }
    const from = valueAt(data, place)
    return sameContent({ value: from, missing: null }, { value: to, missing: null }) ? [] : [{ ...place, from, to }]
  })
  const { hidden, progress } = evaluation
  return { data: withCalculated(data, calculated), hidden, progress, calculated, evaluation }
}

/** Entry data with the calculated items at their calculated values; all else is left alone. */
export function withCalculated(data: EntryData, calculated: readonly CalculatedItem[]): EntryData {
  const values: Record<string, JsonValue> = { ...data.values }
  for (const { table, rid, code, to } of calculated) {
    if (table === null) put(values, code, to)
    else values[table] = (rowsOf(values[table]) ?? []).map((row) => (row['_rid'] === rid ? put(row, code, to) : row))
  }
  return { values, missing: data.missing }
}

function put(into: Record<string, JsonValue>, code: string, value: JsonValue): Record<string, JsonValue> {
  if (value === null) delete into[code]
  else into[code] = value
  return into
}

/** Whether a rule calculates the field, so that it is never merged. */
export function isCalculatedOn(compiled: CompiledPage): (table: string | null, code: string) => boolean {
  return (table, code) => {
    const cells = table === null ? compiled.cells : compiled.cells.get(table)?.table?.cells
    return (cells?.get(code)?.calculate ?? null) !== null
  }
}

/** Offset that is used where a device did not report its own: the study's, UTC+8. */
const STUDY_OFFSET_MINUTES = 480

/** The moment of the act on the form's calendar. */
export function momentOf({ at, offsetMinutes }: Pick<Acted, 'at' | 'offsetMinutes'>): Moment {
  const local = new Date(Date.parse(at) + (offsetMinutes ?? STUDY_OFFSET_MINUTES) * 60_000).toISOString()
  return { today: local.slice(0, 10), now: `${local.slice(0, 10)} ${local.slice(11, 19)}` }
}

/** The value of an item in merged data; null where it is empty or its row does not exist. */
export function valueAt(data: Merged['data'], place: ItemPlace): JsonValue {
  return contentAt(data, place)?.value ?? null
}
