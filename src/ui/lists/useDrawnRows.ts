import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

import { nextSpan, spanInView } from './drawnRows.ts'
import type { Span, Steps } from './drawnRows.ts'

interface Rows extends Steps {
  readonly count: number
  /** In px; all rows have the same height. */
  readonly height: number
  /** The part in view, px from the beginning of the rows; null while nothing is there. */
  readonly view: () => { readonly top: number; readonly height: number } | null
}

/**
 * The rows of a long list that are to be drawn now. It follows a scroll frame by frame, a few rows each: a tablet that
 * draws a whole screen of rows at once does not respond meanwhile.
 *
 * @returns `show` draws the rows around one row at once, for code that scrolls to it
 */
export function useDrawnRows(rows: Rows): { readonly drawn: Span; readonly show: (row: number) => void } {
  const { count, height } = rows
  const [drawn, setDrawn] = useState<Span>(() => ({ first: 0, last: Math.min(count, screenful(height)) }))
  const known = useRef({ ...rows, drawn })
  const counted = useRef(count)
  const frame = useRef<number | null>(null)

  const follow = useCallback(() => {
    const step = (): void => {
      frame.current = null
      const { view, height: high, count: all, drawn: now, ...steps } = known.current
      const seen = view()
      if (seen === null) return
      const next = nextSpan(now, spanInView(seen, high, all), all, steps)
      if (next === now) return
      known.current.drawn = next
      setDrawn(next)
      frame.current = requestAnimationFrame(step)
    }
    frame.current ??= requestAnimationFrame(step)
  }, [])

  useLayoutEffect(() => {
    known.current = { ...rows, drawn: known.current.drawn }
  })
  // A list that was drawn to its end and has become longer, as when its rows arrive, is drawn at once.
  useLayoutEffect(() => {
    const before = counted.current
    counted.current = count
    const { first, last } = known.current.drawn
    if (count <= before || last < before) return
    const next = { first, last: Math.min(count, Math.max(last, first + screenful(height))) }
    known.current.drawn = next
    setDrawn(next)
  }, [count, height])
  useEffect(() => {
    follow()
    // In the capture phase, for the page and for a frame in it: scroll events do not bubble.
    const options = { capture: true, passive: true } as const
    document.addEventListener('scroll', follow, options)
    window.addEventListener('resize', follow)
    return () => {
      document.removeEventListener('scroll', follow, options)
      window.removeEventListener('resize', follow)
      if (frame.current !== null) cancelAnimationFrame(frame.current)
      frame.current = null
    }
  }, [count, height, follow])

  const show = (row: number): void => {
    const { ahead } = known.current
    const next =
      row >= drawn.first && row < drawn.last
        ? drawn
        : { first: Math.max(0, row - ahead), last: Math.min(count, row + ahead) }
    known.current.drawn = next
    setDrawn(next)
    follow()
  }
  // In a list that has become shorter, nothing may be beyond its end.
  const last = Math.min(drawn.last, count)
  return { drawn: { first: Math.min(drawn.first, last), last }, show }
}

/** The rows that a whole screen has room for. */
const screenful = (height: number): number => Math.ceil(window.innerHeight / height)
