import { startTransition, useEffect, useState } from 'react'

/** How many parts are drawn: the first ones with the first paint, then one more each time that the browser is idle. */
export function useDrawnParts(first: number, total: number): readonly [number, (atLeast: number) => void] {
  const [drawn, setDrawn] = useState(first)
  useEffect(() => {
    if (drawn >= total) return
    // Safari has no requestIdleCallback; a short pause lets typing through just as well.
    const timer = setTimeout(() => startTransition(() => setDrawn((count) => Math.min(total, count + 1))), 16)
    return () => clearTimeout(timer)
  }, [drawn, total])
  return [drawn, (atLeast) => setDrawn((count) => Math.max(count, atLeast))]
}
