import { Button, Group } from '@mantine/core'
import { IconPencil, IconTrash, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { useMembers } from '#src/data/hooks/projects.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { patientsAddress } from '#src/paths/addresses.ts'
import { AssignDialog } from '#src/screens/ecrf/patient/AssignDialog.tsx'
import { EditPatientDialog } from '#src/screens/ecrf/patient/EditPatientDialog.tsx'
import { OverruledNotes } from '#src/screens/ecrf/patient/OverruledNotes.tsx'
import { RemovePatientDialog } from '#src/screens/ecrf/patient/RemovePatientDialog.tsx'
import { FactList } from '#src/ui/FactList.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'

/**
 * What is known of the patient; who they are only for those who may see it. To be changed, or the patient taken away,
 * by who may.
 */
export function PatientFacts({ book }: { readonly book: Casebook }) {
  const { t } = useTranslation(['patients', 'ecrf'])
  const navigate = useNavigate()
  const label = usePatientLabel()
  const [dialog, setDialog] = useState<'edit' | 'assign' | 'remove' | null>(null)
  const { patient, project, version } = book
  const { identity, expertIds = [], memIds = [] } = patient
  const members = useMembers(project.id)
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
  const open = project.projectStatus === 'process' && !patient.deleted
  const mayEdit = open && project.permissions.includes('patient_edit')
  // Until the server has the patient it can give them to nobody.
  const mayAssign = mayEdit && patient.rev > 0
  const mayRemove = open && project.permissions.includes('patient_remove')
  const close = () => setDialog(null)
  return (
    <Panel title={t('ecrf:casebook.patient')}>
      <OverruledNotes book={book} onAgain={mayEdit ? () => setDialog('edit') : null} />
      <FactList
        pairs
        facts={facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value] as const]))}
      />
      {(mayEdit || mayRemove) && (
        <Group gap="xs" mt="sm">
          {mayEdit && (
            <Button
              size="md"
              variant="default"
              leftSection={<IconPencil size={18} aria-hidden="true" />}
              onClick={() => setDialog('edit')}
            >
              {t('edit.open')}
            </Button>
          )}
          {mayAssign && (
            <Button
              size="md"
              variant="default"
              leftSection={<IconUsers size={18} aria-hidden="true" />}
              onClick={() => setDialog('assign')}
            >
              {t('assign.open')}
            </Button>
          )}
          {mayRemove && (
            <Button
              size="md"
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={18} aria-hidden="true" />}
              onClick={() => setDialog('remove')}
            >
              {t('remove.open')}
            </Button>
          )}
        </Group>
      )}
      {dialog === 'edit' && <EditPatientDialog projectId={project.id} patient={patient} onClose={close} />}
      {dialog === 'assign' && <AssignDialog projectId={project.id} patient={patient} onClose={close} />}
      {dialog === 'remove' && (
        <RemovePatientDialog
          projectId={project.id}
          patient={patient}
          onClose={close}
          onRemoved={() => void navigate(patientsAddress(project.id, version.id))}
        />
      )}
    </Panel>
  )
}
