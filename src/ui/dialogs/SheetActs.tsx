import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { SheetFoot } from './Sheet.tsx'

interface SheetActsProps {
  readonly submit: string
  readonly busy: boolean
  readonly disabled: boolean
  /** Why it could not be done; null before a try. */
  readonly failure: ApiError | null
  readonly onSubmit: () => void
  readonly onClose: () => void
}

/** The end of a dialog that is no form: what went wrong, and its two buttons. */
export function SheetActs({ submit, busy, disabled, failure, onSubmit, onClose }: SheetActsProps) {
  const { t } = useTranslation('common')
  const errorText = useErrorText()
  return (
    <>
      {failure !== null && (
        <Note tone="error" live>
          {errorText(failure)}
        </Note>
      )}
      <SheetFoot>
        <Button size="md" variant="default" disabled={busy} onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button size="md" loading={busy} disabled={disabled} onClick={onSubmit}>
          {submit}
        </Button>
      </SheetFoot>
    </>
  )
}
