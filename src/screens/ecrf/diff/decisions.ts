import type { BodyOf } from '#core/api/call.ts'
import type { GapRow } from '#core/api/calls/review/double.ts'
import type { CallOf } from '#core/api/table.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { isError } from '#core/form/engine/issue.ts'
import { isMaskedContent } from '#core/form/definition/mask.ts'
import type { Field } from '#core/form/definition/page.ts'
import type { Moment } from '#core/rules/values.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import type { ChangeReason } from '#core/sync/entryChange.ts'
import { contentOf, oneFieldForm } from '#src/form/oneField.ts'

/** What a person has decided about the gaps of a patient, before the passes are merged. Only the screen keeps it. */

export type Choice = 'first' | 'second' | 'new'

/** Reasons for a value that differs from both passes. */
export const REASONS = ['new_source', 'clarification', 'transcription', 'other'] as const

export interface Decision {
  readonly choose: Choice
  /** For a new value: the form that holds it, and the reason. */
  readonly form: FormState | null
  readonly code: ChangeReason['code'] | null
  readonly text: string
}

export type Decisions = ReadonlyMap<string, Decision>

/**
 * The form in which a new value is entered. It begins with the value of the first pass, or empty where that value is
 * masked for the person who decides. Null where no value can be entered.
 */
export function newValueForm(
  field: Field,
  { first, masked }: Pick<GapRow, 'first' | 'masked'>,
  moment: Moment,
): FormState | null {
  // A value of asterisks that is not masked was typed as asterisks, and is kept.
  return oneFieldForm(field, masked !== false && isMaskedContent(first) ? EMPTY_ITEM : first, moment)
}

/** Why a decision is not complete yet; null where it is complete. */
export type Problem = 'value' | 'reason' | 'text'

export function problemOf({ choose, form, code, text }: Decision): Problem | null {
  if (choose !== 'new') return null
  // An empty new value that nobody edited is no decision.
  const { value, missing } = form === null ? EMPTY_ITEM : contentOf(form)
  if (
    form === null ||
    (value === null && missing === null && !form.edited) ||
    form.issues().some(({ issues }) => issues.some(isError))
  )
    return 'value'
  if (code === null) return 'reason'
  return code === 'other' && text.trim() === '' ? 'text' : null
}

/** Gaps that still wait: neither decided nor accepted. */
export function listUndecided(gaps: readonly GapRow[], decisions: Decisions): readonly GapRow[] {
  return gaps.filter(({ id, ignored }) => {
    const decision = decisions.get(id)
    return decision === undefined ? ignored === null : problemOf(decision) !== null
  })
}

type MergeChoice = BodyOf<CallOf<'double.merge'>>['choices'][number]

/**
 * The decisions in the form that a merge takes. Decisions about gaps that are gone, or were accepted since, are left
 * out.
 */
export function choicesOf(gaps: readonly GapRow[], decisions: Decisions): MergeChoice[] {
  return gaps.flatMap(({ id }): MergeChoice[] => {
    const decision = decisions.get(id)
    if (decision === undefined) return []
    const { choose, form, code, text } = decision
    if (choose !== 'new') return [{ id, choose }]
    return form === null || code === null
      ? []
      : [{ id, choose, to: contentOf(form), reason: { code, text: text.trim() } }]
  })
}
