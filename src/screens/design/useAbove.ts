import { useLayoutEffect } from 'react'
import type { RefObject } from 'react'

/**
 * Tells the style sheet (`--above`) how much of the window is above an element, so that the element can fill the rest:
 * banners and notices come and go there.
 */
export function useAbove(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const own = element.current
    const around = own?.parentElement ?? null
    if (own === null || around === null) return undefined
    const measure = () => {
      const above = Math.round(own.getBoundingClientRect().top + window.scrollY)
      own.style.setProperty('--above', `${above}px`)
    }
    measure()
    const watch = new ResizeObserver(measure)
    for (const one of [around, ...siblingsBefore(around)]) watch.observe(one)
    return () => watch.disconnect()
  }, [element])
}

function siblingsBefore(element: Element): readonly Element[] {
  const all = [...(element.parentElement?.children ?? [])]
  return all.slice(0, all.indexOf(element))
}
