import type { VersionSummary } from '#core/api/calls/version.ts'
import type { CenterRow, MemberRow, ProjectRow, VersionRow } from '#core/api/sync/rows.ts'
import type { HomeProject, Loadable } from '#src/data/shapes/types.ts'
import type { Device } from '#src/data/device/device.ts'
import type { ProjectChoice, ProjectSearch } from '#src/data/shapes/listTypes.ts'

import { readForNext, useReading, useStayingReading } from './useReading.ts'
import type { Read } from './useReading.ts'

/** Projects that the user can see: the server's, and without it those kept on this device. */
export function useProjects(): Loadable<readonly ProjectRow[]> {
  return useReading(['rows/project', 'scopes'], 'projects', (device) => device.projects())
}

/** What nearly every screen of a project shows and what seldom changes. */
const ofProject = {
  project: (projectId: string): Read<ProjectRow> => ({
    tables: ['rows/project', 'scopes'],
    key: `project ${projectId}`,
    read: (device) => device.project(projectId),
  }),
  centers: (projectId: string): Read<readonly CenterRow[]> => ({
    tables: ['rows/center', 'scopes'],
    key: `centers ${projectId}`,
    read: (device) => device.centers(projectId),
  }),
  version: (projectId: string): Read<VersionRow> => ({
    tables: ['rows/version', 'scopes'],
    key: `version ${projectId}`,
    read: (device) => device.version(projectId),
  }),
}

/** One project with the user's own role and permission codes; without an id nothing is read. */
export function useProject(projectId: string | null): Loadable<ProjectRow> {
  return useStayingReading(projectId === null ? null : ofProject.project(projectId))
}

/** Centers of a project that the user can see. */
export function useCenters(projectId: string): Loadable<readonly CenterRow[]> {
  return useStayingReading(ofProject.centers(projectId))
}

/** The version of a project that data are entered under; failed with `not_found` while it has none. */
export function useVersion(projectId: string | null): Loadable<VersionRow> {
  return useStayingReading(projectId === null ? null : ofProject.version(projectId))
}

/**
 * Reads what the screens of the kept projects need first, while nobody waits for it.
 *
 * @returns the ids of those projects
 */
export async function readProjectsAhead(device: Device): Promise<readonly string[]> {
  const kept = await device.readAhead()
  for (const projectId of kept) {
    readForNext(device, ofProject.project(projectId))
    readForNext(device, ofProject.centers(projectId))
    readForNext(device, ofProject.version(projectId))
  }
  return kept
}

/** Projects to choose from: the first list pages of those whose name contains the search text. */
export function useProjectChoice(search: ProjectSearch): Loadable<ProjectChoice> {
  return useReading(['rows/project', 'scopes'], `choice ${JSON.stringify(search)}`, (device) =>
    device.projectChoice(search),
  )
}

/** Versions of a project, newest first; without the server, the releases that this device keeps. */
export function useVersions(projectId: string): Loadable<readonly VersionSummary[]> {
  return useReading(['rows/version', 'scopes'], `versions ${projectId}`, (device) => device.versions(projectId))
}

/** Versions of a project by their ids, as far as they can be had; without ids nothing is read. */
export function useVersionsById(projectId: string, ids: readonly string[]): Loadable<readonly VersionRow[]> {
  return useReading(
    ['rows/version', 'scopes'],
    ids.length === 0 ? null : `versions by id ${projectId} ${ids.join(' ')}`,
    (device) => device.versionsById(projectId, ids),
  )
}

/** The newest version of a project, drafts included; null while none is known, or without a project. */
export function useNewestVersion(projectId: string | null): string | null {
  const versions = useReading(
    ['rows/version', 'scopes'],
    projectId === null ? null : `versions ${projectId}`,
    (device) => device.versions(projectId ?? ''),
  )
  return versions.state === 'ready' ? (versions.value[0]?.id ?? null) : null
}

/** The team of a project. */
export function useMembers(projectId: string): Loadable<readonly MemberRow[]> {
  return useReading(['rows/member', 'scopes'], `members ${projectId}`, (device) => device.members(projectId))
}

/** The user's projects, with what waits in each. */
export function useHome(): Loadable<readonly HomeProject[]> {
  return useReading(
    ['rows/project', 'rows/entry', 'rows/conflict', 'rows/query', 'scopes', 'outbox', 'receipts'],
    'home',
    (device) => device.home(),
  )
}
