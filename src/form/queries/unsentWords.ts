import { use, useState } from 'react'
import type { FileReference } from '#core/files/reference.ts'
import type { QueryAct } from '#core/review/query.ts'
import type { AnswerCategory } from '#core/review/queryThread.ts'
import type { Device } from '#src/data/device/device.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'

/** What somebody has begun to say in a query, and not sent. Its files are on this device already. */
export interface UnsentWords {
  readonly act: QueryAct
  readonly text: string
  readonly category: AnswerCategory | null
  readonly files: readonly FileReference[]
}

/** A question that somebody has begun to ask. It has its id, because files are kept for it. */
export interface UnsentQuestion {
  readonly id: string
  readonly text: string
  readonly isUrgent: boolean
  readonly isCandidate: boolean
  readonly due: string
  readonly files: readonly FileReference[]
}

type Change<Unsent> = Unsent | null | ((now: Unsent | null) => Unsent | null)

/** By what it is about, for each time that somebody is signed in: nothing of it is left once they are not. */
function makeUnsent<Unsent extends object>() {
  const all = new WeakMap<Device, Map<string, Unsent>>()
  return function useUnsent(key: string): readonly [Unsent | null, (change: Change<Unsent>) => void] {
    const device = use(DeviceContext)
    const [shown, setShown] = useState(() => (device === null ? undefined : all.get(device)?.get(key)) ?? null)
    const change = (to: Change<Unsent>): void => {
      const known = (device === null ? undefined : all.get(device)) ?? new Map<string, Unsent>()
      const before = device === null ? shown : (known.get(key) ?? null)
      const next = typeof to === 'function' ? to(before) : to
      setShown(next)
      if (device === null) return
      all.set(device, known)
      if (next === null) known.delete(key)
      else known.set(key, next)
    }
    return [shown, change]
  }
}

/**
 * What was begun to be said in a query. It outlives the sheet in which it is typed: a page is opened anew under it when
 * its patient comes onto the device or a version is released, and a list is read again. Files are added to what is
 * there when they are kept, which is later than they were chosen.
 */
export const useUnsentWords = makeUnsent<UnsentWords>()

/** The same of a question, by what it is about. */
export const useUnsentQuestion = makeUnsent<UnsentQuestion>()
