import { useTranslation } from 'react-i18next'
import type { EntryStatus } from '#core/sync/entryMark.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'

import type { Status } from './StatusBadge.tsx'

/** The known facts of a page where many pages are shown. */
export interface PageFacts {
  readonly status: EntryStatus
  readonly progress: { readonly total: number; readonly answered: number; readonly missing: number } | null
  /** Where the page's values are; null where there are none yet. */
  readonly mark: 'conflict' | 'attention' | 'local' | 'sending' | 'received' | null
}

/** What a page, or several together, show: the first of the states that applies, and all that apply. */
export interface PageState {
  readonly status: Status
  readonly missing: number
  /** How much of what a person fills is there; 0 to 1. */
  readonly share: number
  readonly all: readonly Status[]
}

/** In the order of what a person should see first. */
const ORDER: readonly Status[] = [
  'conflict',
  'attention',
  'local',
  'sending',
  'missing',
  'submitted',
  'inProgress',
  'notStarted',
]

/**
 * The state of some pages together.
 *
 * @param expected how many there should be: missing pages count as not begun
 */
export function stateOfPages(pages: readonly PageFacts[], expected: number = pages.length): PageState {
  const all = new Set<Status>()
  let [missing, total, answered, begun, submitted] = [0, 0, 0, 0, 0]
  for (const { status, progress, mark } of pages) {
    if (mark !== null && mark !== 'received') all.add(mark)
    if (status === 'init') continue
    begun += 1
    if (status === SUBMITTED) submitted += 1
    missing += progress?.missing ?? 0
    total += progress?.total ?? 0
    answered += progress?.answered ?? 0
  }
  const count = Math.max(expected, pages.length)
  if (missing > 0) all.add('missing')
  if (count > 0 && submitted === count) all.add('submitted')
  else all.add(begun > 0 ? 'inProgress' : 'notStarted')
  const ordered = ORDER.filter((status) => all.has(status))
  // For several pages it is the share of pages; for one page, that of its fields.
  const share = count > 1 ? (submitted + (begun - submitted) / 2) / count : total === 0 ? 0.5 : answered / total
  return { status: ordered[0] ?? 'notStarted', missing, share, all: ordered }
}

/** All states of pages in words, for a tooltip and a screen reader. */
export function useStateWords(): (state: PageState) => string {
  const { t } = useTranslation('status')
  return ({ all, missing }) =>
    all.map((status) => (status === 'missing' ? t('missing', { count: missing }) : t(status))).join(t('and'))
}
