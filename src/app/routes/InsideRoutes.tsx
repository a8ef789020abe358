import { Navigate, Route, Routes } from 'react-router-dom'
import { Inside } from '#src/app/Inside.tsx'
import { NOTICES_PATH } from '#src/paths/noticePath.ts'

import { projectRoutes } from './projectRoutes.tsx'
import {
  AppFrame,
  AttentionScreen,
  BranchFile,
  BranchPage,
  CasebookScreen,
  ConflictScreen,
  DeviceScreen,
  DiffScreen,
  EcrfLayout,
  EntryScreen,
  FileComparisonScreen,
  FileScreen,
  HomeScreen,
  HomeStart,
  LockScreen,
  MessagesScreen,
  NoticesScreen,
  PatientFilesScreen,
  PatientTrailScreen,
  PatientVisitsScreen,
  ProjectLanding,
  ProjectsScreen,
  TemplatePreviewScreen,
} from './screens.ts'

/** What lies behind the sign-in (specification §2). */
export function InsideRoutes() {
  return (
    <Routes>
      <Route element={<Inside />}>
        <Route path="/lock" element={<LockScreen />} />
        <Route element={<AppFrame projectRoutes={projectRoutes} />}>
          <Route path="/" element={<Navigate to="/wel" replace />} />
          <Route path="/wel" element={<HomeStart />} />
          <Route path="/wel/index" element={<HomeScreen />} />
          <Route path="/projects" element={<ProjectsScreen />} />
          <Route path="/device" element={<DeviceScreen />} />
          <Route path="/attention" element={<AttentionScreen />} />
          <Route path="/info" element={<Navigate to={NOTICES_PATH} replace />} />
          <Route path="/info/index" element={<Navigate to={NOTICES_PATH} replace />} />
          <Route path="/info/message" element={<NoticesScreen />} />
          <Route path="/conflict/:entryId/:conflictId" element={<ConflictScreen />} />
          <Route path="/template/:id/preview" element={<TemplatePreviewScreen />} />
          <Route path="/project/:id" element={<ProjectLanding />} />
          {projectRoutes}
        </Route>
        <Route path="/eCRF/:patientId" element={<EcrfLayout />}>
          <Route index element={<CasebookScreen />} />
          <Route path="visit" element={<PatientVisitsScreen />} />
          <Route path="attach" element={<PatientFilesScreen />} />
          <Route path="attach/:attachId" element={<FileScreen />} />
          <Route path="message" element={<MessagesScreen />} />
          <Route path="canvas/attach/:attachId" element={<FileComparisonScreen />} />
          <Route path="page/:entryId" element={<EntryScreen />} />
          <Route path="diff" element={<DiffScreen />} />
          <Route path="log" element={<PatientTrailScreen />} />
          <Route path=":branch/:pageId" element={<BranchPage />} />
          <Route path=":branch/:pageId/canvas/attach/:attachId" element={<BranchFile />} />
        </Route>
      </Route>
      <Route path="*" element={<Navigate to="/404" replace />} />
    </Routes>
  )
}
