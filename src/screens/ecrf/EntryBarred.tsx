import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { patientsAddress } from '#src/app/addresses.ts'
import type { Casebook } from '#src/data/types.ts'
import { Note } from '#src/ui/Note.tsx'

/** Says why nothing can be entered here, and what would change that. */
export function EntryBarred({ book }: { readonly book: Casebook }) {
  const { t } = useTranslation('ecrf')
  if (book.entry.allowed) return null
  const { why } = book.entry
  // What the project's own banner says is not said twice.
  if (why === 'project_stopped' || why === 'project_closed') return null
  return (
    <Note tone="info">
      {t(`why.${why}`)}{' '}
      {why === 'not_kept' && (
        <Anchor inherit component={Link} to={patientsAddress(book.project.id, book.version.id)} underline="always">
          {t('toPatients')}
        </Anchor>
      )}
    </Note>
  )
}
