import { useRef, useState } from 'react'
import type { RefObject } from 'react'

import type { Cursor, CursorActs } from './useCursor.ts'
import { useTableKeys } from './useTableKeys.ts'
import type { TableAct } from './useTableKeys.ts'

interface TableActs {
  /** Around all of the table. */
  readonly root: RefObject<HTMLDivElement | null>
  readonly searchBox: RefObject<HTMLInputElement | null>
  /** Whether the panel was opened by a key: then the focus goes into it. */
  readonly isByKey: boolean
  /** Opens the panel of a row by a tap: the focus stays in the list. */
  readonly openByTap: (index: number) => void
  /** Closes the panel; the focus returns to the rows. */
  readonly close: () => void
}

/**
 * What keys and taps do in a table.
 *
 * @param opens whether rows can be opened
 * @param onPick picks the marked rows, or puts them back; null where rows cannot be picked
 */
export function useTableActs(
  cursor: Cursor,
  acts: CursorActs,
  count: number,
  { opens, onPick }: { readonly opens: boolean; readonly onPick: (() => void) | null },
): TableActs {
  const root = useRef<HTMLDivElement>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const [isByKey, setByKey] = useState(false)
  const close = () => {
    acts.close()
    root.current?.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true })
  }
  const act = (asked: TableAct): boolean => {
    switch (asked.do) {
      case 'step':
        acts.go((cursor.index ?? (asked.by > 0 ? -1 : 0)) + asked.by, asked.mark)
        return count > 0
      case 'first':
        acts.go(0, asked.mark)
        return true
      case 'last':
        acts.go(count - 1, asked.mark)
        return true
      case 'open':
        if (cursor.index === null || !opens) return false
        setByKey(true)
        acts.open(cursor.index)
        return true
      case 'close':
        if (cursor.isOpen) close()
        return cursor.isOpen
      case 'find':
        ;(searchBox.current ?? root.current?.querySelector<HTMLElement>('[aria-haspopup]'))?.focus()
        return true
      case 'pick':
        if (cursor.index === null || onPick === null) return false
        onPick()
        return true
      case 'markAll':
        acts.markAll()
        return count > 0
    }
  }
  useTableKeys(root, act)
  return {
    root,
    searchBox,
    isByKey,
    openByTap: (index) => {
      setByKey(false)
      acts.open(index)
    },
    close,
  }
}
