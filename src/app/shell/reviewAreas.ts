import type { PermissionCode } from '#core/access/permissions.ts'
import type { ProjectRow } from '#core/sync/rows.ts'

/** Parts of a project's data management, in the order of the menu. */
export type ReviewArea = 'inbox' | 'devices'

const opens: Readonly<Record<ReviewArea, PermissionCode>> = { inbox: 'data_review', devices: 'device_manage' }

/** The parts that a user of the project may enter. */
export function reviewAreas({ permissions }: ProjectRow): readonly ReviewArea[] {
  return (['inbox', 'devices'] as const).filter((area) => permissions.includes(opens[area]))
}
