import type { QueryAssignee } from '#core/api/calls/review/query.ts'
import { fail } from '#core/api/errors.ts'
import { defaultPermissions, projectRoles } from '#core/access/permissions.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import { queryRightsOf } from '#core/access/queryRights.ts'
import { canHaveQuery, mayAssign } from '#core/review/query.ts'
import { MEMBER_IN_FORCE } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import type { StoredQuery } from '#server/areas/entry/queries/store.ts'
import { SEES } from '#server/areas/notice/sight.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { QUERY_VISIBLE, queriesVisibleTo } from './rows.ts'

/** To whom queries can be given: members in force who see what a query is about and may do what it waits for. */

/** A query, as far as it decides who can have it. */
type Given = Pick<StoredQuery, 'patientId' | 'pass' | 'source' | 'state' | 'wasAsked' | 'raisedBy'>

interface Candidate {
  readonly id: string
  readonly name: string
  readonly role: ProjectRole
  readonly pass: 1 | 2
  /** Of the patients in question, those that they see. */
  readonly patientIds: readonly string[]
}

/**
 * To whom all of these queries can be given, by role and name.
 *
 * @throws ApiFailure not_found where the reader does not see one of them or may not give it to anybody
 */
export async function listAssignees(
  connection: Queryable,
  member: Membership,
  ids: readonly string[],
): Promise<QueryAssignee[]> {
  const { rows: queries } = await connection.query<Given>({
    name: 'query_to_give',
    text: `
      SELECT q.patient_id AS "patientId", q.pass, q.source, q.state, q.asked_at IS NOT NULL AS "wasAsked", q.raised_by AS "raisedBy"
      FROM query q JOIN patient p ON p.id = q.patient_id WHERE ${QUERY_VISIBLE} AND q.id = ANY ($7)`,
    values: [...queriesVisibleTo(member), ids],
  })
  const rights = queryRightsOf(member.permissions)
  if (queries.length < new Set(ids).size || !queries.every(({ state }) => mayAssign(state, rights)))
    throw fail('not_found')
  const patientIds = [...new Set(queries.map(({ patientId }) => patientId))]
  const people = await findCandidates(connection, member.projectId, patientIds, null)
  return people
    .filter((one) => queries.every((query) => isFit(query, one)))
    .toSorted((a, b) => projectRoles.indexOf(a.role) - projectRoles.indexOf(b.role) || a.name.localeCompare(b.name))
    .map(({ id, name, role }) => ({ id, name, role }))
}

/** Whether somebody can have a query as it is now. */
export async function mayBeGiven(
  transaction: Queryable,
  projectId: string,
  query: Given,
  userId: string,
): Promise<boolean> {
  const [one] = await findCandidates(transaction, projectId, [query.patientId], userId)
  return one !== undefined && isFit(query, one)
}

/** @throws ApiFailure invalid for who never was a member of the project */
export async function requireMember(transaction: Queryable, projectId: string, userId: string): Promise<void> {
  const { rowCount } = await transaction.query({
    name: 'query_assignee_was',
    text: 'SELECT FROM member WHERE project_id = $1 AND user_id = $2',
    values: [projectId, userId],
  })
  if (rowCount === 0) throw fail('invalid', { fields: [{ path: 'body.assignee', code: 'unknown_member' }] })
}

function isFit(query: Given, { id, role, pass, patientIds }: Candidate): boolean {
  const permissions = new Set(defaultPermissions(role))
  return (
    patientIds.includes(query.patientId) &&
    (query.pass === null || query.pass === pass || permissions.has('double_merge')) &&
    canHaveQuery({ ...query, isOwn: query.raisedBy === id }, queryRightsOf(permissions))
  )
}

/** Members in force who see one of the patients; null for all of them. */
async function findCandidates(
  connection: Queryable,
  projectId: string,
  patientIds: readonly string[],
  userId: string | null,
): Promise<readonly Candidate[]> {
  const { rows } = await connection.query<Candidate>({
    name: 'query_assignees',
    text: `
      SELECT m.user_id AS id, u.real_name AS name, m.role, m.entry_pass AS pass, array_agg(p.id::text) AS "patientIds"
      FROM member m JOIN app_user u ON u.id = m.user_id JOIN patient p ON p.id = ANY ($2) AND ${SEES}
      WHERE m.project_id = $1 AND ($3::uuid IS NULL OR m.user_id = $3) AND u.status = 'active' AND ${MEMBER_IN_FORCE}
      GROUP BY m.user_id, u.real_name, m.role, m.entry_pass`,
    values: [projectId, patientIds, userId],
  })
  return rows
}
