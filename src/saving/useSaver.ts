import { useEffect } from 'react'
import { onBeforeReload } from '#src/session/beforeReload.ts'

import type { Saver } from './saver.ts'

interface SaverUse {
  /** Whether anything can be edited here at all. */
  readonly isActive?: boolean
  /** Whether the server answers, as far as is known; null for content that is not saved there. */
  readonly reachable?: boolean | null
  /** When closing the tab asks the person: for anything unsaved, or only for edits of which this device has no copy. */
  readonly asksOf?: 'unsaved' | 'unkept' | null
}

/**
 * Protects what is edited on a screen: it is saved or copied when the screen is left, the tab is hidden or closed, the
 * device is locked, and before the app is reloaded.
 */
export function useSaver(saver: Saver, { isActive = true, reachable = null, asksOf = null }: SaverUse = {}): void {
  useEffect(() => saver.hear(reachable), [saver, reachable])
  useEffect(() => {
    if (!isActive) return undefined
    saver.open()
    const leaveReload = onBeforeReload(async () => {
      if (!(await saver.secure())) throw new Error('what is on the screen could not be saved')
    })
    const onHide = () => saver.hide()
    const onChange = () => {
      if (document.visibilityState === 'hidden') saver.hide()
    }
    const onClose = (event: BeforeUnloadEvent) => {
      const asks = asksOf !== null && !saver.isSaved && (asksOf === 'unsaved' || !saver.isKept)
      if (asks) event.preventDefault()
    }
    document.addEventListener('visibilitychange', onChange)
    window.addEventListener('pagehide', onHide)
    window.addEventListener('beforeunload', onClose)
    return () => {
      leaveReload()
      document.removeEventListener('visibilitychange', onChange)
      window.removeEventListener('pagehide', onHide)
      window.removeEventListener('beforeunload', onClose)
      void saver.close()
    }
  }, [saver, isActive, asksOf])
}
