import { lazy } from 'react'
import type { ComponentType } from 'react'
import { Navigate, Route, Routes } from 'react-router-dom'

import { Inside } from './Inside.tsx'

/** A screen that is loaded when it is first gone to. What is on the screen stays there meanwhile. */
function later(load: () => Promise<ComponentType>) {
  return lazy(async () => ({ default: await load() }))
}

const LockScreen = later(async () => (await import('./LockScreen.tsx')).LockScreen)
const MainLayout = later(async () => (await import('./layouts/MainLayout.tsx')).MainLayout)
const HomeScreen = later(async () => (await import('#src/screens/home/HomeScreen.tsx')).HomeScreen)
const ProjectsScreen = later(async () => (await import('#src/screens/projects/ProjectsScreen.tsx')).ProjectsScreen)
const DeviceScreen = later(async () => (await import('#src/screens/device/DeviceScreen.tsx')).DeviceScreen)
const AttentionScreen = later(async () => (await import('#src/screens/attention/AttentionScreen.tsx')).AttentionScreen)
const ConflictScreen = later(async () => (await import('#src/screens/conflict/ConflictScreen.tsx')).ConflictScreen)
const InboxScreen = later(async () => (await import('#src/screens/inbox/InboxScreen.tsx')).InboxScreen)
const DevicesScreen = later(async () => (await import('#src/screens/devices/DevicesScreen.tsx')).DevicesScreen)
const ProjectLanding = later(async () => (await import('./layouts/ProjectLanding.tsx')).ProjectLanding)
const WorkspaceLayout = later(async () => (await import('./layouts/WorkspaceLayout.tsx')).WorkspaceLayout)
const AdminStart = later(async () => (await import('./layouts/AdminStart.tsx')).AdminStart)
const WorkspaceStart = later(async () => (await import('./layouts/WorkspaceStart.tsx')).WorkspaceStart)
const ProjectInfoScreen = later(async () => (await import('#src/screens/admin/ProjectInfoScreen.tsx')).ProjectInfoScreen)
const MembersScreen = later(async () => (await import('#src/screens/admin/MembersScreen.tsx')).MembersScreen)
const CentersScreen = later(async () => (await import('#src/screens/admin/CentersScreen.tsx')).CentersScreen)
const VersionsScreen = later(async () => (await import('#src/screens/admin/VersionsScreen.tsx')).VersionsScreen)
const WorkspaceScreen = later(async () => (await import('#src/screens/workspace/WorkspaceScreen.tsx')).WorkspaceScreen)
const PatientsScreen = later(async () => (await import('#src/screens/patients/PatientsScreen.tsx')).PatientsScreen)
const EcrfLayout = later(async () => (await import('./layouts/EcrfLayout.tsx')).EcrfLayout)
const CasebookScreen = later(async () => (await import('#src/screens/ecrf/CasebookScreen.tsx')).CasebookScreen)
const EntryScreen = later(async () => (await import('#src/screens/ecrf/EntryScreen.tsx')).EntryScreen)

/** What lies behind the sign-in (SPEC §2). */
export function InsideRoutes() {
  return (
    <Routes>
      <Route element={<Inside />}>
        <Route path="/lock" element={<LockScreen />} />
        <Route element={<MainLayout />}>
          <Route path="/" element={<Navigate to="/wel" replace />} />
          <Route path="/wel" element={<Navigate to="/wel/index" replace />} />
          <Route path="/wel/index" element={<HomeScreen />} />
          <Route path="/projects" element={<ProjectsScreen />} />
          <Route path="/device" element={<DeviceScreen />} />
          <Route path="/attention" element={<AttentionScreen />} />
          <Route path="/conflict/:entryId/:conflictId" element={<ConflictScreen />} />
        </Route>
        <Route path="/project/:id" element={<ProjectLanding />} />
        <Route path="/p/:id" element={<WorkspaceLayout />}>
          <Route index element={<WorkspaceStart />} />
          <Route path="admin" element={<AdminStart />} />
          <Route path="admin/projectInfo" element={<ProjectInfoScreen />} />
          <Route path="admin/mem" element={<MembersScreen />} />
          <Route path="admin/site" element={<CentersScreen />} />
          <Route path="admin/crfHistory" element={<VersionsScreen />} />
          <Route path="inbox" element={<InboxScreen />} />
          <Route path="devices" element={<DevicesScreen />} />
          <Route path="v/:crfId" element={<Navigate to="workspace" replace />} />
          <Route path="v/:crfId/workspace" element={<WorkspaceScreen />} />
          <Route path="v/:crfId/patients" element={<PatientsScreen />} />
        </Route>
        <Route path="/eCRF/:patientId" element={<EcrfLayout />}>
          <Route index element={<CasebookScreen />} />
          <Route path="page/:entryId" element={<EntryScreen />} />
        </Route>
      </Route>
      <Route path="*" element={<Navigate to="/404" replace />} />
    </Routes>
  )
}
