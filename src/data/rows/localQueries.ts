import { queryDeed } from '#core/api/calls/review/query.ts'
import { readOutboxLines } from '#offline/outbox/outboxLines.ts'
import { openRemembered } from '#offline/sync/remembered.ts'
import type { KnownQuery } from '#src/data/shapes/queryTypes.ts'

import type { DataContext } from './context.ts'
import { isHere, localMembers, openOperations, readTakenOperations, rowsOf } from './local.ts'
import type { CenterScope } from './local.ts'
import { Names } from './names.ts'
import { isQueryCall, queriesWith } from './queryOverlay.ts'
import type { SaidQuery } from './queryOverlay.ts'

/** Queries as this device holds them. Nothing here asks the server; all of it may throw a storage error. */

/** Queries of centers, for patients who are here, with this device's unsent work. */
export async function localQueries(
  context: DataContext,
  projectId: string,
  scopes: readonly CenterScope[],
): Promise<readonly KnownQuery[]> {
  const rows = await Promise.all(
    scopes.map(async (scope) => {
      const sealed = await context.storage.cache.rows.where('[scope+kind]').equals([scope.text, 'query']).toArray()
      return (await openRemembered(context.ring(), context.user.userId, 'query', sealed)).filter(({ patientId }) =>
        isHere(scope, patientId),
      )
    }),
  )
  const texts = new Set(scopes.map(({ text }) => text))
  const said = await unsentQueries(context, projectId, ({ scope }) => texts.has(scope))
  return withoutFormer(context, projectId, queriesWith(rows.flat(), said))
}

/** The queries of one patient. */
export async function queriesOfPatient(
  context: DataContext,
  projectId: string,
  patientId: string,
): Promise<readonly KnownQuery[]> {
  const rows = await context.storage.cache.rows.where('[kind+parent]').equals(['query', patientId]).toArray()
  const queries = queriesWith(
    await openRemembered(context.ring(), context.user.userId, 'query', rows),
    await unsentQueries(context, projectId, (row) => row.patientId === patientId),
  )
  return withoutFormer(context, projectId, queries)
}

/** A query that was given to somebody who has left the project since is everybody's again, as the server shows it. */
async function withoutFormer(
  context: DataContext,
  projectId: string,
  queries: readonly KnownQuery[],
): Promise<readonly KnownQuery[]> {
  if (queries.every(({ assigneeId = null }) => assigneeId === null)) return queries
  const members = await localMembers(context, projectId)
  if (members.length === 0) return queries
  const there = new Set(members.filter(({ status }) => status === 'active').map(({ userId }) => userId))
  return queries.map((query) =>
    (query.assigneeId ?? null) === null || there.has(query.assigneeId ?? '')
      ? query
      : { ...query, assigneeId: null, assigneeName: null },
  )
}

/**
 * Operations about queries that the server does not have, or holds until the paused project goes on, in the order in
 * which they were made.
 */
export async function unsentQueries(
  context: DataContext,
  projectId: string,
  isWanted: (row: { readonly scope: string; readonly patientId: string }) => boolean,
): Promise<readonly SaidQuery[]> {
  const lines = (await readOutboxLines(context.storage)).filter(({ call }) => isQueryCall(call))
  const [rows, held] = await Promise.all([rowsOf(context, lines), readTakenOperations(context)])
  const unsent = await openOperations(
    context,
    rows.toSorted((a, b) => a.seq - b.seq),
  )
  const said = [...held.filter(({ op }) => isQueryCall(op.call)), ...unsent].filter(({ row }) => isWanted(row))
  const names = new Names(context)
  return Promise.all(
    said.map(async ({ op }) => {
      const assignee = op.call === 'query.act' ? queryDeed.safeParse(op.body).data?.assignee : null
      return {
        op,
        authorName: await names.author(projectId, op.author),
        authorRights: await names.queryRights(projectId, op.author),
        assigneeName: typeof assignee === 'string' ? await names.author(projectId, assignee) : '',
      }
    }),
  )
}
