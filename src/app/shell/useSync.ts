import { useSyncState } from '#src/data/sync.ts'
import type { SyncState } from '#src/data/types.ts'

/** Connection and sync; null until they are known. */
export function useSync(): SyncState | null {
  const sync = useSyncState()
  return sync.state === 'ready' ? sync.value : null
}
