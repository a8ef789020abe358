import type { InboxLine } from '#core/api/calls/sync.ts'
import { fail } from '#core/api/errors.ts'
import type { InboxRow } from '#core/api/sync/rows.ts'
import { centerParameter, isTheirs, ownParameter, passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { PATIENT_OF_OPERATION } from '#server/areas/notice/inbox.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Operations that wait for a decision, or for their project to go on. */

const INBOX_ROW = `
  o.key AS id, o.call, i.reason, i.state, o.author, u.real_name AS "authorName", o.entity_id AS "entityId", i.center_id AS "centerId",
  o.acted_at AS "actedAt", o.received_at AS "receivedAt", d.real_name AS "decidedByName", i.decided_at AS "decidedAt",
  CASE WHEN i.decided_by IS NULL THEN NULL ELSE i.note END AS note`

const FROM_INBOX = `
  FROM inbox i JOIN operation o ON o.key = i.op_key JOIN app_user u ON u.id = o.author LEFT JOIN app_user d ON d.id = i.decided_by`

/**
 * The operations that a member with `data_review` may see and decide; the parameters are `decidableBy`. An operation
 * without a center is only for members who see all centers.
 */
const DECIDABLE = `
  i.project_id = $1 AND ($2::uuid[] IS NULL OR i.center_id = ANY ($2)) AND ($3::smallint IS NULL OR o.pass = $3)
  AND ($4::uuid[] IS NULL OR EXISTS (SELECT 1 FROM patient own WHERE own.id = ${PATIENT_OF_OPERATION} AND ${isTheirs('own', '$4')}))`

function decidableBy(member: Membership): readonly unknown[] {
  return [member.projectId, centerParameter(member), passParameter(member), ownParameter(member)]
}

const INBOX_LINE = `
  SELECT ${INBOX_ROW}, c.name AS "centerName", p.id AS "patientId", p.no AS "patientNo",
    g.name AS "pageName", g.name_en AS "pageNameEn"
  ${FROM_INBOX}
  LEFT JOIN LATERAL (
    SELECT g.name, g.name_en FROM crf_page g WHERE g.version_id = o.crf_version_id AND g.page_id = (o.body->'target'->>'pageId')::uuid LIMIT 1
  ) g ON true
  LEFT JOIN center c ON c.id = i.center_id
  LEFT JOIN patient p ON p.id = ${PATIENT_OF_OPERATION} AND p.project_id = i.project_id`

/** Totals are counted up to here. */
const MAX_COUNT = 10_000

/** Inbox rows of a state that the member may see, oldest first. */
export async function listInbox(
  transaction: Queryable,
  member: Membership,
  {
    current,
    size,
    state = 'open',
  }: { readonly current: number; readonly size: number; readonly state?: InboxRow['state'] | undefined },
): Promise<{ readonly rows: readonly InboxLine[]; readonly total: number; readonly totalIsLeast: boolean }> {
  const where = [...decidableBy(member), state]
  const { rows } = await transaction.query<InboxLine>({
    name: 'inbox_list',
    text: `${INBOX_LINE} WHERE ${DECIDABLE} AND i.state = $5 ORDER BY i.created_at, o.key LIMIT $6 OFFSET $7`,
    values: [...where, size, (current - 1) * size],
  })
  const count = await transaction.query<{ total: number }>({
    name: 'inbox_count',
    text: `
      SELECT count(*) AS total FROM (
        SELECT 1 FROM inbox i JOIN operation o ON o.key = i.op_key WHERE ${DECIDABLE} AND i.state = $5 LIMIT ${MAX_COUNT + 1}
      ) AS counted`,
    values: where,
  })
  const total = count.rows[0]?.total ?? 0
  return { rows, total: Math.min(total, MAX_COUNT), totalIsLeast: total > MAX_COUNT }
}

/**
 * One operation in the inbox.
 *
 * @throws ApiFailure not_found where there is none that the member may see
 */
export async function inboxLine(transaction: Queryable, member: Membership, key: string): Promise<InboxLine> {
  const { rows } = await transaction.query<InboxLine>({
    name: 'inbox_line',
    text: `${INBOX_LINE} WHERE ${DECIDABLE} AND i.op_key = $5`,
    values: [...decidableBy(member), key],
  })
  const [line] = rows
  if (line === undefined) throw fail('not_found')
  return line
}

/** The inbox rows with these ids that are the member's own, or that the member may decide. */
export async function loadInboxRows(
  transaction: Queryable,
  member: Membership,
  ids: readonly string[],
): Promise<readonly InboxRow[]> {
  if (ids.length === 0) return []
  const { rows } = await transaction.query<InboxRow>({
    name: 'inbox_rows',
    text: `
      SELECT ${INBOX_ROW} ${FROM_INBOX}
      WHERE i.op_key = ANY ($5) AND i.project_id = $1 AND (o.author = $6 OR ($7 AND ${DECIDABLE}))`,
    values: [...decidableBy(member), ids, member.userId, member.permissions.has('data_review')],
  })
  return rows
}
