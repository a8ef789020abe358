import { fail } from '#core/api/errors.ts'
import { REPORTS } from '#core/report/kinds.ts'
import type { ReportKind } from '#core/report/kinds.ts'
import { pageOf } from '#core/wire/shapes.ts'
import { membership, requirePermission, seesCenter } from '#server/access.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor, Handlers } from '#server/http/handler.ts'
import type { Services } from '#server/services.ts'

import { listSubjects } from './subjects.ts'
import { readReport } from './read.ts'
import type { Counting, ReportQuery } from './counting.ts'

interface Asked extends ReportQuery {
  readonly projectId: string
  readonly kind: ReportKind
}

/** @throws ApiFailure `not_found` for a center that the member does not see, `forbidden` without the right */
async function countingOf(
  services: Pick<Services, 'pool' | 'now'>,
  connection: Queryable,
  actor: Actor,
  { projectId, kind, centerId, from, to }: Asked,
): Promise<Counting> {
  const member = await membership(connection, actor, projectId)
  requirePermission(member, 'report_view')
  if (centerId !== undefined && !seesCenter(member, centerId)) throw fail('not_found')
  const period = REPORTS[kind].hasPeriod ? { from, to } : {}
  return {
    pool: services.pool,
    connection,
    member,
    query: { centerId, ...period },
    today: services.now().slice(0, 10),
  }
}

export const handlers: Handlers = {
  'report.read': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const counting = await countingOf(services, connection, actor, query)
      return { kind: query.kind, at: new Date().toISOString(), ...(await readReport(counting, query.kind)) }
    }),

  'report.subjects': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const counting = await countingOf(services, connection, actor, query)
      const { lines, total } = await listSubjects(counting, query, query)
      return pageOf(lines, total, query)
    }),
}
