import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useOutletContext } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import type { ProjectStatus } from '#core/study/projectStatus.ts'
import { mayChangeStatus, projectStatuses } from '#core/study/projectStatus.ts'
import type { WorkspacePlace } from '#src/app/layouts/workspacePlace.ts'
import { reloadAddress } from '#src/app/redirect.ts'
import { useServerAction } from '#src/app/server.ts'
import { useStatusName } from '#src/app/shell/statusName.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { FactList } from '#src/ui/FactList.tsx'
import { Note } from '#src/ui/Note.tsx'
import { PageFrame, Panel } from '#src/ui/PageFrame.tsx'
import { useErrorText } from '#src/ui/errorText.ts'

/** What a project is, and switching its status. */
export function ProjectInfoScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { t } = useTranslation(['admin', 'projects'])
  const navigate = useNavigate()
  const errorText = useErrorText()
  const statusName = useStatusName()
  const act = useServerAction()
  const [target, setTarget] = useState<Exclude<ProjectStatus, 'start'> | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  const targets = projectStatuses
    .filter((status) => status !== 'start')
    .filter((status) => mayChangeStatus(project.projectStatus, status))
  const maySwitch = project.permissions.includes('project_toggle_status')

  const change = async (status: ProjectStatus) => {
    const result = await act('project.changeStatus', { query: { projectId: project.id, status }, projectId: project.id })
    setTarget(null)
    if (!result.ok) return setError(result.error)
    return navigate(reloadAddress(`/p/${project.id}/admin/projectInfo`))
  }
  return (
    <PageFrame title={t('info.title')}>
      <Panel>
        <Stack>
          <FactList
            facts={[
              [t('info.name'), project.projectName],
              [t('info.status'), statusName(project.projectStatus)],
              [t('info.mode'), t(project.projectScopeCode === 'areamultiple' ? 'projects:mode.areamultiple' : 'projects:mode.areasingle')],
              [t('info.double'), project.config.isDouble === 1 ? t('info.yes') : t('info.no')],
              [t('info.testers'), String(project.config.minTesters)],
            ]}
          />
          {error !== null && (
            <Note tone="error" live>
              {errorText(error)}
            </Note>
          )}
          {maySwitch && targets.length > 0 && (
            <Group gap="xs">
              {targets.map((status) => (
                <Button key={status} size="md" variant={status === 'process' ? 'filled' : 'default'} onClick={() => setTarget(status)}>
                  {t(`info.to.${status}`)}
                </Button>
              ))}
            </Group>
          )}
        </Stack>
      </Panel>
      {target !== null && (
        <ConfirmDialog
          opened
          onClose={() => setTarget(null)}
          onConfirm={() => change(target)}
          danger={target === 'close'}
          title={t(`info.confirm.${target}.title`)}
          text={t(`info.confirm.${target}.text`)}
          submit={t(`info.to.${target}`)}
        />
      )}
    </PageFrame>
  )
}
