import { Button, FileButton, Group, Input, SegmentedControl, Text, TextInput } from '@mantine/core'
import { IconPhoto, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { useServerAction } from '#src/data/server.ts'
import { ProjectBadge } from '#src/ui/badges/ProjectBadge.tsx'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { useForm } from '#src/ui/useForm.ts'

import classes from './editProject.module.css'
import { iconFrom } from './iconFrom.ts'

interface Values extends Pick<ProjectRow, 'projectName' | 'projectIcon'> {
  readonly projectScopeCode: 'areamultiple' | 'areasingle'
}

/** Changes a project's name, its icon, and whether it has several centers. */
export function EditProjectDialog({
  project,
  onClose,
}: {
  readonly project: ProjectRow
  readonly onClose: () => void
}) {
  const { t } = useTranslation(['admin', 'projects'])
  const act = useServerAction()
  const form = useForm<Values>({
    initialValues: {
      projectName: project.projectName,
      projectIcon: project.projectIcon,
      projectScopeCode: project.projectScopeCode === 'areasingle' ? 'areasingle' : 'areamultiple',
    },
    validate: { projectName: (name) => (name.trim() === '' ? t('info.required') : null) },
  })
  const { projectIcon, projectName } = form.getValues()
  const save = () => {
    if (form.validate().hasErrors) return null
    return act('project.update', {
      body: { id: project.id, ...form.getValues(), projectName: form.getValues().projectName.trim() },
      projectId: project.id,
    })
  }
  return (
    <SubmitDialog title={t('info.edit')} submit={t('info.save')} onClose={onClose} onSubmit={save}>
      <TextInput
        size="md"
        required
        maxLength={200}
        label={t('info.name')}
        data-autofocus
        {...form.getInputProps('projectName')}
      />
      <ProjectIconField
        icon={projectIcon}
        name={projectName}
        onChange={(icon) => form.setFieldValue('projectIcon', icon)}
      />
      <Input.Wrapper label={t('info.mode')}>
        <SegmentedControl
          fullWidth
          size="md"
          aria-label={t('info.mode')}
          data={[
            { value: 'areamultiple', label: t('projects:mode.areamultiple') },
            { value: 'areasingle', label: t('projects:mode.areasingle') },
          ]}
          {...form.getInputProps('projectScopeCode')}
        />
      </Input.Wrapper>
    </SubmitDialog>
  )
}

interface ProjectIconFieldProps {
  readonly icon: ProjectRow['projectIcon']
  /** Name of the project; without an icon, a picture is drawn from the name. */
  readonly name: string
  readonly onChange: (icon: ProjectRow['projectIcon']) => void
}

/** The icon as it will be drawn. It can be chosen from a file, or removed. */
function ProjectIconField({ icon, name, onChange }: ProjectIconFieldProps) {
  const { t } = useTranslation('admin')
  const [unread, setUnread] = useState(false)
  const take = async (file: File | null) => {
    const read = file === null ? null : await iconFrom(file)
    setUnread(file !== null && read === null)
    if (read !== null) onChange(read)
  }
  return (
    <Input.Wrapper label={t('info.icon')} description={t('info.iconHint')}>
      <Group gap="sm" mt="xs">
        <ProjectBadge icon={icon} name={name} className={classes.badge} />
        <FileButton accept="image/png,image/jpeg,image/bmp" onChange={(file) => void take(file)}>
          {(open) => (
            <Button {...open} size="md" variant="default" leftSection={<IconPhoto size={18} aria-hidden="true" />}>
              {t('info.iconChoose')}
            </Button>
          )}
        </FileButton>
        {icon !== null && (
          <Button
            size="md"
            variant="subtle"
            leftSection={<IconTrash size={18} aria-hidden="true" />}
            onClick={() => onChange(null)}
          >
            {t('info.iconRemove')}
          </Button>
        )}
      </Group>
      {unread && (
        <Text size="sm" c="red.9" mt="xs" role="alert">
          {t('info.iconUnread')}
        </Text>
      )}
    </Input.Wrapper>
  )
}
