import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProjectConfig } from '#core/api/calls.project.ts'
import { readTemplate } from '#core/study/patientNumber.ts'
import { useServerAction, useServerQuery } from '#src/app/server.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { SubmitDialog } from '#src/ui/SubmitDialog.tsx'

import { NumberTemplateField } from './NumberTemplateField.tsx'
import { useTemplateRefusal } from './templateProblem.ts'

interface NumberTemplateDialogProps {
  readonly projectId: string
  readonly onClose: () => void
}

/** How a project numbers its subjects from now on; numbers that were shown stay. */
export function NumberTemplateDialog({ projectId, onClose }: NumberTemplateDialogProps) {
  const { t } = useTranslation('admin')
  const act = useServerAction()
  const refused = useTemplateRefusal()
  // The other settings go along as they are at the server now, not as a tablet remembers them.
  const settings = useServerQuery('project.confDetail', { query: { projectId }, projectId })
  const [typed, setTyped] = useState<string | null>(null)
  const save = async (config: ProjectConfig, numberTemplate: string) => refused(await act('project.confUpdate', { body: { ...config, projectId, numberTemplate }, projectId }))
  const submit = () => {
    if (settings.state !== 'ready') return null
    const template = typed ?? settings.value.numberTemplate
    return readTemplate(template).ok ? save(settings.value, template) : null
  }
  return (
    <SubmitDialog title={t('template.title')} submit={t('template.submit')} size="lg" onClose={onClose} onSubmit={submit}>
      <Text size="sm">{t('template.text')}</Text>
      <Loaded of={settings} rows={3}>
        {({ numberTemplate }) => <NumberTemplateField projectId={projectId} centerId={null} value={typed ?? numberTemplate} onChange={setTyped} />}
      </Loaded>
    </SubmitDialog>
  )
}
