import { fail } from '#core/api/errors.ts'
import { defaultPermissions } from '#core/access/permissions.ts'
import type { PermissionCode, ProjectRole } from '#core/access/permissions.ts'
import type { ProjectStatus } from '#core/study/projectStatus.ts'
import { isTester } from '#core/study/versionLife.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor } from '#server/http/handler.ts'

/**
 * Who may do what in a project. Services read the membership inside their transaction, so that a right that was just
 * withdrawn no longer counts. They put its centers, pass and data scope into their queries.
 */

/** What a user is in a project now. */
export interface Membership {
  readonly projectId: string
  readonly projectStatus: ProjectStatus
  readonly userId: string
  /** Null for a platform administrator. */
  readonly memberId: string | null
  readonly role: ProjectRole
  readonly permissions: ReadonlySet<PermissionCode>
  /** Centers whose data the user may see, disabled ones included. */
  readonly centers: 'all' | readonly string[]
  /** The entry pass that the user writes and sees in double entry. */
  readonly pass: 1 | 2
  /**
   * Within `centers`: `self` only patients that the user enrolled or looks after; `assigned`, of an expert, only
   * patients that are assigned to them.
   */
  readonly dataScope: 'all' | 'center' | 'self' | 'assigned'
  /** Rises whenever the user's rights or view change. */
  readonly rightsRev: number
  /**
   * Rises whenever anybody's rights in the project change. A write that was judged under an older number is judged
   * again.
   */
  readonly projectRights: number
  /** Whether the user may see what identifies a patient. */
  readonly sensitive: boolean
  /** Whether the user tests the project's versions. */
  readonly tests: boolean
}

/**
 * What a user ever was in a project. Late work under a right that is gone is taken in for a decision instead of being
 * refused.
 */
export interface FormerMembership {
  readonly memberId: string
  readonly roles: readonly ProjectRole[]
  /** Every permission code that the user ever held. */
  readonly permissions: ReadonlySet<PermissionCode>
  /** Every center that the user ever had, withdrawn ones included. */
  readonly centers: 'all' | readonly string[]
  readonly passes: readonly number[]
  readonly dataScopes: readonly Membership['dataScope'][]
}

/** Time zone of start and end dates, and of wall-clock times on the wire. */
export const STUDY_TIME_ZONE = 'Asia/Shanghai'

interface ProjectFacts {
  readonly status: ProjectStatus
  readonly is_demo: boolean
  readonly project_rights: number
  /**
   * Whether the user is an administrator now. A long answer checks this again, because they may have lost the role
   * meanwhile.
   */
  readonly acts_as_admin: boolean
}

interface MemberFacts {
  readonly id: string
  readonly role: ProjectRole
  readonly former_roles: readonly ProjectRole[]
  readonly former_passes: readonly number[]
  readonly former_scopes: readonly Membership['dataScope'][]
  readonly type: 'center' | 'project' | 'expert'
  readonly data_scope: 'all' | 'center' | 'self'
  readonly entry_pass: 1 | 2
  readonly crf_approve: 0 | 1
  readonly rights_rev: number
  readonly centers: readonly string[]
  readonly former_centers: readonly string[]
  readonly in_force: boolean
}

/**
 * What the actor is in a project.
 *
 * @throws ApiFailure `not_found` where the actor is not in the project, which also hides whether it exists;
 *   `project_not_started` for members other than administrators while the project is being set up
 */
export async function membership(transaction: Queryable, actor: Actor, projectId: string): Promise<Membership> {
  const { project, member } = await findFacts(transaction, actor.userId, projectId)
  if (project === null || (actor.isDemo && !project.is_demo)) throw fail('not_found')
  // The demo gives this right to an account of its own, so that it can set itself up.
  if (actor.isAdmin && (project.acts_as_admin || actor.isDemo)) return administrator(actor.userId, projectId, project)
  if (member === null || !member.in_force) throw fail('not_found')
  if (project.status === 'start' && member.role !== 'ADMIN') throw fail('project_not_started')
  const permissions = new Set(defaultPermissions(member.role))
  return {
    projectId,
    projectStatus: project.status,
    userId: actor.userId,
    memberId: member.id,
    role: member.role,
    permissions,
    centers: member.data_scope === 'all' ? 'all' : member.centers,
    pass: member.entry_pass,
    dataScope: scopeOf(member),
    rightsRev: member.rights_rev,
    projectRights: project.project_rights,
    sensitive: permissions.has('patient_sensitive'),
    tests: isTester(member.role, member.crf_approve),
  }
}

/** @throws ApiFailure `forbidden` without the code */
export function requirePermission(member: Pick<Membership, 'permissions'>, code: PermissionCode): void {
  if (!member.permissions.has(code)) throw fail('forbidden')
}

/** @throws ApiFailure `forbidden` without any of the codes */
export function requireAnyPermission(member: Pick<Membership, 'permissions'>, codes: readonly PermissionCode[]): void {
  if (!codes.some((code) => member.permissions.has(code))) throw fail('forbidden')
}

/** Whether the member may see a center's data. */
export function seesCenter(member: Pick<Membership, 'centers'>, centerId: string): boolean {
  return member.centers === 'all' || member.centers.includes(centerId)
}

/** The centers as a parameter of `center_id = ANY ($n) OR $n IS NULL`: null stands for all. */
export function centerParameter(member: Pick<Membership, 'centers'>): readonly string[] | null {
  return member.centers === 'all' ? null : member.centers
}

/** Whether the member may see all patients of their centers. */
export function seesAllPatients({ dataScope }: Pick<Membership, 'dataScope'>): boolean {
  return dataScope === 'all' || dataScope === 'center'
}

/**
 * The parameter of `isTheirs`: null where the member may see all patients of their centers. Otherwise the member, and
 * for data scope `self` also the user, whose enrolments count too.
 */
export function ownParameter({
  dataScope,
  memberId,
  userId,
}: Pick<Membership, 'dataScope' | 'memberId' | 'userId'>): readonly (string | null)[] | null {
  if (dataScope === 'all' || dataScope === 'center') return null
  return [memberId, dataScope === 'self' ? userId : null]
}

/**
 * SQL: whether the reader may see a patient, within their centers.
 *
 * @param patient alias of the row
 * @param own as `$3`, of `ownParameter`
 */
export function isTheirs(patient: string, own: string): string {
  return `(${own}::uuid[] IS NULL OR ${patient}.created_by = (${own}::uuid[])[2] OR EXISTS (
    SELECT FROM patient_member pm WHERE pm.patient_id = ${patient}.id AND pm.member_id = (${own}::uuid[])[1] AND NOT pm.removed))`
}

/**
 * The entry pass as a parameter: null stands for both passes, for those who review both. Everybody else sees their
 * own.
 */
export function passParameter(member: Membership): 1 | 2 | null {
  return member.permissions.has('double_merge') ? null : member.pass
}

/** What a user ever was in a project; null where they never were in it. */
export async function formerMembership(
  transaction: Queryable,
  userId: string,
  projectId: string,
): Promise<FormerMembership | null> {
  const { member } = await findFacts(transaction, userId, projectId)
  if (member === null) return null
  const roles = [...new Set([member.role, ...member.former_roles])]
  const dataScopes = [scopeOf(member), ...member.former_scopes]
  return {
    memberId: member.id,
    roles,
    permissions: new Set(roles.flatMap((role) => defaultPermissions(role))),
    centers: member.data_scope === 'all' || dataScopes.includes('all') ? 'all' : member.former_centers,
    passes: [member.entry_pass, ...member.former_passes],
    dataScopes,
  }
}

function administrator(userId: string, projectId: string, project: ProjectFacts): Membership {
  const permissions = new Set(defaultPermissions('ADMIN'))
  return {
    projectId,
    projectStatus: project.status,
    userId,
    memberId: null,
    role: 'ADMIN',
    permissions,
    centers: 'all',
    pass: 1,
    dataScope: 'all',
    rightsRev: 1,
    projectRights: project.project_rights,
    sensitive: permissions.has('patient_sensitive'),
    tests: false,
  }
}

/** An expert sees the patients that are assigned to them, whatever their centers. */
function scopeOf({ type, data_scope: scope }: Pick<MemberFacts, 'type' | 'data_scope'>): Membership['dataScope'] {
  return type === 'expert' ? 'assigned' : scope
}

interface Facts {
  /** Null where the project does not exist or is deleted. */
  readonly project: ProjectFacts | null
  readonly member: MemberFacts | null
}

/** One statement for both, because every call of a person begins with it. */
async function findFacts(transaction: Queryable, userId: string, projectId: string): Promise<Facts> {
  const { rows } = await transaction.query<
    ProjectFacts & Omit<MemberFacts, 'id'> & { readonly deleted: boolean; readonly id: string | null }
  >({
    name: 'access_facts',
    text: `
      SELECT
        p.status, p.is_demo, p.deleted, p.rights_rev AS project_rights,
        EXISTS (SELECT FROM app_user u WHERE u.id = $2 AND u.status = 'active' AND u.is_admin) AS acts_as_admin, m.id, m.role, m.former_roles, m.former_passes, m.former_scopes,
        m.type, m.data_scope, m.entry_pass, m.crf_approve, m.rights_rev,
        coalesce(array_agg(c.center_id::text ORDER BY c.center_id) FILTER (WHERE NOT c.removed), '{}') AS centers,
        coalesce(array_agg(c.center_id::text ORDER BY c.center_id) FILTER (WHERE c.center_id IS NOT NULL), '{}') AS former_centers,
        coalesce(${MEMBER_IN_FORCE}, false) AND EXISTS (SELECT FROM app_user u WHERE u.id = $2 AND u.status = 'active') AS in_force
      FROM project p LEFT JOIN member m ON m.project_id = p.id AND m.user_id = $2 LEFT JOIN member_center c ON c.member_id = m.id
      WHERE p.id = $1
      GROUP BY p.id, m.id`,
    values: [projectId, userId],
  })
  const [found] = rows
  if (found === undefined) return { project: null, member: null }
  const { id } = found
  return { project: found.deleted ? null : found, member: id === null ? null : { ...found, id } }
}

/** SQL over `member m`: whether the membership counts today. */
export const MEMBER_IN_FORCE = `(
  NOT m.removed AND m.status = 'active'
  AND (m.start_dt IS NULL OR m.start_dt <= (now() AT TIME ZONE '${STUDY_TIME_ZONE}')::date)
  AND (m.end_dt IS NULL OR m.end_dt >= (now() AT TIME ZONE '${STUDY_TIME_ZONE}')::date))`
