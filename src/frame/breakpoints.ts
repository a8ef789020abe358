import { useSyncExternalStore } from 'react'

/**
 * Specification §9: 1200 px and up is 3, 992 and up is 2, 768 and up is 1, else 0. Nothing else in the app knows these
 * widths.
 */
export type Breakpoint = 0 | 1 | 2 | 3

/** The smallest width of each, in px. */
export const breakpointWidths: Readonly<Record<Exclude<Breakpoint, 0>, number>> = { 1: 768, 2: 992, 3: 1200 }

const steps = [3, 2, 1] as const

/** The breakpoint of the window. Renders again when the window reaches another one. */
export function useBreakpoint(): Breakpoint {
  return useSyncExternalStore(subscribe, current)
}

type Query = readonly [step: (typeof steps)[number], list: MediaQueryList]

/**
 * Created once, because every component that uses a breakpoint reads them at each drawing. Keyed by the browser's
 * function, because tests replace it.
 */
const made = new WeakMap<typeof window.matchMedia, readonly Query[]>()

function queries(): readonly Query[] {
  const known =
    made.get(window.matchMedia) ??
    steps.map((step): Query => [step, window.matchMedia(`(min-width: ${breakpointWidths[step]}px)`)])
  made.set(window.matchMedia, known)
  return known
}

function current(): Breakpoint {
  return queries().find(([, { matches }]) => matches)?.[0] ?? 0
}

function subscribe(listener: () => void): () => void {
  const lists = queries().map(([, list]) => list)
  for (const list of lists) list.addEventListener('change', listener)
  return () => {
    for (const list of lists) list.removeEventListener('change', listener)
  }
}
