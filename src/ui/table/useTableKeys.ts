import { useEffect, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** What a key does in a table; null for a key that the table does not use. */
export type TableAct =
  | { readonly do: 'step'; readonly by: number; readonly mark: boolean }
  | { readonly do: 'first' | 'last'; readonly mark: boolean }
  | { readonly do: 'open' | 'close' | 'find' | 'markAll' | 'pick' }

/** How many rows Page Down and Page Up move. */
const PAGE = 10

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/**
 * Letters work from anywhere in the table and where nothing has the focus; arrows and Enter only in the rows: elsewhere
 * they scroll, and press what has the focus.
 */
export function actOfKey({ key, shiftKey, ctrlKey, metaKey, altKey }: Key, inRows: boolean): TableAct | null {
  if (altKey) return null
  if (ctrlKey || metaKey) return inRows && key.toLowerCase() === 'a' ? { do: 'markAll' } : null
  switch (key) {
    case 'j':
    case 'J':
      return { do: 'step', by: 1, mark: shiftKey }
    case 'k':
    case 'K':
      return { do: 'step', by: -1, mark: shiftKey }
    case 'x':
      return { do: 'pick' }
    case '/':
      return { do: 'find' }
    case 'Escape':
      return { do: 'close' }
  }
  if (!inRows) return null
  switch (key) {
    case 'ArrowDown':
      return { do: 'step', by: 1, mark: shiftKey }
    case 'ArrowUp':
      return { do: 'step', by: -1, mark: shiftKey }
    case 'PageDown':
      return { do: 'step', by: PAGE, mark: shiftKey }
    case 'PageUp':
      return { do: 'step', by: -PAGE, mark: shiftKey }
    case 'Home':
      return { do: 'first', mark: shiftKey }
    case 'End':
      return { do: 'last', mark: shiftKey }
    case 'Enter':
      return { do: 'open' }
    default:
      return null
  }
}

const TYPED_IN = 'input:not([type=checkbox]), textarea, select, [contenteditable=true]'

/**
 * Hears the keys of a table: from inside it, its panel, and where nothing has the focus. A dialog above it, and what is
 * typed into a box, are left alone.
 *
 * @param onAct returns whether the key was used
 */
export function useTableKeys(root: RefObject<HTMLElement | null>, onAct: (act: TableAct) => boolean): void {
  const latest = useRef(onAct)
  useLayoutEffect(() => {
    latest.current = onAct
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { target } = event
      if (event.defaultPrevented || !(target instanceof Element)) return
      const isFree = target === document.body
      if (!isFree && root.current?.contains(target) !== true) return
      if (target.matches(TYPED_IN) && event.key !== 'Escape') return
      const inRows = target.matches('[role=grid]') || (isFree && event.key === 'Enter')
      const act = actOfKey(event, inRows)
      if (act !== null && latest.current(act)) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [root])
}
