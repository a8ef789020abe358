import { Navigate, Route } from 'react-router-dom'

import {
  AdminStart,
  AgreementScreen,
  CentersScreen,
  CheckScreen,
  DatabaseScreen,
  DesignScreen,
  DevicesScreen,
  DictScreen,
  ExportScreen,
  InboxScreen,
  MembersScreen,
  PatientsScreen,
  ProjectConfScreen,
  ProjectInfoScreen,
  QueryScreen,
  RulesScreen,
  SearchScreen,
  StatisticalScreen,
  UatScreen,
  VersionInUse,
  ReportScreen,
  VersionsScreen,
  VisitsScreen,
  WorkspaceLayout,
  WorkspaceScreen,
  WorkspaceStart,
} from './screens.ts'

/** The screens of a project (specification §2). */
export const projectRoutes = (
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
    <Route path="v/:crfId/trial" element={<UatScreen />} />
    <Route path="v/:crfId" element={<VersionInUse />}>
      <Route path="workspace" element={<WorkspaceScreen />} />
      <Route path="visit" element={<VisitsScreen />} />
      <Route path="patients" element={<PatientsScreen />} />
      <Route path="query" element={<QueryScreen />} />
      <Route path="check" element={<CheckScreen />} />
      <Route path="report" element={<ReportScreen />} />
      <Route path="statistical" element={<StatisticalScreen />} />
      <Route path="export" element={<ExportScreen />} />
      <Route path="database" element={<DatabaseScreen />} />
      <Route path="tableSearch" element={<SearchScreen />} />
    </Route>
    <Route path="v/:crfId/dict" element={<DictScreen />} />
  </Route>
)
