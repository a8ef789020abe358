import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { CenterRow, VersionRow } from '#core/api/sync/rows.ts'
import type { ReviewPlan } from '#core/review/reviewPlan.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { plannablePages, plannedKey } from './plannablePages.ts'
import type { PlannablePage } from './plannablePages.ts'

/** Critical fields of a page, in the words of the version in use. */
export interface CriticalOfPage {
  /** Null for pages that the version does not have any more. */
  readonly page: string | null
  readonly fields: readonly string[]
}

/** A plan in words. */
export interface PlanWords {
  readonly critical: readonly CriticalOfPage[]
  readonly sample: string
  readonly visits: string
  readonly centers: readonly string[]
}

/** The pages that a plan can name, read once for a version. */
export function usePlannablePages(version: VersionRow | null): readonly PlannablePage[] {
  const language = useLanguage()
  return useMemo(() => (version === null ? [] : plannablePages(version, language)), [version, language])
}

/** Says plans in words. */
export function usePlanWords(
  version: VersionRow | null,
  centers: readonly CenterRow[],
): (plan: ReviewPlan) => PlanWords {
  const { t } = useTranslation('review')
  const names = useNames()
  const pages = usePlannablePages(version)
  const sampleOf = ({ sharePercent, firstOfCenter }: Pick<ReviewPlan, 'sharePercent' | 'firstOfCenter'>) => {
    const parts = [
      ...(firstOfCenter > 0 ? [t('plan.words.first', { count: firstOfCenter })] : []),
      ...(sharePercent > 0 ? [t('plan.words.share', { percent: sharePercent })] : []),
    ]
    return parts.length === 0 ? t('plan.words.noSample') : parts.join(t('plan.words.and'))
  }
  return (plan) => {
    const visits = (plan.folders ?? []).map((id) => {
      const folder = version?.folders.find((one) => one.id === id)
      return folder === undefined ? t('plan.words.gone') : names.visit(folder)
    })
    return {
      critical: criticalOf(plan, pages),
      sample: sampleOf(plan),
      visits:
        plan.folders === null ? t('plan.allVisits') : visits.length === 0 ? t('plan.words.noVisit') : visits.join('、'),
      centers: plan.centers.map((one) => {
        const center = centers.find(({ id }) => id === one.centerId)?.centerName ?? t('plan.words.otherCenter')
        return t('plan.words.center', { center, sample: sampleOf(one) })
      }),
    }
  }
}

function criticalOf({ critical }: ReviewPlan, pages: readonly PlannablePage[]): readonly CriticalOfPage[] {
  const chosen = new Set(critical.map(plannedKey))
  const known = pages.flatMap(({ name, fields }): readonly CriticalOfPage[] => {
    const own = fields.filter((field) => chosen.has(plannedKey(field)))
    for (const field of own) chosen.delete(plannedKey(field))
    return own.length === 0 ? [] : [{ page: name, fields: own.map(({ label }) => label) }]
  })
  const gone = critical.filter((field) => chosen.has(plannedKey(field))).map(({ code }) => code)
  return gone.length === 0 ? known : [...known, { page: null, fields: gone }]
}
