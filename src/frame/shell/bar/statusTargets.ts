import type { ProjectStatus } from '#core/study/projectStatus.ts'
import { mayChangeStatus, projectStatuses } from '#core/study/projectStatus.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'

/** A status that a project can be given; a project never goes back to being set up. */
export type StatusTarget = Exclude<ProjectStatus, 'start'>

/** What giving a status is called: a paused project is resumed, one that is being set up is started. */
export type StatusStep = 'start' | 'resume' | Exclude<StatusTarget, 'process'>

/** The step by which a project comes to a status. */
export function statusStep({ projectStatus }: Pick<ProjectRow, 'projectStatus'>, to: StatusTarget): StatusStep {
  if (to !== 'process') return to
  return projectStatus === 'start' ? 'start' : 'resume'
}

/** The statuses that the user may give the project now (specification §4). */
export function statusTargets({ projectStatus, permissions }: ProjectRow): readonly StatusTarget[] {
  if (!permissions.includes('project_toggle_status')) return []
  return projectStatuses
    .filter((status) => status !== 'start')
    .filter((status) => mayChangeStatus(projectStatus, status))
}
