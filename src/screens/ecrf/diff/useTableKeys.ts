import { useCallback, useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** What a person types into keeps its letters. */
const TYPED_INTO = 'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable=true], [role=dialog]'

interface TableKeys {
  readonly tableRef: RefObject<HTMLTableElement | null>
  /** Goes to the next difference that nobody has decided, from the start again after the last. */
  readonly goToNext: () => void
}

/**
 * The keys of the comparison: j and k go from difference to difference, n to the next one that is open, 1 and 2 take
 * the value of a pass, 3 begins another value.
 */
export function useTableKeys(): TableKeys {
  const tableRef = useRef<HTMLTableElement>(null)
  const goToNext = useCallback(() => goTo(tableRef.current, '[data-gap][data-open]', 1), [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      if (target instanceof Element && target.closest(TYPED_INTO) !== null) return
      if (!press(tableRef.current, key)) return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return { tableRef, goToNext }
}

/** Does what a key stands for; false for a key that stands for nothing. */
function press(table: HTMLTableElement | null, key: string): boolean {
  switch (key) {
    case 'j':
      return goTo(table, '[data-gap]', 1)
    case 'k':
      return goTo(table, '[data-gap]', -1)
    case 'n':
      return goTo(table, '[data-gap][data-open]', 1)
    case '1':
    case '2':
    case '3': {
      const radios = currentRow(table)?.querySelectorAll<HTMLInputElement>('input[type=radio]')
      const radio = radios?.[Number(key) - 1]
      radio?.focus()
      radio?.click()
      return radio !== undefined
    }
    default:
      return false
  }
}

function currentRow(table: HTMLTableElement | null): Element | null {
  const row = document.activeElement?.closest('tr') ?? null
  if (row === null || table?.contains(row) !== true) return null
  // The form of another value stands in a row of its own, below its difference.
  return row.hasAttribute('data-gap') ? row : row.previousElementSibling
}

function goTo(table: HTMLTableElement | null, wanted: string, step: 1 | -1): boolean {
  const all = [...(table?.querySelectorAll('tr') ?? [])]
  const from = all.findIndex((row) => row === currentRow(table))
  const [before, after] = [all.slice(0, Math.max(from, 0)), all.slice(from + 1)]
  const way = step === 1 ? [...after, ...(wanted.includes('open') ? before : [])] : before.toReversed()
  const row = way.find((one) => one.matches(wanted))
  const radio = row?.querySelector<HTMLInputElement>('input:checked') ?? row?.querySelector('input')
  radio?.focus()
  row?.scrollIntoView({ block: 'nearest' })
  return radio !== undefined && radio !== null
}
