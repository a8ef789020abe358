import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'

/**
 * Whether a frame has to be scrolled sideways to see all of it. Sticky parts then cost time in each frame of any
 * scroll, on a tablet a third of it: they are used only where they are needed.
 *
 * @param content what the content's width depends on besides the frame's own width
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
