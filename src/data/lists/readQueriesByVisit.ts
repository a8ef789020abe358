import { MOST_BY_VISIT } from '#core/api/calls/review/query.ts'
import type { VisitQueries } from '#core/api/calls/review/query.ts'
import { isSettled, maySeeQuery, reviewsQueries, waitsForPerson } from '#core/review/query.ts'
import { ok } from '#core/result.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { centerOf, centersHere } from '#src/data/rows/local.ts'
import { localQueries } from '#src/data/rows/localQueries.ts'
import type { MarkedPatient } from '#src/data/shapes/listTypes.ts'
import type { PatientQueries } from '#src/data/shapes/queryTypes.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

import { readerIn, standingOf } from './readQueries.ts'
import type { Reader } from './readQueries.ts'

/**
 * How many queries of some patients wait to be settled, by patient and visit. As everywhere, those who review ask the
 * server while they can; others ask it only for patients who are not here. Where it cannot be asked, nothing is said of
 * those.
 */
export async function readQueriesByVisit(
  context: DataContext,
  projectId: string,
  patients: readonly MarkedPatient[],
): Reading<ReadonlyMap<string, PatientQueries>> {
  const reader = await readerIn(context, projectId)
  if (!reader.ok) return reader
  const { rights } = reader.value
  if (patients.length === 0 || !(reviewsQueries(rights) || rights.answers)) return ok(new Map())
  const asksServer = reviewsQueries(rights) && context.online()
  const here = asksServer ? ok(new Map()) : await queriesHere(context, projectId, patients, reader.value)
  if (!here.ok) return here
  const others = patients.filter(({ id }) => !here.value.has(id))
  if (others.length === 0 || !context.online()) return here
  return remoteQueries(context, projectId, others, here.value)
}

function queriesHere(
  context: DataContext,
  projectId: string,
  patients: readonly MarkedPatient[],
  { userId, rights }: Reader,
): Reading<ReadonlyMap<string, PatientQueries>> {
  return context.storage.run(async () => {
    const centers = await centersHere(context, projectId)
    const found = patients.filter((patient) => centerOf(centers, patient) !== undefined)
    const all = new Map<string, PatientQueries>(found.map(({ id }) => [id, []]))
    if (found.length === 0) return all
    for (const query of await localQueries(context, projectId, centers)) {
      const { patientId, place, state } = query
      const known = all.get(patientId)
      if (known === undefined || isSettled(state) || !maySeeQuery(query, rights)) continue
      const waits = waitsForPerson(standingOf(query, userId), rights) ? 1 : 0
      all.set(patientId, withOne(known, { patientId, folderId: place.folderId, unsettled: 1, waits }))
    }
    return all
  })
}

/** The same with one more query. */
function withOne(known: PatientQueries, one: VisitQueries): PatientQueries {
  const before = known.find(({ folderId }) => folderId === one.folderId)
  if (before === undefined) return [...known, one]
  const both = { ...before, unsettled: before.unsettled + one.unsettled, waits: before.waits + one.waits }
  return known.map((other) => (other === before ? both : other))
}

async function remoteQueries(
  context: DataContext,
  projectId: string,
  patients: readonly MarkedPatient[],
  here: ReadonlyMap<string, PatientQueries>,
): Reading<ReadonlyMap<string, PatientQueries>> {
  const all = new Map(here)
  for (let at = 0; at < patients.length; at += MOST_BY_VISIT) {
    const ids = patients.slice(at, at + MOST_BY_VISIT).map(({ id }) => id)
    const query = { projectId, patientIds: ids.join(',') }
    const answer = await context.remote.read(['queries by visit', JSON.stringify(query)], () =>
      context.api.call('query.byVisit', { query, projectId }),
    )
    if (!answer.ok) return answer
    const ofPatient = Map.groupBy(answer.value.visits, ({ patientId }) => patientId)
    for (const id of ids) all.set(id, ofPatient.get(id) ?? [])
  }
  return ok(all)
}
