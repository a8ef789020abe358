import { setImmediate as turn } from 'node:timers/promises'
import { addDays } from '#core/study/visits/days.ts'
import { scheduleOf } from '#core/study/visits/schedule.ts'
import type { ScheduledVisit } from '#core/study/visits/schedule.ts'
import { MEMBER_IN_FORCE } from '#server/access.ts'
import type { VisitsDue } from '#server/areas/notice/morning.ts'
import { rolesWith } from '#server/areas/notice/sight.ts'
import { readCasebooks } from '#server/areas/visit/board.ts'
import { plannedFolders } from '#server/areas/visit/schedules.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * The visits that are due on a day, counted for each person who enters data. Windows hang on what was entered and said
 * of other visits, so they are computed as lists do it, not in SQL. Subjects are read in parts, and between two parts
 * others have their turn: ten thousand casebooks at once would hold a server for seconds.
 */

const AT_ONCE = 100

const ENTERS = rolesWith((held) => held.has('database_submit_page') && held.has('visit_edit'))

interface Coordinator {
  readonly userId: string
  readonly pass: 1 | 2
  /** Null for who sees all centers. */
  readonly centers: readonly string[] | null
  /** Their own patients; null for who sees all of their centers. */
  readonly patients: readonly string[] | null
}

interface Looked {
  readonly projectId: string
  readonly day: string
  /** A window that ends within so many days ends soon. */
  readonly soonDays: number
}

/** Those who enter data and have visits due, with how many. */
export async function countVisitsDue(transaction: Queryable, looked: Looked): Promise<readonly VisitsDue[]> {
  const { projectId, day, soonDays } = looked
  const people = await coordinatorsOf(transaction, projectId)
  const folders = await plannedFolders(transaction, projectId)
  if (people.length === 0 || !folders.some(({ schedule }) => schedule?.kind === 'planned')) return []
  const ids = await patientsOf(transaction, projectId)
  const soon = addDays(day, soonDays)
  const counts = new Map(people.map(({ userId }) => [userId, { due: 0, ending: 0 }]))
  const seers = people.map((one) => ({ ...one, sees: sightOf(one) }))
  for (const pass of new Set(people.map((one) => one.pass))) {
    const ofPass = seers.filter((one) => one.pass === pass)
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const part = await readCasebooks(transaction, { projectId, pass, folders }, ids.slice(from, from + AT_ONCE))
      for (const { patient, rows, tallies } of part) {
        const visits = scheduleOf({ folders, enrolledOn: patient.enrolledOn, visits: rows, tallies, today: day })
        const due = visits.filter(({ status }) => status === 'due')
        if (due.length === 0) continue
        const ending = due.filter((visit) => endsBy(visit, soon)).length
        for (const { userId, sees } of ofPass) {
          const count = counts.get(userId)
          if (count === undefined || !sees(patient)) continue
          count.due += due.length
          count.ending += ending
        }
      }
      await turn()
    }
  }
  return [...counts].flatMap(([userId, count]) => (count.due === 0 ? [] : [{ userId, ...count }]))
}

function endsBy({ window }: ScheduledVisit, day: string): boolean {
  return window !== null && window.to <= day
}

interface Seen {
  readonly id: string
  readonly centerId: string
}

function sightOf({ centers, patients }: Coordinator): (patient: Seen) => boolean {
  const ofCenters = centers === null ? null : new Set(centers)
  const own = patients === null ? null : new Set(patients)
  return ({ id, centerId }) => (ofCenters === null || ofCenters.has(centerId)) && (own === null || own.has(id))
}

async function coordinatorsOf(transaction: Queryable, projectId: string): Promise<readonly Coordinator[]> {
  const { rows } = await transaction.query<Coordinator>({
    name: 'visits_due_people',
    text: `
      SELECT m.user_id AS "userId", m.entry_pass AS pass,
        CASE WHEN m.data_scope <> 'all' THEN ARRAY(
          SELECT c.center_id::text FROM member_center c WHERE c.member_id = m.id AND NOT c.removed) END AS centers,
        CASE WHEN m.type = 'expert' OR m.data_scope = 'self' THEN ARRAY(
          SELECT p.id::text FROM patient p WHERE p.project_id = m.project_id AND ((m.type <> 'expert' AND p.created_by = m.user_id) OR EXISTS (
            SELECT FROM patient_member pm WHERE pm.patient_id = p.id AND pm.member_id = m.id AND NOT pm.removed))) END AS patients
      FROM member m WHERE m.project_id = $1 AND m.role IN ${ENTERS} AND ${MEMBER_IN_FORCE} ORDER BY m.user_id`,
    values: [projectId],
  })
  return rows
}

async function patientsOf(transaction: Queryable, projectId: string): Promise<readonly string[]> {
  const { rows } = await transaction.query<{ id: string }>({
    name: 'visits_due_patients',
    text: 'SELECT id FROM patient WHERE project_id = $1 AND NOT deleted ORDER BY id',
    values: [projectId],
  })
  return rows.map(({ id }) => id)
}
