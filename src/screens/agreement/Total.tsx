import { useTranslation } from 'react-i18next'
import type { Compared } from '#core/review/agreement.ts'
import { errorShare, perTenThousand } from '#core/review/agreement.ts'
import { figure } from '#src/ui/words/format.ts'

import { AcceptanceBadge } from './AcceptanceBadge.tsx'
import classes from './agreement.module.css'

/** The figures of the whole project, and its error rate against the limit. */
export function Total({ total, limit }: { readonly total: Compared; readonly limit: number }) {
  const { t } = useTranslation('agreement')
  const share = errorShare(total)
  const percent = (share ?? 0) * 100
  const facts = [
    ['agreement', `${figure(100 - percent, 2)}%`],
    ['rate', share === null ? '–' : figure(perTenThousand(total) ?? 0, 1)],
    ['compared', figure(total.compared, 0)],
    ['differing', figure(total.differing, 0)],
  ] as const
  // The limit stands in the middle of the bar, or further left where the rate would not fit.
  const scale = Math.max(limit * 2, percent, 0.01)
  const words = t('total.drawn', { rate: figure(percent, 2), limit: figure(limit, 2) })
  return (
    <>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`total.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>{t('columns.acceptance')}</dt>
          <dd>
            <AcceptanceBadge of={total} limit={limit} />
          </dd>
        </div>
      </dl>
      <div className={classes.gauge} aria-hidden="true">
        <div
          className={classes.gaugeBar}
          style={{ width: `${(percent / scale) * 100}%` }}
          data-over={percent > limit || undefined}
        />
        <div className={classes.gaugeLimit} style={{ insetInlineStart: `${(limit / scale) * 100}%` }}>
          <span>{t('total.limitMark')}</span>
        </div>
      </div>
      <p className={classes.quiet}>{words}</p>
    </>
  )
}
