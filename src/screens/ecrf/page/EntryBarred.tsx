import { useTranslation } from 'react-i18next'
import type { Casebook } from '#src/data/shapes/types.ts'
import { OpenHere } from '#src/screens/ecrf/OpenHere.tsx'
import { Note } from '#src/ui/Note.tsx'

type Why = Extract<Casebook['entry'], { readonly allowed: false }>['why']

/** What becomes of what was typed, where a right has ended under whoever typed it. */
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
  /** Of a voided subject: how much of the page waits for the subject to come back. */
  readonly waiting?: number
}

/** Says why nothing can be entered here; of a patient who is not on this device, brings them. */
export function EntryBarred({ book, entry = book.entry, waiting = 0 }: EntryBarredProps) {
  const { t } = useTranslation('ecrf')
  if (entry.allowed) return null
  const { why } = entry
  // What the project's own banner says is not said twice.
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
