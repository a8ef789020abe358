import { Button, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, useLocation, useParams } from 'react-router-dom'
import { errorKind } from '#core/api/errors.ts'
import type { HomeState } from '#src/paths/screenPaths.ts'
import { useMigrationTask } from '#src/frame/migrationTask.ts'
import { NoAccess, NoMenu } from '#src/frame/shell/NoAccess.tsx'
import { ProjectBanner } from '#src/frame/shell/ProjectBanner.tsx'
import { hasMenu, mayEnter } from '#src/frame/shell/menu.ts'
import { useProject } from '#src/data/hooks/projects.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { laterPart } from '#src/parts/laterPart.tsx'

import { isKeptOpen } from './keptOpen.ts'
import type { WorkspacePlace } from './workspacePlace.ts'

// Loaded lazily, because few users may start a migration.
const ProjectMigration = laterPart(
  async () => (await import('#src/frame/shell/migration/ProjectMigration.tsx')).ProjectMigration,
)

/**
 * A project's workspace: loads the project, says so where it cannot be had, and lets nobody open what they may not see
 * (specification §2).
 */
export function WorkspaceLayout() {
  const { t } = useTranslation('common')
  const { id = '' } = useParams()
  const { pathname } = useLocation()
  const errorText = useErrorText()
  const project = useProject(id)
  const migration = useMigrationTask()
  // This person may not open any part of the address: they go home and read why (specification §2). A project that
  // cannot be reached now can be tried again.
  if (project.state === 'failed' && errorKind(project.error.code) === 'decision') {
    return <Navigate to="/wel/index" replace state={{ refused: project.error } satisfies HomeState} />
  }
  if (project.state === 'failed') {
    return (
      <EmptyState
        title={t('failed')}
        text={errorText(project.error)}
        live
        action={<Button onClick={() => window.location.reload()}>{t('action.retry')}</Button>}
      />
    )
  }
  return (
    <Loaded of={project} rows={8}>
      {(loaded) => {
        return (
          <Stack>
            <ProjectBanner project={loaded} />
            {(migration?.projectId === loaded.id || loaded.permissions.includes('project_crf_test_publish')) && (
              <ProjectMigration key={loaded.id} project={loaded} />
            )}
            <Place project={loaded} pathname={pathname} />
          </Stack>
        )
      }}
    </Loaded>
  )
}

/** The screen that an address names, where the user may enter it, or has something in it that is not saved. */
function Place({ project, pathname }: WorkspacePlace & { readonly pathname: string }) {
  const isKept = isKeptOpen(pathname)
  if (!hasMenu(project) && !isKept) return <NoMenu />
  return mayEnter(project, pathname) || isKept ? (
    <Outlet context={{ project } satisfies WorkspacePlace} />
  ) : (
    <NoAccess />
  )
}
