import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'

import { session } from './store.ts'
import { SessionContext } from './useSession.ts'

/** Holds the session of this device, and gives its children the open session's data. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const snapshot = useSyncExternalStore(session.subscribe, session.getSnapshot)
  useEffect(() => session.start(), [])
  const { current, reachable, storageLoss, outdated } = snapshot
  const value = useMemo(
    () => ({ current, reachable, storageLoss, outdated, ...session.actions }),
    [current, reachable, storageLoss, outdated],
  )
  return (
    <SessionContext value={value}>
      <DeviceContext value={snapshot.device}>{children}</DeviceContext>
    </SessionContext>
  )
}
