import { use, useEffect, useState } from 'react'
import { err } from '#core/result.ts'

import type { Device, Reading, Watched } from './source.ts'
import { DeviceContext } from './useDevice.ts'
import type { Loadable } from './types.ts'

/**
 * Reads through the device and reads again when one of the tables changes. Rows are decrypted asynchronously, which would end the
 * observation of a Dexie liveQuery; so the tables are watched, and the reading itself is free to await what it needs.
 *
 * @param key what the reading depends on besides the device, as text; another key starts over
 * @param read kept in step with `key` by the caller
 */
export function useReading<Value>(
  tables: readonly Watched[],
  key: string,
  read: (device: Device) => Reading<Value>,
): Loadable<Value> {
  const device = use(DeviceContext)
  const [shown, setShown] = useState<{ readonly key: string; readonly device: Device | null; readonly loadable: Loadable<Value> }>({
    key,
    device,
    loadable: { state: 'loading' },
  })
  const watched = tables.join()

  useEffect(() => {
    if (device === null) return
    let left = false
    let running = false
    let again = false
    const run = async (): Promise<void> => {
      if (running) {
        again = true
        return
      }
      running = true
      do {
        again = false
        const result = await settled(read(device))
        if (left) return
        setShown(({ key: shownKey, device: shownDevice, loadable }) => {
          if (result.ok) return { key, device, loadable: { state: 'ready', value: result.value, stale: false } }
          // What can be read of an older state is better than an error over it.
          const older = shownKey === key && shownDevice === device && loadable.state === 'ready'
          return { key, device, loadable: older ? { ...loadable, stale: true } : { state: 'failed', error: result.error } }
        })
      } while (again)
      running = false
    }
    void run()
    const stop = device.watch(watched.split(',') as Watched[], () => void run())
    return () => {
      left = true
      stop()
    }
    // `read` is made anew by every render of its hook; `key` says when it means something else.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [device, key, watched])

  if (device === null) return { state: 'failed', error: { code: 'vault_locked' } }
  return shown.key === key && shown.device === device ? shown.loadable : { state: 'loading' }
}

/** A defect of ours is shown as such; the screen goes on following its tables. */
async function settled<Value>(reading: Reading<Value>): Reading<Value> {
  try {
    return await reading
  } catch (thrown) {
    reportError(thrown)
    return err({ code: 'internal' })
  }
}
