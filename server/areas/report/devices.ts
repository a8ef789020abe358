import { MOST_ACTS, SILENT_DAYS } from '#core/report/kinds.ts'
import type { Figures } from '#core/report/kinds.ts'
import { centerOf, passOf, projectOf, unsentSql } from '#server/areas/sync/deviceScopes.ts'

import { parametersOf } from './counting.ts'
import type { Counting } from './counting.ts'
import { inPeriod } from './facts.ts'
import { median } from './medians.ts'

/**
 * Devices that keep data of a center, and how long what is done on them takes to the server. Nobody's name and no
 * subject is in it: whoever sees a center sees its figures. The parameters are those of `facts.ts`, and the pattern of
 * the project's scopes ($9).
 */

/** SQL: whether a center is one that the reader sees and asked for. */
const isSeen = (center: string) =>
  `($2::uuid[] IS NULL OR ${center} = ANY ($2)) AND ($8::uuid IS NULL OR ${center} = $8)`
/** SQL: names the parameters that a statement has no use for, as the database has to know the type of each. */
const UNUSED = '($3::uuid[] IS NULL OR true) AND $7::date IS NOT NULL'

const UNSENT = unsentSql(
  (scope) => `
    ${projectOf(scope)} = ($1::uuid)::text AND ${centerOf(scope)} = k.center
    AND ($4::smallint IS NULL OR ${passOf(scope)} = ($4::smallint)::text)`,
)

/** A device of several centers counts in each of them, and once for all. A blocked one is known to be silent. */
const DEVICES = `
  SELECT
    coalesce(c.id::text, 'all') AS line, count(DISTINCT h.id)::integer AS devices,
    count(DISTINCT h.id) FILTER (WHERE NOT h.blocked AND h.last_contact_at < now() - interval '${SILENT_DAYS} days')::integer AS silent,
    count(DISTINCT h.id) FILTER (WHERE h.unsent > 0)::integer AS "withUnsent", coalesce(sum(h.unsent), 0)::float8 AS unsent,
    count(DISTINCT h.id) FILTER (WHERE h.blocked)::integer AS blocked
  FROM center c LEFT JOIN (
    SELECT k.center, d.id, d.blocked, d.last_contact_at, said.unsent
    FROM (
      SELECT DISTINCT held.device_id, ${centerOf('held.scope')} AS center FROM device_key held
      WHERE held.scope LIKE $9 AND ($4::smallint IS NULL OR ${passOf('held.scope')} = ($4::smallint)::text)
    ) k JOIN device d ON d.id = k.device_id CROSS JOIN LATERAL (${UNSENT}) said
  ) h ON h.center = c.id::text
  WHERE c.project_id = $1 AND ${isSeen('c.id')} AND ${UNUSED} AND ($5::date IS NULL OR true) AND ($6::date IS NULL OR true)
  GROUP BY GROUPING SETS ((c.id), ())`

/**
 * From the act on a device to its arrival, both by the server's clock as far as the device knew how its own differs.
 * The latest acts of the study are read by their place in its chain, and no others: there may be millions, and the
 * database does not always know how many. What was done without a device's outbox has no number of it.
 */
const ACTS = `
  SELECT
    coalesce(a.center_id::text, 'all') AS line, count(*)::integer AS acts,
    count(*) FILTER (WHERE a.hours <= 24)::integer AS "withinDay", ${median('a.hours', 'toServer')}
  FROM (
    SELECT
      o.center_id,
      greatest(0, extract(epoch FROM o.received_at - o.acted_at) + coalesce(o.clock_drift_ms, 0) / 1000) / 3600.0 AS hours
    FROM (
      SELECT center_id, pass, device_seq, acted_at, received_at, clock_drift_ms FROM operation
      WHERE project_id = $1 AND seq > (SELECT max(seq) - ${MOST_ACTS} FROM operation WHERE project_id = $1)
      ORDER BY seq DESC LIMIT ${MOST_ACTS}
    ) o
    WHERE o.device_seq IS NOT NULL AND o.center_id IS NOT NULL AND (o.pass IS NULL OR $4::smallint IS NULL OR o.pass = $4)
      AND ${isSeen('o.center_id')} AND ${inPeriod('o.received_at')} AND ${UNUSED} AND $9::text IS NOT NULL
  ) a
  GROUP BY GROUPING SETS ((a.center_id), ())`

/** By center; what all of them have together is under `all`. */
export async function deviceFigures(counting: Counting): Promise<ReadonlyMap<string, Figures>> {
  const { connection, member } = counting
  // Ids hold no character that LIKE reads as a pattern.
  const values = [...parametersOf(counting), `${member.projectId}/%`]
  const figures = new Map<string, Figures>()
  for (const [name, text] of Object.entries({ report_devices: DEVICES, report_acts: ACTS })) {
    const { rows } = await connection.query<Record<string, number | null> & { readonly line: string }>({
      name,
      text,
      values,
    })
    for (const { line, ...more } of rows) figures.set(line, { ...figures.get(line), ...more })
  }
  return figures
}
