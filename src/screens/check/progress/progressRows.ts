import type { CenterProgress } from '#core/api/calls/review/check.ts'
import { NO_PROGRESS, addCounts } from '#core/review/verification.ts'

/** Where a figure of the progress leads: to the list, filtered like this. */
export type FigureState = 'all' | 'toDo' | 'changed' | 'complete' | 'notReady'

export interface ProgressRow extends Omit<CenterProgress, 'centerId'> {
  /** Null for the line of all centers together. */
  readonly centerId: string | null
}

/** All centers together. */
export function totalOf(centers: readonly CenterProgress[], centerName: string): ProgressRow {
  const start: ProgressRow = { centerId: null, centerName, ...NO_PROGRESS }
  return centers.reduce(
    (sum, one) => ({
      ...sum,
      ...addCounts(sum, one),
      patients: sum.patients + one.patients,
      patientsDone: sum.patientsDone + one.patientsDone,
      pages: sum.pages + one.pages,
      pagesReady: sum.pagesReady + one.pagesReady,
      pagesDone: sum.pagesDone + one.pagesDone,
    }),
    start,
  )
}
