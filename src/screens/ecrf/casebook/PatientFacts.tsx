import { Button, Group } from '@mantine/core'
import { IconPencil, IconTrash, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { useMembers } from '#src/data/hooks/projects.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { patientsPath } from '#src/paths/screenPaths.ts'
import { AssignDialog } from '#src/screens/ecrf/patient/AssignDialog.tsx'
import { EditPatientDialog } from '#src/screens/ecrf/patient/EditPatientDialog.tsx'
import { OverruledNotes } from '#src/screens/ecrf/patient/OverruledNotes.tsx'
import { RemovePatientDialog } from '#src/screens/ecrf/patient/RemovePatientDialog.tsx'
import { FactList } from '#src/ui/FactList.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'

type PatientDialog = 'edit' | 'assign' | 'remove'

/**
 * What is known of the patient; identifying facts only for users who may see them. Users with the right can change the
 * facts or remove the patient.
 */
export function PatientFacts({ book }: { readonly book: Casebook }) {
  const { t } = useTranslation(['patients', 'ecrf'])
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<PatientDialog | null>(null)
  const { patient, project, version } = book
  const facts = usePatientFacts(book)
  const rights = rightsTo(book)
  const close = () => setDialog(null)
  return (
    <Panel title={t('ecrf:casebook.patient')}>
      <OverruledNotes book={book} onAgain={rights.mayEdit ? () => setDialog('edit') : null} />
      <FactList pairs facts={facts} />
      {(rights.mayEdit || rights.mayRemove) && <PatientButtons rights={rights} onOpen={setDialog} />}
      {dialog === 'edit' && <EditPatientDialog projectId={project.id} patient={patient} onClose={close} />}
      {dialog === 'assign' && <AssignDialog projectId={project.id} patient={patient} onClose={close} />}
      {dialog === 'remove' && (
        <RemovePatientDialog
          projectId={project.id}
          patient={patient}
          onClose={close}
          onRemoved={() => void navigate(patientsPath(project.id, version.id))}
        />
      )}
    </Panel>
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

interface Rights {
  readonly mayEdit: boolean
  readonly mayAssign: boolean
  readonly mayRemove: boolean
}

/** What the user may do about the patient. */
function rightsTo({ patient, project }: Casebook): Rights {
  const open = project.projectStatus === 'process' && !patient.deleted
  const mayEdit = open && project.permissions.includes('patient_edit')
  return {
    mayEdit,
    // A patient who is not yet at the server cannot be assigned to anybody.
    mayAssign: mayEdit && patient.rev > 0,
    mayRemove: open && project.permissions.includes('patient_remove'),
  }
}

interface PatientButtonsProps {
  readonly rights: Rights
  readonly onOpen: (dialog: PatientDialog) => void
}

function PatientButtons({ rights, onOpen }: PatientButtonsProps) {
  const { t } = useTranslation('patients')
  return (
    <Group gap="xs" mt="sm">
      {rights.mayEdit && (
        <Button
          size="md"
          variant="default"
          leftSection={<IconPencil size={18} aria-hidden="true" />}
          onClick={() => onOpen('edit')}
        >
          {t('edit.open')}
        </Button>
      )}
      {rights.mayAssign && (
        <Button
          size="md"
          variant="default"
          leftSection={<IconUsers size={18} aria-hidden="true" />}
          onClick={() => onOpen('assign')}
        >
          {t('assign.open')}
        </Button>
      )}
      {rights.mayRemove && (
        <Button
          size="md"
          variant="subtle"
          color="red"
          leftSection={<IconTrash size={18} aria-hidden="true" />}
          onClick={() => onOpen('remove')}
        >
          {t('remove.open')}
        </Button>
      )}
    </Group>
  )
}
