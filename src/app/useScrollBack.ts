import { useLayoutEffect, useRef } from 'react'
import type { SessionState } from '#src/session/types.ts'

/** A page that has not reached its former length within this time has changed: then it stays where it is. */
const GIVE_UP_MS = 10_000

/**
 * Scrolls a page that was locked back to its former position, once it is as long again. A person who scrolls comes
 * first.
 */
export function useScrollBack(state: SessionState['state']): void {
  const place = useRef(0)
  const locked = useRef(false)
  // Before the browser draws: once the page's content is gone, the browser scrolls to the top by itself.
  useLayoutEffect(() => {
    if (state === 'locked') locked.current = true
    if (state !== 'open') return
    const wanted = locked.current ? place.current : 0
    locked.current = false
    const stopReturning = returnTo(wanted)
    const note = () => {
      place.current = window.scrollY
    }
    window.addEventListener('scroll', note, { passive: true })
    return () => {
      stopReturning()
      window.removeEventListener('scroll', note)
    }
  }, [state])
}

function returnTo(wanted: number): () => void {
  if (wanted === 0) return () => undefined
  const ended = new AbortController()
  const stop = () => ended.abort()
  const page = new ResizeObserver(() => {
    if (document.documentElement.scrollHeight < wanted + window.innerHeight) return
    window.scrollTo({ top: wanted })
    stop()
  })
  page.observe(document.body)
  const timer = setTimeout(stop, GIVE_UP_MS)
  for (const event of ['wheel', 'touchstart', 'keydown'])
    window.addEventListener(event, stop, { passive: true, signal: ended.signal })
  ended.signal.addEventListener('abort', () => {
    page.disconnect()
    clearTimeout(timer)
  })
  return stop
}
