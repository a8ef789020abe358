import { useState } from 'react'

/** How many rows of a list are read at first, and how many more each time somebody asks. */
const PART = 200
/** Most rows that a list shows; a filter finds the others. */
const MOST = 1000

interface ListSize {
  /** How many rows are read. */
  readonly size: number
  /** Reads more of them; null where the list shows no more. */
  readonly more: (() => void) | null
}

/** How much of a long list of the server is read. */
export function useListSize(): ListSize {
  const [size, setSize] = useState(PART)
  return { size, more: size < MOST ? () => setSize((before) => Math.min(before + PART, MOST)) : null }
}
