import type { PatientFilter } from '#core/api/calls/patient.ts'
import { fail } from '#core/api/errors.ts'
import type { PatientRow } from '#core/api/sync/rows.ts'
import { pageOf } from '#core/wire/shapes.ts'
import type { Page, Paging } from '#core/wire/shapes.ts'
import { passParameter, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { hasPage, hasRows, requirePage, requireTable } from '#server/areas/entry/reading/onPage.ts'
import { subjectsOfSearch } from '#server/areas/search/find.ts'
import { PATIENT_VISIBLE, loadPatientRows, visibleTo } from '#server/areas/patient/store.ts'
import { prepare } from '#server/database/prepare.ts'
import type { Leading, Parameter } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { ENTRY_TO_DO } from './toDo.ts'

/** Lists of patients: those that the reader may see and that match a filter. */

interface AskedFor {
  readonly member: Membership
  readonly filter: PatientFilter
  /** Whom the search finds; null where there is none in the filter. */
  readonly found: readonly string[] | null
}

type Listing = AskedFor & { readonly current: number; readonly size: number }

/** The parameters that `PATIENT_VISIBLE` numbers itself. */
const READER: Leading<AskedFor> = { count: 3, read: ({ member }) => visibleTo(member) }

function selectPatients(parameter: Parameter<AskedFor>): string {
  const centerId = parameter(({ filter }) => filter.centerId ?? null)
  const number = parameter(({ filter }) => filter.no?.trim() || null)
  const sex = parameter(({ filter }) => filter.sex ?? null)
  const from = parameter(({ filter }) => filter.from ?? null)
  const to = parameter(({ filter }) => filter.to ?? null)
  const pass = parameter(({ member }) => passParameter(member))
  const enroller = parameter(({ member, filter }) => (filter.mine === 'true' ? member.userId : null))
  const expert = parameter(({ filter }) => filter.expertId ?? null)
  const page = parameter(({ filter }) => filter.pageId ?? null)
  const table = parameter(({ filter }) => filter.table ?? null)
  const found = parameter((asked) => asked.found)
  return `${PATIENT_VISIBLE} AND p.deleted = ${parameter(({ filter }) => filter.removed === 'true')}
  AND (${centerId}::uuid IS NULL OR p.center_id = ${centerId})
  AND (${number}::text IS NULL OR strpos(lower(p.no), lower(${number})) > 0
    OR (p.no IS NULL AND strpos(p.mark, upper(${number})) > 0) OR strpos(lower(p.initials), lower(${number})) > 0)
  AND (${sex}::text IS NULL OR p.sex = ${sex})
  AND (${from}::date IS NULL OR p.enrolled_on >= ${from}) AND (${to}::date IS NULL OR p.enrolled_on <= ${to})
  AND (NOT ${parameter(({ filter }) => filter.todo === 'any')} OR EXISTS (
    SELECT FROM entry e WHERE e.patient_id = p.id AND NOT e.deleted AND (${pass}::smallint IS NULL OR e.pass = ${pass}) AND ${ENTRY_TO_DO}))
  AND (${enroller}::uuid IS NULL OR p.created_by = ${enroller} OR EXISTS (
    SELECT FROM patient_member a
    WHERE a.patient_id = p.id AND a.member_id = ${parameter(({ member }) => member.memberId)} AND NOT a.removed))
  AND (${expert}::uuid IS NULL OR EXISTS (
    SELECT FROM patient_member a WHERE a.patient_id = p.id AND a.member_id = ${expert} AND NOT a.removed))
  AND (${page}::uuid IS NULL OR ${hasPage(page, pass)})
  AND (${table}::text IS NULL OR ${hasRows(page, pass, table)})
  AND (${found}::uuid[] IS NULL OR p.id IN (SELECT unnest(${found}::uuid[])))`
}

/** @throws ApiFailure forbidden, not_found for a search that the reader may not use */
async function foundBy(
  transaction: Queryable,
  member: Membership,
  { searchId }: PatientFilter,
): Promise<readonly string[] | null> {
  return searchId === undefined ? null : subjectsOfSearch(transaction, member, searchId)
}

/**
 * @throws ApiFailure forbidden for a list of removed patients without the right to the audit trail, or for a table
 *   that identifies patients without the right to that; not_found for a page or table that the project does not have;
 *   invalid for a table without a page
 */
export async function requireMayAsk(
  transaction: Queryable,
  member: Membership,
  { removed, pageId, table }: PatientFilter,
): Promise<void> {
  if (removed === 'true') requirePermission(member, 'audit_view')
  if (pageId !== undefined) await requirePage(transaction, member, pageId)
  if (table === undefined) return
  if (pageId === undefined) throw fail('invalid', { fields: [{ path: 'query.pageId', code: 'required' }] })
  await requireTable(transaction, member, pageId, table)
}

/** Unnumbered patients first and then by center and number (999 before 1000). */
const IN_ORDER = 'FROM patient p JOIN center c ON c.id = p.center_id'
const ORDER = 'ORDER BY p.no IS NOT NULL, c.code, p.no_seq, p.id'

/** Totals are counted up to here. */
const MAX_COUNT = 10_000

const LIST = prepare<Listing>(
  'patient_list',
  (parameter) =>
    `SELECT p.id ${IN_ORDER} WHERE ${selectPatients(parameter)} ${ORDER} LIMIT ${parameter(({ size }) => size)} OFFSET ${parameter(({ current, size }) => (current - 1) * size)}`,
  READER,
)

const COUNT = prepare<AskedFor>(
  'patient_count',
  (parameter) =>
    `SELECT count(*) AS total FROM (SELECT 1 FROM patient p WHERE ${selectPatients(parameter)} LIMIT ${MAX_COUNT + 1}) AS counted`,
  READER,
)

const LIST_ALL = prepare<AskedFor>(
  'patient_list_all',
  (parameter) => `SELECT p.id ${IN_ORDER} WHERE ${selectPatients(parameter)} ${ORDER}`,
  READER,
)

export interface ListedIds {
  readonly ids: readonly string[]
  readonly total: number
  readonly totalIsLeast: boolean
}

/** Ids of one page of the list, and the total. */
export async function listPatients(
  transaction: Queryable,
  member: Membership,
  filter: PatientFilter,
  { current, size }: { readonly current: number; readonly size: number },
): Promise<ListedIds> {
  const found = await foundBy(transaction, member, filter)
  const page = await transaction.query<{ id: string }>(LIST({ member, filter, found, current, size }))
  const count = await transaction.query<{ total: number }>(COUNT({ member, filter, found }))
  const total = count.rows[0]?.total ?? 0
  return { ids: page.rows.map(({ id }) => id), total: Math.min(total, MAX_COUNT), totalIsLeast: total > MAX_COUNT }
}

/** Ids of the whole list, in its order. */
export async function allListed(
  transaction: Queryable,
  member: Membership,
  filter: PatientFilter,
): Promise<readonly string[]> {
  const { rows } = await transaction.query<{ id: string }>(
    LIST_ALL({ member, filter, found: await foundBy(transaction, member, filter) }),
  )
  return rows.map(({ id }) => id)
}

/**
 * Ids of one page of the patients for whom a condition holds, in the order of the list.
 *
 * @param holds SQL over `p`; its parameters begin at $4
 */
export async function pageOfPatients(
  transaction: Queryable,
  member: Membership,
  what: { readonly name: string; readonly holds: string; readonly values: readonly unknown[] },
  { current, size }: { readonly current: number; readonly size: number },
): Promise<ListedIds> {
  const where = `${PATIENT_VISIBLE} AND NOT p.deleted AND ${what.holds}`
  const values = [...visibleTo(member), ...what.values]
  const after = values.length
  const page = await transaction.query<{ id: string }>({
    name: what.name,
    text: `SELECT p.id ${IN_ORDER} WHERE ${where} ${ORDER} LIMIT $${after + 1} OFFSET $${after + 2}`,
    values: [...values, size, (current - 1) * size],
  })
  const count = await transaction.query<{ total: number }>({
    name: `${what.name}_count`,
    text: `SELECT count(*) AS total FROM (SELECT 1 FROM patient p WHERE ${where} LIMIT ${MAX_COUNT + 1}) AS counted`,
    values,
  })
  const total = count.rows[0]?.total ?? 0
  return { ids: page.rows.map(({ id }) => id), total: Math.min(total, MAX_COUNT), totalIsLeast: total > MAX_COUNT }
}

/**
 * The patients of a page of a list, in its order. `identity` is null without the right to it, or where it is not
 * requested.
 */
export async function patientPage(
  transaction: Queryable,
  member: Membership,
  { ids, total, totalIsLeast }: ListedIds,
  paging: Paging,
  withIdentity = true,
): Promise<Page<PatientRow>> {
  const rows = new Map((await loadPatientRows(transaction, member, ids, withIdentity)).map((row) => [row.id, row]))
  const page = pageOf(
    ids.flatMap((id) => rows.get(id) ?? []),
    total,
    paging,
  )
  return totalIsLeast ? { ...page, totalIsLeast } : page
}
