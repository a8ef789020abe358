import { useCallback, useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import type { Autosave } from './autosave.ts'

/** Somebody wants to leave a page on which something is in memory only. */
export interface Leaving {
  readonly stay: () => void
  /** Without what is not saved. */
  readonly go: () => void
  /** It was saved before they answered: there is nothing to be asked any more, and they go as they meant to. */
  readonly saved: () => void
}

interface LeaveGuard {
  /** What is to be asked; null while nobody leaves. */
  readonly leaving: Leaving | null
  /** Leaves the page by the way given: at once where all is saved, else once that is, or after it was asked. */
  readonly leaveBy: (way: () => void) => Promise<void>
}

/** A way that somebody wants to go: as it was meant, or after they were asked. */
interface Way {
  readonly on: () => void
  readonly anyway: () => void
  /** Whether the browser has taken it already, and shows another address than the page's. */
  readonly isTaken: boolean
}

/**
 * Lets nobody leave a page unasked while something on it is not saved. A link and the browser's own ways back wait for
 * the answer of the save (a write on this device), and ask where it fails, for then nobody would hear of it any more.
 * Closing the tab asks where a save has failed: one that is only outstanding has its keys in the journal, and is made
 * while the tab closes.
 */
export function useLeaveGuard(autosave: Autosave): LeaveGuard {
  const navigate = useNavigate()
  const { leaving, ask } = useLeaveQuestion(autosave)
  const leaveBy = useCallback(
    async (way: () => void) => {
      if (await autosave.flush()) way()
      else ask(way)
    },
    [autosave, ask],
  )
  useEffect(() => holdWays(autosave, (to) => void navigate(to), ask), [autosave, navigate, ask])
  useEffect(() => {
    const onClose = (event: BeforeUnloadEvent) => {
      if (autosave.isFailing) event.preventDefault()
    }
    window.addEventListener('beforeunload', onClose)
    return () => window.removeEventListener('beforeunload', onClose)
  }, [autosave])
  return { leaving, leaveBy }
}

/** Asks whether to leave without what is not saved, until that is answered or saved after all. */
function useLeaveQuestion(autosave: Autosave): {
  readonly leaving: Leaving | null
  readonly ask: (way: () => void) => void
} {
  const [leaving, setLeaving] = useState<Leaving | null>(null)
  const ask = useCallback(
    (way: () => void) => {
      const leaveSaved = () => {
        setLeaving(null)
        way()
      }
      const go = () => {
        autosave.discard()
        leaveSaved()
      }
      setLeaving({ stay: () => setLeaving(null), go, saved: leaveSaved })
    },
    [autosave],
  )
  useEffect(() => {
    if (leaving === null) return
    return autosave.subscribe(() => {
      if (!autosave.isUnsaved) leaving.saved()
    })
  }, [autosave, leaving])
  return { leaving, ask }
}

/** Holds up links and the browser's own ways while something is not saved. Gives how to let go of them. */
function holdWays(autosave: Autosave, goTo: (path: string) => void, ask: (way: () => void) => void): () => void {
  // Whatever else the address says, it is the same page, and stays.
  const herePath = window.location.pathname
  const { leave, forget } = makeLeaving(autosave, ask)
  /** What waited is on its way, and is not to be held up again. */
  let isPassing = false
  const pass = (event: () => void) => {
    isPassing = true
    event()
    isPassing = false
  }
  const onClick = (event: MouseEvent) => {
    if (isPassing || !autosave.isUnsaved) return
    const link = linkAway(event)
    if (link === null) return
    event.preventDefault()
    event.stopPropagation()
    const { pathname, search, hash } = new URL(link.href)
    const anyway = () => goTo(`${pathname}${search}${hash}`)
    // The click itself is made again: a link may do more than lead somewhere.
    void leave({ on: () => (link.isConnected ? pass(() => link.click()) : anyway()), anyway, isTaken: false })
  }
  const onBack = (event: PopStateEvent) => {
    const { pathname, search, hash } = window.location
    if (isPassing || pathname === herePath || !autosave.isUnsaved) return
    // The router hears of it when the save has answered, or not at all: then the page stays where it was.
    event.stopImmediatePropagation()
    const there = `${pathname}${search}${hash}`
    const state: unknown = event.state
    void leave({
      on: () => pass(() => window.dispatchEvent(new PopStateEvent('popstate', { state }))),
      anyway: () => goTo(there),
      isTaken: true,
    })
  }
  // Before the router's own listeners.
  document.addEventListener('click', onClick, { capture: true })
  window.addEventListener('popstate', onBack, { capture: true })
  return () => {
    forget()
    document.removeEventListener('click', onClick, { capture: true })
    window.removeEventListener('popstate', onBack, { capture: true })
  }
}

/** Lets the last way that was asked for go on once all is saved, and asks where that fails. */
function makeLeaving(
  autosave: Autosave,
  ask: (way: () => void) => void,
): { readonly leave: (way: Way) => Promise<void>; readonly forget: () => void } {
  const here = window.location.href
  const hereState: unknown = window.history.state
  /** The last way that was asked for while the save is being waited for. */
  let wanted: Way | null = null
  /** The browser has gone back already, and its address is not the page's. */
  let isAway = false
  const take = () => {
    const way = wanted
    wanted = null
    return way
  }
  return {
    leave: async (way) => {
      const isWaiting = wanted !== null
      wanted = way
      isAway ||= way.isTaken
      if (isWaiting) return
      const saved = await autosave.flush()
      const last = take()
      // The page was closed by something else meanwhile.
      if (last === null) return
      if (!saved && isAway) window.history.pushState(hereState, '', here)
      isAway = false
      if (saved) last.on()
      else ask(last.anyway)
    },
    forget: () => {
      wanted = null
    },
  }
}

/** The link that a plain click follows to another page of the app; null for any other click. */
function linkAway(event: MouseEvent): HTMLAnchorElement | null {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (link === null || !isPlain || link.target === '_blank' || link.hasAttribute('download')) return null
  const { origin, pathname } = new URL(link.href)
  return origin !== window.location.origin || pathname === window.location.pathname ? null : link
}
