import type { EntryData } from '#core/sync/entryData.ts'
import type { EntryProgress } from '#core/sync/entryMark.ts'
import type { JsonValue } from '#core/json.ts'
import type { Moment } from '#core/rules/values.ts'

import type { RuleFault } from './cell.ts'
import type { CompiledPage } from './compile.ts'
import type { DataElsewhere } from './elsewhere.ts'
import { NOTHING_ELSEWHERE } from './elsewhere.ts'
import { createFormState } from './engine.ts'
import type { FormState } from './engine.ts'
import type { Issue } from './issue.ts'
import { sameValue } from './slot.ts'
import { readValue } from './value.ts'

/** The judgement of the engine on an entry as a whole. */
export interface EntryEvaluation {
  /** The data with calculated values as they must be. */
  readonly data: EntryData
  readonly hidden: readonly string[]
  readonly issues: readonly { readonly prop: string; readonly issues: readonly Issue[] }[]
  readonly faults: readonly RuleFault[]
  readonly progress: EntryProgress
  /** What the rules changed: calculated values that differ from what came in, and every field's visibility where rules decide it. */
  readonly effects: readonly { readonly prop: string; readonly value: JsonValue | null; readonly isShow: 0 | 1 }[]
}

/**
 * Judges an entry from scratch, with the same engine that the tablet fills it with.
 *
 * @param elsewhere what is saved on the pages that its rules read
 */
export function evaluateEntry(compiled: CompiledPage, data: EntryData, moment: Moment, elsewhere: DataElsewhere = NOTHING_ELSEWHERE): EntryEvaluation {
  const state = createFormState(compiled, data, { moment, readOnly: false, elsewhere })
  const cells = compiled.page.fields.flatMap((field) => state.getCell(field.prop) ?? [])
  return {
    data: state.data(),
    hidden: cells.flatMap((cell) => (cell.visible ? [] : [cell.field.prop])),
    issues: state.issues(),
    faults: state.faults(),
    progress: progressOf(state),
    effects: cells.flatMap((cell) => {
      const recalculated = cell.calculated && !sameValue(readValue(cell.field, data), cell.value)
      if (!recalculated && cell.field.show === null) return []
      return [{ prop: cell.field.prop, value: cell.value, isShow: cell.visible ? 1 : 0 }]
    }),
  }
}

/** How full a page is now. */
export function progressOf(state: FormState): EntryProgress {
  const { total, answered, missingRequired } = state.completeness()
  return { total, answered, missing: missingRequired.length }
}
