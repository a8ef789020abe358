import type { PermissionCode } from '#core/access/permissions.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'

/** Parts of a project's administration, in the order of the menu. */
export type AdminArea = 'projectInfo' | 'projectConf' | 'mem' | 'site' | 'crfHistory'

const opens: Readonly<Record<AdminArea, readonly PermissionCode[]>> = {
  projectInfo: ['project_edit', 'project_toggle_status'],
  projectConf: ['project_edit'],
  mem: ['mem'],
  site: ['mem'],
  crfHistory: ['project_crf_new', 'design_edit', 'project_crf_draft_publish', 'project_crf_test_publish'],
}

const areas: readonly AdminArea[] = ['projectInfo', 'projectConf', 'mem', 'site', 'crfHistory']

/**
 * The parts that this user of the project sees; research centers only where the project has several (specification §2).
 */
export function adminAreas(project: ProjectRow): readonly AdminArea[] {
  return areas.filter(
    (area) =>
      (area !== 'site' || project.projectScopeCode === 'areamultiple') &&
      opens[area].some((code) => project.permissions.includes(code)),
  )
}

/**
 * Whether a user may enter a part: one that they see, or, for testers, the versions, because a list leads them there to
 * review.
 */
export function mayEnterArea(project: ProjectRow, area: string): boolean {
  return (
    (area === 'site' && project.permissions.includes('mem')) ||
    adminAreas(project).some((one) => one === area) ||
    (area === 'crfHistory' && project.permissions.includes('project_crf_test_check'))
  )
}
