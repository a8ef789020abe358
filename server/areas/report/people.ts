import type { ReportLine } from '#core/api/calls/data/report.ts'
import { PATIENT_VISIBLE } from '#server/areas/patient/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { inPeriod } from './facts.ts'

/** Who did how much in the period, of the subjects whom the reader sees. Parameters are those of `facts.ts`. */

const WHO = `${PATIENT_VISIBLE} AND NOT p.deleted AND ($8::uuid IS NULL OR p.center_id = $8)`
const OF_PASS = '($4::smallint IS NULL OR e.pass = $4)'
const OF_QUERY_PASS = '(q.pass IS NULL OR $4::smallint IS NULL OR q.pass = $4)'

/** What counts for whom: each selects a user and is one line of work. */
const WORK: Readonly<Record<string, string>> = {
  enrolled: `SELECT p.created_by AS by FROM patient p WHERE ${WHO} AND ${inPeriod('p.created_at')}`,
  saved: `
    SELECT e.updated_by AS by FROM entry e JOIN patient p ON p.id = e.patient_id
    WHERE ${WHO} AND NOT e.deleted AND e.status <> 'init' AND ${OF_PASS} AND ${inPeriod('e.updated_at')}`,
  submitted: `
    SELECT e.submitted_by AS by FROM entry e JOIN patient p ON p.id = e.patient_id
    WHERE ${WHO} AND NOT e.deleted AND e.status = 'other' AND ${OF_PASS} AND ${inPeriod('e.submitted_at')}`,
  raised: `
    SELECT q.raised_by AS by FROM query q JOIN patient p ON p.id = q.patient_id
    WHERE ${WHO} AND q.state <> 'candidate' AND ${OF_QUERY_PASS} AND ${inPeriod('q.asked_at')}`,
  answers: `
    SELECT a.by_user AS by FROM query_act a JOIN query q ON q.id = a.query_id JOIN patient p ON p.id = q.patient_id
    WHERE ${WHO} AND a.act = 'answer' AND ${OF_QUERY_PASS} AND ${inPeriod('a.received_at')}`,
  verified: `
    SELECT m.by_user AS by FROM review_mark m JOIN entry e ON e.id = m.entry_id JOIN patient p ON p.id = e.patient_id
    WHERE ${WHO} AND m.project_id = $1 AND m.state = 'verified' AND ${OF_PASS} AND ${inPeriod('m.at')}`,
}

const NAMES = Object.keys(WORK)

const PEOPLE = `
  SELECT u.id, u.real_name AS name, ${NAMES.map((name) => `count(*) FILTER (WHERE w.what = '${name}')::integer AS "${name}"`).join(', ')}
  FROM (${NAMES.map((name) => `SELECT '${name}' AS what, s.by FROM (${WORK[name] ?? ''}) s WHERE s.by IS NOT NULL`).join(' UNION ALL ')}) w
  JOIN app_user u ON u.id = w.by WHERE $7::date IS NOT NULL
  GROUP BY u.id, u.real_name ORDER BY count(*) DESC, u.real_name, u.id`

/** Everybody who did anything, those who did most first. */
export async function peopleAtWork(connection: Queryable, values: readonly unknown[]): Promise<readonly ReportLine[]> {
  const { rows } = await connection.query<{ id: string; name: string } & Record<string, number | string>>({
    name: 'report_people',
    text: PEOPLE,
    values: [...values],
  })
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    figures: Object.fromEntries(NAMES.map((name) => [name, Number(row[name] ?? 0)])),
  }))
}
