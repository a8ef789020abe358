import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { CasebookFolder } from '#src/data/shapes/types.ts'

import { openedAtFirst, pastVisits, visitAnchor } from './visitOrder.ts'

/** Which visits of a casebook are open on the screen. */
export interface VisitFolds {
  readonly isOpen: (id: string) => boolean
  readonly toggle: (id: string) => void
  /** Visits that are done and stand as one line. */
  readonly past: ReadonlySet<string>
  readonly isPastOpen: boolean
  readonly togglePast: () => void
  readonly isAllOpen: boolean
  readonly setAll: (open: boolean) => void
  /** Opens a visit, brings it into sight and puts the focus on it. */
  readonly goTo: (id: string) => void
}

/**
 * Visits are opened and closed by the reader only: what is entered meanwhile moves nothing. On paper all are open.
 *
 * @param next the page with which one goes on: its visit is open
 */
export function useVisitFolds(folders: readonly CasebookFolder[], next: string | null): VisitFolds {
  const [start] = useState(() => {
    const open = openedAtFirst(folders, next)
    return { known: new Set(folders.map(({ visit }) => visit.id)), open, past: pastVisits(folders, open) }
  })
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [isPastOpen, setPastOpen] = useState(false)
  const isPrinted = usePrinted()
  // A visit that was made since is open: somebody is about to enter something.
  const isOpen = (id: string): boolean => isPrinted || (chosen.get(id) ?? (start.open.has(id) || !start.known.has(id)))
  const choose = (ids: readonly string[], open: boolean) =>
    setChosen((before) => new Map([...before, ...ids.map((id) => [id, open] as const)]))
  const ids = folders.map(({ visit }) => visit.id)
  return {
    isOpen,
    toggle: (id) => choose([id], !isOpen(id)),
    past: start.past,
    isPastOpen: isPrinted || isPastOpen,
    togglePast: () => setPastOpen(!isPastOpen),
    isAllOpen: ids.every(isOpen),
    setAll: (open) => {
      choose(ids, open)
      setPastOpen(open)
    },
    goTo: (id) => {
      flushSync(() => {
        choose([id], true)
        if (start.past.has(id)) setPastOpen(true)
      })
      showVisit(id)
    },
  }
}

/** Brings a visit of the screen into sight and puts the focus on its name. */
export function showVisit(id: string): void {
  const visit = document.getElementById(visitAnchor(id))
  visit?.scrollIntoView({ block: 'start' })
  visit?.querySelector<HTMLElement>('[data-visit-name]')?.focus({ preventScroll: true })
}

/** Whether the screen is being put on paper. */
function usePrinted(): boolean {
  const [isPrinted, setPrinted] = useState(false)
  useEffect(() => {
    const print = window.matchMedia('print')
    // The sheet is laid out right after this event, so all has to be there then.
    const follow = () => flushSync(() => setPrinted(print.matches))
    print.addEventListener('change', follow)
    return () => print.removeEventListener('change', follow)
  }, [])
  return isPrinted
}
