import { useEffect, useState } from 'react'
import { isTypedTwice } from '#offline/draft/typedIn.ts'

/** How often a page looks whether it is open in another tab, in milliseconds. */
const LOOK_EVERY_MS = 3000

/**
 * Whether a page is open for typing in another tab too: the two tabs would overwrite each other without the person
 * knowing.
 */
export function useAlsoOpen(scope: string, entryId: string, isOpen: boolean): boolean {
  const [twice, setTwice] = useState(false)
  useEffect(() => {
    if (!isOpen) return
    let left = false
    const look = async () => {
      const found = await isTypedTwice(scope, entryId)
      if (!left) setTwice(found)
    }
    void look()
    const timer = setInterval(() => void look(), LOOK_EVERY_MS)
    const onFocus = () => void look()
    window.addEventListener('focus', onFocus)
    return () => {
      left = true
      clearInterval(timer)
      window.removeEventListener('focus', onFocus)
    }
  }, [scope, entryId, isOpen])
  return twice && isOpen
}
