import { Button, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, Outlet, useLocation, useParams } from 'react-router-dom'
import { NoAccess, NoMenu } from '#src/app/shell/NoAccess.tsx'
import { ProjectBanner } from '#src/app/shell/ProjectBanner.tsx'
import { hasMenu, mayEnter } from '#src/app/shell/menu.ts'
import { useProject } from '#src/data/projects.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { useErrorText } from '#src/ui/errorText.ts'

import { Shell } from './Shell.tsx'
import { useEntryVersion } from './useEntryVersion.ts'
import type { WorkspacePlace } from './workspacePlace.ts'

/** A project's workspace: loads the project, says so if it cannot be had, and lets nobody where they may not go (SPEC §2). */
export function WorkspaceLayout() {
  const { t } = useTranslation('common')
  const { id = '', crfId } = useParams()
  const { pathname } = useLocation()
  const errorText = useErrorText()
  const project = useProject(id)
  const version = useEntryVersion(id)
  const row = project.state === 'ready' ? project.value : null
  const versionId = crfId ?? (version.state === 'ready' ? version.value : null)
  if (project.state === 'failed') {
    return (
      <Shell project={null} versionId={null}>
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
    <Shell project={row} versionId={versionId}>
      <Loaded of={project} rows={8}>
        {(loaded) => {
          const place: WorkspacePlace = { project: loaded }
          return (
            <Stack>
              <ProjectBanner project={loaded} />
              {!hasMenu(loaded) ? <NoMenu /> : mayEnter(loaded, pathname) ? <Outlet context={place} /> : <NoAccess />}
            </Stack>
          )
        }}
      </Loaded>
    </Shell>
  )
}
