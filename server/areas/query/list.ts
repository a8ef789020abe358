import type { QueryOf } from '#core/api/call.ts'
import type { QueryCounts, QueryLine, QuerySort, VisitQueries } from '#core/api/calls/review/query.ts'
import type { CallOf } from '#core/api/table.ts'
import { queryRightsOf } from '#core/access/queryRights.ts'
import { waitsForPerson } from '#core/review/query.ts'
import type { Membership } from '#server/access.ts'
import { WHOLE_ROW } from '#core/review/queryThread.ts'
import { subjectsOfSearch } from '#server/areas/search/find.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import { prepare } from '#server/database/prepare.ts'
import type { Leading, Parameter } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { QUERY_VISIBLE, loadQueryRows, queriesVisibleTo } from './rows.ts'

/** Queries for a list: within the reader's project, centers, pass and data scope, and masked. */

type ListQuery = QueryOf<CallOf<'query.list'>>

/** Keys of the fields that identify a person (`fieldKey`), by page. */
type Masks = Readonly<Record<string, readonly string[]>>

interface Question {
  readonly member: Membership
  readonly query: ListQuery
  readonly today: string
  /** What is not searched by its words; null where the reader may see all. */
  readonly masks: Masks | null
  /** Whom the search finds; null where there is none in the question. */
  readonly found: readonly string[] | null
}

const VISIBLE: Leading<Pick<Question, 'member'>> = { count: 6, read: ({ member }) => queriesVisibleTo(member) }

/** Whether a query `q` is about a field of these, or about a row or a table with one, as `isAboutMasked` has it. */
function isMaskedSql(masks: string): string {
  return `EXISTS (
    SELECT FROM jsonb_array_elements_text(${masks} -> q.page_id::text) AS k (key)
    WHERE k.key = concat(q.table_prop || '.', q.prop) OR (q.table_prop IS NULL AND starts_with(k.key, q.prop || '.'))
      OR (q.prop = '${WHOLE_ROW}' AND (k.key = q.table_prop OR starts_with(k.key, q.table_prop || '.'))))`
}

const FROM = 'FROM query q JOIN patient p ON p.id = q.patient_id'

/** Whether a query `q` waits for the reader, as `waitsForPerson` (core/review/query.ts) has it. */
function waitsSql(parameter: Parameter<Pick<Question, 'member'>>): string {
  const rightOf = (of: 'asks' | 'answers' | 'closes' | 'manages') =>
    `${parameter(({ member }) => queryRightsOf(member.permissions)[of])}::boolean`
  const own = `q.raised_by = ${parameter(({ member }) => member.userId)}`
  const manages = rightOf('manages')
  return `CASE q.state
    WHEN 'open' THEN ${rightOf('answers')}
    WHEN 'answered' THEN ${rightOf('closes')} AND (${manages} OR q.source = 'monitor' OR (q.source = 'dataManagement' AND ${own}))
    WHEN 'candidate' THEN ${rightOf('asks')} AND (${manages} OR ${own})
    ELSE false END`
}

/** What the reader asked for. A part of the question that was left out limits nothing. */
function conditionsOf(parameter: Parameter<Question>): string {
  const asked = (column: string, type: string, read: (query: ListQuery) => unknown, compare = '=') => {
    const value = `${parameter(({ query }) => read(query) ?? null)}::${type}`
    return `(${value} IS NULL OR ${column} ${compare} ${type.endsWith('[]') ? `ANY (${value})` : value})`
  }
  const flag = (read: (query: ListQuery) => unknown, condition: string) =>
    `(${parameter(({ query }) => read(query) !== '1')}::boolean OR ${condition})`
  const today = `${parameter((question) => question.today)}::date`
  const words = `${parameter(({ query }) => (query.words === undefined ? null : `%${query.words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`))}::text`
  const found = `${parameter((question) => question.found)}::uuid[]`
  const masks = `${parameter((question) => (question.masks === null ? null : JSON.stringify(question.masks)))}::jsonb`
  return [
    QUERY_VISIBLE,
    // The queries of a removed patient are kept, and wait for nobody.
    'NOT p.deleted',
    asked('q.state', 'text[]', ({ state }) => state),
    asked('q.source', 'text[]', ({ source }) => source),
    asked('p.center_id', 'uuid', ({ centerId }) => centerId),
    asked('q.patient_id', 'uuid', ({ patientId }) => patientId),
    asked('q.folder_id', 'uuid', ({ folderId }) => folderId),
    asked('q.page_id', 'uuid', ({ pageId }) => pageId),
    asked('q.entry_id', 'uuid', ({ entryId }) => entryId),
    // Looked up in a table of its own, and not gone through anew for each query: there may be thousands of both.
    `(${found} IS NULL OR q.patient_id IN (SELECT unnest(${found})))`,
    flag((query) => query.waits, waitsSql(parameter)),
    flag((query) => query.own, `q.raised_by = ${parameter(({ member }) => member.userId)}`),
    flag((query) => query.assigned, `q.assignee = ${parameter(({ member }) => member.userId)}`),
    flag((query) => query.urgent, 'q.urgent'),
    flag((query) => query.overdue, `(q.due_on < ${today} AND q.state IN ('open', 'answered'))`),
    asked(
      `CASE WHEN q.state IN ('open', 'answered') THEN ${today} - q.asked_at::date END`,
      'integer',
      ({ days }) => days,
      '>=',
    ),
    // Of a field that a reader may not see, its words are not searched.
    `(${words} IS NULL OR q.no::text = trim(both '%' FROM ${words}) OR p.no ILIKE ${words} OR (q.text ILIKE ${words} AND (${masks} IS NULL OR NOT ${isMaskedSql(masks)})))`,
  ].join('\n        AND ')
}

const ORDERS: Readonly<Record<QuerySort, string>> = {
  '-no': 'q.no DESC',
  no: 'q.no',
  '-at': 'q.updated_at DESC, q.no DESC',
  at: 'q.updated_at, q.no',
  patient: 'p.no NULLS LAST, p.id, q.no',
  due: 'q.due_on NULLS LAST, q.no',
}

interface Listed {
  readonly id: string
  readonly patientNo: string | null
  readonly patientMark: string
  readonly initials: string | null
}

const listBy = (sort: QuerySort) =>
  prepare<Question>(
    `query_list_${sort}`,
    (parameter) => `
      SELECT q.id, p.no AS "patientNo", p.mark AS "patientMark", p.initials
      ${FROM} WHERE ${conditionsOf(parameter)} ORDER BY ${ORDERS[sort]}
      LIMIT ${parameter(({ query }) => query.size)} OFFSET ${parameter(({ query }) => (query.current - 1) * query.size)}`,
    VISIBLE,
  )

const LISTS = {
  '-no': listBy('-no'),
  no: listBy('no'),
  '-at': listBy('-at'),
  at: listBy('at'),
  patient: listBy('patient'),
  due: listBy('due'),
} satisfies Record<QuerySort, unknown>

/** Totals are counted up to here. */
const MAX_COUNT = 10_000

const COUNT = prepare<Question>(
  'query_list_count',
  (parameter) =>
    `SELECT count(*)::integer AS total FROM (SELECT 1 ${FROM} WHERE ${conditionsOf(parameter)} LIMIT ${MAX_COUNT + 1}) AS counted`,
  VISIBLE,
)

interface Queries {
  readonly lines: readonly QueryLine[]
  readonly total: number
  readonly totalIsLeast: boolean
}

/**
 * One page of the queries that the member may see.
 *
 * @throws ApiFailure forbidden, not_found, invalid for a search that the reader may not use, as `subjectsOfSearch`
 */
export async function listQueries(
  connection: Queryable,
  member: Membership,
  query: ListQuery,
  now: string,
): Promise<Queries> {
  const masks = query.words === undefined || member.sensitive ? null : await masksOfQueries(connection, member)
  const found = query.searchId === undefined ? null : await subjectsOfSearch(connection, member, query.searchId)
  const question = { member, query, today: query.today ?? now.slice(0, 10), masks, found }
  const { rows: listed } = await connection.query<Listed>(LISTS[query.sort](question))
  const { rows: counted } = await connection.query<{ total: number }>(COUNT(question))
  const rows = new Map(
    (
      await loadQueryRows(
        connection,
        member,
        listed.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  )
  const rights = queryRightsOf(member.permissions)
  const lines = listed.flatMap(({ id, ...patient }): readonly QueryLine[] => {
    const row = rows.get(id)
    if (row === undefined) return []
    const isOwn = row.thread[0]?.by === member.userId
    return [{ query: row, ...patient, waits: waitsForPerson({ ...row, isOwn }, rights) }]
  })
  const total = counted[0]?.total ?? 0
  return { lines, total: Math.min(total, MAX_COUNT), totalIsLeast: total > MAX_COUNT }
}

/** The identifying fields of all pages about which anything was asked. */
async function masksOfQueries(connection: Queryable, { projectId }: Membership): Promise<Masks> {
  const { rows } = await connection.query<{ pageId: string }>({
    name: 'query_pages',
    text: 'SELECT DISTINCT page_id AS "pageId" FROM query WHERE project_id = $1 AND prop IS NOT NULL',
    values: [projectId],
  })
  const masks = await pageMasks(
    connection,
    projectId,
    rows.map(({ pageId }) => pageId),
  )
  return Object.fromEntries([...masks].map(([pageId, keys]) => [pageId, [...keys]]))
}

const COUNTS = prepare<Pick<Question, 'member'>>(
  'query_counts',
  (parameter) => `
    SELECT q.state, count(*)::integer AS count, count(*) FILTER (WHERE ${waitsSql(parameter)})::integer AS waiting
    ${FROM} WHERE ${QUERY_VISIBLE} AND NOT p.deleted GROUP BY q.state`,
  VISIBLE,
)

/** How many queries the member sees, by state, and how many wait for them. */
export async function countQueries(connection: Queryable, member: Membership): Promise<QueryCounts> {
  const { rows } = await connection.query<{ state: keyof QueryCounts; count: number; waiting: number }>(
    COUNTS({ member }),
  )
  const counts = { candidate: 0, open: 0, answered: 0, closed: 0, cancelled: 0, waits: 0 }
  for (const { state, count, waiting } of rows) {
    counts[state] = count
    counts.waits += waiting
  }
  return counts
}

/** The most visits of which it is told how many queries wait. */
const MOST_VISITS = 20_000

const BY_VISIT = prepare<Pick<Question, 'member'>>(
  'query_by_visit',
  (parameter) => `
    SELECT q.patient_id AS "patientId", q.folder_id AS "folderId", count(*)::integer AS unsettled,
      count(*) FILTER (WHERE ${waitsSql(parameter)})::integer AS waits
    ${FROM} WHERE ${QUERY_VISIBLE} AND NOT p.deleted AND q.state IN ('candidate', 'open', 'answered')
    GROUP BY q.patient_id, q.folder_id ORDER BY waits DESC, q.patient_id LIMIT ${MOST_VISITS}`,
  VISIBLE,
)

/** How many queries that the member sees wait to be settled, by patient and visit. */
export async function countByVisit(connection: Queryable, member: Membership): Promise<VisitQueries[]> {
  return (await connection.query<VisitQueries>(BY_VISIT({ member }))).rows
}
