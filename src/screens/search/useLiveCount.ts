import { useEffect, useState } from 'react'
import type { ApiError } from '#core/api/errors.ts'
import type { Condition } from '#core/dataset/conditions.ts'
import type { Result } from '#core/result.ts'
import { useServerCall } from '#src/data/server.ts'

/** How long after the last change it is counted, in ms. */
const REST_MS = 400

type Counted = Result<{ readonly count: number; readonly all: number }, ApiError>

/** How many subjects meet what is being built. A count that is overtaken is stopped, and its answer not taken. */
export function useLiveCount(projectId: string, condition: Condition) {
  const call = useServerCall()
  const asked = JSON.stringify(condition)
  const [counted, setCounted] = useState<{ readonly of: string; readonly answer: Counted } | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    const count = async (): Promise<void> => {
      const body = { projectId, condition: JSON.parse(asked) as Condition }
      const answer = await call('search.count', { body, projectId, signal: stop.signal })
      if (!stop.signal.aborted) setCounted({ of: asked, answer })
    }
    const later = setTimeout(() => void count(), REST_MS)
    return () => {
      clearTimeout(later)
      stop.abort()
    }
  }, [asked, call, projectId])
  return { answer: counted?.answer ?? null, isCounting: counted?.of !== asked }
}
