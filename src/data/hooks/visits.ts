import type { EnrolledPatient, Glances, VisitStates } from '#src/data/shapes/listTypes.ts'
import { today } from '#src/data/shapes/today.ts'
import type { Loadable } from '#src/data/shapes/types.ts'
import type { VisitFilter, VisitList } from '#src/data/shapes/visitTypes.ts'
import { useKeyOf } from './useKeyOf.ts'
import { useReading } from './useReading.ts'

/**
 * Visits of all patients of a project by date.
 *
 * @param isDue whether the screen wants them already
 */
export function useVisits(projectId: string, filter: VisitFilter, isDue = true): Loadable<VisitList> {
  // Another day needs another reading: a visit that was planned yesterday may be due today.
  const key = isDue ? `visits ${projectId} ${today()} ${JSON.stringify(filter)}` : null
  return useReading(
    ['rows/patient', 'rows/visit', 'rows/entry', 'rows/version', 'scopes', 'outbox', 'receipts'],
    key,
    (device) => device.visits(projectId, filter),
  )
}

/** Where the first visits of the folders of some patients stand, by patient and folder. */
export function useVisitStates(projectId: string, patients: readonly EnrolledPatient[]): Loadable<VisitStates> {
  const key = useKeyOf(`visit states ${projectId} ${today()}`, patients)
  return useReading(['rows/visit', 'rows/entry', 'scopes', 'outbox', 'receipts'], key, (device) =>
    device.visitStates(projectId, patients),
  )
}

/** Pages, visits and what comes next of some patients, by patient. */
export function useGlances(projectId: string, patients: readonly EnrolledPatient[]): Loadable<Glances> {
  const key = useKeyOf(`glances ${projectId} ${today()}`, patients)
  return useReading(['rows/visit', 'rows/entry', 'rows/version', 'scopes', 'outbox', 'receipts'], key, (device) =>
    device.glances(projectId, patients),
  )
}
