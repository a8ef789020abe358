import { createContext, use } from 'react'
import type { Device } from '#src/data/device/device.ts'

/** The device of the open session; null while nobody is at work. */
export const DeviceContext = createContext<Device | null>(null)

/** What can be done with data. Only on screens of an open session. */
export function useDataActions(): Device {
  const device = use(DeviceContext)
  if (device === null) throw new Error('useDataActions needs an open session')
  return device
}
