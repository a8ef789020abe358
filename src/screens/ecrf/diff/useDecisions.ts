import { useCallback, useState } from 'react'
import type { GapRow } from '#core/api/calls/review/double.ts'

import type { Decision, Decisions } from './decisions.ts'

interface DecisionsOfScreen {
  readonly decisions: Decisions
  readonly decide: (id: string, decision: Decision) => void
  /** Takes one pass for all given gaps that nobody has decided. */
  readonly takeRest: (gaps: readonly GapRow[], pass: 'first' | 'second') => void
}

/** The decisions that were made on this screen. Nobody else sees them before the merge. */
export function useDecisions(): DecisionsOfScreen {
  const [decisions, setDecisions] = useState<Decisions>(new Map())
  const decide = useCallback<DecisionsOfScreen['decide']>(
    (id, decision) => setDecisions((before) => new Map(before).set(id, decision)),
    [],
  )
  const takeRest = useCallback<DecisionsOfScreen['takeRest']>(
    (gaps, pass) => setDecisions((before) => withRest(before, gaps, pass)),
    [],
  )
  return { decisions, decide, takeRest }
}

function withRest(before: Decisions, gaps: readonly GapRow[], choose: 'first' | 'second'): Decisions {
  const next = new Map(before)
  for (const { id, ignored } of gaps)
    if (!next.has(id) && ignored === null) next.set(id, { choose, form: null, code: null, text: '' })
  return next
}
