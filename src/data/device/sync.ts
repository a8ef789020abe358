import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import { readOutbox, readReceipts, readSyncState, readUnsent, readUnsentWork } from '#src/data/lists/readSync.ts'
import type { DataContext, SyncNow } from '#src/data/rows/context.ts'
import type { Reading } from '#src/data/shapes/reading.ts'
import type { OutboxView, ReceiptView, SyncState, UnsentCount, UnsentWork } from '#src/data/shapes/types.ts'
import { exportUnsent } from '#src/data/writes/rescue.ts'
import type { RescueExport } from '#src/data/writes/rescue.ts'

import type { Typing } from './typing.ts'

/** How far this device and the server are apart. */
export interface SyncData {
  syncState(): Reading<Omit<SyncState, keyof UnsentCount>>
  unsent(): Reading<UnsentCount>
  unsentWork(projectId: string): Reading<UnsentWork>
  outbox(): Reading<readonly OutboxView[]>
  receipts(): Reading<readonly ReceiptView[]>
  /** Sends and fetches now. Resolves when this cycle is over. */
  readonly syncNow: SyncNow
  /** Something was changed at the server by a direct call: whatever was read from the server is read again. */
  readAgain(): void
  /**
   * All unsent work, encrypted to the server's rescue key, as a file to download. It lacks the contents of unsent
   * files; `files` says how many.
   */
  exportUnsent(): Promise<Result<RescueExport, ApiError>>
}

export function makeSyncData(context: DataContext, typing: Typing, syncNow: SyncNow): SyncData {
  return {
    syncState: () => readSyncState(context),
    unsent: () => readUnsent(context),
    unsentWork: (projectId) => readUnsentWork(context, projectId),
    outbox: () => readOutbox(context),
    receipts: () => readReceipts(context),
    syncNow,
    readAgain: () => {
      context.remote.refresh()
      context.kickSync()
    },
    exportUnsent: async () => {
      await typing.placed()
      return exportUnsent(context)
    },
  }
}
