import { lazy } from 'react'
import type { ComponentType } from 'react'
import type { AppFrameProps } from '#src/frame/layouts/AppFrame.tsx'

/** The screens behind the sign-in, each loaded when it is first opened. */

/** A screen that is loaded when it is first opened. The current screen stays there meanwhile. */
function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await load() }))
}

type Load = () => Promise<unknown>

/**
 * Loads what a tablet on the ward is used for, part by part, while nobody waits: the lists, which are also drawn ahead,
 * and everything else.
 */
export const loadersAhead: { readonly lists: Load[]; readonly others: Load[] } = { lists: [], others: [] }

/** A screen that is loaded ahead of its first use, while nobody waits. */
function ahead(load: () => Promise<ComponentType>, of: keyof typeof loadersAhead = 'others') {
  loadersAhead[of].push(load)
  return later(load)
}

export const LockScreen = later(async () => (await import('#src/app/gate/LockScreen.tsx')).LockScreen)
export const AppFrame = later<AppFrameProps>(async () => (await import('#src/frame/layouts/AppFrame.tsx')).AppFrame)
export const HomeStart = later(async () => (await import('#src/frame/layouts/HomeStart.tsx')).HomeStart)
export const HomeScreen = later(async () => (await import('#src/screens/home/HomeScreen.tsx')).HomeScreen)
export const ProjectsScreen = later(
  async () => (await import('#src/screens/projects/ProjectsScreen.tsx')).ProjectsScreen,
)
export const DeviceScreen = later(async () => (await import('#src/screens/device/DeviceScreen.tsx')).DeviceScreen)
export const AttentionScreen = later(
  async () => (await import('#src/screens/attention/AttentionScreen.tsx')).AttentionScreen,
)
export const NoticesScreen = later(async () => (await import('#src/screens/notices/NoticesScreen.tsx')).NoticesScreen)
export const ConflictScreen = later(
  async () => (await import('#src/screens/conflict/ConflictScreen.tsx')).ConflictScreen,
)
export const InboxScreen = later(async () => (await import('#src/screens/inbox/InboxScreen.tsx')).InboxScreen)
export const AgreementScreen = later(
  async () => (await import('#src/screens/agreement/AgreementScreen.tsx')).AgreementScreen,
)
export const DevicesScreen = later(async () => (await import('#src/screens/devices/DevicesScreen.tsx')).DevicesScreen)
export const BranchPage = later(async () => (await import('#src/frame/layouts/BranchPage.tsx')).BranchPage)
export const BranchFile = later(async () => (await import('#src/frame/layouts/BranchPage.tsx')).BranchFile)
export const VersionInUse = ahead(
  async () => (await import('#src/frame/layouts/VersionInUse.tsx')).VersionInUse,
  'lists',
)
export const ProjectLanding = later(async () => (await import('#src/frame/layouts/ProjectLanding.tsx')).ProjectLanding)
export const WorkspaceLayout = ahead(
  async () => (await import('#src/frame/layouts/WorkspaceLayout.tsx')).WorkspaceLayout,
  'lists',
)
export const AdminStart = later(async () => (await import('#src/frame/layouts/AdminStart.tsx')).AdminStart)
export const WorkspaceStart = later(async () => (await import('#src/frame/layouts/WorkspaceStart.tsx')).WorkspaceStart)
export const ProjectConfScreen = later(
  async () => (await import('#src/screens/admin/ProjectConfScreen.tsx')).ProjectConfScreen,
)
export const ProjectInfoScreen = later(
  async () => (await import('#src/screens/admin/ProjectInfoScreen.tsx')).ProjectInfoScreen,
)
export const MembersScreen = later(async () => (await import('#src/screens/admin/MembersScreen.tsx')).MembersScreen)
export const CentersScreen = later(async () => (await import('#src/screens/admin/CentersScreen.tsx')).CentersScreen)
export const VersionsScreen = later(
  async () => (await import('#src/screens/versions/VersionsScreen.tsx')).VersionsScreen,
)
export const DesignScreen = later(async () => (await import('#src/screens/design/DesignScreen.tsx')).DesignScreen)
export const RulesScreen = later(async () => (await import('#src/screens/design/rules/RulesScreen.tsx')).RulesScreen)
export const UatScreen = later(async () => (await import('#src/screens/uat/UatScreen.tsx')).UatScreen)
export const WorkspaceScreen = ahead(
  async () => (await import('#src/screens/workspace/WorkspaceScreen.tsx')).WorkspaceScreen,
  'lists',
)
export const PatientsScreen = ahead(
  async () => (await import('#src/screens/patients/PatientsScreen.tsx')).PatientsScreen,
  'lists',
)
export const EcrfLayout = ahead(async () => (await import('#src/frame/layouts/EcrfLayout.tsx')).EcrfLayout)
export const CasebookScreen = ahead(
  async () => (await import('#src/screens/ecrf/casebook/CasebookScreen.tsx')).CasebookScreen,
)
export const DiffScreen = later(async () => (await import('#src/screens/ecrf/diff/DiffScreen.tsx')).DiffScreen)
export const PatientTrailScreen = later(
  async () => (await import('#src/screens/ecrf/trail/PatientTrailScreen.tsx')).PatientTrailScreen,
)
export const PatientVisitsScreen = ahead(
  async () => (await import('#src/screens/ecrf/casebook/PatientVisitsScreen.tsx')).PatientVisitsScreen,
)
export const QueryScreen = ahead(async () => (await import('#src/screens/query/QueryScreen.tsx')).QueryScreen)
export const ReportScreen = later(async () => (await import('#src/screens/report/ReportScreen.tsx')).ReportScreen)
export const CheckScreen = later(async () => (await import('#src/screens/check/CheckScreen.tsx')).CheckScreen)
export const ExportScreen = later(async () => (await import('#src/screens/export/ExportScreen.tsx')).ExportScreen)
export const StatisticalScreen = later(
  async () => (await import('#src/screens/statistical/StatisticalScreen.tsx')).StatisticalScreen,
)
export const DatabaseScreen = later(
  async () => (await import('#src/screens/database/DatabaseScreen.tsx')).DatabaseScreen,
)
export const SearchScreen = later(async () => (await import('#src/screens/search/SearchScreen.tsx')).SearchScreen)
export const VisitsScreen = later(async () => (await import('#src/screens/visits/VisitsScreen.tsx')).VisitsScreen)
export const DictScreen = later(async () => (await import('#src/screens/dict/DictScreen.tsx')).DictScreen)
export const TemplatePreviewScreen = later(
  async () => (await import('#src/screens/template/TemplatePreviewScreen.tsx')).TemplatePreviewScreen,
)
export const PatientFilesScreen = ahead(
  async () => (await import('#src/screens/ecrf/files/PatientFilesScreen.tsx')).PatientFilesScreen,
)
export const FileScreen = ahead(async () => (await import('#src/screens/ecrf/files/FileScreen.tsx')).FileScreen)
export const FileComparisonScreen = ahead(
  async () => (await import('#src/screens/ecrf/files/FileScreen.tsx')).FileComparisonScreen,
)
export const MessagesScreen = later(
  async () => (await import('#src/screens/ecrf/message/MessagesScreen.tsx')).MessagesScreen,
)
export const EntryScreen = ahead(async () => (await import('#src/screens/ecrf/page/EntryScreen.tsx')).EntryScreen)
