import type { Report } from '#core/api/calls/data/report.ts'
import { fail } from '#core/api/errors.ts'
import { REPORTS } from '#core/report/kinds.ts'
import type { ReportKind } from '#core/report/kinds.ts'
import { membership, requirePermission, seesCenter } from '#server/access.ts'
import { studyTime } from '#server/areas/notice/morning.ts'
import type { Membership } from '#server/access.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor } from '#server/http/handler.ts'
import type { Services } from '#server/services.ts'

import type { Counting, ReportQuery } from './counting.ts'
import { readReport } from './read.ts'

export interface AskedReport extends ReportQuery {
  readonly projectId: string
  readonly kind: ReportKind
}

type CountingServices = Pick<Services, 'pool' | 'now'>

/**
 * Where, when and for whom a report is counted, with the rights that the actor has now.
 *
 * @throws ApiFailure `not_found` for a center that the member does not see, `forbidden` without the right
 */
export async function countingOf(
  services: CountingServices,
  connection: Queryable,
  actor: Actor,
  asked: AskedReport,
): Promise<Counting> {
  return countingFor(services, connection, await membership(connection, actor, asked.projectId), asked)
}

/** As `countingOf`, of a membership that was just read. */
export function countingFor(
  services: CountingServices,
  connection: Queryable,
  member: Membership,
  { kind, centerId, from, to }: Omit<AskedReport, 'projectId'>,
): Counting {
  requirePermission(member, 'report_view')
  if (centerId !== undefined && !seesCenter(member, centerId)) throw fail('not_found')
  const period = REPORTS[kind].hasPeriod ? { from, to } : {}
  return {
    pool: services.pool,
    connection,
    member,
    query: { centerId, ...period },
    today: studyTime(services.now()).day,
  }
}

/** A report as it is told to who counts it. */
export async function countReport(counting: Counting, kind: ReportKind): Promise<Report> {
  return { kind, at: new Date().toISOString(), ...(await readReport(counting, kind)) }
}
