import { useTranslation } from 'react-i18next'
import type { Casebook } from '#src/data/shapes/types.ts'
import { OpenHere } from '#src/screens/ecrf/OpenHere.tsx'
import { Note } from '#src/ui/Note.tsx'

type Why = Extract<Casebook['entry'], { readonly allowed: false }>['why']

/** What happens to typed values when the author's right has ended, by the reason. */
const BECOMES: { readonly [W in Why]?: 'decided' | 'sentLater' | 'carried' } = {
  membership_ended: 'decided',
  center_withdrawn: 'decided',
  device_blocked: 'decided',
  account_disabled: 'carried',
  session_revoked: 'sentLater',
  password_changed: 'sentLater',
}

interface EntryBarredProps {
  readonly book: Casebook
  readonly entry?: Casebook['entry']
  /** For a removed patient: how much work on the page waits until the patient is restored. */
  readonly waiting?: number
}

/** Says why nothing can be entered here. A patient who is not on this device is brought onto it. */
export function EntryBarred({ book, entry = book.entry, waiting = 0 }: EntryBarredProps) {
  const { t } = useTranslation('ecrf')
  if (entry.allowed) return null
  const { why } = entry
  // The project's own banner says this already.
  if (why === 'project_stopped' || why === 'project_closed') return null
  if (why === 'not_kept') return <OpenHere book={book} />
  const kept = BECOMES[why]
  if (kept !== undefined) {
    return (
      <Note tone="warning" live>
        {t(`why.${why}`)} {t(`becomes.${kept}`)}
      </Note>
    )
  }
  return (
    <Note tone="info">
      {t(`why.${why}`)} {waiting > 0 && t('voidedWaiting', { count: waiting })}
    </Note>
  )
}
