import type { ProjectRow } from '#core/api/sync/rows.ts'

/** What the screens of a workspace are about. */
export interface WorkspacePlace {
  readonly project: ProjectRow
}
