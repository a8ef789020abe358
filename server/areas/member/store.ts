import { roleName } from '#core/access/fixedLists.ts'
import { defaultPermissions, projectRoles } from '#core/access/permissions.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import type { MemberDetail } from '#core/api/calls/project.ts'
import type { MemberRow } from '#core/api/sync/rows.ts'
import { MEMBER_IN_FORCE } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Parameter } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** SQL of members and of the accounts from which they are chosen. */

interface MemberRecord {
  readonly id: string
  readonly project_id: string
  readonly user_id: string
  readonly account: string
  readonly real_name: string
  readonly phone: string | null
  readonly role: ProjectRole
  readonly type: MemberDetail['type']
  readonly data_scope: MemberDetail['dataScope']
  readonly entry_pass: 1 | 2
  readonly crf_approve: 0 | 1
  readonly status: MemberDetail['status']
  readonly start_dt: string | null
  readonly end_dt: string | null
  readonly remark: string | null
  readonly last_login_at: string | null
  readonly center_ids: readonly string[]
}

const MEMBER_COLUMNS = `
  m.id, m.project_id, m.user_id, u.account, u.real_name, u.phone, m.role, m.type, m.data_scope, m.entry_pass, m.crf_approve,
  m.status, m.start_dt, m.end_dt, m.remark, u.last_login_at,
  ARRAY (SELECT c.center_id::text FROM member_center c WHERE c.member_id = m.id AND NOT c.removed ORDER BY 1) AS center_ids`

function toDetail(record: MemberRecord): MemberDetail {
  return {
    id: record.id,
    projectId: record.project_id,
    userId: record.user_id,
    account: record.account,
    realName: record.real_name,
    phone: record.phone,
    userRole: record.role,
    userRoleName: roleName(record.role),
    type: record.type,
    dataScope: record.data_scope,
    centerIds: [...record.center_ids],
    entryPass: record.entry_pass,
    crfApprove: record.crf_approve,
    status: record.status,
    lastLoginTime: record.last_login_at,
    startDt: record.start_dt,
    endDt: record.end_dt,
    remark: record.remark,
  }
}

/** A team member as everyone in the project sees them; null where they are removed or of another project. */
export async function loadMemberRow(
  transaction: Queryable,
  member: Membership,
  memberId: string,
): Promise<MemberRow | null> {
  const detail = await loadMember(transaction, memberId)
  if (detail === null || detail.projectId !== member.projectId) return null
  const { id, userId, realName, userRole, userRoleName, status, lastLoginTime } = detail
  return { id, userId, realName, userRole, userRoleName, status, lastLoginTime }
}

/** A member who was not removed. */
export async function loadMember(transaction: Queryable, memberId: string): Promise<MemberDetail | null> {
  const { rows } = await transaction.query<MemberRecord>({
    name: 'member_detail',
    text: `SELECT ${MEMBER_COLUMNS} FROM member m JOIN app_user u ON u.id = m.user_id WHERE m.id = $1 AND NOT m.removed`,
    values: [memberId],
  })
  return rows[0] === undefined ? null : toDetail(rows[0])
}

/** Members of a project in the order in which they came. */
export async function listMembers(
  transaction: Queryable,
  projectId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly MemberDetail[]; readonly total: number }> {
  const { rows } = await transaction.query<MemberRecord & { total: number }>({
    name: 'member_list',
    text: `
      SELECT ${MEMBER_COLUMNS}, count(*) OVER () AS total
      FROM member m JOIN app_user u ON u.id = m.user_id
      WHERE m.project_id = $1 AND NOT m.removed
      ORDER BY m.created_at, m.id LIMIT $2 OFFSET $3`,
    values: [projectId, page.limit, page.offset],
  })
  return { rows: rows.map(toDetail), total: rows[0]?.total ?? 0 }
}

/** The facts of a member that may be changed. */
export type MemberFields = Pick<
  MemberDetail,
  | 'userRole'
  | 'type'
  | 'dataScope'
  | 'centerIds'
  | 'entryPass'
  | 'crfApprove'
  | 'status'
  | 'startDt'
  | 'endDt'
  | 'remark'
>

type NewMember = MemberFields & { readonly id: string; readonly projectId: string; readonly userId: string }

const fieldColumns = <Fields extends MemberFields>(parameter: Parameter<Fields>) =>
  columns<Fields>(parameter, {
    role: ({ userRole }) => userRole,
    type: ({ type }) => type,
    data_scope: ({ dataScope }) => dataScope,
    entry_pass: ({ entryPass }) => entryPass,
    crf_approve: ({ crfApprove }) => crfApprove,
    status: ({ status }) => status,
    start_dt: ({ startDt }) => startDt,
    end_dt: ({ endDt }) => endDt,
    remark: ({ remark }) => remark,
  })

const INSERT = prepare<NewMember>('member_insert', (parameter) => {
  const who = columns<NewMember>(parameter, {
    id: ({ id }) => id,
    project_id: ({ projectId }) => projectId,
    user_id: ({ userId }) => userId,
  })
  const fields = fieldColumns(parameter)
  return `
      INSERT INTO member AS m (${who.names}, ${fields.names}) VALUES (${who.places}, ${fields.places})
      ON CONFLICT (project_id, user_id) DO UPDATE SET
        role = excluded.role, type = excluded.type, data_scope = excluded.data_scope, entry_pass = excluded.entry_pass,
        crf_approve = excluded.crf_approve, status = excluded.status, start_dt = excluded.start_dt, end_dt = excluded.end_dt,
        remark = excluded.remark, removed = false, rights_rev = m.rights_rev + 1,
        ${rememberRights('m')}
      WHERE m.removed
      RETURNING m.id`
})

const UPDATE = prepare<MemberFields & { readonly memberId: string }>('member_update', (parameter) => {
  const fields = fieldColumns(parameter)
  return `
      UPDATE member SET
        ${rememberRights('member')}, (${fields.names}) = ROW (${fields.places}), rights_rev = rights_rev + 1
      WHERE id = ${parameter(({ memberId }) => memberId)}`
})

/** Adds a member, or brings back one who had been removed; null when the user is a member already. */
export async function insertMember(transaction: Queryable, member: NewMember): Promise<string | null> {
  const { rows } = await transaction.query<{ id: string }>(INSERT(member))
  const id = rows[0]?.id ?? null
  if (id !== null) await setCenters(transaction, id, member.centerIds)
  return id
}

export async function updateMember(transaction: Queryable, memberId: string, fields: MemberFields): Promise<void> {
  await transaction.query(UPDATE({ ...fields, memberId }))
  await setCenters(transaction, memberId, fields.centerIds)
}

/** SQL that keeps the former rights of a member before a change, so that the server can judge late work. */
function rememberRights(row: string): string {
  const scope = `CASE WHEN ${row}.type = 'expert' THEN 'assigned' ELSE ${row}.data_scope END`
  const kept = [
    ['former_roles', `${row}.role`],
    ['former_passes', `${row}.entry_pass`],
    ['former_scopes', scope],
  ]
  return kept
    .map(
      ([list = '', held = '']) =>
        `${list} = CASE WHEN (${held}) = ANY (${row}.${list}) THEN ${row}.${list} ELSE ${row}.${list} || (${held}) END`,
    )
    .join(', ')
}

export async function markMemberRemoved(transaction: Queryable, memberId: string): Promise<void> {
  await transaction.query('UPDATE member SET removed = true, rights_rev = rights_rev + 1 WHERE id = $1', [memberId])
}

/** Locks the members and returns their projects, in id order. */
export async function lockMembers(
  transaction: Queryable,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly project_id: string }[]> {
  const { rows } = await transaction.query<{ id: string; project_id: string }>(
    'SELECT id, project_id FROM member WHERE id = ANY ($1) AND NOT removed ORDER BY id FOR UPDATE',
    [ids],
  )
  return rows
}

/** How many of these centers are the project's. */
export async function countCenters(
  transaction: Queryable,
  projectId: string,
  centerIds: readonly string[],
): Promise<number> {
  const { rows } = await transaction.query<{ n: number }>(
    'SELECT count(*) AS n FROM center WHERE project_id = $1 AND id = ANY ($2)',
    [projectId, centerIds],
  )
  return rows[0]?.n ?? 0
}

/** Whether a user may become a member: active, and a demo account exactly when the project is the demo. */
export async function mayJoin(transaction: Queryable, userId: string, projectId: string): Promise<boolean> {
  const { rowCount } = await transaction.query(
    `SELECT FROM app_user u JOIN project p ON p.id = $2
     WHERE u.id = $1 AND u.status = 'active' AND (NOT u.is_demo OR p.is_demo)`,
    [userId, projectId],
  )
  return rowCount === 1
}

/** Active accounts, by name: demo accounts, other accounts, or all. */
export async function listUsers(
  transaction: Queryable,
  which: { readonly demo: boolean; readonly all: boolean },
): Promise<
  readonly { readonly id: string; readonly account: string; readonly realName: string; readonly phone: string | null }[]
> {
  const { rows } = await transaction.query<{ id: string; account: string; realName: string; phone: string | null }>(
    `SELECT id, account, real_name AS "realName", phone FROM app_user
     WHERE status = 'active' AND ($2 OR is_demo = $1) ORDER BY real_name, account`,
    [which.demo, which.all],
  )
  return rows
}

/** Whether a user is a member of any project in a role that may manage a team. */
export async function managesATeam(transaction: Queryable, userId: string): Promise<boolean> {
  const roles = projectRoles.filter((role) => defaultPermissions(role).includes('mem'))
  const { rows } = await transaction.query<{ found: boolean }>(
    `SELECT EXISTS (
       SELECT FROM member m JOIN project p ON p.id = m.project_id AND NOT p.deleted
       WHERE m.user_id = $1 AND m.role = ANY ($2) AND ${MEMBER_IN_FORCE}) AS found`,
    [userId, roles],
  )
  return rows[0]?.found === true
}

/** The one project that these members are in, removed ones included; null when there is none, or more than one. */
export async function projectOfMembers(transaction: Queryable, ids: readonly string[]): Promise<string | null> {
  const { rows } = await transaction.query<{ project_id: string }>(
    'SELECT DISTINCT project_id FROM member WHERE id = ANY ($1)',
    [ids],
  )
  return rows.length === 1 ? (rows[0]?.project_id ?? null) : null
}

/** A withdrawn center stays as a removed row, so that the server can judge late work of its member. */
async function setCenters(transaction: Queryable, memberId: string, centerIds: readonly string[]): Promise<void> {
  await transaction.query(
    'UPDATE member_center SET removed = true WHERE member_id = $1 AND center_id <> ALL ($2) AND NOT removed',
    [memberId, centerIds],
  )
  await transaction.query(
    `INSERT INTO member_center (member_id, center_id) SELECT $1, unnest($2::uuid[])
     ON CONFLICT (member_id, center_id) DO UPDATE SET removed = false`,
    [memberId, centerIds],
  )
}

/** The last day of a membership; null where it has none. */
export async function endOfMember(transaction: Queryable, memberId: string | null): Promise<string | null> {
  if (memberId === null) return null
  const { rows } = await transaction.query<{ endDt: string | null }>(
    'SELECT end_dt AS "endDt" FROM member WHERE id = $1',
    [memberId],
  )
  return rows[0]?.endDt ?? null
}
