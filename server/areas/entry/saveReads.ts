import { membership } from '#server/access.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import { lockEntry, lockPatient, makeEntry, mergedAmong } from '#server/areas/entry/store.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { ActReads } from '#server/operations/standing.ts'
import { waitingBefore } from '#server/operations/standing.ts'

/**
 * The reads from the database that decide about a save. The rules read through this interface, and need not know how
 * the save is taken. A save that is taken alone reads each thing when it needs it, and waits for other writers. For a
 * batch everything was read ahead (`readAhead.ts`).
 */
export interface SaveReads extends ActReads {
  readonly lockPatient: typeof lockPatient
  readonly mergedAmong: typeof mergedAmong
  /** The entry, locked for writing; an empty one where nothing was entered yet. Null where it is another project's. */
  readonly lockOrMake: (transaction: Queryable, entry: Parameters<typeof makeEntry>[1]) => Promise<LockedEntry | null>
  /**
   * Has to be called before anything for which others would have to wait, or which the rest of a batch would have to
   * see.
   *
   * @throws NotPlain where the save is one of a batch
   */
  readonly requireAlone: () => void
}

export interface LockedEntry {
  readonly entry: StoredEntry
  /** Whether this act makes the entry. */
  readonly made: boolean
  /** Whether the entry has its row already. If not, it gets the row with its first data. */
  readonly hasRow: boolean
}

/** A save of a batch that has to be taken by itself. */
export class NotPlain extends Error {
  constructor() {
    super('not plain')
  }
}

/** The reads of a save that is taken alone. */
export const READ_ALONE: SaveReads = {
  membership,
  waitingBefore,
  lockPatient,
  mergedAmong,
  lockOrMake: async (transaction, empty) => {
    const made = await makeEntry(transaction, empty)
    const entry = await lockEntry(transaction, empty.projectId, empty.id)
    return entry === null ? null : { entry, made, hasRow: true }
  },
  requireAlone: () => undefined,
}
