import { IconCheck, IconHelp, IconInfoCircle, IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Offer, OfferedTest } from '#core/analysis/offeredTests.ts'
import type { Assumption } from '#core/statistics/compare/assumptions.ts'
import { Note } from '#src/ui/Note.tsx'

import { degrees, pEquation, statistic } from '../numbers.ts'
import classes from '../statistical.module.css'
import { useEffectText, useWording } from '../wording.ts'

interface TestsViewProps {
  readonly offer: Offer
  /** What differences are between, or the two variables of a relation. */
  readonly groups: readonly string[]
  readonly event: string | null
  readonly isRelation?: boolean
}

/** The test that the data favour, why, and the others beside it. */
export function TestsView({ offer, groups, event, isRelation = false }: TestsViewProps) {
  const { t } = useTranslation('statistical')
  const { whyOf } = useWording()
  const { tests, favoured } = offer
  const [first, ...others] = tests
  if (first === undefined) return null
  return (
    <div className={classes.stack}>
      {favoured !== null && (
        <Note tone={favoured.by === 'exact-too-large' ? 'warning' : 'info'}>{whyOf(favoured, isRelation)}</Note>
      )}
      <TestCard test={first} isFirst={favoured !== null} {...{ groups, event }} />
      {others.length > 0 && (
        <section className={classes.stack}>
          <h3 className={classes.subtitle}>{t('tests.others')}</h3>
          <div className={classes.cards}>
            {others.map((test) => (
              <TestCard key={test.code} test={test} isFirst={false} {...{ groups, event }} />
            ))}
          </div>
        </section>
      )}
    </div>
  )
}

interface TestCardProps {
  readonly test: OfferedTest
  readonly isFirst: boolean
  readonly groups: readonly string[]
  readonly event: string | null
}

/** Effects that are of two groups, as a difference or as a ratio. */
const DIFFERENCES = ['mean-difference', 'shift', 'risk-difference', 'hedges-g']
const RATIOS = ['risk-ratio', 'odds-ratio', 'conditional-odds-ratio', 'superiority']
const OF_EVENT = ['risk-difference', 'risk-ratio', 'odds-ratio', 'conditional-odds-ratio']

function TestCard({ test, isFirst, groups, event }: TestCardProps) {
  const { t } = useTranslation('statistical')
  const { problemOf, howOf } = useWording()
  const { code, result, effects } = test
  const directed = effects.some(({ kind }) => [...DIFFERENCES, ...RATIOS].includes(kind))
  return (
    <section className={classes.test} data-first={isFirst || undefined}>
      <h4 className={classes.testName}>
        {t(`tests.name.${code}`)}
        {isFirst && <span className={classes.badge}>{t('tests.first')}</span>}
      </h4>
      {result.ok ? (
        <>
          <Figures test={test} />
          {directed && groups.length === 2 && (
            <p className={classes.how}>
              {t(effects.some(({ kind }) => RATIOS.includes(kind)) ? 'tests.ratioGroups' : 'tests.groups', {
                first: groups[0] ?? '',
                second: groups[1] ?? '',
              })}
              {event !== null &&
                effects.some(({ kind }) => OF_EVENT.includes(kind)) &&
                ` · ${t('tests.event', { event })}`}
            </p>
          )}
          <Assumptions assumptions={result.value.assumptions} groups={groups} />
          <p className={classes.how}>{howOf(result.value.method)}</p>
        </>
      ) : (
        <p className={classes.how}>{problemOf(result.error)}</p>
      )}
    </section>
  )
}

function Figures({ test: { result, effects } }: { readonly test: OfferedTest }) {
  const { t } = useTranslation('statistical')
  const { letterOf, effectOf } = useWording()
  const effectText = useEffectText()
  if (!result.ok) return null
  const { statistic: value, df, p, method } = result.value
  const letter = letterOf(method)
  return (
    <dl className={classes.figures}>
      <div data-main>
        <dt>{t('tests.p')}</dt>
        <dd>{pEquation(p)}</dd>
      </div>
      {letter !== null && (
        <div>
          <dt>{t('tests.statistic')}</dt>
          <dd>{`${letter} = ${statistic(value)}`}</dd>
        </div>
      )}
      {df.length > 0 && (
        <div>
          <dt>{t('tests.df')}</dt>
          <dd>{degrees(df)}</dd>
        </div>
      )}
      {effects.map((effect) => (
        <div key={effect.kind}>
          <dt>{effectOf(effect.kind)}</dt>
          <dd>{effectText(effect)}</dd>
        </div>
      ))}
    </dl>
  )
}

const MARKS = { holds: IconCheck, doubtful: IconAlertTriangle, unknown: IconHelp, 'by-design': IconInfoCircle }

interface AssumptionsProps {
  readonly assumptions: readonly Assumption[]
  readonly groups: readonly string[]
}

function Assumptions({ assumptions, groups }: AssumptionsProps) {
  const { t } = useTranslation('statistical')
  const { assumptionOf } = useWording()
  if (assumptions.length === 0) return null
  return (
    <ul className={classes.assumptions} aria-label={t('tests.assumptions')}>
      {assumptions.map((assumption) => {
        const [what, found] = assumptionOf(assumption, groups)
        const Mark = MARKS[assumption.verdict]
        return (
          <li key={what} data-verdict={assumption.verdict}>
            <Mark size={18} aria-hidden="true" />
            <span>
              {what}
              <small>
                {[t(`assumptions.verdict.${assumption.verdict}`), found].filter((one) => one !== '').join(' · ')}
              </small>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
