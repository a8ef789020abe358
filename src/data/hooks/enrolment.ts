import type { Enrolled, Enrolment } from '#src/data/shapes/enrolmentTypes.ts'
import type { Loadable } from '#src/data/shapes/types.ts'

import { useReading } from './useReading.ts'

const TABLES = ['rows/patient', 'rows/center', 'scopes', 'outbox', 'receipts'] as const

/**
 * How many patients a project has, and how many are planned.
 *
 * @param isDue whether the screen wants it already
 */
export function useEnrolled(projectId: string, isDue: boolean): Loadable<Enrolled> {
  return useReading(TABLES, isDue ? `enrolled ${projectId}` : null, (device) => device.enrolled(projectId))
}

/**
 * On which days the patients of a project were enrolled; failed with `not_kept` where only the server knows it and is
 * not to be asked.
 *
 * @param asks whether the server may be asked for its list of patients
 */
export function useEnrolment(projectId: string | null, asks: boolean): Loadable<Enrolment> {
  return useReading(TABLES, projectId === null ? null : `enrolment ${projectId} ${String(asks)}`, (device) =>
    device.enrolment(projectId ?? '', asks),
  )
}
