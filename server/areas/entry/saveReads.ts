import { membership } from '#server/access.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import { lockEntry, lockPatient, makeEntry, mergedAmong } from '#server/areas/entry/store.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { ActReads } from '#server/operations/standing.ts'
import { waitingBefore } from '#server/operations/standing.ts'

/**
 * What decides about a save, as the database says it. The rules ask in one place and do not know whether a save is
 * taken by itself, which asks for each thing when it comes to it and waits for whoever is writing, or is one of a
 * batch, for which everything was read ahead (`readAhead.ts`).
 */
export interface SaveReads extends ActReads {
  readonly lockPatient: typeof lockPatient
  readonly mergedAmong: typeof mergedAmong
  /** The entry, locked for writing; an empty one where nothing was entered yet. Null where it is another project's. */
  readonly lockOrMake: (transaction: Queryable, entry: Parameters<typeof makeEntry>[1]) => Promise<LockedEntry | null>
  /**
   * To be called before whatever others would be kept waiting for, or the rest of a batch would have to see.
   *
   * @throws NotPlain where the save is one of a batch
   */
  readonly requireAlone: () => void
}

export interface LockedEntry {
  readonly entry: StoredEntry
  /** Whether this very act makes it. */
  readonly made: boolean
  /** Whether it has its row already; one that has not gets it with its first data. */
  readonly hasRow: boolean
}

/** A save of a batch that has to be taken by itself. */
export class NotPlain extends Error {
  constructor() {
    super('not plain')
  }
}

/** As a save asks that is taken by itself. */
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
