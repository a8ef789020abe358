import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMembers } from '#src/data/hooks/projects.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import classes from '#src/screens/ecrf/casebook/casebook.module.css'
import { FactList } from '#src/ui/FactList.tsx'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'

import { EditPatientDialog } from './EditPatientDialog.tsx'
import { rightsTo } from './patientRights.ts'

/**
 * What is known of the patient; identifying facts only for users who may see them. Users with the right can change
 * them.
 */
export function PatientFacts({ book }: { readonly book: Casebook }) {
  const { t } = useTranslation(['patients', 'ecrf'])
  const [isEditing, setEditing] = useState(false)
  const facts = usePatientFacts(book)
  const { patient, project } = book
  const title = t('ecrf:casebook.patient')
  return (
    <section className={classes.panel} aria-label={title}>
      <div className={classes.panelHead}>
        <h2 className={classes.panelTitle}>{title}</h2>
        {rightsTo(book).mayEdit && (
          <Button
            size="compact-md"
            h="var(--zl-control)"
            variant="subtle"
            leftSection={<IconPencil size={18} aria-hidden="true" />}
            onClick={() => setEditing(true)}
          >
            {t('edit.open')}
          </Button>
        )}
      </div>
      <FactList facts={facts} />
      {isEditing && <EditPatientDialog projectId={project.id} patient={patient} onClose={() => setEditing(false)} />}
    </section>
  )
}

/** What is known of the patient, each fact with its label. */
function usePatientFacts({ patient, project }: Casebook): readonly (readonly [string, string])[] {
  const { t } = useTranslation('patients')
  const label = usePatientLabel()
  const members = useMembers(project.id)
  const { identity, expertIds = [], memIds = [] } = patient
  const namesOf = (ids: readonly string[]) =>
    members.state === 'ready'
      ? members.value.flatMap(({ id, realName }) => (ids.includes(id) ? [realName] : [])).join(t('assign.and'))
      : null
  const facts: readonly (readonly [string, string | null])[] = [
    [t('fact.no'), label(patient)],
    [t('fact.initials'), patient.initials],
    [t('fact.sex'), patient.sex === null ? null : t(`sex.${patient.sex}`)],
    [t('fact.enrolledOn'), patient.enrolledOn],
    [t('center'), patient.centerName],
    [t('assign.experts'), namesOf(expertIds)],
    [t('assign.members'), namesOf(memIds)],
    [t('fact.name'), identity?.name ?? null],
    [t('fact.birthDate'), identity?.birthDate ?? null],
    [t('fact.mobile'), identity?.mobile ?? null],
    [t('fact.email'), identity?.email ?? null],
  ]
  return facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value] as const]))
}
