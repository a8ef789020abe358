import { useCallback, useState, useSyncExternalStore } from 'react'

/** Where a mouse is used at a desk: the same condition as in src/app/tokens.css. */
const AT_DESK = '(min-width: 1000px) and (pointer: fine)'

/** The height of a line in px, `--zl-line-height`: a long list must know it before it draws its lines. */
export function useLineHeight(): number {
  const [query] = useState(() => window.matchMedia(AT_DESK))
  const subscribe = useCallback(
    (listener: () => void) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => (query.matches ? 36 : 44))
}
