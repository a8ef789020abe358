import { centerParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { passParameter } from '#server/areas/entry/read.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** An operation that waits for a decision, or for its project to go on. */
export interface InboxLine {
  readonly key: string
  readonly call: string
  readonly reason: string
  readonly author: string
  readonly authorName: string
  readonly entityId: string
  readonly receivedAt: string
  readonly actedAt: string
  readonly state: string
}

const VISIBLE = `
  i.project_id = $1 AND i.state = 'open'
  AND ($2::uuid[] IS NULL OR i.center_id IS NULL OR i.center_id = ANY ($2)) AND ($3::smallint IS NULL OR o.pass = $3)`

/** Totals are counted up to here. */
const MAX_COUNT = 10_000

/** Open inbox rows that the member may see, oldest first. */
export async function listInbox(
  transaction: Queryable,
  member: Membership,
  { current, size }: { readonly current: number; readonly size: number },
): Promise<{ readonly rows: readonly InboxLine[]; readonly total: number; readonly totalIsLeast: boolean }> {
  const where = [member.projectId, centerParameter(member), passParameter(member)]
  const { rows } = await transaction.query<InboxLine>({
    name: 'inbox_list',
    text: `
      SELECT
        o.key, o.call, i.reason, o.author, u.real_name AS "authorName", o.entity_id AS "entityId", o.received_at AS "receivedAt",
        o.acted_at AS "actedAt", i.state
      FROM inbox i JOIN operation o ON o.key = i.op_key JOIN app_user u ON u.id = o.author
      WHERE ${VISIBLE} ORDER BY i.created_at, o.key LIMIT $4 OFFSET $5`,
    values: [...where, size, (current - 1) * size],
  })
  const count = await transaction.query<{ total: number }>({
    name: 'inbox_count',
    text: `
      SELECT count(*) AS total FROM (
        SELECT 1 FROM inbox i JOIN operation o ON o.key = i.op_key WHERE ${VISIBLE} LIMIT ${MAX_COUNT + 1}
      ) AS counted`,
    values: where,
  })
  const total = count.rows[0]?.total ?? 0
  return { rows, total: Math.min(total, MAX_COUNT), totalIsLeast: total > MAX_COUNT }
}
