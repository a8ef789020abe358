import { useTranslation } from 'react-i18next'
import type { FormState } from '#core/form/engine/engine.ts'
import type { BounceView } from '#src/data/shapes/types.ts'
import { FormErrorBox } from '#src/form/FormErrorBox.tsx'
import type { Language } from '#src/form/words.ts'
import { Note } from '#src/ui/Note.tsx'

interface BouncedSubmitProps {
  readonly bounced: BounceView
  readonly form: FormState
  readonly language: Language
  readonly onJump: (code: string) => void
}

/** Says why the page is saved but not submitted, field by field where the server said so. */
export function BouncedSubmit({ bounced, form, language, onJump }: BouncedSubmitProps) {
  const { t } = useTranslation('ecrf')
  return (
    <>
      <Note tone="error" live>
        {t(`bounced.${bounced.why}`)}
      </Note>
      <FormErrorBox state={form} issues={[]} messages={bounced.messages} language={language} onJump={onJump} />
    </>
  )
}
