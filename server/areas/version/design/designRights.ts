import type { PermissionCode } from '#core/access/permissions.ts'
import { designOf } from '#core/design/design.ts'
import { touchedBy } from '#core/design/touched.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'
import { requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'

/** Rules are one right, everything else of a design another (docs/adr/0030-rules.md). */
export const DESIGN_RIGHTS = ['design_edit', 'rule_edit'] as const satisfies readonly PermissionCode[]

/**
 * Whether a change of a definition is theirs to make.
 *
 * @throws ApiFailure `forbidden` where something else was changed too
 */
export function requireRightsTo(
  member: Pick<Membership, 'permissions'>,
  before: readonly FolderRow[],
  after: readonly FolderRow[],
): void {
  // Who may do both need not be asked what it was: most may, and reading both states costs.
  if (DESIGN_RIGHTS.every((code) => member.permissions.has(code))) return
  const touched = touchedBy(designOf(before), designOf(after))
  if (touched.form) requirePermission(member, 'design_edit')
  if (touched.rules) requirePermission(member, 'rule_edit')
}
