import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'

/**
 * Whether a frame has to be scrolled sideways to see all of it. What has to stay in sight then costs each frame of any
 * scroll, on a tablet a third of its time: it is asked for only where it is needed.
 *
 * @param content what its width depends on besides the frame's own
 */
export function useSideways(frame: RefObject<HTMLElement | null>, content: unknown): boolean {
  const [isSideways, setSideways] = useState(false)
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const look = () => setSideways(element.scrollWidth > element.clientWidth)
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame, content])
  return isSideways
}
