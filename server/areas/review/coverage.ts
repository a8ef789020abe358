import type { BodyOf } from '#core/api/call.ts'
import type { PlanCoverage } from '#core/api/calls/review/check.ts'
import type { CallOf } from '#core/api/table.ts'
import { isChosen } from '#core/review/reviewPlan.ts'
import type { Membership } from '#server/access.ts'
import { readyPlan, reviewableItems, trackReview } from '#server/areas/entry/review/due.ts'
import { factsOfPatients } from '#server/areas/entry/review/facts.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { centersOf } from './progress.ts'

/** What a plan would ask for, over the data that are there and that the member may see. */

type Figures = Omit<PlanCoverage, 'centers'>

const NOTHING: Figures = { patients: 0, chosen: 0, items: 0, due: 0, done: 0 }

/** Patients whose pages are read at a time. */
const AT_A_TIME = 20

export async function coverageOf(
  connection: Queryable,
  member: Membership,
  { track, plan }: BodyOf<CallOf<'review.planCoverage'>>,
): Promise<PlanCoverage> {
  const ready = readyPlan(plan)
  const { rows: patients } = await connection.query<{ id: string; centerId: string; rank: number }>({
    name: 'review_coverage_patients',
    text: `
      SELECT p.id, p.center_id AS "centerId", coalesce(p.center_rank, 2147483647) AS rank
      FROM patient p WHERE ${PATIENT_VISIBLE} AND NOT p.deleted ORDER BY p.id`,
    values: [...visibleTo(member)],
  })
  const byCenter = new Map<string, Figures>()
  const add = (centerId: string, more: Partial<Figures>): void => {
    byCenter.set(centerId, addFigures(byCenter.get(centerId) ?? NOTHING, more))
  }
  for (const patient of patients) add(patient.centerId, { patients: 1, chosen: isChosen(plan, patient) ? 1 : 0 })
  for (let at = 0; at < patients.length; at += AT_A_TIME) {
    const ids = patients.slice(at, at + AT_A_TIME).map(({ id }) => id)
    for (const facts of await factsOfPatients(connection, ids)) {
      const items = await reviewableItems(connection, facts)
      const { due, done } = trackReview(track, facts, ready, items).counts
      add(facts.centerId, { items: items.length, due, done })
    }
  }
  const centers = (await centersOf(connection, member)).map(({ centerId, centerName }) => ({
    centerId,
    centerName,
    ...(byCenter.get(centerId) ?? NOTHING),
  }))
  return { ...centers.reduce<Figures>(addFigures, NOTHING), centers }
}

function addFigures(one: Figures, other: Partial<Figures>): Figures {
  return {
    patients: one.patients + (other.patients ?? 0),
    chosen: one.chosen + (other.chosen ?? 0),
    items: one.items + (other.items ?? 0),
    due: one.due + (other.due ?? 0),
    done: one.done + (other.done ?? 0),
  }
}
