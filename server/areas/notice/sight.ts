import { defaultPermissions, projectRoles } from '#core/access/permissions.ts'
import type { PermissionCode } from '#core/access/permissions.ts'

/** What notices ask of memberships, as SQL over `member m`: it is told to many people at once. */

/** A pile is counted up to here: a client asks once a minute. */
export const MOST_COUNTED = 1000

/** The roles of which something holds, as a list in SQL: none is typed by a person. */
export function rolesWith(holds: (permissions: ReadonlySet<PermissionCode>) => boolean): string {
  const roles = projectRoles.filter((role) => holds(new Set(defaultPermissions(role))))
  return `('${roles.join("', '")}')`
}

/** SQL: whether a member `m` may see a patient `p`. */
export const SEES = `(
  (m.data_scope = 'all' OR m.type = 'expert' OR EXISTS (
    SELECT FROM member_center c WHERE c.member_id = m.id AND c.center_id = p.center_id AND NOT c.removed))
  AND ((m.type <> 'expert' AND m.data_scope <> 'self') OR (m.type <> 'expert' AND p.created_by = m.user_id) OR EXISTS (
    SELECT FROM patient_member pm WHERE pm.patient_id = p.id AND pm.member_id = m.id AND NOT pm.removed)))`
