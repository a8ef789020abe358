import { useState } from 'react'
import { today } from '#src/data/shapes/today.ts'
import type { QueriesByVisit, QueryFigures, QueryFilter, QueryList, QueryView } from '#src/data/shapes/queryTypes.ts'
import type { Loadable } from '#src/data/shapes/types.ts'

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

/**
 * How many queries wait to be settled, by patient and visit; nobody until that is read.
 *
 * @param isDue whether the screen wants it already
 */
export function useQueriesByVisit(projectId: string, isDue: boolean): QueriesByVisit {
  const read = useReading(TABLES, isDue ? `queries by visit ${projectId}` : null, (device) =>
    device.queriesByVisit(projectId),
  )
  const [last, setLast] = useState(NOBODY)
  // The same object until a figure changes, so that a list does not draw all its lines for each save.
  if (read.state === 'ready' && read.value !== last && signOf(read.value) !== signOf(last)) setLast(read.value)
  return last
}

const NOBODY: QueriesByVisit = new Map()

function signOf(queries: QueriesByVisit): string {
  return [...queries].map(([id, visits]) => `${id} ${JSON.stringify(visits)}`).join()
}
