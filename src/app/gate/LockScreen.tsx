import { useEffect } from 'react'
import { Navigate, useSearchParams } from 'react-router-dom'
import { sameOriginPath } from '#src/paths/redirect.ts'
import { useSession } from '#src/session/useSession.ts'

/**
 * /lock, as an open session sees it (a locked one sees the lock screen over any address). With a return address, the
 * user has just unlocked and goes on there. Without one it locks and goes home: if it stayed here, it would lock a user
 * again who has just unlocked.
 */
export function LockScreen() {
  const { lock } = useSession()
  const [search] = useSearchParams()
  const back = search.get('to')
  useEffect(() => {
    if (back === null) void lock()
  }, [back, lock])
  return <Navigate to={sameOriginPath(back)} replace />
}
