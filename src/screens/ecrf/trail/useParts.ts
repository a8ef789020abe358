import { useState } from 'react'

/** How many lines of a log are read at once. */
export const CHUNK = 50

/**
 * The chunks of a log that are shown, each by the line after which it begins. Another log begins with its first chunk.
 */
export function useParts(log: string): {
  readonly parts: readonly (string | null)[]
  readonly more: (before: string) => void
} {
  const [shown, setShown] = useState<{ readonly log: string; readonly parts: readonly (string | null)[] }>({
    log,
    parts: FIRST,
  })
  const parts = shown.log === log ? shown.parts : FIRST
  return { parts, more: (before) => setShown({ log, parts: [...parts, before] }) }
}

const FIRST: readonly (string | null)[] = [null]
