import { useEffect, useLayoutEffect, useState } from 'react'
import { holdTyping } from '#offline/draft/typedIn.ts'
import { takeHalfTyped } from '#src/session/endedRights.ts'

import type { Autosave } from './autosave.ts'

/**
 * Whether an open page takes typing. When it closes, what an input method was composing is taken first, and all that
 * was typed is saved at once; until that is done, the keys that it is sealed under are not given up.
 *
 * @param allowed whether the person may enter anything here now
 * @param scope whose keys the page's typing is sealed under
 */
export function useOpenToTyping(autosave: Autosave, allowed: boolean, scope: string, entryId: string): boolean {
  const [isOpen, setOpen] = useState(allowed)
  useLayoutEffect(() => {
    if (allowed === isOpen) return
    if (!allowed) takeHalfTyped()
    // Drawn once more on purpose, before anybody can press a key: the boxes are still there when they give up what
    // they hold.
    // oxlint-disable-next-line react/set-state-in-effect
    setOpen(allowed)
  }, [allowed, isOpen])

  // The keys are held as long as anything may still have to be sealed under them: also after the page was closed to
  // typing, or left.
  useEffect(() => {
    if (!isOpen) return
    const release = holdTyping(scope, entryId)
    return () => {
      void autosave.untilSaved().then(release)
    }
  }, [autosave, isOpen, scope, entryId])
  return isOpen
}
