import { useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'

/** The width of an element in px, followed; 0 until it is laid out. */
export function useWidth<Of extends HTMLElement>(): readonly [place: RefObject<Of | null>, width: number] {
  const place = useRef<Of>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const look = () => setWidth(Math.floor(element.getBoundingClientRect().width))
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [place, width]
}
