import { useTranslation } from 'react-i18next'
import type { PatientView } from '#src/data/types.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { usePatientLabel } from '#src/ui/patientLabel.ts'

/** What is known of the patient; who they are only for those who may see it. */
export function PatientFacts({ patient }: { readonly patient: PatientView }) {
  const { t } = useTranslation(['patients', 'ecrf'])
  const label = usePatientLabel()
  const { identity } = patient
  const facts: readonly (readonly [string, string | null])[] = [
    [t('fact.no'), label(patient)],
    [t('fact.initials'), patient.initials],
    [t('fact.sex'), patient.sex === null ? null : t(`sex.${patient.sex}`)],
    [t('fact.enrolledOn'), patient.enrolledOn],
    [t('center'), patient.centerName],
    [t('fact.name'), identity?.name ?? null],
    [t('fact.birthDate'), identity?.birthDate ?? null],
    [t('fact.mobile'), identity?.mobile ?? null],
    [t('fact.email'), identity?.email ?? null],
  ]
  return (
    <Panel title={t('ecrf:casebook.patient')}>
      <FactList pairs facts={facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value] as const]))} />
    </Panel>
  )
}
