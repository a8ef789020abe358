import { useTranslation } from 'react-i18next'
import type { ColleagueWork } from '#src/data/shapes/types.ts'
import { Note } from '#src/ui/Note.tsx'
import { clockTime } from '#src/ui/words/format.ts'

/**
 * What a colleague left on this page at this tablet: saved work that stands on the screen, and typing that does not.
 */
export function ColleagueNotes({ colleagues }: { readonly colleagues: ColleagueWork }) {
  const { t, i18n } = useTranslation('ecrf')
  const nameOf = (name: string): string => (name === '' ? t('colleague.somebody') : name)
  return (
    <>
      {colleagues.typing.map(({ name, at }) => (
        <Note key={`${name} ${at}`} tone="warning">
          {t('colleague.typing', { name: nameOf(name), time: clockTime(at) })}
        </Note>
      ))}
      {colleagues.unsent.length > 0 && (
        <Note tone="info">
          {t('colleague.unsent', { names: colleagues.unsent.map(nameOf).join(i18n.language === 'en' ? ', ' : '、') })}
        </Note>
      )}
    </>
  )
}
