import type { AttentionView, Loadable, OutboxView, ReceiptView, ScopeView, SyncState } from './types.ts'
import { useReading } from './useReading.ts'

/** Scopes that this device keeps or could keep of a project. */
export function useScopes(projectId: string): Loadable<readonly ScopeView[]> {
  return useReading(['scopes', 'rows', 'state'], `scopes ${projectId}`, (device) => device.scopes(projectId))
}

/** Connection and sync, for the top of every screen. */
export function useSyncState(): Loadable<SyncState> {
  return useReading(['outbox', 'receipts', 'state'], 'sync', (device) => device.syncState())
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
