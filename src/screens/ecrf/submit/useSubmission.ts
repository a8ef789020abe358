import { useState } from 'react'
import type { FormState } from '#core/form/engine/engine.ts'
import { isError } from '#core/form/engine/issue.ts'
import { isUnanswered } from '#core/form/engine/warning.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import type { ExplainedChange, LocalWrite, UnexplainedChange } from '#src/data/shapes/types.ts'
import type { Autosave } from '#src/screens/ecrf/page/autosave.ts'
import { newSince } from '#src/screens/ecrf/reasons/newSince.ts'

/** Changes whose reasons are asked for. */
export interface AskedReasons {
  readonly changes: readonly UnexplainedChange[]
  readonly submits: boolean
  /** Whether something came while the reasons were given, so that they are asked for once more. */
  readonly again: boolean
}

/** Submitting an open page, and what has to be answered on the way: errors, warnings and reasons. */
export interface Submission {
  /** Fields with errors, as the last try found them; null before one was made. */
  readonly checked: ReturnType<FormState['validate']> | null
  /** Whether warnings are asked about. */
  readonly doubts: boolean
  readonly asking: AskedReasons | null
  readonly submit: () => Promise<void>
  /** Every warning has its answer: the submit goes on. */
  readonly endDoubts: (goesOn: boolean) => void
  /** Asks for reasons alone. */
  readonly ask: (changes: readonly UnexplainedChange[]) => void
  readonly give: (given: readonly ExplainedChange[], asked: AskedReasons) => Promise<LocalWrite>
  readonly closeReasons: (asked: AskedReasons) => void
}

export function useSubmission(form: FormState, autosave: Autosave, projectId: string, target: EntryTarget): Submission {
  const { unexplained, giveReasons } = useDataActions()
  const [checked, setChecked] = useState<Submission['checked']>(null)
  const [doubts, setDoubts] = useState(false)
  const [asking, setAsking] = useState<AskedReasons | null>(null)
  /** @param asked changes that were asked about just now */
  const submit = async (asked: readonly UnexplainedChange[] = []) => {
    const issues = form.validate()
    const errors = issues.filter((item) => item.issues.some(isError))
    setChecked(errors)
    if (errors.length > 0) {
      await autosave.flush()
      window.scrollTo({ top: 0 })
      return
    }
    if (issues.some((item) => item.issues.some(isUnanswered))) {
      await autosave.flush()
      setDoubts(true)
      return
    }
    await submitSound(asked)
  }
  const submitSound = async (asked: readonly UnexplainedChange[] = []) => {
    // What is on the screen is on the device first, and so is what of it needs a reason.
    if (!(await autosave.flush())) return
    const changes = newSince(asked, await unexplained(projectId, target))
    if (changes.length > 0) {
      setAsking({ changes, submits: true, again: asked.length > 0 })
      return
    }
    await autosave.submit()
  }
  const give = async (given: readonly ExplainedChange[], asked: AskedReasons) => {
    // These are answered as they were shown. What came meanwhile has its own question, and a submit does not go before
    // it: it would wait behind it unseen.
    const done = await giveReasons(projectId, target, given)
    if (!done.ok) return done
    const more = newSince(asked.changes, await unexplained(projectId, target))
    if (more.length > 0) setAsking((now) => (now === asked ? { ...asked, changes: more, again: true } : now))
    else if (asked.submits) await submit(asked.changes)
    return done
  }
  return {
    checked,
    doubts,
    asking,
    submit: () => submit(),
    endDoubts: (goesOn) => {
      setDoubts(false)
      if (goesOn) void submitSound()
    },
    ask: (changes) => setAsking({ changes, submits: false, again: false }),
    give,
    // What is asked once more stays open.
    closeReasons: (asked) => setAsking((now) => (now === asked ? null : now)),
  }
}
