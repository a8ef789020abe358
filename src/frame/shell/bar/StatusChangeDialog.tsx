import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { reloadPath } from '#src/paths/redirect.ts'
import { useServerAction } from '#src/data/server.ts'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { statusStep } from './statusTargets.ts'
import type { StatusTarget } from './statusTargets.ts'

interface StatusChangeDialogProps {
  readonly project: ProjectRow
  readonly to: StatusTarget
  readonly onClose: () => void
}

/** Asks before a project's status is changed, and reloads the project afterwards (specification §2, /302). */
export function StatusChangeDialog({ project, to, onClose }: StatusChangeDialogProps) {
  const { t } = useTranslation('admin')
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const errorText = useErrorText()
  const act = useServerAction()
  const [error, setError] = useState<ApiError | null>(null)
  const step = statusStep(project, to)
  const change = async () => {
    const result = await act('project.changeStatus', {
      query: { projectId: project.id, status: to },
      projectId: project.id,
    })
    if (!result.ok) return setError(result.error)
    onClose()
    return navigate(reloadPath(`${pathname}${search}`))
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={change}
      danger={to === 'close'}
      title={t(`info.confirm.${step}.title`)}
      submit={t(`info.to.${step}`)}
      text={
        <Stack gap="sm">
          <Text>{t(`info.confirm.${step}.text`)}</Text>
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
