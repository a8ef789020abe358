import { useMemo, useState } from 'react'
import type { VisitStatus } from '#core/study/visits/schedule.ts'
import { useMarks } from '#src/data/hooks/patients.ts'
import type { Loadable, PageMark, PatientView } from '#src/data/shapes/types.ts'
import { useVisitStates } from '#src/data/hooks/visits.ts'
import type { Span } from '#src/ui/lists/drawnRows.ts'

/** How many patients' marks are read together: a scroll within them reads nothing. */
export const PART = 40

type Marks = ReadonlyMap<string, readonly PageMark[]>
type States = ReadonlyMap<string, ReadonlyMap<string, VisitStatus>>

/** How many parts are read apart from each other: so many lie within the window and what is read ahead of it. */
const SLOTS = 4

/**
 * The marks and visit states of the patients that are drawn, and of those that were drawn before. What was
 * read stays on the screen while more is being read. The part beyond the window is read before it is drawn, because
 * marks that arrive for a whole screen of rows cost a tablet as much as new rows. Each part is read by itself, so that
 * a new one does not read the others again.
 */
export function useWindow(
  projectId: string,
  patients: readonly PatientView[],
  span: Span,
): { readonly marks: Marks; readonly states: States } {
  const from = Math.max(0, Math.floor(span.first / PART) - 1)
  const to = Math.ceil(span.last / PART) + 1
  // The same lists until a scroll reaches another part, so that the queries are not made again with each step.
  const [a, b, c, d] = useMemo(
    () => [0, 1, 2, 3].map((slot) => partsOf(patients, { from, to }, slot)) as [Part, Part, Part, Part],
    [patients, from, to],
  )
  return {
    marks: useStaying(
      [useMarks(projectId, a), useMarks(projectId, b), useMarks(projectId, c), useMarks(projectId, d)],
      isSameMarks,
    ),
    states: useStaying(
      [
        useVisitStates(projectId, a),
        useVisitStates(projectId, b),
        useVisitStates(projectId, c),
        useVisitStates(projectId, d),
      ],
      isSameStates,
    ),
  }
}

type Part = readonly PatientView[]

/** The patients of a slot's parts, from one patient up to another. */
function partsOf(
  patients: readonly PatientView[],
  { from, to }: { readonly from: number; readonly to: number },
  slot: number,
): Part {
  const parts: PatientView[] = []
  for (let part = from; part < to; part += 1) {
    if (part % SLOTS === slot) parts.push(...patients.slice(part * PART, (part + 1) * PART))
  }
  return parts
}

type Read<Value> = Loadable<ReadonlyMap<string, Value>>

/** For how many patients the marks are remembered; every part that arrives copies them. */
const STAYING = 10 * PART

/**
 * What was read last, together with what was read before of other patients. An equal value keeps its old object, so
 * that its row is not drawn again.
 */
function useStaying<Value>(
  reads: readonly Read<Value>[],
  isSame: (a: Value, b: Value) => boolean,
): ReadonlyMap<string, Value> {
  const [known, setKnown] = useState<{ readonly latest: readonly unknown[]; readonly all: ReadonlyMap<string, Value> }>(
    { latest: reads.map(() => null), all: new Map() },
  )
  const ready = reads.map((read) => (read.state === 'ready' ? read.value : null))
  const fresh = ready.filter((read, at) => read !== null && read !== known.latest[at]) as ReadonlyMap<string, Value>[]
  if (fresh.length === 0) return known.all
  const all = new Map(known.all)
  for (const read of fresh) {
    for (const [id, value] of read) {
      const before = all.get(id)
      all.delete(id)
      all.set(id, before === undefined || !isSame(before, value) ? value : before)
    }
  }
  for (const id of all.keys()) {
    if (all.size <= STAYING) break
    all.delete(id)
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
  return (
    a.progress === b.progress ||
    (a.progress !== null && b.progress !== null && FIGURES.every((name) => a.progress?.[name] === b.progress?.[name]))
  )
}

const PLACE = ['patientId', 'folderId', 'folderRepeat', 'pageId', 'pageRepeat', 'parentEntryId'] as const
const FIGURES = ['total', 'answered', 'missing'] as const

function isSameStates(a: ReadonlyMap<string, VisitStatus>, b: ReadonlyMap<string, VisitStatus>): boolean {
  return a.size === b.size && [...a].every(([folderId, status]) => b.get(folderId) === status)
}
