import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { lockPath } from '#src/paths/redirect.ts'
import { UnlockScreen } from '#src/screens/login/UnlockScreen.tsx'
import type { SessionState } from '#src/session/types.ts'

/** Specification §9: this long after locking, the address becomes that of the lock screen. */
const LOCK_REDIRECT_MS = 100

/** The lock screen: it covers whatever address was open, and leads back there. Nothing of what it covers is drawn. */
export function Locked({ session }: { readonly session: Extract<SessionState, { state: 'locked' }> }) {
  const navigate = useNavigate()
  const { pathname, search, hash } = useLocation()
  const here = `${pathname}${search}${hash}`
  const leads = session.triesLeft !== null && pathname !== '/lock'
  useEffect(() => {
    if (!leads) return
    const timer = setTimeout(() => void navigate(lockPath(here), { replace: true }), LOCK_REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [leads, here, navigate])
  return <UnlockScreen key={session.user.userId} session={session} />
}
