import { useState } from 'react'
import { useMarks } from '#src/data/patients.ts'
import type { PageMark, PatientView } from '#src/data/types.ts'

/** Patients whose marks are read together: a scroll within them reads nothing. */
export const PART = 40

/**
 * Marks of the patients that are in view, and of those that were: what was read stays on the screen while more is being read.
 *
 * @param first index of the first patient in view
 * @param last index of the last one, inclusive
 */
export function useWindowMarks(
  projectId: string,
  patients: readonly PatientView[],
  first: number,
  last: number,
): ReadonlyMap<string, readonly PageMark[]> {
  const from = Math.floor(Math.max(0, first) / PART) * PART
  const to = Math.ceil((last + 1) / PART) * PART
  const read = useMarks(projectId, patients.slice(from, to))
  const ready = read.state === 'ready' ? read.value : null
  const [known, setKnown] = useState<{ readonly latest: typeof ready; readonly all: ReadonlyMap<string, readonly PageMark[]> }>({ latest: null, all: new Map() })
  if (ready !== null && ready !== known.latest) {
    const all = new Map([...known.all, ...ready])
    setKnown({ latest: ready, all })
    return all
  }
  return known.all
}
