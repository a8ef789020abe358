import { useCallback, useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import type { Autosave } from './autosave.ts'

/** A user wants to leave a page on which something is in memory only. */
export interface Leaving {
  readonly stay: () => void
  /** Leaves without what is not saved. */
  readonly go: () => void
  /** Goes on as the user meant to: everything was saved before they answered, so the question is closed. */
  readonly saved: () => void
}

interface LeaveGuard {
  /** The question to ask; null while nobody leaves. */
  readonly leaving: Leaving | null
  /**
   * Leaves the page by the given way: at once where all is saved, otherwise after the save or after the user's answer.
   */
  readonly leaveBy: (way: () => void) => Promise<void>
}

/** A way that a user wants to go: as they meant it, and after they were asked. */
interface Way {
  readonly on: () => void
  readonly anyway: () => void
  /** Whether the browser has gone already, and shows another address than the page's. */
  readonly isTaken: boolean
}

/**
 * Lets nobody leave a page unasked while something on it is not saved. A link and the browser's back button wait for
 * the save on this device. Where the save fails, the user is asked, because later nobody would learn of it. Closing the
 * tab asks only where a save has failed: typing that still waits for its save is in the journal, and is saved while the
 * tab closes.
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

/** Asks whether to leave without what is not saved, until the user answers or it is saved after all. */
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

/** Holds up links and the browser's back button while something is not saved. Returns a function that stops this. */
function holdWays(autosave: Autosave, goTo: (path: string) => void, ask: (way: () => void) => void): () => void {
  // An address with the same path is the same page, whatever follows the path, and is not left.
  const herePath = window.location.pathname
  const { leave, forget } = makeLeaving(autosave, ask)
  /** Whether an event that was held up is on its way now, and must pass. */
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
    // Repeats the click itself, because a link may do more than navigate.
    void leave({ on: () => (link.isConnected ? pass(() => link.click()) : anyway()), anyway, isTaken: false })
  }
  const onBack = (event: PopStateEvent) => {
    const { pathname, search, hash } = window.location
    if (isPassing || pathname === herePath || !autosave.isUnsaved) return
    // The router gets this event only after the save. Where the save fails it never does, and the page stays.
    event.stopImmediatePropagation()
    const there = `${pathname}${search}${hash}`
    const state: unknown = event.state
    void leave({
      on: () => pass(() => window.dispatchEvent(new PopStateEvent('popstate', { state }))),
      anyway: () => goTo(there),
      isTaken: true,
    })
  }
  // The capture phase comes before the router's own listeners.
  document.addEventListener('click', onClick, { capture: true })
  window.addEventListener('popstate', onBack, { capture: true })
  return () => {
    forget()
    document.removeEventListener('click', onClick, { capture: true })
    window.removeEventListener('popstate', onBack, { capture: true })
  }
}

/** Lets the last wanted way go on once all is saved, and asks where the save fails. */
function makeLeaving(
  autosave: Autosave,
  ask: (way: () => void) => void,
): { readonly leave: (way: Way) => Promise<void>; readonly forget: () => void } {
  const here = window.location.href
  const hereState: unknown = window.history.state
  /** The last way that the user wanted while the save runs. */
  let wanted: Way | null = null
  /** Whether the browser has gone back already, and shows another address than the page's. */
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
      // Something else has closed the page meanwhile.
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
