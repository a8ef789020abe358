import { useEffect } from 'react'
import { Navigate, useSearchParams } from 'react-router-dom'
import { sameOriginPath } from '#src/paths/redirect.ts'
import { useSession } from '#src/session/useSession.ts'

/**
 * /lock, as an open session sees it (a locked one sees the lock screen over any address). With an address to come back
 * to, somebody has just unlocked and goes on there. Without one it locks and goes home: to stay here would lock again
 * whoever has just unlocked.
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
