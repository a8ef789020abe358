import { use, useState } from 'react'
import type { QueryAct } from '#core/review/query.ts'
import type { AnswerCategory } from '#core/review/queryThread.ts'
import type { Device } from '#src/data/device/device.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'

/** What somebody has begun to say in a query, and not sent. */
export interface UnsentWords {
  readonly act: QueryAct
  readonly text: string
  readonly category: AnswerCategory | null
}

/** By query, for each time that somebody is signed in: nothing of it is left once they are not. */
const all = new WeakMap<Device, Map<string, UnsentWords>>()

/**
 * What was begun to be said in a query. It outlives the sheet in which it is typed: a page is opened anew under it when
 * its patient comes onto the device or a version is released, and a list is read again.
 */
export function useUnsentWords(queryId: string): readonly [UnsentWords | null, (next: UnsentWords | null) => void] {
  const device = use(DeviceContext)
  const [words, setWords] = useState(() => (device === null ? undefined : all.get(device)?.get(queryId)) ?? null)
  const change = (next: UnsentWords | null): void => {
    setWords(next)
    if (device === null) return
    const known = all.get(device) ?? new Map<string, UnsentWords>()
    all.set(device, known)
    if (next === null) known.delete(queryId)
    else known.set(queryId, next)
  }
  return [words, change]
}
