import { Navigate, createBrowserRouter } from 'react-router-dom'
import { LoginScreen } from '#src/screens/login/LoginScreen.tsx'

import { BrokenScreen, ForbiddenScreen, NotFoundScreen, RedirectScreen } from './ErrorScreens.tsx'

/** SPEC §2. Only sign-in is in the first script; all else is loaded when it is needed. */
export const router = createBrowserRouter([
  {
    errorElement: <BrokenScreen />,
    hydrateFallbackElement: <></>,
    children: [
      { path: '/login', element: <LoginScreen /> },
      { path: '/404', element: <NotFoundScreen /> },
      { path: '/403', element: <ForbiddenScreen /> },
      { path: '/500', element: <BrokenScreen /> },
      { path: '/302', element: <RedirectScreen /> },
      {
        lazy: async () => ({ Component: (await import('./Inside.tsx')).Inside }),
        children: [
          { path: '/lock', lazy: async () => ({ Component: (await import('./LockScreen.tsx')).LockScreen }) },
          {
            lazy: async () => ({ Component: (await import('./layouts/MainLayout.tsx')).MainLayout }),
            children: [
              { path: '/', element: <Navigate to="/wel" replace /> },
              { path: '/wel', element: <Navigate to="/wel/index" replace /> },
              { path: '/wel/index', element: <Navigate to="/projects" replace /> },
              {
                path: '/projects',
                lazy: async () => ({ Component: (await import('#src/screens/projects/ProjectsScreen.tsx')).ProjectsScreen }),
              },
              {
                path: '/device',
                lazy: async () => ({ Component: (await import('#src/screens/device/DeviceScreen.tsx')).DeviceScreen }),
              },
              {
                path: '/attention',
                lazy: async () => ({ Component: (await import('#src/screens/attention/AttentionScreen.tsx')).AttentionScreen }),
              },
            ],
          },
          { path: '/project/:id', lazy: async () => ({ Component: (await import('./layouts/ProjectLanding.tsx')).ProjectLanding }) },
          {
            path: '/p/:id',
            lazy: async () => ({ Component: (await import('./layouts/WorkspaceLayout.tsx')).WorkspaceLayout }),
            children: [
              { index: true, lazy: async () => ({ Component: (await import('./layouts/WorkspaceStart.tsx')).WorkspaceStart }) },
              { path: 'admin', element: <Navigate to="mem" replace /> },
              {
                path: 'admin/projectInfo',
                lazy: async () => ({ Component: (await import('#src/screens/admin/ProjectInfoScreen.tsx')).ProjectInfoScreen }),
              },
              {
                path: 'admin/mem',
                lazy: async () => ({ Component: (await import('#src/screens/admin/MembersScreen.tsx')).MembersScreen }),
              },
              {
                path: 'admin/site',
                lazy: async () => ({ Component: (await import('#src/screens/admin/CentersScreen.tsx')).CentersScreen }),
              },
              {
                path: 'admin/crfHistory',
                lazy: async () => ({ Component: (await import('#src/screens/admin/VersionsScreen.tsx')).VersionsScreen }),
              },
              { path: 'v/:crfId', element: <Navigate to="patients" replace /> },
              {
                path: 'v/:crfId/patients',
                lazy: async () => ({ Component: (await import('#src/screens/patients/PatientsScreen.tsx')).PatientsScreen }),
              },
            ],
          },
          {
            path: '/eCRF/:patientId',
            lazy: async () => ({ Component: (await import('./layouts/EcrfLayout.tsx')).EcrfLayout }),
            children: [
              {
                index: true,
                lazy: async () => ({ Component: (await import('#src/screens/ecrf/CasebookScreen.tsx')).CasebookScreen }),
              },
              {
                path: 'page/:entryId',
                lazy: async () => ({ Component: (await import('#src/screens/ecrf/EntryScreen.tsx')).EntryScreen }),
              },
            ],
          },
        ],
      },
      { path: '*', element: <Navigate to="/404" replace /> },
    ],
  },
])
