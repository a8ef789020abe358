import { useLiveQuery } from 'dexie-react-hooks'
import { use, useMemo, useState } from 'react'

import type { AttentionView, Loadable, OutboxView, ReceiptView, ScopeView, SyncState, UnsentCount } from './types.ts'
import { DeviceContext } from './useDevice.ts'
import { useReading } from './useReading.ts'

/** Scopes that this device keeps or could keep of a project. */
export function useScopes(projectId: string): Loadable<readonly ScopeView[]> {
  return useReading(['scopes', 'rows', 'state'], `scopes ${projectId}`, (device) => device.scopes(projectId))
}

/** Connection and sync, for the top of every screen. */
export function useSyncState(): Loadable<SyncState> {
  const sync = useReading(['outbox', 'receipts', 'state'], 'sync', (device) => device.syncState())
  const unsent = useUnsent()
  const state = sync.state === 'ready' ? sync.value : null
  const both = useMemo(() => (state === null || unsent === null ? null : { ...state, ...unsent }), [state, unsent])
  if (sync.state !== 'ready') return sync
  return both === null ? { state: 'loading' } : { ...sync, value: both }
}

/** Counted from clear columns alone, so Dexie can observe it: it is right within a blink of the write. */
function useUnsent(): UnsentCount | null {
  const device = use(DeviceContext)
  const [shown, setShown] = useState<UnsentCount | null>(null)
  const counted = useLiveQuery(async () => (device === null ? null : device.unsent()), [device])
  // While the storage cannot be read, the last figure is better than none.
  if (counted?.ok === true && counted.value !== shown) setShown(counted.value)
  return counted?.ok === true ? counted.value : shown
}

/** Operations not yet acknowledged, oldest first. */
export function useOutbox(): Loadable<readonly OutboxView[]> {
  return useReading(['outbox', 'state'], 'outbox', (device) => device.outbox())
}

/** What the server has acknowledged, newest first. */
export function useReceipts(): Loadable<readonly ReceiptView[]> {
  return useReading(['receipts'], 'receipts', (device) => device.receipts())
}

/** What needs a person: refused operations, what went to the inbox or is held, conflicts. */
export function useAttention(): Loadable<readonly AttentionView[]> {
  return useReading(['outbox', 'receipts', 'rows'], 'attention', (device) => device.attention())
}
