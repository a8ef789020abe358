import { useState } from 'react'
import type { VisitStatus } from '#core/study/schedule.ts'
import { useMarks } from '#src/data/patients.ts'
import type { Loadable, PageMark, PatientView } from '#src/data/types.ts'
import { useVisitStates } from '#src/data/visits.ts'

/** Patients whose marks are read together: a scroll within them reads nothing. */
export const PART = 40

/**
 * Marks of the patients that are in view, and of those that were: what was read stays on the screen while more is being read.
 *
 * @param first index of the first patient in view
 * @param last index of the last one, inclusive
 */
export function useWindowMarks(projectId: string, patients: readonly PatientView[], first: number, last: number): ReadonlyMap<string, readonly PageMark[]> {
  return useStaying(useMarks(projectId, partOf(patients, first, last)))
}

/** Where the visits of the same patients stand, by folder. */
export function useWindowStates(projectId: string, patients: readonly PatientView[], first: number, last: number): ReadonlyMap<string, ReadonlyMap<string, VisitStatus>> {
  return useStaying(useVisitStates(projectId, partOf(patients, first, last)))
}

function partOf(patients: readonly PatientView[], first: number, last: number): readonly PatientView[] {
  return patients.slice(Math.floor(Math.max(0, first) / PART) * PART, Math.ceil((last + 1) / PART) * PART)
}

function useStaying<Value>(read: Loadable<ReadonlyMap<string, Value>>): ReadonlyMap<string, Value> {
  const ready = read.state === 'ready' ? read.value : null
  const [known, setKnown] = useState<{ readonly latest: typeof ready; readonly all: ReadonlyMap<string, Value> }>({ latest: null, all: new Map() })
  if (ready !== null && ready !== known.latest) {
    const all = new Map([...known.all, ...ready])
    setKnown({ latest: ready, all })
    return all
  }
  return known.all
}
