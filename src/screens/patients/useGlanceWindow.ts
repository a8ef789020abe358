import { useCallback, useMemo, useState } from 'react'
import { useGlances } from '#src/data/hooks/visits.ts'
import type { Glance, Glances } from '#src/data/shapes/listTypes.ts'
import type { Loadable, PatientView } from '#src/data/shapes/types.ts'
import { PART } from '#src/ui/table/contract.ts'
import type { OnWindow } from '#src/ui/table/contract.ts'

/** How many parts are read apart from each other: so many lie within the window and what is read ahead of it. */
const SLOTS = 4
/** For how many patients the facts are remembered. */
const STAYING = 10 * PART

type Part = readonly PatientView[]

const NOBODY: Part = []
const NOWHERE: { readonly rows: Part; readonly from: number } = { rows: NOBODY, from: 0 }

/**
 * What is read of the patients in view and around them. Each part is read by itself, so that a new one does not read
 * the others again; what was read stays on the screen meanwhile.
 *
 * @param factOf what a line shows of a glance; the same function as long as it means the same
 */
export function useGlanceWindow<Fact extends { readonly sign: string }>(
  projectId: string,
  factOf: ((glance: Glance) => Fact) | null,
): { readonly facts: ReadonlyMap<string, Fact>; readonly onWindow: OnWindow<PatientView> } {
  const [{ rows, from }, setWindow] = useState(NOWHERE)
  const onWindow = useCallback<OnWindow<PatientView>>((shown, first) => setWindow({ rows: shown, from: first }), [])
  const parts = useMemo(() => {
    const all: Part[] = Array.from({ length: SLOTS }, () => NOBODY)
    for (let at = 0; at < rows.length; at += PART) all[((from + at) / PART) % SLOTS] = rows.slice(at, at + PART)
    return all
  }, [rows, from])
  const reads = [
    useGlances(projectId, partOf(parts, 0, factOf)),
    useGlances(projectId, partOf(parts, 1, factOf)),
    useGlances(projectId, partOf(parts, 2, factOf)),
    useGlances(projectId, partOf(parts, 3, factOf)),
  ]
  return { facts: useStaying(reads, factOf), onWindow }
}

function partOf(parts: readonly Part[], slot: number, factOf: unknown): Part {
  return factOf === null ? NOBODY : (parts[slot] ?? NOBODY)
}

/** What was read last, together with what was read before. A fact that shows the same keeps its old object. */
function useStaying<Fact extends { readonly sign: string }>(
  reads: readonly Loadable<Glances>[],
  factOf: ((glance: Glance) => Fact) | null,
): ReadonlyMap<string, Fact> {
  const [known, setKnown] = useState<{
    readonly latest: readonly (Glances | null)[]
    readonly made: unknown
    readonly all: ReadonlyMap<string, Fact>
  }>({ latest: reads.map(() => null), made: factOf, all: new Map() })
  const ready = reads.map((read) => (read.state === 'ready' ? read.value : null))
  // Other words for the same, as in another language, are made anew.
  const isSame = known.made === factOf
  const fresh = ready.filter((read, at) => read !== null && (!isSame || read !== known.latest[at]))
  if (factOf === null || (fresh.length === 0 && isSame)) return known.all
  const all = new Map(isSame ? known.all : [])
  for (const read of fresh) {
    for (const [id, glance] of read ?? []) {
      const fact = factOf(glance)
      const before = all.get(id)
      all.delete(id)
      all.set(id, before?.sign === fact.sign ? before : fact)
    }
  }
  for (const id of all.keys()) {
    if (all.size <= STAYING) break
    all.delete(id)
  }
  setKnown({ latest: ready.map((read, at) => read ?? known.latest[at] ?? null), made: factOf, all })
  return all
}
