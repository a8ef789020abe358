import type { VersionSummary } from '#core/api/calls.version.ts'
import type { CenterRow, MemberRow, ProjectRow, VersionRow } from '#core/sync/rows.ts'

import type { ProjectChoice, ProjectSearch } from './source.ts'
import type { HomeProject, Loadable } from './types.ts'
import { useReading, useSharedReading } from './useReading.ts'

/** Projects that the user can see: the server's, and without it those kept on this device. */
export function useProjects(): Loadable<readonly ProjectRow[]> {
  return useReading(['rows/project', 'scopes'], 'projects', (device) => device.projects())
}

/** One project with the own role and permission codes. */
export function useProject(projectId: string): Loadable<ProjectRow> {
  return useSharedReading(['rows/project', 'scopes'], `project ${projectId}`, (device) => device.project(projectId))
}

/** Centers of a project that the user can see. */
export function useCenters(projectId: string): Loadable<readonly CenterRow[]> {
  return useReading(['rows/center', 'scopes'], `centers ${projectId}`, (device) => device.centers(projectId))
}

/** The version of a project that data are entered under; failed with `not_found` while it has none. */
export function useVersion(projectId: string): Loadable<VersionRow> {
  return useReading(['rows/version', 'scopes'], `version ${projectId}`, (device) => device.version(projectId))
}

/** Projects to choose from: those whose name holds what is searched for, the first pages of them. */
export function useProjectChoice(search: ProjectSearch): Loadable<ProjectChoice> {
  return useReading(['rows/project', 'scopes'], `choice ${JSON.stringify(search)}`, (device) => device.projectChoice(search))
}

/** Versions of a project, newest first; without the server, the releases that this device keeps. */
export function useVersions(projectId: string): Loadable<readonly VersionSummary[]> {
  return useReading(['rows/version', 'scopes'], `versions ${projectId}`, (device) => device.versions(projectId))
}

/** The team of a project. */
export function useMembers(projectId: string): Loadable<readonly MemberRow[]> {
  return useReading(['rows/member', 'scopes'], `members ${projectId}`, (device) => device.members(projectId))
}

/** The user's projects, with what waits in each. */
export function useHome(): Loadable<readonly HomeProject[]> {
  return useReading(['rows/project', 'rows/entry', 'rows/conflict', 'scopes', 'outbox', 'receipts'], 'home', (device) => device.home())
}
