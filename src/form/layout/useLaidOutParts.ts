import { useEffect } from 'react'
import type { RefObject } from 'react'

/** How long the user must rest before parts are laid out, in milliseconds, so that no key waits for it. */
const QUIET_MS = 1_000

/**
 * Lays out the parts off the screen, one after the other, once all are drawn and nobody types. `content-visibility`
 * saves their layout when a page opens, but Chromium leaves parts that it never laid out out of the accessibility tree:
 * a screen reader would list only the fields of the first screen. Works on the elements themselves, so that nothing
 * renders for it.
 */
export function useLaidOutParts(form: RefObject<HTMLElement | null>, drawn: boolean): void {
  useEffect(() => {
    const parts = [...(form.current?.children ?? [])]
    if (!drawn || parts.length === 0) return undefined
    let heardAt = performance.now()
    const hear = () => {
      heardAt = performance.now()
    }
    let timer: ReturnType<typeof setTimeout>
    const waitForQuiet = () => {
      const rest = heardAt + QUIET_MS - performance.now()
      timer = setTimeout(rest > 0 ? waitForQuiet : layOutOne, Math.max(0, rest))
    }
    const layOutOne = () => {
      parts.shift()?.setAttribute('data-laid-out', '')
      if (parts.length > 0) waitForQuiet()
    }
    for (const type of HEARD) document.addEventListener(type, hear, { capture: true, passive: true })
    waitForQuiet()
    return () => {
      clearTimeout(timer)
      for (const type of HEARD) document.removeEventListener(type, hear, { capture: true })
    }
  }, [form, drawn])
}

const HEARD = ['keydown', 'pointerdown', 'wheel', 'touchmove'] as const
