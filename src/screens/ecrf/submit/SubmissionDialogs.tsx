import type { FormState } from '#core/form/engine/engine.ts'
import type { ConfirmPort } from '#src/form/formContext.ts'
import type { Language } from '#src/form/words.ts'
import { ReasonsDialog } from '#src/screens/ecrf/reasons/ReasonsDialog.tsx'

import type { Submission } from './useSubmission.ts'
import { WarningsDialog } from './WarningsDialog.tsx'

interface SubmissionDialogsProps {
  readonly submission: Submission
  readonly form: FormState
  readonly confirms: ConfirmPort
  readonly language: Language
  readonly onJump: (address: string) => void
}

/** What the user must answer before a page is submitted: its warnings, and the reasons for its changes. */
export function SubmissionDialogs({ submission, form, confirms, language, onJump }: SubmissionDialogsProps) {
  const { doubts, asking, endDoubts, give, closeReasons } = submission
  return (
    <>
      {doubts && (
        <WarningsDialog
          form={form}
          confirms={confirms}
          language={language}
          onJump={onJump}
          onDone={() => endDoubts(true)}
          onClose={() => endDoubts(false)}
        />
      )}
      {asking !== null && (
        <ReasonsDialog
          form={form}
          changes={asking.changes}
          submits={asking.submits}
          again={asking.again}
          onGive={(given) => give(given, asking)}
          onClose={() => closeReasons(asking)}
        />
      )}
    </>
  )
}
