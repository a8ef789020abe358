import type { CellMark } from '#core/api/calls/data/database.ts'
import { seesReview } from '#core/access/reviewRights.ts'
import { WHOLE_ROW } from '#core/review/queryThread.ts'
import type { Membership } from '#server/access.ts'
import { QUERY_VISIBLE, queriesVisibleTo } from '#server/areas/query/rows.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** What is said of the fields of entries: conflicts, queries that the reader sees, and what was verified. */

export interface Mark {
  readonly table: string | null
  readonly rid: string | null
  /** Null for the page, or for the row as a whole. */
  readonly code: string | null
  readonly is: CellMark
}

interface MarkedPlace {
  readonly entryId: string
  readonly table: string | null
  readonly rid: string | null
  readonly code: string | null
}

/** The marks of entries that the reader sees, by entry. */
export async function loadMarks(
  connection: Queryable,
  member: Membership,
  entryIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Mark[]>> {
  const ids = [...new Set(entryIds)]
  const marks = new Map<string, Mark[]>()
  const add = ({ entryId, table, rid, code }: MarkedPlace, is: CellMark): void => {
    const own = marks.get(entryId) ?? []
    own.push({ table, rid, code: code === WHOLE_ROW ? null : code, is })
    marks.set(entryId, own)
  }
  if (ids.length === 0) return marks
  const conflicts = await connection.query<MarkedPlace>({
    name: 'database_conflicts',
    text: `
      SELECT entry_id AS "entryId", table_prop AS "table", rid, prop AS code FROM conflict
      WHERE project_id = $1 AND entry_id = ANY ($2) AND state = 'open'`,
    values: [member.projectId, ids],
  })
  for (const place of conflicts.rows) add(place, 'conflict')
  const queries = await connection.query<MarkedPlace & { readonly state: 'open' | 'answered' }>({
    name: 'database_queries',
    text: `
      SELECT q.entry_id AS "entryId", q.table_prop AS "table", q.rid, q.prop AS code, q.state FROM query q JOIN patient p ON p.id = q.patient_id
      WHERE ${QUERY_VISIBLE} AND q.entry_id = ANY ($7) AND q.state IN ('open', 'answered')`,
    values: [...queriesVisibleTo(member), ids],
  })
  for (const { state, ...place } of queries.rows) add(place, state === 'open' ? 'openQuery' : 'answeredQuery')
  if (!seesReview(member.permissions)) return marks
  const reviewed = await connection.query<MarkedPlace & { readonly track: 'sdv' | 'dmr'; readonly state: string }>({
    name: 'database_reviewed',
    text: `
      SELECT entry_id AS "entryId", table_prop AS "table", rid, prop AS code, track, state FROM review_mark
      WHERE project_id = $1 AND entry_id = ANY ($2) AND state IN ('verified', 'changed')`,
    values: [member.projectId, ids],
  })
  for (const { track, state, ...place } of reviewed.rows) add(place, state === 'changed' ? 'changed' : track)
  return marks
}
