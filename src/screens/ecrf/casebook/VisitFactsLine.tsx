import { useTranslation } from 'react-i18next'
import { daysBetween } from '#core/study/visits/days.ts'
import { today } from '#src/data/shapes/today.ts'
import type { VisitView } from '#src/data/shapes/types.ts'

import classes from './visits.module.css'

/** When a visit is planned, when it took place, and why it did not take place or not in time. */
export function VisitFactsLine({ visit, short = false }: { readonly visit: VisitView; readonly short?: boolean }) {
  const { t } = useTranslation('visits')
  const said = useVisitWords()(visit)
  if (short) return <span className={classes.facts}>{said.when}</span>
  const { window } = visit
  return (
    <p className={classes.facts}>
      {[
        said.planned,
        window === null || window.from === window.to ? null : t('window', window),
        said.actual,
        visit.asked > 0 ? t('pages', { submitted: visit.submitted, asked: visit.asked }) : null,
        said.why,
      ].map((text) => text !== null && <span key={text}>{text}</span>)}
    </p>
  )
}

interface VisitWords {
  readonly planned: string | null
  readonly actual: string | null
  /** The one day that matters most. */
  readonly when: string
  readonly why: string | null
}

/** What is known of the days of a visit, in words. */
export function useVisitWords(): (visit: VisitView) => VisitWords {
  const { t } = useTranslation('visits')
  return ({ kind, folderRepeat, plannedDate, window, facts, status, timing }) => {
    const isPlanned = kind === 'planned' && folderRepeat === '0'
    const planned = !isPlanned ? null : plannedDate === null ? t('plannedUnknown') : t('planned', { day: plannedDate })
    const day = facts?.actualDate ?? null
    const actual = day === null ? null : t('actual', { day })
    const deviation =
      timing === 'early' || timing === 'late'
        ? t(`deviation.${timing}`, { reason: facts?.deviationReason ?? t('deviation.none') })
        : (facts?.deviationReason ?? null)
    const outcome =
      facts?.outcome === null || facts?.outcomeReason === null || facts?.outcomeReason === undefined
        ? null
        : t('because', { reason: facts.outcomeReason })
    const late =
      status === 'overdue' && window !== null ? t('daysLate', { count: daysBetween(window.to, today()) }) : null
    return {
      planned,
      actual,
      when: actual ?? planned ?? '',
      why: [late, deviation, outcome].filter(Boolean).join(' · ') || null,
    }
  }
}
