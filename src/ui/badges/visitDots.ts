import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { VisitStatus } from '#core/study/visits/schedule.ts'
import { rememberWords } from '#src/ui/words/rememberWords.ts'

import type { PageState } from './pageState.ts'

/**
 * What a small mark of a visit can tell, in the order of what a person should see first: `off` is a visit that is not
 * to take place, `planned` one that waits for its time or for anybody to begin.
 */
const DOTS = ['conflict', 'overdue', 'missing', 'inProgress', 'due', 'missed', 'done', 'planned', 'off'] as const
export type Dot = (typeof DOTS)[number]

/** Visits of which nothing is expected any more. */
const OFF: ReadonlySet<VisitStatus> = new Set(['removed', 'notApplicable', 'skipped', 'stopped'])
/** Visits that took place. */
const TOOK_PLACE: ReadonlySet<VisitStatus> = new Set(['begun', 'inWindow', 'early', 'late'])

/**
 * The dot of a visit: what was entered counts first, then where the visit stands.
 *
 * @param visit null where nobody has said and nothing is planned
 */
export function dotOf(visit: VisitStatus | null, { all, missing }: PageState): Dot {
  if (all.includes('conflict') || all.includes('attention')) return 'conflict'
  if (missing > 0) return 'missing'
  if (visit === 'done' || all.includes('submitted')) return 'done'
  if (all.includes('inProgress')) return 'inProgress'
  if (visit === null) return 'planned'
  if (OFF.has(visit)) return 'off'
  if (TOOK_PLACE.has(visit)) return 'inProgress'
  return visit === 'overdue' || visit === 'due' || visit === 'missed' ? visit : 'planned'
}

/** How many visits stand where, in words: what a strip of dots says to a pointer and to a screen reader. */
export function useDotWords(): (dots: readonly Dot[]) => string {
  const { t, i18n } = useTranslation(['casebook', 'status'])
  return useMemo(() => {
    const wordsOf = rememberWords(
      (dot: Dot, count: number) => t(`casebook:dots.${dot}`, { count }),
      (dot, count) => `${dot} ${count}`,
    )
    const and = t('status:and')
    return (dots) => {
      const words: string[] = []
      for (const dot of DOTS) {
        const count = dots.filter((one) => one === dot).length
        if (count > 0) words.push(wordsOf(dot, count))
      }
      return words.join(and)
    }
    // Every drawing makes new functions, but what they return changes only with the language.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [i18n.language])
}
