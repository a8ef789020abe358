import { useTranslation } from 'react-i18next'
import { SUBMITTED } from '#core/sync/submitted.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { secondPassState } from '#src/screens/ecrf/casebook/DoubleEntry.tsx'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'
import { IdentityStrip } from '#src/ui/IdentityStrip.tsx'
import type { IdentityFact } from '#src/ui/IdentityStrip.tsx'

import { NeighbourButtons } from './NeighbourButtons.tsx'
import { PatientMenu } from './PatientMenu.tsx'

interface PatientStripProps {
  readonly projectId: string
  readonly patientId: string
  /** Null until it is read: the line is there, so that nothing moves. */
  readonly book: Casebook | null
  /** The same screen of another patient. */
  readonly pathOf: (projectId: string, patientId: string) => string
}

/** Whom the screen is about, how far they are and where that is; at its end the next patients, what is seldom done. */
export function PatientStrip({ projectId, patientId, book, pathOf }: PatientStripProps) {
  return (
    <IdentityStrip
      facts={useFacts(book)}
      actions={
        <>
          <NeighbourButtons {...{ projectId, patientId, pathOf }} asksServer={book !== null} />
          {book !== null && <PatientMenu key={patientId} book={book} />}
        </>
      }
    />
  )
}

function useFacts(book: Casebook | null): readonly IdentityFact[] {
  const { t } = useTranslation(['casebook', 'ecrf', 'patients'])
  if (book === null) return []
  const { patient, version, folders } = book
  const pages = folders.flatMap((folder) => folder.pages)
  const submitted = pages.filter(({ status }) => status === SUBMITTED).length
  const second = secondPassState(book)
  const { centerName, enrolledOn, sex } = patient
  const facts: readonly (IdentityFact | null)[] = [
    centerName === '' ? null : { id: 'center', fact: centerName, isMinor: true },
    sex === null ? null : { id: 'sex', fact: t(`patients:sex.${sex}`), isMinor: true },
    enrolledOn === null ? null : { id: 'enrolledOn', fact: t('strip.enrolledOn', { day: enrolledOn }), isMinor: true },
    { id: 'version', fact: t('ecrf:casebook.version', { version: version.versionNoDesc }) },
    second === null ? null : { id: 'secondPass', fact: t(`ecrf:casebook.secondPass.state.${second}`) },
    { id: 'progress', fact: t('ecrf:casebook.progress', { submitted, total: pages.length }) },
    patient.deleted ? { id: 'voided', fact: <strong>{t('strip.voided')}</strong> } : null,
    // Of a patient who is only read from the server this device can say nothing.
    isHere(book) ? { id: 'sync', fact: <StatusBadge status={patient.sync} /> } : null,
  ]
  return facts.filter((fact) => fact !== null)
}

function isHere({ visitBar, entry }: Casebook): boolean {
  return visitBar !== 'not_kept' && (entry.allowed || entry.why !== 'not_kept')
}
