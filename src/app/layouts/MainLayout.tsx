import { Outlet } from 'react-router-dom'

import { Shell } from './Shell.tsx'

/** The main layout: what lies outside of any one project. */
export function MainLayout() {
  return (
    <Shell project={null} versionId={null}>
      <Outlet />
    </Shell>
  )
}
