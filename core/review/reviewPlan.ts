import { v5 } from 'uuid'
import * as z from 'zod/mini'
import { addressKey } from '#core/form/definition/address.ts'
import type { JsonValue } from '#core/json.ts'
import { isEmptyValue } from '#core/sync/emptyValue.ts'
import { isRowList } from '#core/sync/entryData.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { missingKey, stateOf } from '#core/sync/merge.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import { id, prop, text } from '#core/wire/shapes.ts'

import { NO_COUNTS, isDone } from './verification.ts'
import type { MarkState, ReviewCounts } from './verification.ts'

/**
 * A review plan: which values are to be verified (docs/adr/0046-verification.md). Critical fields are verified of every
 * patient; everything else of those whom a draw or their place in the center has chosen. A plan has a track and
 * versions; a former version is kept, and no mark is ever removed for a new one.
 */

/** A field of a page; in a table, of each of its rows. */
const plannedField = z.object({ pageId: id, table: z.nullable(prop), code: prop })
export type PlannedField = z.infer<typeof plannedField>

const sample = {
  /** Of how many percent of the patients everything is verified. */
  sharePercent: z.number().check(z.minimum(0), z.maximum(100)),
  /** Of how many of the first patients of each center everything is verified. */
  firstOfCenter: z.int().check(z.minimum(0), z.maximum(100_000)),
}

export const reviewPlan = z.object({
  critical: z.array(plannedField).check(z.maxLength(5000)),
  ...sample,
  /** The visits in which everything of chosen patients is verified; null for all. */
  folders: z.nullable(z.array(id).check(z.maxLength(1000))),
  /** Centers with a sample of their own. */
  centers: z.array(z.object({ centerId: id, ...sample })).check(z.maxLength(1000)),
  /** What the draw begins with: another seed draws others. */
  seed: text(64).check(z.minLength(1)),
})
export type ReviewPlan = z.infer<typeof reviewPlan>

/** A patient, as far as a plan chooses. */
export interface PlannedPatient {
  readonly id: string
  readonly centerId: string
  /** Their place among all who were ever enrolled in the center, from 1. It never changes. */
  readonly rank: number
}

/** A page of a patient, as far as a plan asks. */
export interface PlannedEntry {
  readonly folderId: string
  readonly pageId: string
}

/** Namespace of the draw. Changing it would draw other patients for running plans. */
const DRAW = 'b6b2a1f4-5b1e-5d52-8f0a-4f2b8a7d9c31'
const OF_DRAW = 2 ** 32

/** Whether everything of a patient is verified. */
export function isChosen(plan: ReviewPlan, { id: patientId, centerId, rank }: PlannedPatient): boolean {
  const { sharePercent, firstOfCenter } = plan.centers.find((center) => center.centerId === centerId) ?? plan
  return rank <= firstOfCenter || lotOf(plan.seed, patientId) < sharePercent
}

/** The lot of a patient, from 0 to below 100: the same wherever and whenever it is drawn. */
function lotOf(seed: string, patientId: string): number {
  return (Number.parseInt(v5(`${seed}|${patientId}`, DRAW).slice(0, 8), 16) / OF_DRAW) * 100
}

/** Which fields of an entry the plan asks for. @returns a test of a field by its table and code */
export function plannedIn(
  plan: ReviewPlan,
  patient: PlannedPatient,
  { folderId, pageId }: PlannedEntry,
): (place: Pick<ItemPlace, 'table' | 'code'>) => boolean {
  if (isChosen(plan, patient) && (plan.folders === null || plan.folders.includes(folderId))) return () => true
  const critical = new Set(plan.critical.flatMap((field) => (field.pageId === pageId ? [fieldKey(field)] : [])))
  return (place) => critical.has(fieldKey(place))
}

function fieldKey({ table, code }: Pick<ItemPlace, 'table' | 'code'>): string {
  return `${table ?? ''}.${code}`
}

/**
 * The items of an entry that can be verified: each that has a value, or a reason for having none, in what is shown.
 *
 * @param hidden addresses of what rules hide (`addressKey`)
 * @param isReviewed whether a field is one that a person enters and that every reviewer may see
 */
export function reviewItems(
  data: EntryData,
  hidden: readonly string[],
  isReviewed: (place: Pick<ItemPlace, 'table' | 'code'>) => boolean,
): readonly ItemPlace[] {
  const away = new Set(hidden)
  const found: ItemPlace[] = []
  const take = (place: ItemPlace, value: JsonValue | undefined) => {
    if (away.has(addressKey(place)) || (isEmptyValue(value) && data.missing[missingKey(place)] === undefined)) return
    if (isReviewed(place)) found.push(place)
  }
  const codes = new Set([...Object.keys(data.values), ...Object.keys(data.missing).filter((key) => !key.includes('.'))])
  for (const code of codes) {
    const value = data.values[code]
    if (value === undefined || !isRowList(value)) take({ table: null, rid: null, code }, value)
    else if (!away.has(code)) for (const row of value) takeRow(code, row)
  }
  return found

  function takeRow(table: string, row: Readonly<Record<string, JsonValue>>): void {
    const { _rid: rid } = row
    if (typeof rid !== 'string' || stateOf(row).deleted) return
    const prefix = `${rid}.`
    const unknown = Object.keys(data.missing).flatMap((key) =>
      key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
    )
    for (const code of new Set([...Object.keys(row), ...unknown]))
      if (!code.startsWith('_')) take({ table, rid, code }, row[code])
  }
}

/** How far items that a plan asks for are checked. @param stateOfItem the mark of an item; null where it has none */
export function countReview(
  due: readonly ItemPlace[],
  stateOfItem: (place: ItemPlace) => MarkState | null,
): ReviewCounts {
  return due.reduce((counts, place) => {
    const state = stateOfItem(place)
    return {
      due: counts.due + 1,
      done: counts.done + (isDone(state) ? 1 : 0),
      changed: counts.changed + (state === 'changed' ? 1 : 0),
    }
  }, NO_COUNTS)
}
