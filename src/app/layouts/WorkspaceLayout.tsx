import { Button, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, Outlet, useParams } from 'react-router-dom'
import { ProjectBanner } from '#src/app/shell/ProjectBanner.tsx'
import { useProject } from '#src/data/projects.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { useErrorText } from '#src/ui/errorText.ts'

import { Shell } from './Shell.tsx'
import { useEntryVersion } from './useEntryVersion.ts'
import type { WorkspacePlace } from './workspacePlace.ts'

/** A project's workspace: loads the project, and says so if it cannot be had (SPEC §2). */
export function WorkspaceLayout() {
  const { t } = useTranslation('common')
  const { id = '', crfId } = useParams()
  const errorText = useErrorText()
  const project = useProject(id)
  const version = useEntryVersion(id)
  const row = project.state === 'ready' ? project.value : null
  const versionId = crfId ?? (version.state === 'ready' ? version.value : null)
  if (project.state === 'failed') {
    return (
      <Shell project={null} projectId={null} versionId={null}>
        <EmptyState
          title={t('failed')}
          text={errorText(project.error)}
          live
          action={
            <Button component={Link} to="/projects">
              {t('action.home')}
            </Button>
          }
        />
      </Shell>
    )
  }
  return (
    <Shell project={row} projectId={id} versionId={versionId}>
      <Loaded of={project} rows={8}>
        {(loaded) => {
          const place: WorkspacePlace = { project: loaded }
          return (
            <Stack>
              <ProjectBanner project={loaded} />
              <Outlet context={place} />
            </Stack>
          )
        }}
      </Loaded>
    </Shell>
  )
}
