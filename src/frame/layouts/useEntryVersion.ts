import { useVersion } from '#src/data/hooks/projects.ts'
import type { Loadable } from '#src/data/shapes/types.ts'

/**
 * The version that a project's workspace opens with, from this device where it is kept; null while the project has no
 * version to enter data under.
 */
export function useEntryVersion(projectId: string | null): Loadable<string | null> {
  const version = useVersion(projectId)
  if (version.state === 'ready') return { ...version, value: version.value.id }
  return version.state === 'failed' && version.error.code === 'not_found'
    ? { state: 'ready', value: null, stale: false }
    : version
}
