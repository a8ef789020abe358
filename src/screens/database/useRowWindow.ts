import { useCallback, useEffect, useRef, useState } from 'react'
import type { DatabaseQuestion, DatabaseRow } from '#core/api/calls/data/database.ts'
import type { ApiError } from '#core/api/errors.ts'
import { useServerCall } from '#src/data/server.ts'

/** Rows that are read at once, and how far ahead of the scroll. */
const PART = 100
const AHEAD = 100
/** How long after a change of the question it is asked, in ms: somebody may be typing. */
const REST_MS = 250

export interface RowWindow {
  readonly state: 'loading' | 'ready' | 'failed'
  readonly error: ApiError | null
  /** How many rows there are to scroll through; those that are not read yet are undefined. */
  readonly count: number
  readonly total: number
  readonly isLeast: boolean
  readonly isReading: boolean
  readonly rowAt: (index: number) => DatabaseRow | undefined
  /** Rows from one up to, not including, another come into view. */
  readonly need: (first: number, last: number) => void
  readonly retry: () => void
}

interface Parts {
  readonly rows: ReadonlyMap<number, readonly DatabaseRow[]>
  readonly count: number
  readonly total: number
  readonly isLeast: boolean
  readonly state: RowWindow['state']
  readonly error: ApiError | null
}

const NOTHING: Parts = { rows: new Map(), count: 0, total: 0, isLeast: false, state: 'loading', error: null }

/** The rows of a question, part by part around what is in view. @param question null: nothing is asked */
export function useRowWindow(question: DatabaseQuestion | null): RowWindow {
  const call = useServerCall()
  const asked = question === null ? null : JSON.stringify(question)
  const [parts, setParts] = useState<{ readonly of: string | null; readonly is: Parts }>({ of: null, is: NOTHING })
  const [under, setUnder] = useState(0)
  const [tries, setTries] = useState(0)
  const run = useRef<{ readonly of: string; readonly stop: AbortController; readonly sent: Set<number> } | null>(null)

  const read = useCallback(
    async (part: number): Promise<void> => {
      const now = run.current
      if (now === null || now.sent.has(part)) return
      now.sent.add(part)
      setUnder((before) => before + 1)
      const body = { ...(JSON.parse(now.of) as DatabaseQuestion), offset: part * PART, size: PART }
      const said = await call('database.rows', { body, projectId: body.projectId, signal: now.stop.signal })
      setUnder((before) => before - 1)
      if (run.current !== now) return
      if (!said.ok) now.sent.delete(part)
      setParts(({ of, is }) => ({ of: now.of, is: withPart(of === now.of ? is : NOTHING, part, said) }))
    },
    [call],
  )

  useEffect(() => {
    if (asked === null) return undefined
    const stop = new AbortController()
    const later = setTimeout(() => {
      run.current = { of: asked, stop, sent: new Set() }
      void read(0)
    }, REST_MS)
    return () => {
      clearTimeout(later)
      stop.abort()
      run.current = null
    }
  }, [asked, read, tries])

  const need = useCallback(
    (first: number, last: number): void => {
      const from = Math.max(0, Math.floor((first - AHEAD) / PART))
      const to = Math.floor((last + AHEAD) / PART)
      for (let part = from; part <= to; part += 1) void read(part)
    },
    [read],
  )
  const is = parts.of === asked ? parts.is : NOTHING
  return {
    state: is.state,
    error: is.error,
    count: is.count,
    total: is.total,
    isLeast: is.isLeast,
    isReading: under > 0,
    rowAt: (index) => is.rows.get(Math.floor(index / PART))?.[index % PART],
    need: (first, last) => need(first, Math.min(last, Math.max(0, is.count - AHEAD - 1))),
    retry: () => setTries((before) => before + 1),
  }
}

type Said =
  | {
      readonly ok: true
      readonly value: { readonly rows: readonly DatabaseRow[]; readonly total: number; readonly totalIsLeast: boolean }
    }
  | { readonly ok: false; readonly error: ApiError }

function withPart(before: Parts, part: number, said: Said): Parts {
  if (!said.ok) return { ...before, state: before.state === 'ready' ? 'ready' : 'failed', error: said.error }
  const { rows, total, totalIsLeast } = said.value
  // Beyond what is counted, there are as many rows as were read, and a part more as long as parts are full.
  const end = part * PART + rows.length
  const beyond = totalIsLeast && rows.length === PART ? end + PART : end
  return {
    rows: new Map([...before.rows, [part, rows]]),
    count: totalIsLeast ? Math.max(before.count, total, beyond) : total,
    total,
    isLeast: totalIsLeast,
    state: 'ready',
    error: null,
  }
}
