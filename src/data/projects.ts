import type { CenterRow, ProjectRow, VersionRow } from '#core/sync/rows.ts'

import type { Loadable } from './types.ts'
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
