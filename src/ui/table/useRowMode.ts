import { useSyncExternalStore } from 'react'

/** How rows are drawn: lines of 36 px at a desk with a mouse, lines for a thumb, cards where it is narrow. */
export type RowMode = 'desk' | 'touch' | 'cards'

/** The same widths as in tokens.css. */
const DESK = '(min-width: 1000px) and (pointer: fine)'
const CARDS = '(max-width: 699px)'

/** Heights of a row and of the header in rem: they grow with the reader's text. */
export const ROW_REM: Readonly<Record<RowMode, number>> = { desk: 2.25, touch: 2.75, cards: 4.25 }

/** How rows are to be drawn here. Renders again when the window changes so far. */
export function useRowMode(): RowMode {
  return useSyncExternalStore(subscribe, currentMode)
}

function currentMode(): RowMode {
  if (window.matchMedia(CARDS).matches) return 'cards'
  return window.matchMedia(DESK).matches ? 'desk' : 'touch'
}

function subscribe(listener: () => void): () => void {
  const lists = [DESK, CARDS].map((query) => window.matchMedia(query))
  for (const list of lists) list.addEventListener('change', listener)
  return () => {
    for (const list of lists) list.removeEventListener('change', listener)
  }
}

/** The height of a row in px, at the size of text that the reader has set. */
export function rowHeight(mode: RowMode): number {
  const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return ROW_REM[mode] * (Number.isFinite(size) && size > 0 ? size : 16)
}
