import { entryOfQuery } from '#core/review/queryThread.ts'
import { daysBetween } from '#core/study/visits/days.ts'
import type { QueryLine } from '#core/api/calls/review/query.ts'
import type { PatientRow } from '#core/api/sync/rows.ts'
import { queryRightsOf } from '#core/access/queryRights.ts'
import {
  isUnsettled,
  maySeeQuery,
  offeredActs,
  queryStates,
  reviewsQueries,
  waitsForPerson,
} from '#core/review/query.ts'
import type { QueryRights } from '#core/review/query.ts'
import { ok } from '#core/result.ts'
import { parseScope } from '#core/sync/protocol/scope.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { centerOf, centersHere, localPatient } from '#src/data/rows/local.ts'
import type { CenterScope } from '#src/data/rows/local.ts'
import { localQueries, queriesOfPatient, unsentQueries } from '#src/data/rows/localQueries.ts'
import { queriesWith } from '#src/data/rows/queryOverlay.ts'
import { readProject } from '#src/data/rows/readProjects.ts'
import type { KnownQuery, QueryFigures, QueryFilter, QueryList, QueryView } from '#src/data/shapes/queryTypes.ts'
import type { Reading } from '#src/data/shapes/reading.ts'
import { today } from '#src/data/shapes/today.ts'

import { localPatients, scopesToRead } from './readPatients.ts'

/**
 * Queries: from the device where the centers are kept, otherwise from the server. Those who review ask the server while
 * they can: candidates are on no tablet.
 */

export async function readQueries(context: DataContext, projectId: string, filter: QueryFilter): Reading<QueryList> {
  const reader = await readerIn(context, projectId)
  if (!reader.ok) return reader
  const { rights } = reader.value
  // Only the server knows whom a search finds.
  if (filter.searchId !== undefined) return remoteQueries(context, projectId, rights, filter)
  const local = await context.storage.run(async () => {
    const scopes = await queryScopes(context, projectId, rights, filter.centerId)
    if (scopes === null) return null
    return {
      queries: await localQueries(context, projectId, scopes),
      patients: new Map((await localPatients(context, projectId, scopes)).map((patient) => [patient.id, patient])),
    }
  })
  if (!local.ok) return local
  if (local.value === null) return remoteQueries(context, projectId, rights, filter)
  const { queries, patients } = local.value
  const views = queries.flatMap((query): readonly QueryView[] => {
    const patient = patients.get(query.patientId)
    return patient === undefined || !maySeeQuery(query, rights) ? [] : [viewOf(query, patient, reader.value)]
  })
  const day = today()
  const found = views.filter((view) => isWanted(view, filter, { userId: context.user.userId, day }))
  const { current, size } = filter
  const shown = found.toSorted(orders[filter.sort]).slice((current - 1) * size, current * size)
  return ok({ queries: shown, total: found.length, totalIsLeast: false })
}

async function remoteQueries(
  context: DataContext,
  projectId: string,
  rights: QueryRights,
  filter: QueryFilter,
): Reading<QueryList> {
  const query = { ...wireOf(filter), projectId, today: today() }
  const page = await context.remote.read(['queries', JSON.stringify(query)], () =>
    context.api.call('query.list', { query, projectId }),
  )
  if (!page.ok) return page
  const { records, total, totalIsLeast = false } = page.value
  const unsent = await context.storage.run(() =>
    unsentQueries(context, projectId, ({ scope }) => parseScope(scope)?.projectId === projectId),
  )
  if (!unsent.ok) return unsent
  const queries = new Map(
    queriesWith(
      records.map((line) => line.query),
      unsent.value,
    ).map((one) => [one.id, one]),
  )
  const reader = { userId: context.user.userId, rights }
  const views = records.map(({ query: row, patientNo, patientMark, initials }) =>
    viewOf(queries.get(row.id) ?? row, { no: patientNo, mark: patientMark, initials }, reader),
  )
  const fromServer = new Set(records.map((line) => line.query.id))
  const own = await unsentViews(
    context,
    projectId,
    [...queries.values()].filter(({ id }) => !fromServer.has(id)),
    reader,
  )
  if (!own.ok) return own
  // Of whom the search finds, this device knows those of whom the server named a query.
  const isFound = filter.searchId === undefined ? () => true : matchSubjects(records)
  const wanted = own.value.filter(
    (view) => isWanted(view, filter, { userId: reader.userId, day: today() }) && isFound(view),
  )
  return ok({
    queries: filter.current === 1 ? [...wanted, ...views] : views,
    total: total + wanted.length,
    totalIsLeast,
  })
}

function matchSubjects(records: readonly QueryLine[]): (view: QueryView) => boolean {
  const patients = new Set(records.map(({ query }) => query.patientId))
  return ({ query }) => patients.has(query.patientId)
}

/** What was asked on this device and the server does not have yet, or holds: at the head of the server's list. */
async function unsentViews(
  context: DataContext,
  projectId: string,
  raised: readonly KnownQuery[],
  reader: Reader,
): Reading<readonly QueryView[]> {
  const views: QueryView[] = []
  for (const query of raised) {
    const patient = await patientOf(context, projectId, query.patientId)
    // Of who is not theirs any more the list says nothing; what was asked is listed with what this device has to send.
    if (!patient.ok && patient.error.code === 'not_found') continue
    if (!patient.ok) return patient
    views.push(viewOf(query, patient.value, reader))
  }
  return ok(views)
}

async function patientOf(context: DataContext, projectId: string, patientId: string): Reading<PatientRow> {
  const local = await context.storage.run(() => localPatient(context, patientId))
  if (!local.ok) return local
  if (local.value !== null) return ok(local.value)
  return context.remote.read(['patient', patientId], () =>
    context.api.call('patient.detail', { query: { id: patientId }, projectId }),
  )
}

/** The filter as a query string has it. */
function wireOf({ state, source, ...rest }: QueryFilter) {
  return {
    ...rest,
    ...(state === undefined ? {} : { state: state.join(',') }),
    ...(source === undefined ? {} : { source: source.join(',') }),
  }
}

/** All queries of a patient, the newest first. */
export async function readPatientQueries(
  context: DataContext,
  projectId: string,
  patientId: string,
): Reading<readonly QueryView[]> {
  const reader = await readerIn(context, projectId)
  if (!reader.ok) return reader
  const { rights } = reader.value
  const local = await context.storage.run(async () => {
    const patient = await localPatient(context, patientId)
    const isHere = centerOf(await centersHere(context, projectId), patient) !== undefined
    if (!isHere || patient === null || (reviewsQueries(rights) && context.online())) return null
    return (await queriesOfPatient(context, projectId, patientId))
      .filter((query) => maySeeQuery(query, rights))
      .map((query) => viewOf(query, patient, reader.value))
      .toSorted(orders['-no'])
  })
  if (!local.ok) return local
  if (local.value !== null) return ok(local.value)
  const remote = await remoteQueries(context, projectId, rights, { patientId, sort: '-no', current: 1, size: MOST })
  return remote.ok ? ok(remote.value.queries) : remote
}

/** Most queries of one patient that are shown. */
const MOST = 1000

/** How many queries there are, by state, and how many wait for who asks. */
export async function readQueryFigures(context: DataContext, projectId: string): Reading<QueryFigures> {
  const reader = await readerIn(context, projectId)
  if (!reader.ok) return reader
  const local = await context.storage.run(async () => {
    const scopes = await queryScopes(context, projectId, reader.value.rights)
    return scopes === null ? null : figuresHere(context, projectId, scopes, reader.value)
  })
  if (!local.ok) return local
  if (local.value !== null) return ok(local.value)
  return context.remote.read(['query counts', projectId], () =>
    context.api.call('query.counts', { query: { projectId }, projectId }),
  )
}

/** The same as far as this device knows, where it has all centers: the server is not waited for. */
export async function readQueryFiguresHere(context: DataContext, projectId: string): Reading<QueryFigures> {
  const reader = await readerIn(context, projectId)
  if (!reader.ok) return reader
  return context.storage.run(async () =>
    figuresHere(context, projectId, (await scopesToRead(context, projectId)) ?? [], reader.value),
  )
}

async function figuresHere(
  context: DataContext,
  projectId: string,
  scopes: readonly CenterScope[],
  { userId, rights }: Reader,
): Promise<QueryFigures> {
  const shown = new Set((await localPatients(context, projectId, scopes)).map(({ id }) => id))
  const seen = (await localQueries(context, projectId, scopes)).filter(
    (query) => shown.has(query.patientId) && maySeeQuery(query, rights),
  )
  const counts = Object.fromEntries(
    queryStates.map((state) => [state, seen.filter((query) => query.state === state).length]),
  ) as Record<(typeof queryStates)[number], number>
  return { ...counts, waits: seen.filter((query) => waitsForPerson(standingOf(query, userId), rights)).length }
}

/** The centers that queries are read from; null where the server is asked: of all who review, while it can be. */
export async function queryScopes(
  context: DataContext,
  projectId: string,
  rights: QueryRights,
  centerId?: string,
): Promise<readonly CenterScope[] | null> {
  return reviewsQueries(rights) && context.online() ? null : scopesToRead(context, projectId, centerId)
}

/** Who reads, and what they may do with queries. */
export interface Reader {
  readonly userId: string
  readonly rights: QueryRights
}

export async function readerIn(context: DataContext, projectId: string): Reading<Reader> {
  const project = await readProject(context, projectId)
  return project.ok
    ? ok({ userId: context.user.userId, rights: queryRightsOf(new Set(project.value.permissions)) })
    : project
}

/** A query as the table of states asks for it. */
export function standingOf(query: KnownQuery, userId: string) {
  return { ...query, isOwn: query.thread[0]?.by === userId }
}

function viewOf(
  query: KnownQuery,
  { no, mark, initials }: Pick<PatientRow, 'no' | 'mark' | 'initials'>,
  { userId, rights }: Reader,
): QueryView {
  const standing = standingOf(query, userId)
  return {
    query,
    patientNo: no,
    patientMark: mark,
    initials,
    waits: waitsForPerson(standing, rights),
    acts: offeredActs(standing, rights),
  }
}

/** The same as the server's list (server/areas/query/list.ts). */
function isWanted(
  { query, patientNo, waits }: QueryView,
  filter: QueryFilter,
  { userId, day }: { readonly userId: string; readonly day: string },
): boolean {
  const { place, state, source, centerId, isUrgent, dueOn, askedAt, thread, no } = query
  const words = filter.words?.trim().toLowerCase() ?? ''
  const says = (text: string | null | undefined) => text?.toLowerCase().includes(words) === true
  return (
    (filter.state?.includes(state) ?? true) &&
    (filter.source?.includes(source) ?? true) &&
    (filter.centerId ?? centerId) === centerId &&
    (filter.patientId ?? place.patientId) === place.patientId &&
    (filter.folderId ?? place.folderId) === place.folderId &&
    (filter.pageId ?? place.pageId) === place.pageId &&
    (filter.entryId === undefined || filter.entryId === entryOfQuery(place)) &&
    (filter.waits === undefined || waits) &&
    (filter.own === undefined || thread[0]?.by === userId) &&
    (filter.assigned === undefined || query.assigneeId === userId) &&
    (filter.urgent === undefined || isUrgent) &&
    (filter.overdue === undefined || (dueOn !== null && dueOn < day && isUnsettled(state))) &&
    (filter.days === undefined ||
      (askedAt !== null && isUnsettled(state) && daysBetween(askedAt.slice(0, 10), day) >= filter.days)) &&
    (words === '' || String(no) === words || says(patientNo) || says(thread[0]?.text))
  )
}

type Order = (a: QueryView, b: QueryView) => number

const byNo: Order = (a, b) => numberOf(a) - numberOf(b)
const byTime: Order = (a, b) => compare(a.query.updatedAt, b.query.updatedAt) || byNo(a, b)

const orders: Readonly<Record<QueryFilter['sort'], Order>> = {
  '-no': (a, b) => byNo(b, a),
  no: byNo,
  '-at': (a, b) => byTime(b, a),
  at: byTime,
  patient: (a, b) => compare(a.patientNo ?? '\uffff', b.patientNo ?? '\uffff') || byNo(a, b),
  due: (a, b) => compare(a.query.dueOn ?? '9999', b.query.dueOn ?? '9999') || byNo(a, b),
}

/** What has no number yet is the newest. */
function numberOf({ query: { no } }: QueryView): number {
  return no === 0 ? Number.MAX_SAFE_INTEGER : no
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
