import { useTranslation } from 'react-i18next'
import type { PlanVersion } from '#core/api/calls/review/check.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { fullTime } from '#src/ui/words/format.ts'

import classes from '../check.module.css'
import type { PlanWords } from './usePlanFacts.ts'

interface PlanFactsProps {
  readonly version: PlanVersion
  readonly words: PlanWords
}

/** A version of the plan, in words. */
export function PlanFacts({ version: { plan, note, byName, at, endedAt }, words }: PlanFactsProps) {
  const { t } = useTranslation('review')
  return (
    <FactList
      facts={[
        [t('plan.critical'), <Critical key="critical" of={words.critical} />],
        [t('plan.sample'), words.sample],
        [t('plan.visits'), words.visits],
        ...(words.centers.length === 0
          ? []
          : [[t('plan.centers'), <Lines key="centers" of={words.centers} />] as const]),
        [t('plan.seed'), <code key="seed">{plan.seed}</code>],
        [t('plan.switched'), t('plan.byAt', { name: byName, at: fullTime(at) })],
        ...(endedAt === null ? [] : [[t('plan.ended'), fullTime(endedAt)] as const]),
        [t('plan.note'), note],
      ]}
    />
  )
}

function Lines({ of }: { readonly of: readonly string[] }) {
  return (
    <ul className={classes.plain}>
      {of.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

function Critical({ of }: { readonly of: PlanWords['critical'] }) {
  const { t } = useTranslation('review')
  if (of.length === 0) return t('plan.words.noCritical')
  return (
    <ul className={classes.plain}>
      {of.map(({ page, fields }) => (
        <li key={page ?? ''}>
          <strong>{page ?? t('plan.words.goneFields')}</strong>
          {t('plan.words.colon')}
          {fields.join(t('plan.words.comma'))}
        </li>
      ))}
    </ul>
  )
}
