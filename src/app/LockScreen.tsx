import { useEffect } from 'react'
import { Navigate } from 'react-router-dom'
import { useSession } from '#src/session/useSession.ts'

/** /lock: locks the device. The unlock screen then lies over this address until somebody opens it again (SPEC §2). */
export function LockScreen() {
  const { lock, current } = useSession()
  useEffect(() => {
    void lock()
    // Only on arrival: once unlocked the address is left for the home page.
  }, [lock])
  return current.state === 'locked' ? null : <Navigate to="/" replace />
}
