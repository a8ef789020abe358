import type { AuditLine } from '#core/api/calls/sync.ts'
import type { Membership } from '#server/access.ts'
import { AUDIT_LINE, presentLines, visible } from '#server/areas/audit/store.ts'
import type { AuditPlace, Question, StoredLine } from '#server/areas/audit/store.ts'
import { prepare } from '#server/database/prepare.ts'
import type { Parameter } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * The trail of entries from its beginning, for a file that tells what happened. Whose entries may be read at all the
 * caller has seen to. As in the history of a field, a reader who may see an entry now sees what became of it wherever
 * its patient was then; the pass and the kinds of lines are limited, and values masked, as in every list of the trail.
 */

export interface EntriesTrail {
  readonly entryIds: readonly string[]
  /** Whether differences between the two passes are wanted. */
  readonly withGaps: boolean
}

type EntriesQuestion = Question & EntriesTrail

function ofEntries(parameter: Parameter<EntriesQuestion>): string {
  return `${visible(parameter)} AND a.entry_id = ANY (${parameter(({ entryIds }) => entryIds)}::uuid[])
    AND (${parameter(({ withGaps }) => withGaps)}::boolean OR a.action NOT LIKE 'gap.%')`
}

function questionOf(member: Membership, of: EntriesTrail): EntriesQuestion {
  return { ...of, member, filter: {}, within: { centers: null, own: null } }
}

const LINES = prepare<EntriesQuestion & { readonly after: AuditPlace; readonly limit: number }>(
  'audit_of_entries',
  (parameter) => `
  ${AUDIT_LINE}
  WHERE ${ofEntries(parameter)}
    AND (a.seq, a.ord) > (${parameter(({ after }) => after.seq)}, ${parameter(({ after }) => after.ord)})
  ORDER BY a.seq, a.ord LIMIT ${parameter(({ limit }) => limit)}`,
)

/** Before the first line of a trail. */
export const TRAIL_START: AuditPlace = { seq: -1, ord: -1 }

/** The next lines after a place, masked; fewer than `limit` at the end. */
export async function readEntriesTrail(
  connection: Queryable,
  member: Membership,
  of: EntriesTrail,
  { after, limit }: { readonly after: AuditPlace; readonly limit: number },
): Promise<readonly AuditLine[]> {
  if (of.entryIds.length === 0) return []
  const { rows } = await connection.query<StoredLine>(LINES({ ...questionOf(member, of), after, limit }))
  return presentLines(connection, member, rows)
}

/** How many lines there are about a field, a row (no `prop`) or a page (no `table` either). */
export interface CountedLines {
  readonly pageId: string
  readonly table: string | null
  readonly prop: string | null
  readonly lines: number
}

const COUNT = prepare<EntriesQuestion>(
  'audit_of_entries_count',
  (parameter) => `
  SELECT e.page_id AS "pageId", a.table_prop AS "table", a.prop, count(*)::integer AS lines
  FROM audit a JOIN entry e ON e.id = a.entry_id WHERE ${ofEntries(parameter)} GROUP BY 1, 2, 3`,
)

/** The same lines counted by what they are about, under the codes of their time. */
export async function countEntriesTrail(
  connection: Queryable,
  member: Membership,
  of: EntriesTrail,
): Promise<readonly CountedLines[]> {
  if (of.entryIds.length === 0) return []
  return (await connection.query<CountedLines>(COUNT(questionOf(member, of)))).rows
}
