import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * Parts that one task draws: three hundred rows, which on a desktop stays within the 50 ms that typing may have to
 * wait. With fewer, the commits and frames in between take longer than the rows, above all on a busy machine.
 */
const PARTS_A_TASK = 15

/**
 * How many parts are drawn. The first ones come with the first paint, the others right after it, a few at a time so
 * that input gets its turn. Also returns a function that draws at least so many parts now.
 */
export function useDrawnParts(first: number, total: number): readonly [number, (atLeast: number) => void] {
  const [drawn, setDrawn] = useState(first)
  useEffect(() => {
    if (drawn >= total) return undefined
    // Drawn within the task itself, because React's own scheduler would wait for another turn of the event loop.
    const draw = () => flushSync(() => setDrawn((count) => Math.min(total, count + PARTS_A_TASK)))
    return drawn > first ? inTurn(draw) : afterPaint(draw)
  }, [drawn, first, total])
  return [drawn, (atLeast) => setDrawn((count) => Math.max(count, atLeast))]
}

/** Runs a task in a turn of its own, so that waiting input comes first. Returns a function that cancels it. */
function inTurn(task: () => void): () => void {
  // Older Safari has no scheduler.
  if (!('scheduler' in globalThis)) {
    const timer = setTimeout(task)
    return () => clearTimeout(timer)
  }
  let wanted = true
  // Chromium delays tasks of lower priority by some 300 ms after a page is opened.
  void scheduler.postTask(() => wanted && task())
  return () => {
    wanted = false
  }
}

/** Runs a task after the next frame, which otherwise would have to wait for the task. */
function afterPaint(task: () => void): () => void {
  let cancel = () => cancelAnimationFrame(frame)
  const frame = requestAnimationFrame(() => {
    cancel = inTurn(task)
  })
  return () => cancel()
}
