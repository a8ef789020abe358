import type { Figures } from '#core/report/kinds.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { SUBMITTED_PAGES, daysBetween, inPeriod } from './facts.ts'
import { PATIENT_VISIBLE } from '#server/areas/patient/store.ts'

/** Medians in days, by center and over all that the reader sees. Their parameters are those of `facts.ts`. */

/** Medians of a report; the line of all centers has the key `all`. */
export type Medians = ReadonlyMap<string, Figures>

/** SQL: a median with one decimal, as a column. */
export const median = (value: string, name: string): string =>
  `round((percentile_cont(0.5) WITHIN GROUP (ORDER BY ${value}))::numeric, 1)::float8 AS "${name}"`

/** When all that the plan asks for of a page was verified against the source: with its last mark. */
const VERIFIED_AT = `
  (SELECT max(m.at) FROM review_count c JOIN review_mark m ON m.entry_id = c.entry_id AND m.track = 'sdv'
    WHERE c.entry_id = s.id AND c.track = 'sdv' AND c.due > 0 AND c.done = c.due)`

const TIMES = `
  SELECT
    coalesce(s.center_id::text, 'all') AS line,
    ${median(`CASE WHEN s.dated THEN ${daysBetween('s.visited_at', 's.created_at')} END`, 'visitToEntry')},
    ${median(daysBetween('s.created_at', 's.submitted_at'), 'entryToSubmit')},
    ${median(`CASE WHEN s.verified_at IS NOT NULL THEN ${daysBetween('s.submitted_at', 's.verified_at')} END`, 'submitToVerified')}
  FROM (SELECT s.*, ${VERIFIED_AT} AS verified_at FROM (${SUBMITTED_PAGES}) s) s
  WHERE $7::date IS NOT NULL AND ($8::uuid IS NULL OR s.center_id = $8)
  GROUP BY GROUPING SETS ((s.center_id), ())`

const ANSWERS = `
  SELECT
    coalesce(s.center_id::text, 'all') AS line,
    ${median(`CASE WHEN s.answered_at IS NOT NULL THEN ${daysBetween('s.asked_at', 's.answered_at')} END`, 'toAnswer')},
    ${median(`CASE WHEN s.state = 'closed' THEN ${daysBetween('s.asked_at', 's.state_at')} END`, 'toClose')}
  FROM (
    SELECT p.center_id, q.asked_at, q.state, q.state_at,
      (SELECT min(a.received_at) FROM query_act a WHERE a.query_id = q.id AND a.act = 'answer') AS answered_at
    FROM query q JOIN patient p ON p.id = q.patient_id
    WHERE ${PATIENT_VISIBLE} AND NOT p.deleted AND q.state IN ('open', 'answered', 'closed')
      AND (q.pass IS NULL OR $4::smallint IS NULL OR q.pass = $4) AND ${inPeriod('q.asked_at')}
      AND $7::date IS NOT NULL AND ($8::uuid IS NULL OR p.center_id = $8)
  ) s
  GROUP BY GROUPING SETS ((s.center_id), ())`

const MEDIANS = { timeliness: TIMES, queries: ANSWERS } as const

/** @param values of the parameters, the last of them the center (null: all) */
export async function mediansOf(
  connection: Queryable,
  kind: keyof typeof MEDIANS,
  values: readonly unknown[],
): Promise<Medians> {
  const { rows } = await connection.query<Record<string, number | null> & { readonly line: string }>({
    name: `report_medians_${kind}`,
    text: MEDIANS[kind],
    values: [...values],
  })
  return new Map(rows.map(({ line, ...figures }) => [line, figures as Figures]))
}
