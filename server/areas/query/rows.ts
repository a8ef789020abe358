import type { QueryRow } from '#core/api/sync/rows.ts'
import { queryRightsOf } from '#core/access/queryRights.ts'
import { reviewsQueries } from '#core/review/query.ts'
import { WHOLE_ROW } from '#core/review/queryThread.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import { MASK } from '#core/form/definition/mask.ts'
import { MEMBER_IN_FORCE, passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { isMasked, maskContent } from '#server/areas/entry/reading/mask.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Queries as they are sent, limited to what the reader may see and masked. */

const INSTANT = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The files of an act `a` with how far they are; nothing where it has none. */
const FILES = `CASE WHEN a.files = '[]' THEN '{}'::jsonb ELSE jsonb_build_object('files', (
  SELECT jsonb_agg(named.file || jsonb_build_object('state', CASE WHEN f.state IN ('stored', 'refused') THEN f.state ELSE 'expected' END) ORDER BY named.at)
  FROM jsonb_array_elements(a.files) WITH ORDINALITY AS named (file, at)
  LEFT JOIN attachment f ON f.id = (named.file ->> 'id')::uuid AND f.query_id = a.query_id AND f.hash = named.file ->> 'hash')) END`

const QUERY_ROW = `
  SELECT
    q.id, q.no, q.patient_id AS "patientId", p.center_id AS "centerId",
    jsonb_build_object(
      'patientId', q.patient_id, 'folderId', q.folder_id, 'folderRepeat', q.folder_repeat, 'pageId', q.page_id, 'pageRepeat', q.page_repeat,
      'parentEntryId', q.parent_entry_id, 'pass', q.pass, 'table', q.table_prop, 'rid', q.rid, 'code', q.prop) AS place,
    q.version_id AS "versionId", q.source, q.rule, q.state, q.asked_at IS NOT NULL AS "wasAsked", q.urgent AS "isUrgent", q.due_on AS "dueOn",
    given.id AS "assigneeId", given.name AS "assigneeName",
    q.asked_at AS "askedAt", q.state_at AS "stateAt", q.updated_at AS "updatedAt",
    (SELECT jsonb_agg(jsonb_build_object(
      'key', a.key, 'act', a.act, 'effect', a.effect, 'state', a.state, 'text', a.text, 'category', a.category, 'content', a.content,
      'by', a.by_user, 'byName', coalesce(u.real_name, ''), 'role', a.role,
      'at', ${INSTANT('a.acted_at')}, 'receivedAt', ${INSTANT('a.received_at')}) || ${FILES}
      || CASE a.act WHEN 'assign' THEN jsonb_build_object('assignee', a.assignee, 'assigneeName', g.real_name) ELSE '{}' END ORDER BY a.sort)
      FROM query_act a LEFT JOIN app_user u ON u.id = a.by_user LEFT JOIN app_user g ON g.id = a.assignee WHERE a.query_id = q.id) AS thread
  FROM query q JOIN patient p ON p.id = q.patient_id LEFT JOIN LATERAL (
    SELECT u.id, u.real_name AS name FROM member m JOIN app_user u ON u.id = m.user_id
    WHERE m.project_id = q.project_id AND m.user_id = q.assignee AND u.status = 'active' AND ${MEMBER_IN_FORCE}) given ON true`

/**
 * The condition under which the member sees a query `q` of a patient `p`. The parameters are those of
 * `PATIENT_VISIBLE`, then those of `queriesVisibleTo`.
 */
export const QUERY_VISIBLE = `${PATIENT_VISIBLE} AND ($4::smallint IS NULL OR q.pass IS NULL OR q.pass = $4) AND ($5 OR q.asked_at IS NOT NULL) AND $6`

/** The parameters of `QUERY_VISIBLE`. */
export function queriesVisibleTo(member: Membership): readonly unknown[] {
  const rights = queryRightsOf(member.permissions)
  const reviews = reviewsQueries(rights)
  return [...visibleTo(member), passParameter(member), reviews, reviews || rights.answers]
}

/** The queries with these ids that the member may see. */
export async function loadQueryRows(
  transaction: Queryable,
  member: Membership,
  ids: readonly string[],
): Promise<readonly QueryRow[]> {
  if (ids.length === 0) return []
  const { rows } = await transaction.query<Omit<QueryRow, 'masked'>>({
    name: 'query_rows',
    text: `${QUERY_ROW} WHERE ${QUERY_VISIBLE} AND q.id = ANY ($7)`,
    values: [...queriesVisibleTo(member), ids],
  })
  if (member.sensitive) return rows.map((row) => ({ ...row, masked: false }))
  const masks = await pageMasks(
    transaction,
    member.projectId,
    rows.flatMap(({ place }) => place.pageId ?? []),
  )
  return rows.map((row) => {
    const mask = masks.get(row.place.pageId ?? '')
    return { ...(mask !== undefined && isAboutMasked(mask, row.place) ? maskQuery(row) : row), masked: true }
  })
}

/** Whether a query is about a field that identifies a person, or about a row with such a field. */
export function isAboutMasked(mask: ReadonlySet<string>, { table, code }: Pick<QueryPlace, 'table' | 'code'>): boolean {
  if (code === null) return false
  return code === WHOLE_ROW && table !== null ? isMasked(mask, null, table) : isMasked(mask, table, code)
}

/** Of a field that identifies a person, there is a query: neither the value nor what was said about it is told. */
function maskQuery(row: Omit<QueryRow, 'masked'>): Omit<QueryRow, 'masked'> {
  return {
    ...row,
    thread: row.thread.map((turn) => {
      // A file may say in its name what the field does.
      const { files: _, ...told } = turn
      const { text, content } = told
      return {
        ...told,
        text: text === null ? null : MASK,
        content: content === null ? null : maskContent(content),
      }
    }),
  }
}
