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

/** A decision on its way: what is chosen on what grounds, what of that is missing, and what saving it came to. */
export type ConflictDecision = ReturnType<typeof useDecision>

/** Takes a decision about a conflict down, and saves it once nothing of it is missing. */
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
    /** Where a third value is entered; null where none can be away from its page. */
    another,
    anotherEdited: () => setIsValueWrong(false),
    isValueWrong,
    code,
    setCode,
    text,
    setText,
    lacksText,
    /** Whether somebody has tried to save it: then what is missing is said. */
    tried,
    submit,
    busy,
    error,
  }
}

/** A box for a third value; null where it cannot be entered away from its page. */
function anotherForm({ current }: ConflictView, { field }: Subject): FormState | null {
  const now = new Date()
  return field === null ? null : oneFieldForm(field, current, { today: dayOf(now), now: fullTime(now.toISOString()) })
}

/** What is decided; a value entered anew that is one of the two is that one. */
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
