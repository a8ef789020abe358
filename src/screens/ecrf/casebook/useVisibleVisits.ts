import { useState } from 'react'
import { isOutsideWindow } from '#core/study/visits/schedule.ts'
import type { Casebook, CasebookFolder } from '#src/data/shapes/types.ts'

/**
 * The visits that are shown, and those that the study hides as long as they are outside of their window
 * (`isFilterPeriod`).
 */
export interface VisibleVisits {
  readonly folders: readonly CasebookFolder[]
  /** How many the study would hide. */
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
