import { useEffect, useReducer, useState } from 'react'

/** What a drawn row shows of a fact; undefined where it has none yet. */
type Shown<Fact> = ReadonlyMap<string, Fact | undefined>

/**
 * The facts that drawn rows show. What was read late arrives for a whole screen of rows at once, and drawing all of
 * them in one frame holds up a scroll: so only a few of them change in each frame. A row that was not drawn before
 * shows its fact at once.
 *
 * @param ids the drawn rows, in their order
 * @param step how many rows may change in one frame
 * @param drawnWith what all rows are drawn with: once it changes, as with another language, they are all drawn again
 * anyway, and one that kept its old fact would show words of two languages
 */
export function useFactSteps<Fact>(
  facts: ReadonlyMap<string, Fact>,
  ids: readonly string[],
  step: number,
  drawnWith: unknown,
): Shown<Fact> {
  const [frame, drawNext] = useReducer((count: number) => count + 1, 0)
  const [before, setBefore] = useState<{
    readonly shown: Shown<Fact>
    readonly frame: number
    readonly drawnWith: unknown
  }>({ shown: NOTHING, frame, drawnWith })
  const room = drawnWith !== before.drawnWith ? Infinity : frame === before.frame ? 0 : step
  const { shown, isBehind } = nextFacts(before.shown, facts, ids, room)
  if (shown !== before.shown || frame !== before.frame || drawnWith !== before.drawnWith)
    setBefore({ shown, frame, drawnWith })
  useEffect(() => {
    if (!isBehind) return undefined
    const asked = requestAnimationFrame(drawNext)
    return () => cancelAnimationFrame(asked)
  }, [isBehind, frame])
  return shown
}

const NOTHING: Shown<never> = new Map()

/**
 * What rows show after one step: the same map where nothing changes.
 *
 * @param step how many rows may take another fact than they show
 * @returns `isBehind`: whether some of them still show an old fact
 */
export function nextFacts<Fact>(
  before: Shown<Fact>,
  facts: ReadonlyMap<string, Fact>,
  ids: readonly string[],
  step: number,
): { readonly shown: Shown<Fact>; readonly isBehind: boolean } {
  const shown = new Map<string, Fact | undefined>()
  let room = step
  let isBehind = false
  let isSame = before.size === ids.length
  for (const id of ids) {
    const [old, fresh] = [before.get(id), facts.get(id)]
    const changes = before.has(id) && old !== fresh
    const waits = changes && room === 0
    if (waits) isBehind = true
    else if (changes) room -= 1
    isSame &&= before.has(id) && (waits || !changes)
    shown.set(id, waits ? old : fresh)
  }
  return { shown: isSame ? before : shown, isBehind }
}
