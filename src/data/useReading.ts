import { use, useMemo, useSyncExternalStore } from 'react'

import { Following, sharedFollowing } from './following.ts'
import type { Follow } from './following.ts'
import type { Device, Reading, Watched } from './source.ts'
import { DeviceContext } from './useDevice.ts'
import type { Loadable } from './types.ts'

const NOBODY = { state: 'failed', error: { code: 'vault_locked' } } as const

/**
 * Reads through the device and reads again when one of the tables changes. Rows are decrypted asynchronously, which would end the
 * observation of a Dexie liveQuery; so the tables are watched, and the reading itself is free to await what it needs.
 *
 * @param key what the reading depends on besides the device, as text; another key starts over
 * @param read kept in step with `key` by the caller
 */
export function useReading<Value>(tables: readonly Watched[], key: string, read: (device: Device) => Reading<Value>): Loadable<Value> {
  return useFollowing({ tables, key, read }, startFollowing)
}

/**
 * The same, where many places of a screen show one thing (the state of the sync): it is read once for all of them. Whoever joins sees
 * what was read last, so it is not for what a form begins with.
 */
export function useSharedReading<Value>(tables: readonly Watched[], key: string, read: (device: Device) => Reading<Value>): Loadable<Value> {
  return useFollowing({ tables, key, read }, sharedFollowing)
}

function useFollowing<Value>(what: Omit<Follow<Value>, 'device'>, follow: (what: Follow<Value>) => Following<Value>): Loadable<Value> {
  const device = use(DeviceContext)
  const following = useMemo(
    () => (device === null ? null : follow({ ...what, device })),
    // `what` is made anew by every render of its hook; its key says when it means something else.
    // oxlint-disable-next-line react/exhaustive-deps
    [device, what.key],
  )
  return useSyncExternalStore(following?.subscribe ?? noSubscription, following?.shown ?? nobody)
}

function startFollowing<Value>(what: Follow<Value>): Following<Value> {
  return new Following(what)
}

function noSubscription(): () => void {
  return () => undefined
}

function nobody(): typeof NOBODY {
  return NOBODY
}
