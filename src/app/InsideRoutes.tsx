import { Navigate, Route, Routes } from 'react-router-dom'

import { Inside } from './Inside.tsx'
import {
  AdminStart,
  AgreementScreen,
  AppFrame,
  AttentionScreen,
  BranchFile,
  BranchPage,
  CasebookScreen,
  CentersScreen,
  ConflictScreen,
  DesignScreen,
  DeviceScreen,
  DevicesScreen,
  DictScreen,
  DiffScreen,
  EcrfLayout,
  EntryScreen,
  FileComparisonScreen,
  FileScreen,
  HomeScreen,
  InboxScreen,
  LockScreen,
  MembersScreen,
  MessagesScreen,
  PatientFilesScreen,
  PatientsScreen,
  PatientTrailScreen,
  PatientVisitsScreen,
  ProjectConfScreen,
  ProjectInfoScreen,
  ProjectLanding,
  ProjectsScreen,
  RulesScreen,
  TemplatePreviewScreen,
  TrialScreen,
  VersionInUse,
  VersionsScreen,
  VisitsScreen,
  WorkspaceLayout,
  WorkspaceScreen,
  WorkspaceStart,
} from './screens.ts'

/** What lies behind the sign-in (SPEC §2). */
export function InsideRoutes() {
  return (
    <Routes>
      <Route element={<Inside />}>
        <Route path="/lock" element={<LockScreen />} />
        <Route element={<AppFrame />}>
          <Route path="/" element={<Navigate to="/wel" replace />} />
          <Route path="/wel" element={<Navigate to="/wel/index" replace />} />
          <Route path="/wel/index" element={<HomeScreen />} />
          <Route path="/projects" element={<ProjectsScreen />} />
          <Route path="/device" element={<DeviceScreen />} />
          <Route path="/attention" element={<AttentionScreen />} />
          <Route path="/conflict/:entryId/:conflictId" element={<ConflictScreen />} />
          <Route path="/template/:id/preview" element={<TemplatePreviewScreen />} />
          <Route path="/project/:id" element={<ProjectLanding />} />
          <Route path="/p/:id" element={<WorkspaceLayout />}>
            <Route index element={<WorkspaceStart />} />
            <Route path="admin" element={<AdminStart />} />
            <Route path="admin/projectInfo" element={<ProjectInfoScreen />} />
            <Route path="admin/projectConf" element={<ProjectConfScreen />} />
            <Route path="admin/mem" element={<MembersScreen />} />
            <Route path="admin/site" element={<CentersScreen />} />
            <Route path="admin/crfHistory" element={<VersionsScreen />} />
            <Route path="inbox" element={<InboxScreen />} />
            <Route path="devices" element={<DevicesScreen />} />
            <Route path="agreement" element={<AgreementScreen />} />
            <Route path="v/:crfId" element={<Navigate to="workspace" replace />} />
            <Route path="v/:crfId/design" element={<DesignScreen />} />
            <Route path="v/:crfId/controller" element={<RulesScreen />} />
            <Route path="v/:crfId/trial" element={<TrialScreen />} />
            <Route path="v/:crfId" element={<VersionInUse />}>
              <Route path="workspace" element={<WorkspaceScreen />} />
              <Route path="visit" element={<VisitsScreen />} />
              <Route path="patients" element={<PatientsScreen />} />
            </Route>
            <Route path="v/:crfId/dict" element={<DictScreen />} />
          </Route>
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
