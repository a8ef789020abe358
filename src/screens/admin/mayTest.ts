import type { ProjectRole } from '#core/access/permissions.ts'
import { isTester } from '#core/study/versionLife.ts'

/** Whether a role may take part in testing a version (specification §5). */
export function mayTest(role: ProjectRole | null): boolean {
  return isTester(role, 1)
}
