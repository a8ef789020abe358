import { useEffect } from 'react'
import { Navigate } from 'react-router-dom'
import { useSession } from '#src/session/useSession.ts'

/**
 * /lock: locks the device and goes home, where the unlock screen then lies over everything (SPEC §2). To stay at this address would lock
 * again whoever has just unlocked.
 */
export function LockScreen() {
  const { lock } = useSession()
  useEffect(() => {
    void lock()
  }, [lock])
  return <Navigate to="/" replace />
}
