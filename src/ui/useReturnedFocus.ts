import { useLayoutEffect } from 'react'
import type { RefObject } from 'react'

/**
 * Gives the focus back to where it was when a layer opened, once the layer is gone. Where the focus has moved on to
 * something outside the layer, it stays there.
 *
 * @param takesFocus whether the layer gets the focus when it opens; a dialog sees to that itself
 */
export function useReturnedFocus(layer: RefObject<HTMLElement | null>, takesFocus = false): void {
  // A layout effect: once the layer has left the document, nobody can tell that the focus was in it.
  useLayoutEffect(() => {
    const before = document.activeElement
    if (takesFocus) layer.current?.focus({ preventScroll: true })
    return () => {
      // A dialog is drawn into its place only after it has opened, so the layer of now is meant.
      // oxlint-disable-next-line react/exhaustive-deps
      const wasInside = layer.current?.contains(document.activeElement) === true
      if (wasInside && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [layer, takesFocus])
}
