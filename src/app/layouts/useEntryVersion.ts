import { useServerQuery } from '#src/app/server.ts'

/** Stands for "the version in use" in an address while the list of versions cannot be had: the device knows which it is. */
const IN_USE = 'current'

/** The first version of a project's list, which its workspace opens with (SPEC §2). */
export function useEntryVersion(
  projectId: string,
): { readonly state: 'loading' } | { readonly state: 'none' } | { readonly state: 'known'; readonly versionId: string } {
  const versions = useServerQuery('version.list', { query: { projectId, current: 1, size: 100 }, projectId })
  switch (versions.state) {
    case 'loading':
      return { state: 'loading' }
    case 'failed':
      return { state: 'known', versionId: IN_USE }
    case 'ready': {
      const [first] = versions.value.records
      return first === undefined ? { state: 'none' } : { state: 'known', versionId: first.id }
    }
  }
}
