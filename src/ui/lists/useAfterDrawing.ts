import { useEffect, useState } from 'react'

/**
 * Whether what is there has been drawn: what it needs only after that is not begun before, for it would come between.
 */
export function useAfterDrawing(isThere: boolean): boolean {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => {
    if (!isThere) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setDrawn(true))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [isThere])
  return isThere && isDrawn
}
