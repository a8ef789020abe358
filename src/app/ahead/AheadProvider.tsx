import { use, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { loadersAhead } from '#src/app/routes/screens.ts'
import { readProjectsAhead } from '#src/data/hooks/projects.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import type { Device } from '#src/data/device/device.ts'
import { loadPart } from '#src/parts/loadPart.ts'

import { AheadContext } from './aheadContext.ts'
import { idle } from './idle.ts'

/**
 * While nobody waits, loads the screens of the ward and reads what their lists need, so that the first tap is answered
 * as fast as the second. It uses only what this device keeps: a screen that cannot be had now is loaded when it is
 * opened.
 */
export function AheadProvider({ children }: { readonly children: ReactNode }) {
  const device = use(DeviceContext)
  const [ready, setReady] = useState<readonly string[] | null>(null)
  useEffect(() => {
    if (device === null) return
    const gone = new AbortController()
    void prepare(device, gone.signal, setReady)
    return () => {
      gone.abort()
      setReady(null)
    }
  }, [device])
  return <AheadContext value={ready}>{children}</AheadContext>
}

/** @param ready called as soon as the lists can be drawn */
async function prepare(
  device: Device,
  signal: AbortSignal,
  ready: (projects: readonly string[]) => void,
): Promise<void> {
  await idle()
  if (signal.aborted) return
  const projects = await readProjectsAhead(device)
  if (!isShellThere()) return
  await Promise.all(loadersAhead.lists.map((load) => loadPart(load)))
  if (signal.aborted) return
  ready(projects)
  for (const load of loadersAhead.others) {
    await idle()
    await loadPart(load)
  }
}

function isShellThere(): boolean {
  return ((navigator as Partial<Navigator>).serviceWorker?.controller ?? null) !== null
}
