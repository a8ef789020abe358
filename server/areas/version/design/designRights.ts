import type { PermissionCode } from '#core/access/permissions.ts'
import { designOf } from '#core/design/design.ts'
import { touchedBy } from '#core/design/touched.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'
import { requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'

/** One right covers rules, another everything else of a design (docs/adr/0030-rules.md). */
export const DESIGN_RIGHTS = ['design_edit', 'rule_edit'] as const satisfies readonly PermissionCode[]

/**
 * Requires that the member may make this change of a definition.
 *
 * @throws ApiFailure `forbidden` where something else was changed too
 */
export function requireRightsTo(
  member: Pick<Membership, 'permissions'>,
  before: readonly FolderRow[],
  after: readonly FolderRow[],
): void {
  // For a member with both rights the kind of change does not matter. Most have both, and reading both states is
  // costly.
  if (DESIGN_RIGHTS.every((code) => member.permissions.has(code))) return
  const touched = touchedBy(designOf(before), designOf(after))
  if (touched.form) requirePermission(member, 'design_edit')
  if (touched.rules) requirePermission(member, 'rule_edit')
}
