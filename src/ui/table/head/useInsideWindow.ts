import { useLayoutEffect } from 'react'

/** What stays free between a layer and the edge of the window, in px. */
const EDGE = 8

/**
 * Keeps a layer that opens at its button within the window: where large text or a narrow window leaves it too little
 * room at that side, it moves towards the middle. Measured with every drawing, because what it holds changes its width.
 */
export function useInsideWindow(layer: { readonly current: HTMLElement | null }, isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    const place = (): void => {
      const element = layer.current
      if (element === null) return
      element.style.removeProperty('translate')
      const { left, right, width } = element.getBoundingClientRect()
      const { clientWidth: all } = document.documentElement
      // A sheet at the bottom is as wide as the window.
      if (width > all - 2 * EDGE) return
      const over = right - (all - EDGE)
      if (over > 0) element.style.setProperty('translate', `${-over}px`)
      else if (left < EDGE) element.style.setProperty('translate', `${EDGE - left}px`)
    }
    place()
    window.addEventListener('resize', place)
    // A reader may make the text larger while it is open.
    const sizes = new ResizeObserver(place)
    if (layer.current !== null) sizes.observe(layer.current)
    return () => {
      window.removeEventListener('resize', place)
      sizes.disconnect()
    }
  })
}
