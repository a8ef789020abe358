import type { DatabaseKey, DatabaseQuestion } from '#core/api/calls/data/database.ts'
import { fail } from '#core/api/errors.ts'
import { isFitting } from '#core/dataset/conditions.ts'
import type { AnswerShape } from '#core/dataset/conditions.ts'
import { passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import { Binder, ROW_ORDER, answerSql, rowsSql, testSql } from '#server/areas/search/answerSql.ts'
import { subjectsOfSearch } from '#server/areas/search/find.ts'
import { knowFields, refuse } from '#server/areas/search/searchFields.ts'
import type { FieldsKnown } from '#server/areas/search/searchFields.ts'
import { ENTRY_ORDER } from '#server/areas/search/searchSql.ts'
import type { Queryable } from '#server/database/transaction.ts'

import type { GridColumn } from './pages.ts'

/** Which rows of a page or a table are meant, in which order: within the reader's centers, pass and data scope. */

/** A row: an entry, and of a table a row in it. */
export interface RowKey {
  readonly entryId: string
  readonly rid: string | null
}

interface Written {
  readonly binder: Binder
  /** From FROM on, to the end of WHERE. */
  readonly from: string
  readonly order: string
}

const KEYS: Readonly<Record<DatabaseKey, readonly string[]>> = {
  subject: ['p.no IS NULL', 'p.no_seq', 'p.no', 'p.id'],
  center: ['ce.name', 'ce.id'],
  visit: ['coalesce(f.sort, 2147483647)', 'e.folder_repeat COLLATE "C"'],
  version: ['v.version_no'],
  status: [`e.status = 'other'`],
  savedAt: ['e.updated_at'],
  savedBy: ['u.real_name', 'u.id'],
}

/** By center, subject and place in the casebook. */
const NATURAL = ['ce.code', ...KEYS.subject, ...ENTRY_ORDER]

/**
 * Writes a question as SQL.
 *
 * @throws ApiFailure forbidden for a filter or an order by what is masked for the reader: it would tell what is there;
 *   invalid for a column that is not there or a test that does not fit it; what `subjectsOfSearch` throws
 */
export async function writeRows(
  connection: Queryable,
  member: Membership,
  question: DatabaseQuestion,
  columns: readonly GridColumn[],
): Promise<Written> {
  const known = await knowAsked(connection, member, question, columns)
  const binder = new Binder(visibleTo(member))
  const { table, centerId, folderId, status, words, searchId } = question
  const subjects = searchId === undefined ? null : await subjectsOfSearch(connection, member, searchId)
  const pass = passParameter(member)
  const where = [
    PATIENT_VISIBLE,
    'NOT p.deleted',
    `e.project_id = $1 AND e.page_id = ${binder.bind(question.pageId, 'uuid')} AND NOT e.deleted AND e.status <> 'init'`,
    ...(pass === null ? [] : [`e.pass = ${binder.bind(pass, 'smallint')}`]),
    ...(centerId === undefined ? [] : [`p.center_id = ${binder.bind(centerId, 'uuid')}`]),
    ...(folderId === undefined ? [] : [`e.folder_id = ${binder.bind(folderId, 'uuid')}`]),
    ...(status === undefined ? [] : [`(e.status = 'other') = ${binder.bind(status === 'submitted', 'boolean')}`]),
    ...(words === undefined || words.trim() === ''
      ? []
      : [`strpos(lower(coalesce(p.no, p.mark)), lower(${binder.bind(words.trim(), 'text')})) > 0`]),
    ...(subjects === null ? [] : [`p.id = ANY (${binder.bind(subjects, 'uuid[]')})`]),
    ...question.filters.map(({ column, test }) => {
      const { field, shape } = known.of(column)
      const answer = answerSql(field, binder)
      return `(NOT ${answer.hidden} AND ${testSql(answer, shape, test, binder)})`
    }),
  ]
  const rows = table === null ? '' : rowsSql(binder.bind(table, 'text'))
  const from = `
    FROM entry e JOIN patient p ON p.id = e.patient_id JOIN center ce ON ce.id = p.center_id
    JOIN crf_version v ON v.id = e.version_id JOIN app_user u ON u.id = e.updated_by
    LEFT JOIN crf_folder f ON f.version_id = e.version_id AND f.folder_id = e.folder_id ${rows}
    WHERE ${where.join('\n AND ')}`
  const natural = table === null ? NATURAL : [...NATURAL, ...ROW_ORDER]
  return { binder, from, order: `ORDER BY ${[...sortOf(question, known, binder), ...natural].join(', ')}` }
}

function sortOf({ sort }: DatabaseQuestion, known: Known, binder: Binder): readonly string[] {
  if (sort === null) return []
  const down = sort.down ? ' DESC' : ''
  if ('key' in sort.by) return KEYS[sort.by.key].map((one) => `${one}${down}`)
  const { field, shape } = known.of(sort.by.column)
  const answer = answerSql(field, binder)
  const value = `CASE WHEN ${answer.hidden} THEN NULL ELSE ${answer.value} END`
  const text = `nullif((${value}) #>> '{}', '') COLLATE "C"`
  // Numbers in their order, and what is no number after them in its own.
  const number = `CASE WHEN jsonb_typeof(${value}) = 'number' THEN (${value})::numeric END`
  const order = shape.kind === 'number' ? [number, text] : [text]
  return order.map((one) => `${one}${down} NULLS LAST`)
}

interface Known {
  of(column: string): { readonly field: GridColumn['column']['field']; readonly shape: AnswerShape }
}

/** Looks up the columns that filters and the order name. */
async function knowAsked(
  connection: Queryable,
  member: Membership,
  { filters, sort }: DatabaseQuestion,
  columns: readonly GridColumn[],
): Promise<Known> {
  const byName = new Map(columns.map(({ column }) => [column.name, column]))
  const find = (name: string, path: string) => {
    const column = byName.get(name)
    if (column === undefined) throw refuse(path, 'unknown')
    if (column.isMasked) throw fail('forbidden')
    return column
  }
  const named = filters.map(({ column }) => find(column, 'body.filters'))
  const sorted = sort !== null && 'column' in sort.by ? [find(sort.by.column, 'body.sort')] : []
  const asked = [...named, ...sorted]
  const fields: FieldsKnown = await knowFields(
    connection,
    member,
    asked.map(({ field }) => field),
    'body.filters',
  )
  const of = (name: string) => {
    const { field } = find(name, 'body.filters')
    return { field, shape: fields.of(field).shape }
  }
  for (const { column, test } of filters)
    if (!isFitting(test, of(column).shape.kind)) throw refuse('body.filters', 'operator')
  return { of }
}

/** Totals are counted up to here. */
const MAX_COUNT = 10_000

/** How many rows there are. */
export async function countRows(
  connection: Queryable,
  { binder, from }: Written,
): Promise<{ readonly total: number; readonly totalIsLeast: boolean }> {
  const { rows } = await connection.query<{ total: number }>(
    binder.statement(`SELECT count(*)::integer AS total FROM (SELECT ${from} LIMIT ${MAX_COUNT + 1}) AS counted`),
  )
  const total = rows[0]?.total ?? 0
  return { total: Math.min(total, MAX_COUNT), totalIsLeast: total > MAX_COUNT }
}

/** The keys of rows in their order. @param part null for all of them */
export async function findRows(
  connection: Queryable,
  { binder, from, order }: Written,
  { table }: DatabaseQuestion,
  part: { readonly offset: number; readonly size: number } | null,
): Promise<readonly RowKey[]> {
  const rid = table === null ? 'NULL' : `r.item ->> '_rid'`
  const limit =
    part === null ? '' : `LIMIT ${binder.bind(part.size, 'integer')} OFFSET ${binder.bind(part.offset, 'integer')}`
  const { rows } = await connection.query<RowKey>(
    binder.statement(`SELECT e.id AS "entryId", ${rid} AS rid ${from} ${order} ${limit}`),
  )
  return rows
}
