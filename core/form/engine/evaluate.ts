import type { CompiledPage } from '#core/form/compiled/compile.ts'
import { addressOf } from '#core/form/definition/address.ts'
import type { FieldAddress } from '#core/form/definition/address.ts'
import { canonicalValue } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import type { Moment } from '#core/rules/values.ts'
import type { Confirmation } from '#core/sync/confirmation.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { EntryProgress } from '#core/sync/entryMark.ts'
import { contentAt } from '#core/sync/merge.ts'

import type { Cell, RuleFault } from './cell.ts'
import type { OtherPages } from './otherPages.ts'
import { NO_OTHER_PAGES } from './otherPages.ts'
import { createFormState } from './engine.ts'
import type { FormState } from './engine.ts'
import type { FieldIssues } from './issue.ts'
import { sameValue } from './slot.ts'

/** The judgement of the engine on an entry as a whole. */
export interface EntryEvaluation {
  /** The data with the correct calculated values. */
  readonly data: EntryData
  /** Addresses of the fields that are not shown. Fields within a hidden table are not listed. */
  readonly hidden: readonly string[]
  readonly issues: readonly FieldIssues[]
  readonly faults: readonly RuleFault[]
  readonly progress: EntryProgress
  /**
   * What the rules changed: calculated values that differ from the incoming ones, and the visibility of every field for
   * which rules decide it.
   */
  readonly effects: readonly (FieldAddress & { readonly value: JsonValue | null; readonly isShow: 0 | 1 })[]
  /** The correct calculated values, including those in rows that are there. */
  readonly calculated: readonly (FieldAddress & { readonly value: JsonValue | null })[]
}

/**
 * Judges an entry from scratch, with the same engine that the tablet uses for entry.
 *
 * @param otherPages what is saved on the pages that its rules read
 * @param confirmed answers that were given to its warnings
 */
export function evaluateEntry(
  compiled: CompiledPage,
  data: EntryData,
  moment: Moment,
  otherPages: OtherPages = NO_OTHER_PAGES,
  confirmed: readonly Confirmation[] = [],
): EntryEvaluation {
  const state = createFormState(compiled, data, { moment, readOnly: false, otherPages, confirmed })
  const cells = state.cells()
  const isShown = (key: string) => state.getCell(key)?.visible === true
  return {
    data: state.data(),
    hidden: cells.flatMap(({ key, visible }) => {
      const { table } = addressOf(key)
      return visible || (table !== null && !isShown(table)) ? [] : [key]
    }),
    issues: state.issues(),
    faults: state.faults(),
    progress: progressOf(state),
    effects: cells.flatMap((cell) => {
      const recalculated = cell.calculated && !sameValue(storedValue(cell, data), cell.value)
      if (!recalculated && cell.field.show === null) return []
      return [{ ...addressOf(cell.key), value: cell.value, isShow: cell.visible ? 1 : 0 }]
    }),
    calculated: cells.flatMap((cell) => (cell.calculated ? [{ ...addressOf(cell.key), value: cell.value }] : [])),
  }
}

function storedValue({ key, field }: Cell, data: EntryData): JsonValue | null {
  return canonicalValue(field, contentAt(data, addressOf(key))?.value)
}

/** How full a page is now. */
export function progressOf(state: FormState): EntryProgress {
  const { total, answered, missingRequired } = state.completeness()
  return { total, answered, missing: missingRequired.length }
}
