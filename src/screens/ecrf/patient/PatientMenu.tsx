import { ActionIcon, Menu } from '@mantine/core'
import { IconCopyPlus, IconDots, IconTrash, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { Casebook } from '#src/data/shapes/types.ts'
import { patientsPath } from '#src/paths/screenPaths.ts'
import { OpenSecondPass, mayOpenSecondPass } from '#src/screens/ecrf/casebook/DoubleEntry.tsx'

import { AssignDialog } from './AssignDialog.tsx'
import { RemovePatientDialog } from './RemovePatientDialog.tsx'
import { rightsTo } from './patientRights.ts'

type PatientDialog = 'assign' | 'remove' | 'secondPass'

/** Behind one button: what is seldom done about a patient, and what cannot be undone by a click. */
export function PatientMenu({ book }: { readonly book: Casebook }) {
  const { t } = useTranslation(['casebook', 'patients', 'ecrf'])
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<PatientDialog | null>(null)
  const { patient, project, version } = book
  const { mayAssign, mayRemove } = rightsTo(book)
  const mayOpen = mayOpenSecondPass(book)
  if (!mayAssign && !mayRemove && !mayOpen) return null
  const close = () => setDialog(null)
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="var(--zl-control)" aria-label={t('strip.more')}>
            <IconDots size={20} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayAssign && (
            <Menu.Item
              mih="var(--zl-control)"
              leftSection={<IconUsers size={18} aria-hidden="true" />}
              onClick={() => setDialog('assign')}
            >
              {t('patients:assign.open')}
            </Menu.Item>
          )}
          {mayOpen && (
            <Menu.Item
              mih="var(--zl-control)"
              leftSection={<IconCopyPlus size={18} aria-hidden="true" />}
              onClick={() => setDialog('secondPass')}
            >
              {t('ecrf:casebook.secondPass.open')}
            </Menu.Item>
          )}
          {mayRemove && (mayAssign || mayOpen) && <Menu.Divider />}
          {mayRemove && (
            <Menu.Item
              mih="var(--zl-control)"
              c="var(--zl-red)"
              leftSection={<IconTrash size={18} aria-hidden="true" />}
              onClick={() => setDialog('remove')}
            >
              {t('patients:remove.open')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'assign' && <AssignDialog projectId={project.id} patient={patient} onClose={close} />}
      {dialog === 'secondPass' && <OpenSecondPass book={book} onClose={close} />}
      {dialog === 'remove' && (
        <RemovePatientDialog
          projectId={project.id}
          patient={patient}
          onClose={close}
          onRemoved={() => void navigate(patientsPath(project.id, version.id))}
        />
      )}
    </>
  )
}
