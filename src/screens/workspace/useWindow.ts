import { useState } from 'react'
import type { VisitStatus } from '#core/study/schedule.ts'
import { useMarks } from '#src/data/patients.ts'
import type { Loadable, PageMark, PatientView } from '#src/data/types.ts'
import { useVisitStates } from '#src/data/visits.ts'
import type { Span } from '#src/ui/drawnRows.ts'

/** Patients whose marks are read together: a scroll within them reads nothing. */
export const PART = 40

type Marks = ReadonlyMap<string, readonly PageMark[]>
type States = ReadonlyMap<string, ReadonlyMap<string, VisitStatus>>

/**
 * Marks of the patients that are drawn, and of those that were, and where their visits stand: what was read stays on the screen while more is
 * being read. They are read in parts that stay as they are while a scroll goes through them: every other part by itself, so that what comes into
 * view does not read again what is there.
 */
export function useWindow(projectId: string, patients: readonly PatientView[], { first, last }: Span): { readonly marks: Marks; readonly states: States } {
  const [even, odd] = [0, 1].map((parity) => partsOf(patients, first, last, parity)) as [readonly PatientView[], readonly PatientView[]]
  return {
    marks: useStaying([useMarks(projectId, even), useMarks(projectId, odd)], isSameMarks),
    states: useStaying([useVisitStates(projectId, even), useVisitStates(projectId, odd)], isSameStates),
  }
}

/** The patients of every other part that some rows lie in. */
function partsOf(patients: readonly PatientView[], first: number, last: number, parity: number): readonly PatientView[] {
  const parts: PatientView[] = []
  for (let part = Math.floor(first / PART); part * PART < last; part += 1) if (part % 2 === parity) parts.push(...patients.slice(part * PART, (part + 1) * PART))
  return parts
}

type Read<Value> = Loadable<ReadonlyMap<string, Value>>

/** What was read last, and of others what was read before. What says the same stays the same, so that its row is not drawn anew. */
function useStaying<Value>(reads: readonly [Read<Value>, Read<Value>], isSame: (a: Value, b: Value) => boolean): ReadonlyMap<string, Value> {
  const [known, setKnown] = useState<{ readonly latest: readonly unknown[]; readonly all: ReadonlyMap<string, Value> }>({ latest: [null, null], all: new Map() })
  const ready = reads.map((read) => (read.state === 'ready' ? read.value : null))
  const fresh = ready.filter((read, at) => read !== null && read !== known.latest[at]) as ReadonlyMap<string, Value>[]
  if (fresh.length === 0) return known.all
  const all = new Map(known.all)
  for (const read of fresh) {
    for (const [id, value] of read) {
      const before = all.get(id)
      if (before === undefined || !isSame(before, value)) all.set(id, value)
    }
  }
  setKnown({ latest: ready.map((read, at) => read ?? known.latest[at]), all })
  return all
}

function isSameMarks(a: readonly PageMark[], b: readonly PageMark[]): boolean {
  return a.length === b.length && a.every((mark, at) => isSameMark(mark, b[at]))
}

function isSameMark(a: PageMark, b: PageMark | undefined): boolean {
  if (b === undefined || a.entryId !== b.entryId || a.status !== b.status || a.mark !== b.mark) return false
  const { target } = a
  if (!PLACE.every((name) => target[name] === b.target[name])) return false
  return a.progress === b.progress || (a.progress !== null && b.progress !== null && FIGURES.every((name) => a.progress?.[name] === b.progress?.[name]))
}

const PLACE = ['patientId', 'folderId', 'folderRepeat', 'pageId', 'pageRepeat', 'parentEntryId'] as const
const FIGURES = ['total', 'answered', 'missing'] as const

function isSameStates(a: ReadonlyMap<string, VisitStatus>, b: ReadonlyMap<string, VisitStatus>): boolean {
  return a.size === b.size && [...a].every(([folderId, status]) => b.get(folderId) === status)
}
