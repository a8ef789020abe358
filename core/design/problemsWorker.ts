import type { FolderRow } from '#core/api/sync/rows.ts'

import type { VersionProblem } from './versionProblems.ts'

/** What the thread that checks a version does for the page. */
export interface ProblemsWorker {
  versionProblems(folders: readonly FolderRow[]): readonly VersionProblem[]
}
