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

import type { Subject } from './subject.ts'

/** A decision that is being made: the choice and its reason, what is missing, and the result of the save. */
export type ConflictDecision = ReturnType<typeof useDecision>

/** Collects a decision on a conflict, and saves it once it is complete. */
export function useDecision(view: ConflictView, subject: Subject) {
  const { decideConflict } = useDataActions()
  const [chosen, choose] = useState<ConflictChoice | null>(null)
  const [another] = useState(() => anotherForm(view, subject))
  const [code, setCode] = useState<ChangeReason['code'] | null>(null)
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const [isValueWrong, setIsValueWrong] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const lacksText = code === 'other' && text.trim() === ''

  const submit = async () => {
    setTried(true)
    const isWrong =
      chosen === 'new' && (another === null || another.validate().some(({ issues }) => issues.some(isError)))
    setIsValueWrong(isWrong)
    if (chosen === null || code === null || lacksText || isWrong) return
    setBusy(true)
    const done = await decideConflict(view, {
      ...decisionOf(view, chosen, another),
      reason: { code, text: text.trim() },
    })
    setBusy(false)
    setError(done.ok ? null : done.error)
  }
  return {
    chosen,
    choose,
    /** The form for a third value; null where the value cannot be entered outside of its page. */
    another,
    anotherEdited: () => setIsValueWrong(false),
    isValueWrong,
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

/** A form for a third value; null where the value cannot be entered outside of its page. */
function anotherForm({ current }: ConflictView, { field }: Subject): FormState | null {
  const now = new Date()
  return field === null ? null : oneFieldForm(field, current, { today: dayOf(now), now: fullTime(now.toISOString()) })
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
