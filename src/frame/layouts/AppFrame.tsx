import type { ReactNode } from 'react'
import { Outlet, useMatch } from 'react-router-dom'
import { PreparedScreens } from '#src/app/ahead/PreparedScreens.tsx'
import { useNewestVersion, useProject } from '#src/data/hooks/projects.ts'

import { Shell } from './Shell.tsx'
import { useEntryVersion } from './useEntryVersion.ts'

export interface AppFrameProps {
  /** The routes of a project's screens, some of which are drawn ahead. */
  readonly projectRoutes: ReactNode
}

/** The frame around all screens but the casebook. It stays mounted when a person enters and leaves a project. */
export function AppFrame({ projectRoutes }: AppFrameProps) {
  const projectId = useMatch('/p/:id/*')?.params.id ?? null
  const asked = useMatch('/p/:id/v/:crfId/*')?.params.crfId ?? null
  const project = useProject(projectId)
  const version = useEntryVersion(projectId)
  // While nothing can be entered yet, the menu leads to the version in work.
  const newest = useNewestVersion(version.state === 'ready' && version.value === null ? projectId : null)
  return (
    <Shell
      project={project.state === 'ready' ? project.value : null}
      versionId={asked ?? (version.state === 'ready' ? (version.value ?? newest) : null)}
    >
      <PreparedScreens projectId={projectId} routes={projectRoutes}>
        <Outlet />
      </PreparedScreens>
    </Shell>
  )
}
