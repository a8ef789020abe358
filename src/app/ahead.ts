import { use, useEffect } from 'react'
import { readProjectsAhead } from '#src/data/projects.ts'
import type { Device } from '#src/data/source.ts'
import { DeviceContext } from '#src/data/useDevice.ts'
import { loadPart } from '#src/session/loadPart.ts'

import { loadersAhead } from './screens.ts'

/** Where the browser has no word for it: when people have seen what they asked for. */
const LATER_MS = 1000
/** A browser that is never idle does it all the same. */
const LATEST_MS = 5000

/**
 * While nobody waits, the screens of the ward are loaded and what their lists need is read, so that the first tap is answered like the second.
 * Only from what this device keeps: a screen that cannot be had now is loaded when it is gone to.
 */
export function useAhead(): void {
  const device = use(DeviceContext)
  useEffect(() => {
    if (device === null) return
    const gone = new AbortController()
    void prepare(device, gone.signal)
    return () => gone.abort()
  }, [device])
}

async function prepare(device: Device, signal: AbortSignal): Promise<void> {
  await idle()
  if (signal.aborted) return
  await readProjectsAhead(device)
  if (!isShellKept()) return
  for (const load of loadersAhead) {
    await idle()
    await loadPart(load)
  }
}

function isShellKept(): boolean {
  return ((navigator as Partial<Navigator>).serviceWorker?.controller ?? null) !== null
}

function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: LATEST_MS })
    else setTimeout(resolve, LATER_MS)
  })
}
