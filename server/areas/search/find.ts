import type { FoundSubject } from '#core/api/calls/data/search.ts'
import { columnsOfField } from '#core/dataset/itemColumns.ts'
import type { CellValue } from '#core/dataset/table.ts'
import type { AnswerField, Condition } from '#core/dataset/conditions.ts'
import type { JsonValue } from '#core/json.ts'
import type { Language } from '#core/language.ts'
import type { MissingReason } from '#core/sync/entryChange.ts'
import { passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { fieldAt } from '#server/areas/entry/reading/pages.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { Binder, ROW_ORDER, answerSql, isSaidSql, rowsSql } from './answerSql.ts'
import type { KnownField } from './answerSql.ts'
import { knowCondition, knowFields, releasedPages } from './searchFields.ts'
import { ENTRY_ORDER, searchSql } from './searchSql.ts'
import { findCondition } from './store.ts'

/** Subjects that meet a condition, among those that the reader may see. */

/** Totals are counted up to here. */
const MAX_COUNT = 10_000

/** The pass whose answers a search judges: of who compares both passes the first, which is the study's. */
export function passOf(member: Membership): 1 | 2 {
  return passParameter(member) ?? 1
}

interface Where {
  readonly binder: Binder
  /** SQL over a subject `p`. */
  readonly holds: string
}

async function whereOf(connection: Queryable, member: Membership, condition: Condition): Promise<Where> {
  const fields = await knowCondition(connection, member, condition)
  const binder = new Binder(visibleTo(member))
  const met = searchSql(condition, { project: '$1', pass: passOf(member), fields }, binder)
  return { binder, holds: `${PATIENT_VISIBLE} AND NOT p.deleted AND ${met}` }
}

/** How many subjects meet a condition, of how many that the reader sees. */
export async function countSubjects(
  connection: Queryable,
  member: Membership,
  condition: Condition,
): Promise<{ count: number; all: number }> {
  const { binder, holds } = await whereOf(connection, member, condition)
  const { rows } = await connection.query<{ count: number }>(
    binder.statement(`SELECT count(*)::integer AS count FROM patient p WHERE ${holds}`),
  )
  const { rows: visible } = await connection.query<{ count: number }>({
    name: 'search_all',
    text: `SELECT count(*)::integer AS count FROM patient p WHERE ${PATIENT_VISIBLE} AND NOT p.deleted`,
    values: [...visibleTo(member)],
  })
  return { count: rows[0]?.count ?? 0, all: visible[0]?.count ?? 0 }
}

const IN_ORDER = 'ORDER BY c.code, p.no IS NULL, p.no_seq, p.no, p.id'

/** Ids of all subjects that meet a condition, in the order of their list. */
export async function allSubjects(
  connection: Queryable,
  member: Membership,
  condition: Condition,
): Promise<readonly string[]> {
  const { binder, holds } = await whereOf(connection, member, condition)
  const { rows } = await connection.query<{ id: string }>(
    binder.statement(`SELECT p.id FROM patient p JOIN center c ON c.id = p.center_id WHERE ${holds} ${IN_ORDER}`),
  )
  return rows.map(({ id }) => id)
}

/**
 * Ids of all subjects whom a kept search finds, for a list that is narrowed down to them.
 *
 * @throws ApiFailure forbidden, not_found as `findCondition`; forbidden for a field that is masked for the reader
 */
export async function subjectsOfSearch(
  connection: Queryable,
  member: Membership,
  searchId: string,
): Promise<readonly string[]> {
  return allSubjects(connection, member, await findCondition(connection, member, searchId))
}

/** One page of the subjects that meet a condition. */
export async function pageOfSubjects(
  connection: Queryable,
  member: Membership,
  condition: Condition,
  { current, size }: { readonly current: number; readonly size: number },
): Promise<{ readonly ids: readonly string[]; readonly total: number; readonly totalIsLeast: boolean }> {
  const { binder, holds } = await whereOf(connection, member, condition)
  const counted = await connection.query<{ total: number }>(
    binder.statement(
      `SELECT count(*)::integer AS total FROM (SELECT FROM patient p WHERE ${holds} LIMIT ${MAX_COUNT + 1}) AS counted`,
    ),
  )
  const limit = `LIMIT ${binder.bind(size, 'integer')} OFFSET ${binder.bind((current - 1) * size, 'integer')}`
  const { rows } = await connection.query<{ id: string }>(
    binder.statement(
      `SELECT p.id FROM patient p JOIN center c ON c.id = p.center_id WHERE ${holds} ${IN_ORDER} ${limit}`,
    ),
  )
  const total = counted.rows[0]?.total ?? 0
  return { ids: rows.map(({ id }) => id), total: Math.min(total, MAX_COUNT), totalIsLeast: total > MAX_COUNT }
}

/**
 * Subjects in the order of the ids, with their last answers in fields. Those that the reader does not see are left out.
 *
 * @throws ApiFailure forbidden for a field that is masked for the reader; invalid for one that is not there
 */
export async function loadSubjects(
  connection: Queryable,
  member: Membership,
  ids: readonly string[],
  { show, language }: { readonly show: readonly AnswerField[]; readonly language: Language },
): Promise<FoundSubject[]> {
  const { rows } = await connection.query<Omit<FoundSubject, 'answers'>>({
    name: 'search_subjects',
    text: `
      SELECT p.id, p.no, p.mark, p.initials, p.center_id AS "centerId", c.name AS "centerName", p.sex, p.enrolled_on AS "enrolledOn"
      FROM patient p JOIN center c ON c.id = p.center_id WHERE ${PATIENT_VISIBLE} AND p.id = ANY ($4)`,
    values: [...visibleTo(member), ids],
  })
  const answers = await lastAnswers(connection, member, ids, { show, language })
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = found.get(id)
    return row === undefined ? [] : [{ ...row, answers: answers.map((of) => of.get(id) ?? null) }]
  })
}

type Answers = ReadonlyMap<string, CellValue>

async function lastAnswers(
  connection: Queryable,
  member: Membership,
  ids: readonly string[],
  { show, language }: { readonly show: readonly AnswerField[]; readonly language: Language },
): Promise<readonly Answers[]> {
  if (show.length === 0) return []
  const known = await knowFields(connection, member, show, 'body.show')
  const pages = await releasedPages(
    connection,
    member.projectId,
    show.map(({ pageId }) => pageId),
  )
  const all: Answers[] = []
  for (const field of show) {
    const { pageId, table, code, part } = field
    const found = pages
      .get(pageId)
      ?.models.map((page) => fieldAt(page, table, code))
      .find((one) => one !== null)
    const columns =
      found === undefined || found === null
        ? []
        : columnsOfField(found, { pageId, table, code }, { language, values: 'labels', reasons: false })
    const column = columns[part === 'end' ? 1 : 0]
    const stored = await lastStored(connection, member, ids, known.of(field))
    all.push(new Map(stored.map(({ id, value, missing }) => [id, column?.read({ value, missing }) ?? null])))
  }
  return all
}

interface StoredAnswer {
  readonly id: string
  readonly value: JsonValue
  readonly missing: MissingReason | null
}

async function lastStored(
  connection: Queryable,
  member: Membership,
  ids: readonly string[],
  field: KnownField,
): Promise<readonly StoredAnswer[]> {
  const binder = new Binder([member.projectId, ids, field.pageId, passOf(member)])
  const answer = answerSql(field, binder)
  const whole = answerSql({ ...field, part: null }, binder)
  const rows = field.table === null ? '' : rowsSql(binder.bind(field.table, 'text'))
  const order = [...ENTRY_ORDER, ...(field.table === null ? [] : ROW_ORDER)].map((one) => `${one} DESC`)
  const found = await connection.query<StoredAnswer>(
    binder.statement(`SELECT DISTINCT ON (e.patient_id) e.patient_id AS id, coalesce(${whole.value}, 'null'::jsonb) AS value, ${whole.missing} AS missing
     FROM entry e LEFT JOIN crf_folder f ON f.version_id = e.version_id AND f.folder_id = e.folder_id ${rows}
     WHERE e.project_id = $1 AND e.patient_id = ANY ($2) AND e.page_id = $3 AND e.pass = $4 AND NOT e.deleted AND e.status <> 'init'
       AND NOT ${answer.hidden} AND ${isSaidSql(answer)}
     ORDER BY e.patient_id, ${order.join(', ')}`),
  )
  return found.rows
}
