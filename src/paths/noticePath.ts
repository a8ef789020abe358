import type { Notice } from '#core/api/calls/notice.ts'

import { casebookPath } from './screenPaths.ts'

/** All notices of the user, those that were read too. */
export const NOTICES_PATH = '/info/message'

/** The exact place of what a notice is about; null where the user has nothing to see there any more. */
export function noticePath({
  kind,
  projectId,
  patientId,
}: Pick<Notice, 'kind' | 'projectId' | 'patientId'>): string | null {
  if (kind === 'approval') return `/p/${projectId}/admin/crfHistory`
  return kind === 'taken_back' || patientId === null ? null : casebookPath(projectId, patientId)
}
