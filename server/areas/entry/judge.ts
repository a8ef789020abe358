import type { CompiledPage } from '#core/form/compile.ts'
import type { DataElsewhere } from '#core/form/elsewhere.ts'
import { evaluateEntry } from '#core/form/evaluate.ts'
import type { EntryEvaluation } from '#core/form/evaluate.ts'
import type { JsonValue } from '#core/json.ts'
import type { Moment } from '#core/rules/values.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { EntryProgress } from '#core/sync/entryMark.ts'
import type { Merged, Place } from '#core/sync/merge.ts'
import { contentAt, sameContent } from '#core/sync/merge.ts'
import type { Acted } from '#server/http/handler.ts'

/** What the rules make of an entry after a merge. */
export interface Judgement {
  /** The data with every calculated item as it must be. What no field of the page holds is left alone. */
  readonly data: EntryData
  readonly hidden: readonly string[]
  readonly progress: EntryProgress
  /** Calculated items that are now another than before. */
  readonly calculated: readonly { readonly code: string; readonly from: JsonValue; readonly to: JsonValue }[]
  readonly evaluation: EntryEvaluation
}

/**
 * Runs the page's rules over the merged data, as of the moment at which the person acted.
 *
 * @param elsewhere what is saved on the pages that the rules read
 */
export function judge(compiled: CompiledPage, data: EntryData, acted: Acted, elsewhere: DataElsewhere): Judgement {
  const evaluation = evaluateEntry(compiled, data, momentOf(acted), elsewhere)
  const values: Record<string, JsonValue> = { ...data.values }
  const calculated: { code: string; from: JsonValue; to: JsonValue }[] = []
  for (const [code, cell] of compiled.cells) {
    if (cell.calculate === null) continue
    const from = data.values[code] ?? null
    const to = evaluation.data.values[code] ?? null
    if (sameContent({ value: from, missing: null }, { value: to, missing: null })) continue
    if (to === null) delete values[code]
    else values[code] = to
    calculated.push({ code, from, to })
  }
  return { data: { values, missing: data.missing }, hidden: evaluation.hidden, progress: evaluation.progress, calculated, evaluation }
}

/** Whether a field is computed by a rule, and so never merged. */
export function isCalculatedOn(compiled: CompiledPage): (table: string | null, code: string) => boolean {
  return (table, code) => table === null && (compiled.cells.get(code)?.calculate ?? null) !== null
}

/** Offset that is taken where a device did not say its own: the study's, UTC+8. */
const STUDY_OFFSET_MINUTES = 480

/** The moment of the act on the form's calendar. */
function momentOf({ at, offsetMinutes }: Acted): Moment {
  const local = new Date(Date.parse(at) + (offsetMinutes ?? STUDY_OFFSET_MINUTES) * 60_000).toISOString()
  return { today: local.slice(0, 10), now: `${local.slice(0, 10)} ${local.slice(11, 19)}` }
}

/** The value of an item in merged data; null where it is empty or its row is none. */
export function valueAt(data: Merged['data'], place: Place): JsonValue {
  return contentAt(data, place)?.value ?? null
}
