import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import type { Autosave } from './autosave.ts'

/** Somebody wants to leave a page on which something is in memory only. */
export interface Leaving {
  readonly stay: () => void
  readonly go: () => void
}

/**
 * Lets nobody leave a page unasked while something on it could not be saved: not by a link, not by the browser's own ways back, not by closing the tab. A
 * link first tries to save once more.
 *
 * @returns what is to be asked; null while nobody leaves
 */
export function useLeaveGuard(autosave: Autosave): Leaving | null {
  const navigate = useNavigate()
  const [leaving, setLeaving] = useState<Leaving | null>(null)

  useEffect(() => {
    const here = window.location.href
    const hereState: unknown = window.history.state
    const isUnsafe = () => autosave.isFailing
    const ask = (go: () => void) => {
      setLeaving({
        stay: () => setLeaving(null),
        go: () => {
          setLeaving(null)
          go()
        },
      })
    }
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
      if (link === null || !isPlain || link.target === '_blank' || link.hasAttribute('download') || !isUnsafe()) return
      const { origin, pathname, search, hash } = new URL(link.href)
      if (origin !== window.location.origin || (pathname === window.location.pathname && hash !== '')) return
      event.preventDefault()
      event.stopPropagation()
      const go = () => void navigate(`${pathname}${search}${hash}`)
      void autosave.flush().then((saved) => (saved ? go() : ask(go)))
    }
    const onBack = (event: PopStateEvent) => {
      if (!isUnsafe() || window.location.href === here) return
      const there = `${window.location.pathname}${window.location.search}${window.location.hash}`
      // The router hears nothing of it, and the page stays where it was.
      event.stopImmediatePropagation()
      window.history.pushState(hereState, '', here)
      ask(() => void navigate(there))
    }
    const onClose = (event: BeforeUnloadEvent) => {
      if (isUnsafe()) event.preventDefault()
    }
    // Before the router's own listeners.
    document.addEventListener('click', onClick, { capture: true })
    window.addEventListener('popstate', onBack, { capture: true })
    window.addEventListener('beforeunload', onClose)
    return () => {
      document.removeEventListener('click', onClick, { capture: true })
      window.removeEventListener('popstate', onBack, { capture: true })
      window.removeEventListener('beforeunload', onClose)
    }
  }, [autosave, navigate])
  return leaving
}
