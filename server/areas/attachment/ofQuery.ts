import { fail } from '#core/api/errors.ts'
import { queryRightsOf } from '#core/access/queryRights.ts'
import type { FileReference } from '#core/files/reference.ts'
import { reviewsQueries } from '#core/review/query.ts'
import { entryOfQuery } from '#core/review/queryThread.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import { passParameter, seesAllPatients, seesCenter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { ATTACHMENT } from '#server/areas/attachment/store.ts'
import type { QueryAttachment } from '#server/areas/attachment/store.ts'
import { requirePatient } from '#server/areas/entry/reading/read.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import { PATIENT_VISIBLE, projectOfPatient, visibleTo } from '#server/areas/patient/store.ts'
import { QUERY_VISIBLE, isAboutMasked, queriesVisibleTo } from '#server/areas/query/rows.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { NewChange } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Files of what is said in queries: which operation names one, who may bring it and who may see it. As strict as for
 * the files of a page, and as secret as the query itself.
 */

/** A file as something that was said in a query names it. */
export interface NamedInQuery {
  readonly reference: FileReference
  /** Who said it. */
  readonly author: string
  readonly patientId: string
  readonly centerId: string
  readonly pass: 1 | 2 | null
}

type Found = Omit<NamedInQuery, 'reference' | 'author' | 'centerId'> & {
  readonly author: string | null
  readonly centerId: string | null
  readonly files: readonly FileReference[]
}

/** An operation `r` that raises a query and waits: what it is about is told by it alone. */
const RAISE_WAITS = `r.call = 'query.raise' AND r.outcome IN ('held', 'inbox')`

/**
 * Looks for what was said that names a file: in the thread, or in an operation that is held or in the inbox. What
 * somebody saw in the field of a query is not what they say with it.
 *
 * @returns null where nothing names it, also while nobody knows what the query is about
 */
export async function findNamedInQuery(
  transaction: Queryable,
  projectId: string,
  queryId: string,
  fileId: string,
): Promise<NamedInQuery | null> {
  const values = [queryId, projectId, JSON.stringify([{ id: fileId }])]
  const said = await transaction.query<Found>({
    name: 'query_file_said',
    text: `
      SELECT a.by_user AS author, a.files, q.patient_id AS "patientId", p.center_id AS "centerId", q.pass
      FROM query q JOIN query_act a ON a.query_id = q.id JOIN patient p ON p.id = q.patient_id
      WHERE q.id = $1 AND q.project_id = $2 AND a.files @> $3::jsonb ORDER BY a.sort LIMIT 1`,
    values,
  })
  if (said.rows[0] !== undefined) return asNamed(said.rows[0], fileId)
  const waiting = await transaction.query<Found>({
    name: 'query_file_waiting',
    text: `
      SELECT o.author, o.body -> 'files' AS files, about.patient_id AS "patientId", coalesce(p.center_id, o.center_id) AS "centerId", about.pass
      FROM operation o CROSS JOIN LATERAL (
        SELECT q.patient_id, q.pass FROM query q WHERE q.id = o.entity_id AND q.project_id = o.project_id
        UNION ALL
        SELECT (r.body -> 'place' ->> 'patientId')::uuid, (r.body -> 'place' ->> 'pass')::smallint FROM operation r
          WHERE r.entity_id = o.entity_id AND r.project_id = o.project_id AND ${RAISE_WAITS}
        LIMIT 1) about
      LEFT JOIN patient p ON p.id = about.patient_id
      WHERE o.entity_id = $1 AND o.project_id = $2 AND o.call IN ('query.raise', 'query.act') AND o.outcome IN ('held', 'inbox')
        AND o.body -> 'files' @> $3::jsonb AND (o.call = 'query.raise' OR (o.body ->> 'patientId')::uuid = about.patient_id)
      ORDER BY o.received_at LIMIT 1`,
    values,
  })
  return waiting.rows[0] === undefined ? null : asNamed(waiting.rows[0], fileId)
}

function asNamed({ files, author, centerId, ...found }: Found, fileId: string): NamedInQuery | null {
  const reference = files.find(({ id }) => id === fileId)
  return reference === undefined || author === null || centerId === null
    ? null
    : { ...found, reference, author, centerId }
}

/**
 * Whether a member who has not said it may bring a file for its author: whoever sees the query. One that is not there
 * yet is seen by those who review alone, as it may be a candidate.
 *
 * @throws ApiFailure not_found, forbidden
 */
export async function requireSightOfQuery(
  connection: Queryable,
  member: Membership,
  { queryId, patientId, centerId, pass }: Pick<QueryAttachment, 'queryId' | 'patientId' | 'centerId' | 'pass'>,
): Promise<void> {
  const there = await connection.query<{ seen: boolean }>({
    name: 'query_seen',
    text: `SELECT ${QUERY_VISIBLE} AS seen FROM query q JOIN patient p ON p.id = q.patient_id WHERE q.id = $7`,
    values: [...queriesVisibleTo(member), queryId],
  })
  const [query] = there.rows
  if (query !== undefined) {
    if (!query.seen) throw fail('not_found')
    return
  }
  if (!reviewsQueries(queryRightsOf(member.permissions))) throw fail('not_found')
  const own = passParameter(member)
  if (centerId === null || !seesCenter(member, centerId) || (own !== null && pass !== null && own !== pass))
    throw fail('forbidden')
  if (seesAllPatients(member) && (await projectOfPatient(connection, patientId)) === null) return
  await requirePatient(connection, member, patientId)
}

/** What a query is about, and in which version it was asked. */
interface AboutQuery extends Pick<QueryPlace, 'pageId' | 'pass' | 'table' | 'rid' | 'code'> {
  readonly patientId: string
  readonly centerId: string | null
  readonly entryId: string | null
  readonly versionId: string | null
  /** Whether the site was asked; null while the query is not there. */
  readonly wasAsked: boolean | null
}

/** What the query of a file is about; while the query waits, what it says itself. */
async function aboutQuery(connection: Queryable, projectId: string, queryId: string): Promise<AboutQuery | null> {
  const there = await connection.query<AboutQuery>({
    name: 'query_file_about',
    text: `
      SELECT q.patient_id AS "patientId", p.center_id AS "centerId", q.entry_id AS "entryId", q.page_id AS "pageId", q.pass,
        q.version_id AS "versionId", q.table_prop AS "table", q.rid, q.prop AS code, q.asked_at IS NOT NULL AS "wasAsked"
      FROM query q JOIN patient p ON p.id = q.patient_id WHERE q.id = $1 AND q.project_id = $2`,
    values: [queryId, projectId],
  })
  if (there.rows[0] !== undefined) return there.rows[0]
  const waiting = await connection.query<{
    place: QueryPlace
    centerId: string | null
    versionId: string | null
  }>({
    name: 'query_file_about_waiting',
    text: `
      SELECT r.body -> 'place' AS place, coalesce(p.center_id, r.center_id) AS "centerId", r.crf_version_id AS "versionId"
      FROM operation r LEFT JOIN patient p ON p.id = (r.body -> 'place' ->> 'patientId')::uuid
      WHERE r.entity_id = $1 AND r.project_id = $2 AND ${RAISE_WAITS} LIMIT 1`,
    values: [queryId, projectId],
  })
  const [raise] = waiting.rows
  return raise === undefined ? null : { ...raise.place, ...raise, entryId: entryOfQuery(raise.place), wasAsked: null }
}

/** What is booked of a file of a query: the audit row at what the query is about, and who is told. */
export async function bookingOf(
  transaction: Queryable,
  { projectId, queryId, id, name, type, size, hash, problem, ...row }: QueryAttachment,
  action: 'query.fileStore' | 'query.fileRefuse' | 'query.fileView',
): Promise<{ readonly audit: NewAuditRow; readonly changes: readonly NewChange[] }> {
  const about = await aboutQuery(transaction, projectId, queryId)
  const centerId = about?.centerId ?? row.centerId
  const pass = about?.pass ?? null
  const { entryId = null, versionId = null, table = null, rid = null, code = null } = about ?? {}
  const isView = action === 'query.fileView'
  return {
    audit: {
      action,
      centerId,
      patientId: row.patientId,
      entryId,
      pass,
      versionId,
      table,
      rid,
      prop: code,
      new: isView ? { id, name, hash } : { id, name, type, size, hash, problem },
    },
    // Of a candidate the tablets of a site learn nothing, not even that something has changed.
    changes: isView || about?.wasAsked !== true ? [] : [{ kind: 'query', rowId: queryId, centerId, pass }],
  }
}

/**
 * A file of a query that the reader may see. What waits for a decision is seen by who said it and by those who decide.
 *
 * @throws ApiFailure not_found, also where the query is about a field that is masked for the reader
 */
export async function readableQueryFile(
  connection: Queryable,
  member: Membership,
  id: string,
): Promise<QueryAttachment> {
  const there = await connection.query<QueryAttachment & { readonly isSaid: boolean }>({
    name: 'query_file_readable',
    text: `
      SELECT ${ATTACHMENT}, EXISTS (
        SELECT FROM query_act said WHERE said.query_id = q.id AND said.files @> jsonb_build_array(jsonb_build_object('id', a.id))) AS "isSaid"
      FROM attachment a JOIN query q ON q.id = a.query_id JOIN patient p ON p.id = q.patient_id
      WHERE ${QUERY_VISIBLE} AND a.id = $7`,
    values: [...queriesVisibleTo(member), id],
  })
  const row = there.rows[0] ?? (await waitingFile(connection, member, id))
  if (row === null) throw fail('not_found')
  if (!row.isSaid && row.author !== member.userId && !member.permissions.has('data_review')) throw fail('not_found')
  const about = await aboutQuery(connection, member.projectId, row.queryId)
  if (about === null) throw fail('not_found')
  if (!member.sensitive && about.pageId !== null) {
    const masks = await pageMasks(connection, member.projectId, [about.pageId])
    if (isAboutMasked(masks.get(about.pageId) ?? new Set(), about)) throw fail('not_found')
  }
  return row
}

/** A file of a query that is not there yet. */
async function waitingFile(connection: Queryable, member: Membership, id: string) {
  const { rows } = await connection.query<QueryAttachment & { readonly isSaid: boolean }>({
    name: 'query_file_readable_waiting',
    text: `
      SELECT ${ATTACHMENT}, false AS "isSaid" FROM attachment a JOIN patient p ON p.id = a.patient_id
      WHERE ${PATIENT_VISIBLE} AND ($4::smallint IS NULL OR a.pass IS NULL OR a.pass = $4) AND a.id = $5
        AND NOT EXISTS (SELECT FROM query q WHERE q.id = a.query_id)`,
    values: [...visibleTo(member), passParameter(member), id],
  })
  return rows[0] ?? null
}
