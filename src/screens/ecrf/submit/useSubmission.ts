import { useRef, useState } from 'react'
import type { FormState } from '#core/form/engine/engine.ts'
import { isError } from '#core/form/engine/issue.ts'
import { isUnanswered } from '#core/form/engine/warning.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import type { ExplainedChange, LocalWrite, UnexplainedChange } from '#src/data/shapes/types.ts'
import type { Autosave } from '#src/screens/ecrf/page/autosave.ts'
import { newSince } from '#src/screens/ecrf/reasons/newSince.ts'

/** Changes that the user is asked to explain. */
export interface AskedReasons {
  readonly changes: readonly UnexplainedChange[]
  readonly submits: boolean
  /** Whether new changes came while the user gave reasons, so that the dialog asks once more. */
  readonly again: boolean
}

/** Submits an open page. On the way the user answers its errors, warnings and missing reasons. */
export interface Submission {
  /** Fields with errors, as the last try found them; null before one was made. */
  readonly checked: ReturnType<FormState['validate']> | null
  /** Whether the dialog about warnings is open. */
  readonly doubts: boolean
  readonly asking: AskedReasons | null
  /**
   * @param then runs once the page is submitted, after all that was asked on the way; a later submit takes its place
   */
  readonly submit: (then?: () => void) => Promise<void>
  /** Closes the dialog about warnings. With `goesOn`, every warning has its answer and the submit goes on. */
  readonly endDoubts: (goesOn: boolean) => void
  /** Asks for reasons without submitting. */
  readonly ask: (changes: readonly UnexplainedChange[]) => void
  readonly give: (given: readonly ExplainedChange[], asked: AskedReasons) => Promise<LocalWrite>
  readonly closeReasons: (asked: AskedReasons) => void
}

export function useSubmission(form: FormState, autosave: Autosave, projectId: string, target: EntryTarget): Submission {
  const { unexplained, giveReasons } = useDataActions()
  const [checked, setChecked] = useState<Submission['checked']>(null)
  const [doubts, setDoubts] = useState(false)
  const [asking, setAsking] = useState<AskedReasons | null>(null)
  /** What follows the submit that the user asked for last. */
  const then = useRef<(() => void) | undefined>(undefined)
  /** @param asked changes that the user was asked about just now */
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
    // What is on the screen is saved on the device first, so that the list of unexplained changes is complete.
    if (!(await autosave.flush())) return
    const changes = newSince(asked, await unexplained(projectId, target))
    if (changes.length > 0) {
      setAsking({ changes, submits: true, again: asked.length > 0 })
      return
    }
    const done = await autosave.submit()
    if (done.ok) then.current?.()
  }
  const give = async (given: readonly ExplainedChange[], asked: AskedReasons) => {
    // These changes get their reasons as they were shown. Changes that came meanwhile are asked about separately,
    // before the submit: a submit that went first would wait for them unseen.
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
    submit: (after) => {
      then.current = after
      return submit()
    },
    endDoubts: (goesOn) => {
      setDoubts(false)
      if (goesOn) void submitSound()
    },
    ask: (changes) => setAsking({ changes, submits: false, again: false }),
    give,
    // A question that is asked once more stays open.
    closeReasons: (asked) => setAsking((now) => (now === asked ? null : now)),
  }
}
