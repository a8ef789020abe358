import { use, useMemo, useSyncExternalStore } from 'react'
import type { Loadable } from '#src/data/shapes/types.ts'
import type { Device } from '#src/data/device/device.ts'
import type { Watched } from '#src/data/device/watching.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

import { Following, sharedFollowing } from './following.ts'
import type { Follow } from './following.ts'
import { PreparationContext } from './preparation.ts'
import { DeviceContext } from './useDevice.ts'

const NOTHING = { state: 'loading' } as const
const NOBODY = { state: 'failed', error: { code: 'vault_locked' } } as const

/**
 * Reads through the device and reads again when one of the tables changes: the way of lists and counters. A live query
 * would not see what is read after a decryption, and would count again for each of a thousand writes
 * (docs/adr/0043-live-lists-and-counters.md). So tables are watched, and the reading may await what it needs.
 *
 * @param key what the reading depends on besides the device, as text; another key starts over. Null: it is not read yet
 * @param read the caller keeps it in step with `key`
 */
export function useReading<Value>(
  tables: readonly Watched[],
  key: string | null,
  read: (device: Device) => Reading<Value>,
): Loadable<Value> {
  return useFollowing(key === null ? null : { tables, key, read }, startFollowing)
}

/**
 * The same, where many places of a screen show one thing (the state of the sync): it is read once for all of them. A
 * place that joins later sees the last value, so it is not for what a form begins with.
 */
export function useSharedReading<Value>(
  tables: readonly Watched[],
  key: string,
  read: (device: Device) => Reading<Value>,
): Loadable<Value> {
  return useFollowing({ tables, key, read }, sharedFollowing)
}

/** What is read, apart from the device. */
export type Read<Value> = Pick<Follow<Value>, 'tables' | 'key' | 'read'>

/**
 * The same, for a screen that must be complete at once when a person comes back to it: its last value is shown until it
 * is read again. With null nothing is read.
 */
export function useStayingReading<Value>(what: Read<Value> | null): Loadable<Value> {
  return useFollowing(what === null ? null : { ...what, stays: true }, sharedFollowing)
}

/** Reads a value that stays, for the next component that shows it. */
export function readForNext<Value>(device: Device, what: Read<Value>): void {
  const following = sharedFollowing({ ...what, device, stays: true })
  const leave = following.subscribe(() => leave())
}

function useFollowing<Value>(
  what: Omit<Follow<Value>, 'device'> | null,
  follow: (what: Follow<Value>) => Following<Value>,
): Loadable<Value> {
  const device = use(DeviceContext)
  const preparation = use(PreparationContext)
  const following = useMemo(
    // A drawing out of sight may begin several times before it is finished: one reading is enough for all of them.
    () =>
      device === null || what === null ? null : (preparation === null ? follow : sharedFollowing)({ ...what, device }),
    // `what` is made anew by every render of its hook; its key says when it means something else.
    // oxlint-disable-next-line react/exhaustive-deps
    [device, what?.key],
  )
  if (following !== null) preparation?.follow(following)
  return useSyncExternalStore<Loadable<Value>>(
    following?.subscribe ?? noSubscription,
    following?.shown ?? (what === null ? nothing : nobody),
  )
}

function startFollowing<Value>(what: Follow<Value>): Following<Value> {
  return new Following(what)
}

function noSubscription(): () => void {
  return () => undefined
}

function nothing(): typeof NOTHING {
  return NOTHING
}

function nobody(): typeof NOBODY {
  return NOBODY
}
