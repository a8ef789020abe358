import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { useServerAction } from '#src/data/server.ts'
import { reloadPath } from '#src/paths/redirect.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'

interface StartProjectDialogProps {
  readonly project: ProjectRow | null
  readonly onClose: () => void
}

/** A user enters a project that is being set up: start it now, or set it up first (specification §4). */
export function StartProjectDialog({ project, onClose }: StartProjectDialogProps) {
  const { t } = useTranslation(['projects', 'common'])
  const navigate = useNavigate()
  const errorText = useErrorText()
  const act = useServerAction()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)

  const start = async ({ id }: ProjectRow) => {
    setBusy(true)
    const result = await act('project.changeStatus', { query: { projectId: id, status: 'process' }, projectId: id })
    setBusy(false)
    if (!result.ok) return setError(result.error)
    return navigate(reloadPath(`/p/${id}`))
  }
  return (
    <Sheet opened={project !== null} onClose={onClose} title={t('start.title')}>
      {project !== null && (
        <Stack>
          <Text>{t('start.text', { name: project.projectName })}</Text>
          {error !== null && (
            <Note tone="error" live>
              {errorText(error)}
            </Note>
          )}
          <SheetFoot>
            <Button size="md" variant="default" onClick={onClose}>
              {t('start.cancel')}
            </Button>
            <Button size="md" variant="default" onClick={() => void navigate(`/p/${project.id}`)}>
              {t('start.manage')}
            </Button>
            <Button size="md" loading={busy} onClick={() => void start(project)}>
              {t('start.now')}
            </Button>
          </SheetFoot>
        </Stack>
      )}
    </Sheet>
  )
}
