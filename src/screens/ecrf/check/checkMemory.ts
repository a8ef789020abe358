import { useState } from 'react'
import type { ReviewMethod, ReviewTrack } from '#core/review/verification.ts'
import { useSession } from '#src/session/useSession.ts'

/** How somebody checks, from page to page while the app is open. */
interface CheckHabits {
  readonly method: ReviewMethod
  /** The track of who checks in both; null until they choose. */
  readonly track: ReviewTrack | null
}

const BEGINNING: CheckHabits = { method: 'onSite', track: null }

/** By user: the next person at this device begins anew. */
const remembered = new Map<string, CheckHabits>()

export function useCheckHabits(): {
  readonly habits: CheckHabits
  readonly note: (some: Partial<CheckHabits>) => void
} {
  const { current } = useSession()
  const user = current.state === 'open' ? current.user.userId : ''
  const [habits, setHabits] = useState(() => remembered.get(user) ?? BEGINNING)
  const note = (some: Partial<CheckHabits>) => {
    const next = { ...habits, ...some }
    remembered.set(user, next)
    setHabits(next)
  }
  return { habits, note }
}
