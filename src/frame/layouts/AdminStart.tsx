import { Navigate, useOutletContext } from 'react-router-dom'
import { adminAreas } from '#src/frame/shell/adminAreas.ts'

import type { WorkspacePlace } from './workspacePlace.ts'

/**
 * Where the administration opens: at the team (specification §2), or at the first area for users who do not manage the
 * team.
 */
export function AdminStart() {
  const { project } = useOutletContext<WorkspacePlace>()
  const areas = adminAreas(project)
  const [first = 'mem'] = areas
  return <Navigate to={areas.includes('mem') ? 'mem' : first} replace />
}
