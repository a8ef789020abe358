import { useSyncExternalStore } from 'react'

/** SPEC §9: 1200 px and up is 3, 992 and up is 2, 768 and up is 1, else 0. Nothing else in the app knows these widths. */
export type Breakpoint = 0 | 1 | 2 | 3

/** The least width of each, in px. */
export const breakpointWidths: Readonly<Record<Exclude<Breakpoint, 0>, number>> = { 1: 768, 2: 992, 3: 1200 }

const steps = [3, 2, 1] as const

/** The breakpoint that the window is at. Renders again when another one is reached. */
export function useBreakpoint(): Breakpoint {
  return useSyncExternalStore(subscribe, current)
}

function queryOf(step: (typeof steps)[number]): MediaQueryList {
  return window.matchMedia(`(min-width: ${breakpointWidths[step]}px)`)
}

function current(): Breakpoint {
  return steps.find((step) => queryOf(step).matches) ?? 0
}

function subscribe(listener: () => void): () => void {
  const queries = steps.map(queryOf)
  for (const query of queries) query.addEventListener('change', listener)
  return () => {
    for (const query of queries) query.removeEventListener('change', listener)
  }
}
