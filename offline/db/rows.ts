import type { ApiError } from '#core/api/errors.ts'
import type { QueueableCall } from '#core/sync/operation.ts'
import type { Bytes } from '#offline/bytes.ts'

/**
 * Rows of the device's databases. Ids, states, times and sequence numbers are clear, because indexes need them; everything that a
 * person entered or that describes a patient lies in a `Sealed` (docs/adr/0005-keys-and-vault.md).
 */

/** Something encrypted under a scope's key. Only `offline/vault/codec.ts` makes and opens it. */
export interface Sealed {
  readonly keyId: string
  readonly level: SealLevel
  readonly iv: Bytes
  readonly data: Bytes
}

/** Which of a scope's two keys: ordinary rows, or what identifies a patient. */
export type SealLevel = 'data' | 'sensitive'

/**
 * - `queued`: waits to be sent. `sending`: under way, or its answer was lost with the app; its bytes never change again.
 * - `retry`: failed in a way that passes; waits until `nextAt`. `rejected`: refused, a person decides.
 * - `aside`: refused, and taken out of the way by a person or by a newer save that holds what it held.
 */
export type OutboxRowState = 'queued' | 'sending' | 'retry' | 'rejected' | 'aside'

export interface OutboxRow {
  /** Idempotency key. */
  readonly key: string
  /** Place in the device's outbox: the order in which people acted. */
  readonly seq: number
  readonly author: string
  readonly scope: string
  readonly projectId: string
  readonly call: QueueableCall
  /** Patient or entry that it writes. */
  readonly entityId: string
  readonly patientId: string
  readonly state: OutboxRowState
  /** Whether it was ever on its way: then it is never changed or replaced. */
  readonly sent: 0 | 1
  readonly attempts: number
  /** Not before this time (ms since the epoch). */
  readonly nextAt: number
  readonly after: readonly string[]
  readonly actedAt: string
  /** Why it failed last: codes and field paths only, no text. */
  readonly error: ApiError | null
  /** Key of the newer save that took over what it held. */
  readonly supersededBy: string | null
  /** The operation, proof included. */
  readonly op: Sealed
  /** Why a person set it aside. */
  readonly reason: Sealed | null
}

/** One bundle of journalled typing of one entry that is in no outbox row yet. */
export interface DraftRow {
  readonly id: string
  readonly entryId: string
  readonly patientId: string
  readonly author: string
  readonly scope: string
  readonly projectId: string
  readonly versionId: string
  /** The running app that writes it. Another one takes it over only when this one is dead. */
  readonly runtime: string
  readonly order: number
  readonly steps: Sealed
}

export interface ReceiptRow {
  readonly key: string
  readonly scope: string
  readonly projectId: string
  readonly entityId: string
  readonly patientId: string
  readonly call: QueueableCall
  readonly outcome: string
  readonly seq: number
  readonly receivedAt: string
  readonly receipt: Sealed
  /** The operation as it was sent, offered again when a restored server has forgotten it. */
  readonly op: Sealed
}

/** Why a submit that was taken did not make its page submitted. `unknown`: its answer was for somebody else to read. */
export type BounceReason = 'changed' | 'invalid' | 'conflict' | 'unknown'

/** The last submit of an entry, where it did not go through. It stays until a submit does. */
export interface BouncedRow {
  readonly entityId: string
  readonly patientId: string
  readonly scope: string
  readonly projectId: string
  /** The submit's change number: what was pulled up to it or beyond shows what became of the page. */
  readonly seq: number
  readonly receivedAt: string
  readonly why: BounceReason
  /** What the server said of each field (offline/sync/bounce.ts). */
  readonly answer: Sealed
}

/** Subject numbers leased for a center: those left, and those given out. `rev` guards against two tabs giving out one. */
export interface LeaseRow {
  readonly centerId: string
  readonly scope: string
  readonly rev: number
  readonly left: number
  readonly numbers: Sealed
  /** When the server last refused to lease, so that it is not asked all the time. */
  readonly refusedAt: number
}

/** A scope that a user keeps on this device. */
export interface KeptRow {
  readonly scope: string
  readonly userId: string
  readonly since: string
}

/** A user's keys, wrapped by the device's key and by a key from the user's password. */
export interface VaultRow {
  readonly userId: string
  readonly account: string
  readonly salt: Bytes
  readonly rounds: number
  readonly iv: Bytes
  readonly data: Bytes
}

export interface MetaRow {
  readonly key: string
  readonly value: unknown
}

/** A pulled row (`id`: see `cacheId`). `parent` is the patient of an entry, the entry of a conflict, else ''. */
export interface CacheRow {
  readonly scope: string
  readonly kind: string
  readonly id: string
  readonly parent: string
  readonly seq: number
  readonly row: Sealed
}

/** How far a user's pull of a scope has come. */
export interface CursorRow {
  readonly scope: string
  readonly userId: string
  readonly cursor: number
  readonly epoch: string
  readonly scopeVersion: string
  readonly pulledAt: string | null
}
