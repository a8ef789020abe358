import { useMemo, useState } from 'react'

/** The row that the keyboard is at, the rows that are marked with it, and whether its panel is open. */
export interface Cursor {
  /** Null before the reader has gone to a row, and when that row is gone. */
  readonly index: number | null
  /** The first and the last marked row; both are the row itself while only one is. */
  readonly from: number
  readonly to: number
  readonly isOpen: boolean
}

export interface CursorActs {
  /** Goes to a row. @param mark whether the rows from where it was are marked too */
  readonly go: (index: number, mark?: boolean) => void
  readonly open: (index: number) => void
  readonly close: () => void
  readonly markAll: () => void
}

interface RowPlace {
  readonly at: string | null
  /** The other end of the marked rows. */
  readonly anchor: string | null
  readonly isOpen: boolean
}

const NOWHERE: RowPlace = { at: null, anchor: null, isOpen: false }

/** Remembers rows by their keys: a sort moves the cursor with its row. */
export function useCursor<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
): { readonly cursor: Cursor; readonly acts: CursorActs } {
  const [place, setPlace] = useState<RowPlace>(NOWHERE)
  const isAnywhere = place.at !== null
  const indexes = useMemo(
    () => (isAnywhere ? new Map(rows.map((row, index) => [rowKey(row), index])) : null),
    // The keys of rows do not depend on the drawing.
    // oxlint-disable-next-line react/exhaustive-deps
    [isAnywhere, rows],
  )
  const indexOf = (key: string | null): number | null => (key === null ? null : (indexes?.get(key) ?? null))
  const index = indexOf(place.at)
  const anchor = indexOf(place.anchor) ?? index
  const keyAt = (at: number): string | null => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, at))]
    return row === undefined ? null : rowKey(row)
  }
  return {
    cursor: {
      index,
      from: Math.min(index ?? 0, anchor ?? 0),
      to: Math.max(index ?? 0, anchor ?? 0),
      isOpen: place.isOpen && index !== null,
    },
    acts: {
      go: (at, mark = false) => {
        const key = keyAt(at)
        setPlace({ at: key, anchor: mark ? (place.anchor ?? place.at ?? key) : key, isOpen: place.isOpen })
      },
      open: (at) => setPlace({ at: keyAt(at), anchor: keyAt(at), isOpen: true }),
      close: () => setPlace({ ...place, isOpen: false }),
      markAll: () => setPlace({ ...place, at: keyAt(0), anchor: keyAt(rows.length - 1) }),
    },
  }
}
