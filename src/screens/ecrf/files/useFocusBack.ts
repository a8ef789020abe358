import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/**
 * The button that begins a drawing. The focus comes back to it after a drawing, and where it was gone for a moment, for
 * what is known of the file was being read anew. Whether it is there is looked at after every render of the component
 * that uses this.
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
