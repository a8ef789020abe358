import { Navigate } from 'react-router-dom'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { useProjects } from '#src/data/hooks/projects.ts'
import { mayEnter } from '#src/frame/shell/menu.ts'
import { useSession } from '#src/session/useSession.ts'
import { Loaded } from '#src/ui/Loaded.tsx'

const HOME = '/wel/index'

/**
 * Where a person comes in: with one project in its work, where the first line opens the page to fill; otherwise at
 * home. It waits for no network: where projects are kept on this device, those decide.
 */
export function HomeStart() {
  const { current } = useSession()
  const projects = useProjects()
  if (current.state === 'open' && current.user.isAdmin) return <Navigate to={HOME} replace />
  // Why there is none, or none can be had, is said at home.
  if (projects.state === 'failed') return <Navigate to={HOME} replace />
  return (
    <Loaded of={projects} rows={8}>
      {(known) => {
        const [only, ...others] = known
        const isWork = only !== undefined && others.length === 0 && hasWork(only)
        return <Navigate to={isWork ? `/p/${only.id}` : HOME} replace />
      }}
    </Loaded>
  )
}

/** Whether a project is under way and the user may open its work. */
function hasWork(project: ProjectRow): boolean {
  return project.projectStatus !== 'start' && mayEnter(project, `/p/${project.id}/v/-/workspace`)
}
