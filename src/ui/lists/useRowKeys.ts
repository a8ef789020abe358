import { useLayoutEffect, useRef, useState } from 'react'
import type { FocusEvent } from 'react'

import { nextKeys } from './drawnRows.ts'
import type { RowKeys } from './drawnRows.ts'

const NONE: RowKeys = new Map()

/**
 * Keys for the drawn rows of a long list, which reuse the elements of rows that are gone (nextKeys). Each row says in
 * `data-row` what it shows, and `onFocus` is on the element around them: the focus never passes from one row to another
 * that is drawn in its place.
 *
 * @param ids what the rows show, in their order; each once
 */
export function useRowKeys(ids: readonly string[]): {
  readonly keys: RowKeys
  readonly onFocus: (event: FocusEvent) => void
} {
  const [before, setKeys] = useState(NONE)
  const keys = nextKeys(before, ids)
  if (keys !== before) setKeys(keys)

  const focused = useRef<{ readonly row: HTMLElement; readonly id: string } | null>(null)
  useLayoutEffect(() => {
    const { current } = focused
    if (current === null || current.row.dataset['row'] === current.id) return
    focused.current = null
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && current.row.contains(activeElement)) activeElement.blur()
  })
  const onFocus = ({ target }: FocusEvent): void => {
    const row = target.closest<HTMLElement>('[data-row]')
    const id = row?.dataset['row']
    focused.current = row === null || id === undefined ? null : { row, id }
  }
  return { keys, onFocus }
}
