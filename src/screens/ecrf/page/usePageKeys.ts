import { useEffect } from 'react'
import { isForPage, isTyped } from '#src/screens/ecrf/pageKeys.ts'

interface PageKeys {
  readonly previous: (() => void) | null
  readonly next: (() => void) | null
  /** Submits the page and goes on; null where it takes no typing. */
  readonly submit: (() => void) | null
}

/**
 * Keys of an open page: Ctrl or ⌘ with Enter submits and goes on, j and k go to the next page and the one before. They
 * belong to the page only: nothing happens while a dialog is open, and letters type where somebody types.
 */
export function usePageKeys({ previous, next, submit }: PageKeys): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isForPage(event)) return
      const { key } = event
      const isCommand = event.ctrlKey || event.metaKey
      const act = isCommand ? (key === 'Enter' ? submit : null) : wayOf(event, previous, next)
      if (act === null) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [previous, next, submit])
}

function wayOf(event: KeyboardEvent, previous: (() => void) | null, next: (() => void) | null): (() => void) | null {
  if (event.altKey || event.shiftKey || isTyped(event)) return null
  if (event.key === 'j') return next
  return event.key === 'k' ? previous : null
}
