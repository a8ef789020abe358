import { useLiveQuery } from 'dexie-react-hooks'
import { use, useMemo, useRef } from 'react'
import { ok } from '#core/result.ts'
import type { Download, ScopeView } from '#src/data/shapes/scopeTypes.ts'
import type {
  AttentionView,
  ConflictView,
  EnteredView,
  Loadable,
  OutboxView,
  ReceiptView,
  ServerConflict,
  SyncState,
  UnsentCount,
  UnsentWork,
} from '#src/data/shapes/types.ts'

import { DeviceContext } from './useDevice.ts'
import { useReading, useSharedReading, useStayingReading } from './useReading.ts'

/** Scopes of a project that this device keeps or could keep. */
export function useScopes(projectId: string): Loadable<readonly ScopeView[]> {
  return useReading(['scopes', 'rows'], `scopes ${projectId}`, (device) => device.scopes(projectId))
}

/**
 * The download that runs, one scope at a time; null where none runs. Its figures stand in one unencrypted row and are
 * shown one by one, so it is a live query; lists and counters are readings (docs/adr/0043-live-lists-and-counters.md).
 */
export function useDownload(): Download | null {
  const device = use(DeviceContext)
  const read = useLiveQuery(async () => (device === null ? null : device.download()), [device])
  return read?.ok === true ? read.value : null
}

/**
 * The same, where a screen shows only which scopes are kept: nothing is counted for it, and it is read once for all
 * places that show it.
 */
export function useKeeping(projectId: string | null): Loadable<readonly ScopeView[]> {
  return useStayingReading(
    projectId === null
      ? null
      : { tables: ['scopes', 'rows/center'], key: `keeping ${projectId}`, read: (device) => device.keeping(projectId) },
  )
}

/** Connection and sync, for the top of every screen. */
export function useSyncState(): Loadable<SyncState> {
  const sync = useSharedReading(['outbox', 'receipts', 'state'], 'sync', (device) => device.syncState())
  const unsent = useUnsent()
  const state = sync.state === 'ready' ? sync.value : null
  const both = useMemo(() => (state === null || unsent === null ? null : { ...state, ...unsent }), [state, unsent])
  if (sync.state !== 'ready') return sync
  return both === null ? { state: 'loading' } : { ...sync, value: both }
}

/** Separate from the rest of the state: it is the fastest to read and the most looked at. */
function useUnsent(): UnsentCount | null {
  const counted = useSharedReading(['outbox', 'files'], 'unsent', (device) => device.unsent())
  return counted.state === 'ready' ? counted.value : null
}

/** Operations not yet acknowledged, oldest first. */
export function useOutbox(): Loadable<readonly OutboxView[]> {
  return useReading(['outbox', 'state'], 'outbox', (device) => device.outbox())
}

/**
 * A project's unsent work, oldest first.
 *
 * @param isDue whether the screen wants it already
 */
export function useUnsentWork(projectId: string, isDue: boolean): Loadable<UnsentWork> {
  return useReading(['outbox', 'state'], isDue ? `unsent ${projectId}` : null, (device) => device.unsentWork(projectId))
}

/** What the server has acknowledged, newest first. */
export function useReceipts(): Loadable<readonly ReceiptView[]> {
  return useReading(['receipts'], 'receipts', (device) => device.receipts())
}

/**
 * What needs a person: refused operations, what went to the inbox or came back from it, conflicts.
 *
 * @param isDue whether the screen wants it already
 */
export function useAttention(isDue = true): Loadable<readonly AttentionView[]> {
  return useReading(['outbox', 'receipts', 'rows'], isDue ? 'attention' : null, (device) => device.attention())
}

/** Open conflicts of centers that this device does not keep. */
export function useServerConflicts(): Loadable<readonly ServerConflict[]> {
  return useReading(['scopes'], 'serverConflicts', (device) => device.serverConflicts())
}

/**
 * A conflict, with both values and what stands now; after it the others of its page that wait for a decision. One that
 * is decided meanwhile stays.
 */
export function useConflictsOfPage(
  projectId: string,
  entryId: string,
  conflictId: string,
): Loadable<readonly ConflictView[]> {
  const shown = useRef<readonly string[]>([])
  return useReading(
    ['rows', 'scopes', 'outbox', 'receipts'],
    `conflicts ${projectId} ${entryId} ${conflictId}`,
    async (device) => {
      const asked = await device.conflict(projectId, entryId, conflictId)
      if (!asked.ok) return asked
      const attention = await device.attention()
      const open = (attention.ok ? attention.value : []).flatMap(({ conflict }) =>
        conflict?.entryId === entryId ? [conflict.id] : [],
      )
      const others = [...new Set([...shown.current, ...open])].filter((id) => id !== conflictId)
      shown.current = others
      const read = await Promise.all(others.map((id) => device.conflict(projectId, entryId, id)))
      return ok([asked.value, ...read.flatMap((one) => (one.ok ? [one.value] : []))])
    },
  )
}

/** What was entered in an operation. */
export function useEntered(opKey: string): Loadable<EnteredView> {
  return useReading(['outbox', 'receipts'], `entered ${opKey}`, (device) => device.entered(opKey))
}
