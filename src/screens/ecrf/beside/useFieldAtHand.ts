import { useEffect, useState } from 'react'

/**
 * The address of the field that has the focus, or had it last. In a table it is that of a row on which the focus is, or
 * of a field of the row that is open.
 *
 * @param first the field to begin with; null for none
 */
export function useFieldAtHand(first: string | null): string | null {
  const [at, setAt] = useState(first)
  useEffect(() => {
    const follow = ({ target }: FocusEvent) => {
      const place = target instanceof Element ? target.closest<HTMLElement>('[data-line], [data-row]') : null
      const address = place?.dataset['line'] ?? place?.dataset['row']
      if (address !== undefined) setAt(address)
    }
    document.addEventListener('focusin', follow)
    return () => document.removeEventListener('focusin', follow)
  }, [])
  return at
}
