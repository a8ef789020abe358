import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import { casebookPath } from '#src/paths/screenPaths.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { useServerQuery } from '#src/data/server.ts'
import { NoAccess } from '#src/frame/shell/NoAccess.tsx'
import { useCasebook } from '#src/data/hooks/patients.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'

import { EcrfHeader } from '../EcrfHeader.tsx'
import { Comparison } from './Comparison.tsx'
import classes from './diff.module.css'

/**
 * The differences between the two passes of a patient, for the person who decides them. Works online only: just the
 * server has both passes.
 */
export function DiffScreen() {
  const { projectId, patientId } = useOutletContext<EcrfPlace>()
  const { t } = useTranslation(['diff', 'common'])
  const label = usePatientLabel()
  const casebook = useCasebook(patientId, projectId)
  const patient = casebook.state === 'ready' ? label(casebook.value.patient) : null
  return (
    <>
      <EcrfHeader
        backTo={casebookPath(projectId, patientId)}
        backLabel={t('common:action.back')}
        title={[patient, t('title')].filter(Boolean).join(' · ')}
      />
      <main className={classes.frame} id="main" tabIndex={-1}>
        <Loaded of={casebook} rows={8}>
          {(book) => (book.project.permissions.includes('double_merge') ? <Check book={book} /> : <NoAccess />)}
        </Loaded>
      </main>
    </>
  )
}

function Check({ book }: { readonly book: Casebook }) {
  const check = useServerQuery('double.gapCheck', { params: { id: book.patient.id }, projectId: book.project.id })
  return (
    <Loaded of={check} rows={8}>
      {(found) => <Comparison key={found.compared} book={book} check={found} />}
    </Loaded>
  )
}
