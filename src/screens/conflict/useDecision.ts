import { useState } from 'react'
import type { ApiError } from '#core/api/errors.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { isError } from '#core/form/engine/issue.ts'
import type { ConflictChoice } from '#core/sync/conflict.ts'
import type { ChangeReason, ItemContent } from '#core/sync/entryChange.ts'
import { sameContent } from '#core/sync/merge.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import type { ConflictView, DecisionInput } from '#src/data/shapes/types.ts'
import { contentOf, oneFieldForm } from '#src/form/oneField.ts'
import { dayOf, fullTime } from '#src/ui/words/format.ts'

import type { NamedConflict } from './subject.ts'

/** Decisions that are being made: the choices and their reason, what is missing, and the result of the save. */
export type Decision = ReturnType<typeof useDecision>

/** Collects the decisions on the conflicts of a page, with one reason for all of them, and saves what is decided. */
export function useDecision(conflicts: readonly NamedConflict[]) {
  const { decideConflict } = useDataActions()
  const [choices, setChoices] = useState<ReadonlyMap<string, ConflictChoice>>(new Map())
  const forms = useOtherValues(conflicts)
  const [code, setCode] = useState<ChangeReason['code'] | null>(null)
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const lacksText = code === 'other' && text.trim() === ''
  const chosen = conflicts.filter(({ view }) => choices.has(view.row.id))

  const submit = async () => {
    setTried(true)
    const isWrong = ({ view: { row } }: NamedConflict) =>
      choices.get(row.id) === 'new' && !isValid(forms.get(row.id) ?? null)
    const allWrong = chosen.filter(isWrong).map(({ view }) => view.row.id)
    setWrong(new Set(allWrong))
    if (chosen.length === 0 || code === null || lacksText || allWrong.length > 0) return
    setBusy(true)
    const reason = { code, text: text.trim() }
    const failure = await saveEach(
      chosen,
      ({ row }) => choices.get(row.id) ?? 'server',
      forms,
      (view, decision) => decideConflict(view, { ...decision, reason }),
    )
    setBusy(false)
    setError(failure)
    if (failure === null) setTried(false)
  }
  return {
    choiceOf: (id: string): ConflictChoice | null => choices.get(id) ?? null,
    choose: (id: string, choice: ConflictChoice) => setChoices(new Map([...choices, [id, choice]])),
    /** How many are decided so far. */
    count: chosen.length,
    /** The form for a third value; null where the value cannot be entered outside of its page. */
    otherValue: (id: string): FormState | null => forms.get(id) ?? null,
    otherEdited: (id: string) => setWrong(new Set([...wrong].filter((one) => one !== id))),
    isValueWrong: (id: string): boolean => wrong.has(id),
    code,
    setCode,
    text,
    setText,
    lacksText,
    /** Whether the user has tried to save: only then the form says what is missing. */
    tried,
    submit,
    busy,
    error,
  }
}

/** The forms for third values, by conflict. Each is made once: what was typed stays while others are decided. */
function useOtherValues(conflicts: readonly NamedConflict[]): ReadonlyMap<string, FormState | null> {
  const [forms, setForms] = useState<ReadonlyMap<string, FormState | null>>(() => withForms(new Map(), conflicts))
  const all = withForms(forms, conflicts)
  if (all !== forms) setForms(all)
  return all
}

function withForms(
  forms: ReadonlyMap<string, FormState | null>,
  conflicts: readonly NamedConflict[],
): ReadonlyMap<string, FormState | null> {
  const lacking = conflicts.filter(({ view }) => !forms.has(view.row.id))
  return lacking.length === 0
    ? forms
    : new Map([...forms, ...lacking.map((one) => [one.view.row.id, formFor(one)] as const)])
}

/** A form for a third value; null where the value cannot be entered outside of its page. */
function formFor({ view: { current }, subject: { field } }: NamedConflict): FormState | null {
  const now = new Date()
  return field === null ? null : oneFieldForm(field, current, { today: dayOf(now), now: fullTime(now.toISOString()) })
}

function isValid(form: FormState | null): boolean {
  return form !== null && !form.validate().some(({ issues }) => issues.some(isError))
}

/** Saves one decision after the other; stops at the first that fails, and returns why. */
async function saveEach(
  conflicts: readonly NamedConflict[],
  choiceOf: (view: ConflictView) => ConflictChoice,
  forms: ReadonlyMap<string, FormState | null>,
  save: (
    view: ConflictView,
    decision: Omit<DecisionInput, 'reason'>,
  ) => ReturnType<ReturnType<typeof useDataActions>['decideConflict']>,
): Promise<ApiError | null> {
  for (const { view } of conflicts) {
    const done = await save(view, decisionOf(view, choiceOf(view), forms.get(view.row.id) ?? null))
    if (!done.ok) return done.error
  }
  return null
}

/** The decision. A newly entered value that equals one of the two counts as that one. */
function decisionOf(
  { row, current }: ConflictView,
  chosen: ConflictChoice,
  another: FormState | null,
): Omit<DecisionInput, 'reason'> {
  const to: ItemContent =
    chosen === 'mine' ? row.mine : chosen === 'new' && another !== null ? contentOf(another) : current
  if (chosen !== 'new') return { choice: chosen, to }
  return { choice: sameContent(to, current) ? 'server' : sameContent(to, row.mine) ? 'mine' : 'new', to }
}
