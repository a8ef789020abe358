import type { Neighbours } from '#src/data/shapes/listTypes.ts'
import type { Loadable } from '#src/data/shapes/types.ts'

import { useReading } from './useReading.ts'

/** Who stands before and after a patient in the list of the project; null where this device cannot say. */
export function useNeighbours(projectId: string, patientId: string): Loadable<Neighbours | null> {
  return useReading(
    ['rows/patient', 'scopes', 'outbox', 'receipts'],
    `neighbours ${projectId} ${patientId}`,
    (device) => device.neighbours(projectId, patientId),
  )
}
