import type { Pool } from 'pg'
import type { Membership } from '#server/access.ts'
import type { ScheduledVisit } from '#core/study/visits/schedule.ts'
import { visitsSeen } from '#server/areas/visit/list.ts'
import { plannedFolders } from '#server/areas/visit/schedules.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Visits as reports count them. Windows hang on other visits, so they are computed as lists do it, not in SQL. */

export interface SubjectFigures {
  readonly patientId: string
  readonly centerId: string
  readonly figures: Readonly<Record<string, number>>
}

/** The figures of each subject who has visits. */
export async function visitFigures(
  pool: Pool,
  connection: Queryable,
  member: Membership,
  of: { readonly centerId: string | null; readonly today: string },
): Promise<readonly SubjectFigures[]> {
  const folders = await plannedFolders(connection, member.projectId)
  const seen = await visitsSeen(pool, connection, member, folders, { ...of, patientId: null })
  return [...Map.groupBy(seen, ({ patient }) => patient.id)].map(([patientId, visits]) => ({
    patientId,
    centerId: visits[0]?.patient.centerId ?? '',
    figures: countVisits(visits.map(({ visit }) => visit)),
  }))
}

function countVisits(visits: readonly ScheduledVisit[]): Readonly<Record<string, number>> {
  const planned = visits.filter(({ kind, status }) => kind === 'planned' && !UNCOUNTED.has(status))
  const count = (is: (visit: ScheduledVisit) => boolean) => planned.filter(is).length
  const tookPlace = (visit: ScheduledVisit) => TOOK_PLACE.has(visit.status)
  const done = count(tookPlace)
  const overdue = count(({ status }) => status === 'overdue')
  // What the protocol lets be skipped is neither missed nor past its time.
  const missed = count(({ status }) => status === 'missed')
  const timed = planned.filter((visit) => visit.timing !== null && visit.plannedDate !== null)
  const inside = timed.filter(({ timing }) => timing === 'inWindow').length
  return {
    done,
    overdue,
    missed,
    inside,
    timed: timed.length,
    outside: timed.length - inside,
    due: count(({ status }) => status === 'due'),
    coming: count(({ status }) => status === 'planned'),
    past: done + overdue + missed,
  }
}

/** What is no part of the subject's casebook, or comes no more. */
export const UNCOUNTED: ReadonlySet<string> = new Set(['removed', 'notApplicable', 'stopped'])
export const TOOK_PLACE: ReadonlySet<string> = new Set(['done', 'inWindow', 'early', 'late', 'begun'])
