import type { VersionSummary } from '#core/api/calls/version.ts'
import type { CenterRow, MemberRow, ProjectRow, VersionRow } from '#core/api/sync/rows.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { readMembers, readProjectChoice, readVersions } from '#src/data/rows/readChoices.ts'
import { readProjectOf } from '#src/data/rows/readProjectOf.ts'
import { readCenters, readProject, readProjects, readVersion, readVersionsById } from '#src/data/rows/readProjects.ts'
import type { ProjectChoice, ProjectSearch } from '#src/data/shapes/listTypes.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

/** Projects, and what all patients of a project have in common. */
export interface ProjectData {
  projects(): Reading<readonly ProjectRow[]>
  project(projectId: string): Reading<ProjectRow>
  projectChoice(search: ProjectSearch): Reading<ProjectChoice>
  /** The project that a patient is in. */
  projectOf(patientId: string): Reading<string>
  versions(projectId: string): Reading<readonly VersionSummary[]>
  /** The version that data are entered under; `not_found` while a project has none. */
  version(projectId: string): Reading<VersionRow>
  /** Versions of the project by their ids, earlier ones included. A version that cannot be had now is left out. */
  versionsById(projectId: string, ids: readonly string[]): Reading<readonly VersionRow[]>
  members(projectId: string): Reading<readonly MemberRow[]>
  centers(projectId: string): Reading<readonly CenterRow[]>
}

export function makeProjectData(context: DataContext): ProjectData {
  return {
    projects: () => readProjects(context),
    project: (projectId) => readProject(context, projectId),
    projectChoice: (search) => readProjectChoice(context, search),
    projectOf: (patientId) => readProjectOf(context, patientId),
    versions: (projectId) => readVersions(context, projectId),
    version: (projectId) => readVersion(context, projectId),
    versionsById: (projectId, ids) => readVersionsById(context, projectId, ids),
    members: (projectId) => readMembers(context, projectId),
    centers: (projectId) => readCenters(context, projectId),
  }
}
