import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { notEchoed } from '#core/form/engine/echo.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { Note } from '#src/ui/Note.tsx'

interface NotEchoedNoteProps {
  readonly form: FormState
  readonly data: EntryData
  readonly masked: boolean
}

/** Saved data of a page that its form cannot show, in the words of the specification. A save loses nothing of them. */
export function NotEchoedNote({ form, data, masked }: NotEchoedNoteProps) {
  const { t } = useTranslation('ecrf')
  const { page } = form.compiled
  const { notFound, notShown } = useMemo(() => notEchoed(page, data, masked), [page, data, masked])
  if (notFound.length + notShown.length === 0) return null
  return (
    <Note tone="warning">
      {notShown.map((code) => (
        <p key={code}>{t('echo.notShown', { code })}</p>
      ))}
      {notFound.map((code) => (
        <p key={code}>{t('echo.notFound', { code })}</p>
      ))}
    </Note>
  )
}
