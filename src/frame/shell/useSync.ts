import { useSyncState } from '#src/data/hooks/sync.ts'
import type { SyncState } from '#src/data/shapes/types.ts'

/** Connection and sync; null until they are known. */
export function useSync(): SyncState | null {
  const sync = useSyncState()
  return sync.state === 'ready' ? sync.value : null
}
