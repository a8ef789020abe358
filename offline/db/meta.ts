import { isId, newId } from '#core/ids.ts'

import type { WorkDb } from './databases.ts'
import { writeDirectly } from './directWrite.ts'

/** Single facts about the device. None of them describes a patient. */
interface MetaValues {
  deviceId: string
  /** Last sequence number given to an operation. */
  outboxSeq: number
  /**
   * How many writes of people this device has stored, plus how often their operations were made anew. Counted in the
   * transaction of each.
   */
  writes: number
  /** Tablet clock minus server clock at the last contact, ms. */
  driftMs: number
  lastContact: string
  /** Why nothing is sent at the moment. */
  paused: 'signed_out' | 'client_too_old' | 'vault_locked' | 'server_full' | null
  /** The user who was at work when the app last ran, unless they signed out. */
  lastUser: string | null
  /** The user whose copies are being cleared from this device (null: everybody's); kept until no copy is left. */
  clearing: { readonly userId: string | null } | null
  /**
   * The server's epoch, as last heard. A scope with another epoch in `epochs` has something that must be offered to the
   * server again.
   */
  serverEpoch: string
  /** By scope: the server's epoch. It changes when the server's data were restored from a backup. */
  epochs: Readonly<Record<string, string>>
  /** By scope: the epoch before the last one. A restored server has forgotten a part of its history. */
  lostEpochs: Readonly<Record<string, string>>
  /**
   * By scope: keys of receipts that a restored server was not offered yet, because the user who met it has no keys for
   * them.
   */
  unoffered: Readonly<Record<string, readonly string[]>>
  /** By scope: the epoch and change number up to which sent operations have been let go. */
  letGo: Readonly<Record<string, string>>
  /** What the server was last told about this device (counts and times by scope), and when. */
  reported: { readonly said: string; readonly at: string }
  /** Whether a sync cycle runs, and how far the pull of a scope is. */
  syncing: boolean
  /** Made together with the database: a new database under the same name has another value. */
  born: string
  /**
   * Set when the browser had cleared this device's data: whether the server was told, and how much it then knew to be
   * unsent here.
   */
  storageLoss: { readonly told: boolean; readonly lostUnsent: number | null } | null
  /** Whether the browser was asked to keep the data for good. */
  persistAsked: boolean
  pullProgress: { readonly scope: string; readonly done: number; readonly total: number } | null
}

export async function getMeta<Key extends keyof MetaValues>(
  db: WorkDb,
  key: Key,
): Promise<MetaValues[Key] | undefined> {
  const row = await db.meta.get(key)
  // Each key is written by `setMeta` only, with its own type.
  return row?.value as MetaValues[Key] | undefined
}

export async function setMeta<Key extends keyof MetaValues>(
  db: WorkDb,
  key: Key,
  value: MetaValues[Key],
): Promise<void> {
  await db.meta.put({ key, value })
}

/** Facts of the moment: after a sudden power loss they are found out anew. */
type Moment = Pick<MetaValues, 'syncing' | 'pullProgress' | 'paused' | 'driftMs' | 'lastContact'>

/**
 * Notes facts of the moment, without waiting for the disk: a tablet that has nothing to send does this twice a minute.
 */
export async function noteMoment(db: WorkDb, moment: Partial<Moment>): Promise<void> {
  const changes = Object.entries(moment).map(([key, value]) => ({ table: 'meta' as const, key, row: { key, value } }))
  await writeDirectly(db, [], changes, 'relaxed')
}

/** Counters that the device raises with each write of a person. */
export type Counters = Pick<MetaValues, 'outboxSeq' | 'writes'>

export async function getCounters(db: WorkDb): Promise<Counters> {
  const [seq, writes] = await Promise.all([getMeta(db, 'outboxSeq'), getMeta(db, 'writes')])
  return { outboxSeq: seq ?? 0, writes: writes ?? 0 }
}

export async function setCounters(db: WorkDb, counters: Counters): Promise<void> {
  await db.meta.bulkPut(Object.entries(counters).map(([key, value]) => ({ key, value })))
}

/** A second place for the device's id, outside the database. */
export interface SpareId {
  read(): string | null
  write(deviceId: string): void
}

const NO_SPARE: SpareId = { read: () => null, write: () => undefined }

/**
 * The device's id, made at first use. Where the database has no id but the spare place has, the browser has cleared the
 * database. The device then goes on under its old id, by which the server knows what was unsent, and the loss is noted
 * (`storageLoss`).
 */
export async function deviceIdOf(db: WorkDb, spare: SpareId = NO_SPARE): Promise<string> {
  const deviceId = await db.transaction('rw', db.meta, async () => {
    const known = await getMeta(db, 'deviceId')
    if (known !== undefined) return known
    const before = spare.read()
    const id = before !== null && isId(before) ? before : newId()
    await setMeta(db, 'deviceId', id)
    if (id === before) await setMeta(db, 'storageLoss', { told: false, lostUnsent: null })
    return id
  })
  spare.write(deviceId)
  return deviceId
}

/**
 * Counts a change of what waits to be sent, so that a save that was planned before the change is planned anew. In the
 * caller's transaction.
 */
export async function countWrite(db: WorkDb): Promise<void> {
  await setMeta(db, 'writes', ((await getMeta(db, 'writes')) ?? 0) + 1)
}

/** A fresh sequence number. A number that is not used leaves a gap. */
export async function nextSeq(db: WorkDb): Promise<number> {
  return db.transaction('rw', db.meta, async () => {
    const { outboxSeq, writes } = await getCounters(db)
    // `writes` is counted up too: a save that was planned before would take the same number.
    await setCounters(db, { outboxSeq: outboxSeq + 1, writes: writes + 1 })
    return outboxSeq + 1
  })
}
