import type { Notice } from '#core/api/calls/notice.ts'

import { casebookPath, entryPath } from './screenPaths.ts'

/** All notices of the user, those that were read too. */
export const NOTICES_PATH = '/info/message'

/** The exact place of what a notice is about; null where the user has nothing to see there any more. */
export function noticePath({
  kind,
  projectId,
  patientId,
  place,
}: Pick<Notice, 'kind' | 'projectId' | 'patientId' | 'place'>): string | null {
  if (kind === 'approval') return `/p/${projectId}/admin/crfHistory`
  if (place !== undefined && patientId !== null) return entryPath(projectId, patientId, place.entryId, place.field)
  return kind === 'taken_back' || patientId === null ? null : casebookPath(projectId, patientId)
}
