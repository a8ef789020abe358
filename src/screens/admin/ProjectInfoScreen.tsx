import { Button, Group, Stack } from '@mantine/core'
import { IconPencil, IconSettings } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useOutletContext } from 'react-router-dom'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { adminAreas } from '#src/frame/shell/adminAreas.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { StatusChangeDialog } from '#src/frame/shell/bar/StatusChangeDialog.tsx'
import { useStatusName } from '#src/frame/shell/statusName.ts'
import { statusStep, statusTargets } from '#src/frame/shell/bar/statusTargets.ts'
import type { StatusTarget } from '#src/frame/shell/bar/statusTargets.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { PageFrame, Panel } from '#src/ui/PageFrame.tsx'

import { EditProjectDialog } from './EditProjectDialog.tsx'

/** The facts of a project, and the buttons that change its status. */
export function ProjectInfoScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { t } = useTranslation(['admin', 'projects'])
  const statusName = useStatusName()
  const [target, setTarget] = useState<StatusTarget | null>(null)
  const [editing, setEditing] = useState(false)
  const targets = statusTargets(project)
  return (
    <PageFrame title={t('info.title')}>
      <Panel>
        <Stack>
          <FactList
            facts={[
              [t('info.name'), project.projectName],
              [t('info.status'), statusName(project.projectStatus)],
              [
                t('info.mode'),
                t(
                  project.projectScopeCode === 'areamultiple'
                    ? 'projects:mode.areamultiple'
                    : 'projects:mode.areasingle',
                ),
              ],
              [t('info.double'), project.config.isDouble === 1 ? t('info.yes') : t('info.no')],
              [t('info.testers'), String(project.config.minTesters)],
              [t('template.name'), project.config.numberTemplate],
            ]}
          />
          {targets.length > 0 && (
            <Group gap="xs">
              {targets.map((status) => (
                <ServerButton
                  key={status}
                  size="md"
                  variant={status === 'process' ? 'filled' : 'default'}
                  onClick={() => setTarget(status)}
                >
                  {t(`info.to.${statusStep(project, status)}`)}
                </ServerButton>
              ))}
            </Group>
          )}
          {adminAreas(project).includes('projectConf') && (
            <Group>
              <ServerButton
                size="md"
                variant="default"
                leftSection={<IconPencil size={18} aria-hidden="true" />}
                barred={project.projectStatus === 'close' ? t('info.closed') : null}
                onClick={() => setEditing(true)}
              >
                {t('info.edit')}
              </ServerButton>
              <Button
                size="md"
                variant="default"
                component={Link}
                to={`/p/${project.id}/admin/projectConf`}
                leftSection={<IconSettings size={18} aria-hidden="true" />}
              >
                {t('conf.open')}
              </Button>
            </Group>
          )}
        </Stack>
      </Panel>
      {editing && <EditProjectDialog project={project} onClose={() => setEditing(false)} />}
      {target !== null && <StatusChangeDialog project={project} to={target} onClose={() => setTarget(null)} />}
    </PageFrame>
  )
}
