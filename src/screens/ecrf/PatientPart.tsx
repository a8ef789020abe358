import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import type { PermissionCode } from '#core/access/permissions.ts'
import { useCasebook } from '#src/data/hooks/patients.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { NoAccess } from '#src/frame/shell/NoAccess.tsx'
import { casebookPath } from '#src/paths/screenPaths.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'

import { EcrfHeader } from './EcrfHeader.tsx'
import ecrf from './ecrf.module.css'

interface PatientPartProps {
  readonly title: string
  /** Who may see it; null for everybody who sees the patient. */
  readonly right: PermissionCode | null
  readonly className?: string | undefined
  readonly children: (book: Casebook) => ReactNode
}

/** A screen of one patient beside the pages: under a header that says whose it is, for whoever may see it. */
export function PatientPart({ title, right, className = ecrf.main, children }: PatientPartProps) {
  const { projectId, patientId } = useOutletContext<EcrfPlace>()
  const { t } = useTranslation('visits')
  const label = usePatientLabel()
  const casebook = useCasebook(patientId, projectId)
  const patient = casebook.state === 'ready' ? label(casebook.value.patient) : null
  return (
    <>
      <EcrfHeader
        backTo={casebookPath(projectId, patientId)}
        backLabel={t('patient.back')}
        title={[patient, title].filter(Boolean).join(' · ')}
      />
      <main className={className} id="main" tabIndex={-1}>
        <Loaded of={casebook} rows={8}>
          {(book) => (right === null || book.project.permissions.includes(right) ? children(book) : <NoAccess />)}
        </Loaded>
      </main>
    </>
  )
}
