import { useTranslation } from 'react-i18next'
import type { AnalysisFound, Analysis } from '#core/analysis/runAnalysis.ts'
import { fullTime } from '#src/ui/words/format.ts'

import { count } from '../numbers.ts'
import { useWording } from '../wording.ts'

/** What a result is of. */
export interface BasisFacts {
  readonly set: string
  readonly table: string
  /** Null where rows of all visits are analyzed. */
  readonly visit: string | null
  readonly at: string
}

export interface Basis {
  /** What it is of, what was missing and why, since when it holds. */
  readonly facts: readonly string[]
  /** Subjects have several rows, which tests take for independent. */
  readonly isRepeated: boolean
}

export function useBasis(): (analysis: Analysis, facts: BasisFacts) => Basis {
  const { t } = useTranslation('statistical')
  const { reasonsOf } = useWording()
  const leftOut = (found: AnalysisFound): readonly string[] => {
    const without =
      found.kind === 'relate' || found.kind === 'tableOne' ? [] : found.withoutGroup.filter((one) => one.count > 0)
    const ofGroup =
      without.length === 0
        ? []
        : [
            t('basis.withoutGroup', {
              count: without.reduce((all, one) => all + one.count, 0),
              reasons: reasonsOf(without),
            }),
          ]
    switch (found.kind) {
      case 'compare': {
        const all = found.missing.reduce((sum, one) => sum + one.count, 0)
        return [
          ...ofGroup,
          ...(all === 0 ? [] : [t('basis.missing', { count: all, reasons: reasonsOf(found.missing) })]),
        ]
      }
      case 'relate': {
        if (found.of === 'mixed') return []
        const out = found.of === 'numbers' ? found.leftOut : found.table.ok ? found.table.value.leftOut : 0
        return out === 0 ? [] : [t('basis.leftOut', { count: out })]
      }
      case 'change':
        return [...ofGroup, ...(found.repeats === 0 ? [] : [t('basis.repeats', { count: found.repeats })])]
      case 'survival':
        return [
          ...ofGroup,
          ...(found.withoutTime === 0 ? [] : [t('basis.withoutTime', { count: found.withoutTime })]),
          ...(found.withoutEvent === 0 ? [] : [t('basis.withoutEvent', { count: found.withoutEvent })]),
        ]
      case 'describe':
      case 'tableOne':
        return ofGroup
    }
  }
  return ({ rows, subjects, found }, { set, table, visit, at }) => ({
    facts: [
      t('basis.set', { set, table }),
      ...(visit === null ? [] : [t('basis.visit', { visit })]),
      subjects === null
        ? t('basis.rows', { rows: count(rows) })
        : t('basis.subjects', { rows: count(rows), subjects: count(subjects) }),
      ...leftOut(found),
      t('basis.at', { time: fullTime(at) }),
    ],
    isRepeated: found.kind !== 'change' && subjects !== null && rows > subjects,
  })
}
