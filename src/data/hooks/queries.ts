import { today } from '#src/data/shapes/today.ts'
import type { MarkedPatient } from '#src/data/shapes/listTypes.ts'
import type { PatientQueries, QueryFigures, QueryFilter, QueryList, QueryView } from '#src/data/shapes/queryTypes.ts'
import type { Loadable } from '#src/data/shapes/types.ts'

import { useKeyOf } from './useKeyOf.ts'
import { useReading } from './useReading.ts'

const TABLES = ['rows/query', 'rows/patient', 'rows/project', 'scopes', 'outbox', 'receipts'] as const

/** Queries of a project. @param isDue whether the screen wants them already */
export function useQueries(projectId: string, filter: QueryFilter, isDue = true): Loadable<QueryList> {
  const key = isDue ? `queries ${projectId} ${today()} ${JSON.stringify(filter)}` : null
  return useReading(TABLES, key, (device) => device.queries(projectId, filter))
}

/** All queries of a patient, the newest first. @param projectId null where nobody needs them */
export function usePatientQueries(projectId: string | null, patientId: string): Loadable<readonly QueryView[]> {
  return useReading(TABLES, projectId === null ? null : `queries of ${projectId} ${patientId}`, (device) =>
    device.patientQueries(projectId ?? '', patientId),
  )
}

/** How many queries there are, by state, and how many wait for who looks. */
export function useQueryFigures(projectId: string | null): Loadable<QueryFigures> {
  return useReading(TABLES, projectId === null ? null : `query figures ${projectId}`, (device) =>
    device.queryFigures(projectId ?? ''),
  )
}

/** How many queries of some patients wait to be settled, by patient and visit. */
export function useQueriesByVisit(
  projectId: string,
  patients: readonly MarkedPatient[],
): Loadable<ReadonlyMap<string, PatientQueries>> {
  const key = useKeyOf(`queries by visit ${projectId}`, patients)
  return useReading(TABLES, key, (device) => device.queriesByVisit(projectId, patients))
}
