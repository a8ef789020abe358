import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SUBMITTED } from '#core/sync/submitted.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { secondPassState } from '#src/screens/ecrf/casebook/DoubleEntry.tsx'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'
import { IdentityStrip } from '#src/ui/IdentityStrip.tsx'

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

/** Whom the screen is about, how far they are, and where that is; at its end the next patients and what is seldom done. */
export function PatientStrip({ projectId, patientId, book, pathOf }: PatientStripProps) {
  return (
    <IdentityStrip
      facts={useFacts(book)}
      actions={
        <>
          <NeighbourButtons {...{ projectId, patientId, pathOf }} />
          {book !== null && <PatientMenu key={patientId} book={book} />}
        </>
      }
    />
  )
}

function useFacts(book: Casebook | null): readonly (readonly [id: string, fact: ReactNode])[] {
  const { t } = useTranslation(['casebook', 'ecrf', 'patients'])
  if (book === null) return []
  const { patient, version, folders } = book
  const pages = folders.flatMap((folder) => folder.pages)
  const submitted = pages.filter(({ status }) => status === SUBMITTED).length
  const second = secondPassState(book)
  const { enrolledOn, sex } = patient
  return [
    ['center', patient.centerName || null],
    ['sex', sex === null ? null : t(`patients:sex.${sex}`)],
    ['enrolledOn', enrolledOn === null ? null : t('strip.enrolledOn', { day: enrolledOn })],
    ['version', t('ecrf:casebook.version', { version: version.versionNoDesc })],
    ['secondPass', second === null ? null : t(`ecrf:casebook.secondPass.state.${second}`)],
    ['progress', t('ecrf:casebook.progress', { submitted, total: pages.length })],
    ['voided', patient.deleted ? <strong>{t('strip.voided')}</strong> : null],
    // Of a patient who is only read from the server this device can say nothing.
    ['sync', isHere(book) ? <StatusBadge status={patient.sync} /> : null],
  ]
}

function isHere({ visitBar, entry }: Casebook): boolean {
  return visitBar !== 'not_kept' && (entry.allowed || entry.why !== 'not_kept')
}
