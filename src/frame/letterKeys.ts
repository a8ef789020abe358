import { useEffect } from 'react'

import { preferences } from './preferences.ts'

/** Where single keys are typed, or look for what begins with them: they work there whatever was chosen. */
const TYPED_INTO = 'input, textarea, select, [contenteditable=true], [role=combobox], [role=listbox], [role=tree]'

/**
 * Keeps single keys (J, K, N, /, 1 …) from acting on lists and pages where the user has switched them off: who speaks
 * to the device, or whose hand trembles, would set them off unasked (WCAG 2.1.4). Keys with Ctrl, ⌘ or Alt, arrows,
 * Enter and Escape work as ever.
 */
export function useLetterKeys(): void {
  useEffect(() => {
    const guard = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, target } = event
      if (preferences().letterKeys || key.length !== 1 || key === ' ') return
      if (ctrlKey || metaKey || altKey) return
      if (target instanceof Element && target.closest(TYPED_INTO) !== null) return
      event.stopPropagation()
    }
    // At the window and on the way in: before any listener of a screen.
    window.addEventListener('keydown', guard, { capture: true })
    return () => window.removeEventListener('keydown', guard, { capture: true })
  }, [])
}
