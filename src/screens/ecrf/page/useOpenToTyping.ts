import { useEffect, useLayoutEffect, useState } from 'react'
import { lockTyping } from '#offline/draft/typedIn.ts'
import { takeHalfTyped } from '#src/session/endedRights.ts'

import type { Autosave } from './autosave.ts'

/**
 * Whether an open page takes typing. When it closes, it first takes the word that an input method was composing, and
 * then saves at once. The keys that seal the typing are held until that is done.
 *
 * @param allowed whether the person may enter anything here now
 * @param scope whose keys seal the page's typing
 */
export function useOpenToTyping(autosave: Autosave, allowed: boolean, scope: string, entryId: string): boolean {
  const [isOpen, setOpen] = useState(allowed)
  useLayoutEffect(() => {
    if (allowed === isOpen) return
    if (!allowed) takeHalfTyped()
    // Renders once more on purpose, before anybody can press a key: the boxes must still be there when they give up
    // what they hold.
    // oxlint-disable-next-line react/set-state-in-effect
    setOpen(allowed)
  }, [allowed, isOpen])

  // The keys are held while anything may still have to be sealed with them, also after the page was closed to typing or
  // left.
  useEffect(() => {
    if (!isOpen) return
    const release = lockTyping(scope, entryId)
    return () => {
      void autosave.untilSaved().then(release)
    }
  }, [autosave, isOpen, scope, entryId])
  return isOpen
}
