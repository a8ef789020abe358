import { newId } from '#core/ids.ts'

import type { WorkDb } from './databases.ts'

/** Single facts about the device. None of them describes a patient. */
interface MetaValues {
  deviceId: string
  /** Last sequence number given to an operation. */
  outboxSeq: number
  /** How many writes of people this device has taken down, counted in the transaction of each. */
  writes: number
  /** Tablet clock minus server clock at the last contact, ms. */
  driftMs: number
  lastContact: string
  /** Why nothing is sent at the moment. */
  paused: 'signed_out' | 'client_too_old' | 'vault_locked' | null
  /** Who was at work when the app last ran, unless they signed out. */
  lastUser: string | null
  /** By scope: the server's data were restored from a backup when it changes. */
  epochs: Readonly<Record<string, string>>
  /** Whether a sync cycle runs, and how far the pull of a scope is. */
  syncing: boolean
  pullProgress: { readonly scope: string; readonly done: number; readonly total: number } | null
}

export async function getMeta<Key extends keyof MetaValues>(db: WorkDb, key: Key): Promise<MetaValues[Key] | undefined> {
  const row = await db.meta.get(key)
  // Each key is written by `setMeta` only, with its own type.
  return row?.value as MetaValues[Key] | undefined
}

export async function setMeta<Key extends keyof MetaValues>(db: WorkDb, key: Key, value: MetaValues[Key]): Promise<void> {
  await db.meta.put({ key, value })
}

/** The device's id, made at first use. */
export async function deviceIdOf(db: WorkDb): Promise<string> {
  return db.transaction('rw', db.meta, async () => {
    const known = await getMeta(db, 'deviceId')
    if (known !== undefined) return known
    const made = newId()
    await setMeta(db, 'deviceId', made)
    return made
  })
}

/** A fresh sequence number. A number that is not used after all leaves a gap. */
export async function nextSeq(db: WorkDb): Promise<number> {
  return db.transaction('rw', db.meta, async () => {
    const next = ((await getMeta(db, 'outboxSeq')) ?? 0) + 1
    await setMeta(db, 'outboxSeq', next)
    return next
  })
}
