import { useState } from 'react'
import { isOutsideWindow } from '#core/study/visits/schedule.ts'
import type { Casebook, CasebookFolder } from '#src/data/shapes/types.ts'

/** The visits that are shown. Where the study says so (`isFilterPeriod`), visits outside of their window are hidden. */
export interface VisibleVisits {
  readonly folders: readonly CasebookFolder[]
  /** How many visits the study hides. */
  readonly hidden: number
  readonly isAll: boolean
  readonly toggle: () => void
}

/** @param open the page that is open: its visit is always shown */
export function useVisibleVisits({ project, folders }: Casebook, open: string | null = null): VisibleVisits {
  const [isAll, setAll] = useState(false)
  const isHidden = ({ visit, pages }: CasebookFolder): boolean =>
    project.config.isFilterPeriod === 'Y' &&
    isOutsideWindow(visit) &&
    !pages.some(({ entryId, mark }) => entryId === open || mark !== null)
  const hidden = folders.filter(isHidden).length
  return {
    folders: isAll ? folders : folders.filter((folder) => !isHidden(folder)),
    hidden,
    isAll,
    toggle: () => setAll(!isAll),
  }
}
