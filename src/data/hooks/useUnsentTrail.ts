import type { DrawnPage, UnsentTrailLine } from '#src/data/shapes/trailTypes.ts'
import type { Loadable } from '#src/data/shapes/types.ts'

import { useReading } from './useReading.ts'

/**
 * What this device did to a patient and has not yet sent, newest first. If a page is on the screen, only that page's
 * lines.
 */
export function useUnsentTrail(
  projectId: string,
  patientId: string,
  page?: DrawnPage,
): Loadable<readonly UnsentTrailLine[]> {
  const of = page === undefined ? '' : ` ${page.entryId} ${page.versionId}`
  return useReading(
    ['outbox', 'rows/version', 'rows/entry', 'rows/conflict'],
    `unsent trail ${patientId}${of}`,
    (device) => device.unsentTrail(projectId, patientId, page),
  )
}
