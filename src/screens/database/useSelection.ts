import { useState } from 'react'
import type { KeyboardEvent } from 'react'

/** The cell that a reader is at, and the cells that are selected with it: all between it and where they began. */

export interface CellPlace {
  readonly row: number
  readonly column: number
}

export interface Selection {
  readonly at: CellPlace | null
  readonly from: CellPlace
  readonly to: CellPlace
}

const NOWHERE: CellPlace = { row: 0, column: 0 }
/** How many rows Page Down and Page Up move. */
const PAGE = 10

/** Where a key leads; null for a key that leads nowhere. */
export function placeAfter(
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  { row, column }: CellPlace,
  size: { readonly rows: number; readonly columns: number },
): CellPlace | null {
  const far = ctrlKey || metaKey
  switch (key) {
    case 'ArrowDown':
      return { row: far ? size.rows - 1 : row + 1, column }
    case 'ArrowUp':
      return { row: far ? 0 : row - 1, column }
    case 'ArrowRight':
      return { row, column: far ? size.columns - 1 : column + 1 }
    case 'ArrowLeft':
      return { row, column: far ? 0 : column - 1 }
    case 'PageDown':
      return { row: row + PAGE, column }
    case 'PageUp':
      return { row: row - PAGE, column }
    case 'Home':
      return { row: far ? 0 : row, column: 0 }
    case 'End':
      return { row: far ? size.rows - 1 : row, column: size.columns - 1 }
    default:
      return null
  }
}

/** @param size how many rows and columns there are: the selection stays within them */
export function useSelection(size: { readonly rows: number; readonly columns: number }) {
  const [place, setPlace] = useState<{ readonly at: CellPlace | null; readonly anchor: CellPlace | null }>({
    at: null,
    anchor: null,
  })
  const within = ({ row, column }: CellPlace): CellPlace => ({
    row: Math.max(0, Math.min(size.rows - 1, row)),
    column: Math.max(0, Math.min(size.columns - 1, column)),
  })
  const at = place.at === null || size.rows === 0 ? null : within(place.at)
  const anchor = place.anchor === null ? at : within(place.anchor)
  const [a, b] = [at ?? NOWHERE, anchor ?? NOWHERE]
  const selection: Selection = {
    at,
    from: { row: Math.min(a.row, b.row), column: Math.min(a.column, b.column) },
    to: { row: Math.max(a.row, b.row), column: Math.max(a.column, b.column) },
  }
  return {
    selection,
    /** @param extends whether all cells from where it was are selected */
    go: (next: CellPlace, isExtended: boolean) =>
      setPlace((before) => ({ at: next, anchor: isExtended ? (before.anchor ?? before.at ?? next) : next })),
    clear: () => setPlace({ at: null, anchor: null }),
  }
}

export function isSelected({ at, from, to }: Selection, row: number, column: number): boolean {
  return at !== null && row >= from.row && row <= to.row && column >= from.column && column <= to.column
}
