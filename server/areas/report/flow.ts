import type { Report } from '#core/api/calls/data/report.ts'
import type { ScheduledVisit } from '#core/study/visits/schedule.ts'
import { visitsSeen } from '#server/areas/visit/list.ts'
import { plannedFolders } from '#server/areas/visit/schedules.ts'

import { ALL_PARAMETERS, OF_CENTER, parametersOf } from './counting.ts'
import type { Counting } from './counting.ts'
import { WHO } from './facts.ts'
import { TOOK_PLACE, UNCOUNTED } from './visits.ts'
import type { SubjectFigures } from './visits.ts'

/**
 * How far each subject came in the study, by what is known of everybody: the number, the visits, and what a person said
 * of them. A subject left where a person said so of a visit, and completed where the last visit of the plan took place.
 */

export interface SubjectFlow extends SubjectFigures {
  /** Why an enrolled subject left, in the words of who said so; null for everybody else. */
  readonly reason: string | null
}

interface Subject {
  readonly id: string
  readonly centerId: string
  readonly numbered: boolean
}

export async function subjectFlows(counting: Counting): Promise<readonly SubjectFlow[]> {
  const { pool, connection, member, query, today } = counting
  const { rows } = await connection.query<Subject>({
    name: 'report_flow_subjects',
    text: `
      SELECT p.id, p.center_id AS "centerId", p.no IS NOT NULL AS numbered FROM patient p
      WHERE ${WHO} AND ${OF_CENTER} AND ${ALL_PARAMETERS}`,
    values: [...parametersOf(counting)],
  })
  const folders = await plannedFolders(connection, member.projectId)
  const places = new Map(folders.map(({ id }, at) => [id, at]))
  const hasPlan = folders.some(({ schedule }) => schedule?.kind === 'planned')
  const of = { patientId: null, centerId: query.centerId ?? null, today }
  const visits = Map.groupBy(await visitsSeen(pool, connection, member, folders, of), ({ patient }) => patient.id)
  return rows.map((subject) =>
    flowOf(subject, visits.get(subject.id)?.map(({ visit }) => visit) ?? [], places, hasPlan),
  )
}

function flowOf(
  { id, centerId, numbered }: Subject,
  visits: readonly ScheduledVisit[],
  places: ReadonlyMap<string, number>,
  hasPlan: boolean,
): SubjectFlow {
  const left = visits.find(({ status, facts }) => status === 'stopped' && facts?.outcome === 'stopped')
  const planned = visits.filter(({ kind, status }) => kind === 'planned' && !UNCOUNTED.has(status))
  const last = planned.toSorted((a, b) => (places.get(b.folderId) ?? 0) - (places.get(a.folderId) ?? 0))[0]
  const isLeft = left !== undefined
  const isCompleted = !isLeft && last !== undefined && TOOK_PLACE.has(last.status)
  const figures = {
    subjects: true,
    unnumbered: !numbered,
    leftBefore: !numbered && isLeft,
    numbered,
    withdrawn: numbered && isLeft,
    // Without planned visits nobody can tell who has completed them.
    ...(hasPlan ? { completed: numbered && isCompleted, following: numbered && !isLeft && !isCompleted } : {}),
  }
  return {
    patientId: id,
    centerId,
    figures: Object.fromEntries(Object.entries(figures).map(([code, holds]) => [code, holds ? 1 : 0])),
    reason: numbered && isLeft ? (left.facts?.outcomeReason ?? '').trim() : null,
  }
}

/** So many reasons are told; the others together are what is left of all who left. */
const MOST_REASONS = 6

/** The reasons that were given most often. Where none was given, nothing stands for it. */
export function reasonsOf(flows: readonly SubjectFlow[]): Report['reasons'] {
  const given = flows.flatMap(({ reason }) => (reason === null || reason === '' ? [] : [reason]))
  return [...Map.groupBy(given, (reason) => reason)]
    .map(([text, all]) => ({ text, count: all.length }))
    .toSorted((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1))
    .slice(0, MOST_REASONS)
}
