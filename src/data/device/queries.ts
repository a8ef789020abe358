import { readQueriesByVisit } from '#src/data/lists/readQueriesByVisit.ts'
import { readPatientQueries, readQueries, readQueryFigures } from '#src/data/lists/readQueries.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import type {
  Deed,
  KnownQuery,
  QueriesByVisit,
  QueryFigures,
  QueryFilter,
  QueryList,
  QueryView,
  Question,
  RaisedQuery,
} from '#src/data/shapes/queryTypes.ts'
import type { Reading } from '#src/data/shapes/reading.ts'
import type { LocalWrite } from '#src/data/shapes/types.ts'
import { actOnQuery, raiseQuery } from '#src/data/writes/queryWrites.ts'
import type { DraftPlaces } from '#src/data/writes/writes.ts'

/** What is asked and answered about the data. */
export interface QueryData {
  queries(projectId: string, filter: QueryFilter): Reading<QueryList>
  /** All queries of a patient, the newest first. */
  patientQueries(projectId: string, patientId: string): Reading<readonly QueryView[]>
  queryFigures(projectId: string): Reading<QueryFigures>
  /** How many queries wait to be settled, by patient and visit. */
  queriesByVisit(projectId: string): Reading<QueriesByVisit>
  /** Asks, under the version that is on screen. @param id where the same question may be asked again and is one */
  raiseQuery(projectId: string, versionId: string | null, question: Question): Promise<RaisedQuery>
  actOnQuery(
    projectId: string,
    query: Pick<KnownQuery, 'id' | 'patientId' | 'versionId'>,
    deed: Deed,
  ): Promise<LocalWrite>
}

export function makeQueryData(context: DataContext, places: DraftPlaces): QueryData {
  return {
    queries: (projectId, filter) => readQueries(context, projectId, filter),
    patientQueries: (projectId, patientId) => readPatientQueries(context, projectId, patientId),
    queryFigures: (projectId) => readQueryFigures(context, projectId),
    queriesByVisit: (projectId) => readQueriesByVisit(context, projectId),
    raiseQuery: (projectId, versionId, question) => raiseQuery(context, places, projectId, versionId, question),
    actOnQuery: (projectId, query, deed) => actOnQuery(context, places, projectId, query, deed),
  }
}
