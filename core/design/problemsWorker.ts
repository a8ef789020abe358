import type { FolderRow } from '#core/api/sync/rows.ts'

import type { VersionProblem } from './versionProblems.ts'

/** The functions of the thread that checks a version for the page. */
export interface ProblemsWorker {
  versionProblems(folders: readonly FolderRow[]): readonly VersionProblem[]
}
