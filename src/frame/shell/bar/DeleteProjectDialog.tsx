import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { useServerAction } from '#src/data/server.ts'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

interface DeleteProjectDialogProps {
  readonly project: ProjectRow
  readonly onClose: () => void
}

/**
 * Asks for the project's name before it is removed. The server's reason for a refusal is shown here (specification §8).
 */
export function DeleteProjectDialog({ project, onClose }: DeleteProjectDialogProps) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const errorText = useErrorText()
  const act = useServerAction()
  const [error, setError] = useState<ApiError | null>(null)
  const remove = async () => {
    const result = await act('project.remove', { query: { projectIds: project.id }, projectId: project.id })
    if (!result.ok) return setError(result.error)
    onClose()
    return navigate('/projects')
  }
  return (
    <ConfirmDialog
      opened
      danger
      onClose={onClose}
      onConfirm={remove}
      title={t('delete.title')}
      submit={t('delete.submit')}
      text={
        <Stack gap="sm">
          <Text>{t('delete.question')}</Text>
          <Text fw={600}>{project.projectName}</Text>
          <Text size="sm" c="dimmed">
            {t('delete.text')}
          </Text>
          {error !== null && (
            <Note tone="error" live>
              {errorText(error)}
            </Note>
          )}
        </Stack>
      }
    />
  )
}
