import { useLayoutEffect } from 'react'
import type { RefObject } from 'react'

interface LayerFocus {
  readonly isOpen?: boolean
  /** Whether the layer gets the focus when it opens; a dialog sees to that itself. */
  readonly takesFocus?: boolean
  /** Whether nothing else can be used while it is open: then a focus that is nowhere was in it too. */
  readonly isModal?: boolean
}

/**
 * Gives the focus back to where it was when a layer opened, once the layer is closed. Where the focus has moved on to
 * something outside the layer, it stays there.
 */
export function useReturnedFocus(
  layer: RefObject<HTMLElement | null>,
  { isOpen = true, takesFocus = false, isModal = false }: LayerFocus = {},
): void {
  // A layout effect: once the layer has left the document, nobody can tell that the focus was in it. And the layer
  // takes the focus soon after it is drawn: a later effect might find the focus in it already.
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    const before = document.activeElement
    if (takesFocus) layer.current?.focus({ preventScroll: true })
    return () => {
      const now = document.activeElement
      // A dialog is drawn into its place only after it has opened, so the layer of now is meant.
      // oxlint-disable-next-line react/exhaustive-deps
      const wasInside = layer.current?.contains(now) === true || (isModal && (now === null || now === document.body))
      if (wasInside && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [layer, isOpen, takesFocus, isModal])
}
