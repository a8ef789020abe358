import type { MemberDetail } from '#core/api/calls/project.ts'
import { fail } from '#core/api/errors.ts'
import { defaultPermissions, projectWork } from '#core/access/permissions.ts'
import type { PermissionCode, ProjectRole } from '#core/access/permissions.ts'
import { seesAllPatients } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import type { MemberFields } from '#server/areas/member/store.ts'

/**
 * What of a membership a member may give, change or withdraw (docs/adr/0034-sessions-and-rights.md). Nobody gives
 * what they do not have, and nobody gives themselves anything. Platform administrators are outside of projects.
 */

/** The rights of a membership, requested or present. */
export type Grant = Omit<MemberFields, 'remark' | 'startDt'> & Partial<Pick<MemberFields, 'startDt' | 'remark'>>

/** Permission codes without a limit to centers: they act on the project as a whole. */
const ofWholeProject: ReadonlySet<PermissionCode> = new Set([
  ...projectWork,
  'project_del',
  'design_edit',
  'rule_edit',
  'dict_edit',
  'sql_view',
  'import',
  'encode',
  'encode_approve',
  'double_merge',
])

/**
 * @param old the rights before; null for a new member
 * @param wanted the requested rights; null for a withdrawal
 * @param until the last day of the giver's own membership; null where it has none
 * @throws ApiFailure `forbidden`
 */
export function requireMayGrant(
  by: Membership,
  until: string | null,
  old: (Grant & Pick<MemberDetail, 'id'>) | null,
  wanted: Grant | null,
): void {
  if (by.memberId === null) return
  if (old !== null && old.id === by.memberId) {
    if (wanted === null || !isSame(old, wanted)) throw fail('forbidden')
    return
  }
  if ((old !== null && !isWithin(by, old)) || (wanted !== null && !isWithin(by, wanted))) throw fail('forbidden')
  // Rights that the member has already are not given anew.
  const given = wanted !== null && (old === null || wanted.endDt !== old.endDt) ? wanted : null
  if (given !== null && until !== null && (given.endDt === null || given.endDt > until)) throw fail('forbidden')
  if (wanted !== null && !isWhole(by)) requireOwnMarks(by, old, wanted)
}

/** Whether a membership reaches no further than the giver's: in role, centers and patients. */
function isWithin(by: Membership, { userRole, type, dataScope, centerIds }: Grant): boolean {
  if (userRole === 'ADMIN' && by.role !== 'ADMIN') return false
  if (isWhole(by)) return true
  const reachesAll = dataScope === 'all' || type === 'project'
  const inCenters = by.centers === 'all' || (!reachesAll && centerIds.every((id) => by.centers.includes(id)))
  return inCenters && (seesAllPatients(by) || dataScope === 'self' || type === 'expert') && actsWithin(by, userRole)
}

/** Whether the role acts on the whole project only in ways in which the giver does too. */
function actsWithin(by: Membership, role: ProjectRole): boolean {
  return defaultPermissions(role).every((code) => !ofWholeProject.has(code) || by.permissions.has(code))
}

/** A member who manages the whole team may also set passes and testers, without having either themselves. */
function isWhole(by: Membership): boolean {
  return by.centers === 'all' && seesAllPatients(by)
}

function requireOwnMarks(by: Membership, old: Grant | null, wanted: Grant): void {
  const otherPass = wanted.entryPass !== (old?.entryPass ?? by.pass) && wanted.entryPass !== by.pass
  const newTester = wanted.crfApprove === 1 && old?.crfApprove !== 1 && !by.tests
  if (otherPass || newTester) throw fail('forbidden')
}

/** Whether the change leaves all rights as they are. */
function isSame(old: Grant, wanted: Grant): boolean {
  const centers = (grant: Grant): string => grant.centerIds.toSorted().join()
  return (
    old.userRole === wanted.userRole &&
    old.type === wanted.type &&
    old.dataScope === wanted.dataScope &&
    centers(old) === centers(wanted) &&
    old.entryPass === wanted.entryPass &&
    old.crfApprove === wanted.crfApprove &&
    old.status === wanted.status &&
    (old.startDt ?? null) === (wanted.startDt ?? null) &&
    old.endDt === wanted.endDt
  )
}
