import { useState } from 'react'

/** The parts of a log that are shown, by what each begins after; those of another log are forgotten. */
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
