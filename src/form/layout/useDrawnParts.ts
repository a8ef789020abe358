import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * Parts that one task draws, three hundred rows: within the 50 ms on a desktop that typing may have to wait for. With
 * fewer, commits and frames in between take longer than the rows, above all on a busy machine.
 */
const PARTS_A_TASK = 15

/**
 * How many parts are drawn: the first ones with the first paint, the others right after it, some at a time so that
 * input gets its turn. With it comes the way to have at least so many drawn now.
 */
export function useDrawnParts(first: number, total: number): readonly [number, (atLeast: number) => void] {
  const [drawn, setDrawn] = useState(first)
  useEffect(() => {
    if (drawn >= total) return undefined
    // Drawn within the task itself: handed to React's own scheduler it would wait for another turn of the page.
    const draw = () => flushSync(() => setDrawn((count) => Math.min(total, count + PARTS_A_TASK)))
    return drawn > first ? inTurn(draw) : afterPaint(draw)
  }, [drawn, first, total])
  return [drawn, (atLeast) => setDrawn((count) => Math.max(count, atLeast))]
}

/** Runs a task in a turn of its own, so that waiting input comes first. Gives the way to call it off. */
function inTurn(task: () => void): () => void {
  // Older Safari has no scheduler.
  if (!('scheduler' in globalThis)) {
    const timer = setTimeout(task)
    return () => clearTimeout(timer)
  }
  let wanted = true
  // Tasks of lower priority are held back for some 300 ms by Chromium after a page is opened.
  void scheduler.postTask(() => wanted && task())
  return () => {
    wanted = false
  }
}

/** The same after the next frame, which would otherwise have to wait for the task. */
function afterPaint(task: () => void): () => void {
  let cancel = () => cancelAnimationFrame(frame)
  const frame = requestAnimationFrame(() => {
    cancel = inTurn(task)
  })
  return () => cancel()
}
