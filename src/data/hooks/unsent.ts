import { use, useState } from 'react'
import type { Device } from '#src/data/device/device.ts'

import { DeviceContext } from './useDevice.ts'

type Change<Unsent> = Unsent | null | ((now: Unsent | null) => Unsent | null)

/**
 * A hook for what somebody has begun and not sent, by what it is about. It outlives the screen; once they are not
 * signed in any more nothing of it is left.
 */
export function makeUnsent<Unsent extends object>() {
  const all = new WeakMap<Device, Map<string, Unsent>>()
  return function useUnsent(key: string): readonly [Unsent | null, (change: Change<Unsent>) => void] {
    const device = use(DeviceContext)
    const [shown, setShown] = useState(() => (device === null ? undefined : all.get(device)?.get(key)) ?? null)
    const change = (to: Change<Unsent>): void => {
      const known = (device === null ? undefined : all.get(device)) ?? new Map<string, Unsent>()
      const before = device === null ? shown : (known.get(key) ?? null)
      const next = typeof to === 'function' ? to(before) : to
      setShown(next)
      if (device === null) return
      all.set(device, known)
      if (next === null) known.delete(key)
      else known.set(key, next)
    }
    return [shown, change]
  }
}
