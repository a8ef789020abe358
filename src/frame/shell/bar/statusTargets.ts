import type { ProjectStatus } from '#core/study/projectStatus.ts'
import { mayChangeStatus, projectStatuses } from '#core/study/projectStatus.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'

/** A status that a project can be given; a project never goes back to being set up. */
export type StatusTarget = Exclude<ProjectStatus, 'start'>

/** The statuses that the user may give the project now (specification §4). */
export function statusTargets({ projectStatus, permissions }: ProjectRow): readonly StatusTarget[] {
  if (!permissions.includes('project_toggle_status')) return []
  return projectStatuses
    .filter((status) => status !== 'start')
    .filter((status) => mayChangeStatus(projectStatus, status))
}
