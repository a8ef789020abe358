import { useEffect, useEffectEvent } from 'react'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { useLaterDialog } from '#src/frame/shell/useLaterDialog.tsx'
import { useSession } from '#src/session/useSession.ts'
import { NotLoaded } from '#src/ui/NotLoaded.tsx'

import { rememberPlace } from './recentPlaces.ts'

/**
 * The search for subjects and screens, for the frame around all screens: ⌘K or Ctrl+K opens it. Its code is loaded when
 * it is first wanted. Meanwhile it remembers where the user has been.
 */
export function usePalette(): { readonly open: () => void; readonly dialog: ReactNode } {
  const { open, dialog } = useLaterDialog(async () => (await import('./Palette.tsx')).Palette, NotLoaded)
  const { current } = useSession()
  const userId = current.state === 'open' ? current.user.userId : null
  const { pathname, search } = useLocation()
  useEffect(() => {
    if (userId !== null) rememberPlace(userId, pathname, search)
  }, [userId, pathname, search])
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
    if (event.altKey || event.shiftKey) return
    event.preventDefault()
    // A question that is open is answered first.
    if (document.querySelector('[role=dialog][aria-modal=true]') === null) open()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return { open, dialog }
}
