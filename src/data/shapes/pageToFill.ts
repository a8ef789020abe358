import { isMadeByHand } from '#core/study/visits/pageDemand.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'

import type { PageMark } from './types.ts'

/**
 * The first page of a visit that somebody is asked for and that is not submitted; the first page where all are
 * submitted.
 */
export function pageToFill(folder: FolderRow, marks: readonly PageMark[]): string | null {
  const asked = folder.pages.toSorted((a, b) => a.sort - b.sort).filter(({ option }) => !isMadeByHand(option))
  const submitted = new Set(marks.filter(({ status }) => status === SUBMITTED).map(({ target }) => target.pageId))
  return (asked.find(({ id }) => !submitted.has(id)) ?? asked[0])?.id ?? null
}
