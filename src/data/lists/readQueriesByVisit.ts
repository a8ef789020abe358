import type { VisitQueries } from '#core/api/calls/review/query.ts'
import { isSettled, maySeeQuery, reviewsQueries, waitsForPerson } from '#core/review/query.ts'
import { ok } from '#core/result.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { localQueries } from '#src/data/rows/localQueries.ts'
import type { QueriesByVisit } from '#src/data/shapes/queryTypes.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

import { queryScopes, readerIn, standingOf } from './readQueries.ts'
import type { Reader } from './readQueries.ts'

/**
 * How many queries of a project wait to be settled, by patient and visit: counted where their list is read from. Of
 * whole projects, as a list that is scrolled through must not read them again and again.
 */
export async function readQueriesByVisit(context: DataContext, projectId: string): Reading<QueriesByVisit> {
  const reader = await readerIn(context, projectId)
  if (!reader.ok) return reader
  const { rights } = reader.value
  if (!(reviewsQueries(rights) || rights.answers)) return ok(new Map())
  const local = await context.storage.run(async () => {
    const scopes = await queryScopes(context, projectId, rights)
    return scopes === null ? null : countByVisit(await localQueries(context, projectId, scopes), reader.value)
  })
  if (!local.ok) return local
  if (local.value !== null) return ok(byPatient(local.value))
  const answer = await context.remote.read(['queries by visit', projectId], () =>
    context.api.call('query.byVisit', { query: { projectId }, projectId }),
  )
  return answer.ok ? ok(byPatient(answer.value.visits)) : answer
}

function countByVisit(
  queries: Awaited<ReturnType<typeof localQueries>>,
  { userId, rights }: Reader,
): readonly VisitQueries[] {
  const counted = queries.filter((query) => !isSettled(query.state) && maySeeQuery(query, rights))
  const groups = Map.groupBy(counted, ({ patientId, place }) => `${patientId} ${place.folderId ?? ''}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const waits = group.filter((query) => waitsForPerson(standingOf(query, userId), rights)).length
    return [{ patientId: first.patientId, folderId: first.place.folderId, unsettled: group.length, waits }]
  })
}

function byPatient(visits: readonly VisitQueries[]): QueriesByVisit {
  return Map.groupBy(visits, ({ patientId }) => patientId)
}
