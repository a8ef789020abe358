import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/**
 * The button that begins a drawing. The focus returns to it after a drawing, and also after the button was gone for a
 * moment because the facts of the file were read again. The hook looks for the button after every render of its
 * component.
 */
export function useFocusBack(isDrawing: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  const isAwaited = useRef(false)
  useEffect(() => {
    const { current } = button
    if (current === null) {
      isAwaited.current ||= isDrawing || hadFocus.current
      return
    }
    if (isAwaited.current && document.activeElement === document.body) current.focus()
    isAwaited.current = false
    hadFocus.current = document.activeElement === current
  })
  return button
}
