import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isDoubtfulTime } from '#core/study/doubtfulTime.ts'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'
import { useDriftText } from '#src/ui/words/driftText.ts'
import { fullTime } from '#src/ui/words/format.ts'

import classes from './trail.module.css'
import type { TrailLine } from './trailLine.ts'

/** From this difference on, in milliseconds, a line says how far the tablet's clock was from the server's. */
const TOLD_DRIFT_MS = 1000

interface TrailEntryProps {
  readonly line: TrailLine
  /** Whether the log is of one field, so that the place need not be said. */
  readonly ofField: boolean
}

/** One line of a log: the act, its place, the value before and after, the reason, the user and the time. */
export function TrailEntry({ line, ofField }: TrailEntryProps) {
  const { t } = useTranslation(['trail', 'status'])
  const where = (ofField ? [line.isInRow ? line.place : null] : [line.visit, line.page, line.place])
    .filter(Boolean)
    .join(' · ')
  return (
    <li className={classes.line}>
      <div className={classes.head}>
        <span className={classes.what}>
          {line.what}
          {line.isAutomatic && <span className={classes.tag}>{t('automatic')}</span>}
          {!ofField && line.pass === 2 && <span className={classes.tag}>{t('status:pass.2')}</span>}
        </span>
        {line.receivedAt === null && <StatusBadge status="local" />}
        {where !== '' &&
          (ofField || line.to === null ? (
            <span className={classes.where}>{where}</span>
          ) : (
            <Link className={classes.where} to={line.to} aria-label={t('goTo', { where })}>
              {where}
            </Link>
          ))}
      </div>
      <Values line={line} />
      {line.isRedacted && <p className={classes.quiet}>{t('redacted')}</p>}
      <Why line={line} />
      <When line={line} />
    </li>
  )
}

/** Both values, wherever the line has a value at all. */
function Values({ line: { from, into, isConflict } }: Pick<TrailEntryProps, 'line'>) {
  const { t } = useTranslation(['trail', 'form'])
  if (from === null && into === null) return null
  return (
    <dl className={classes.values}>
      <dt>{t(isConflict ? 'stands' : 'from')}</dt>
      <dd>{from ?? t('form:empty')}</dd>
      <dt>{t(isConflict ? 'wanted' : 'to')}</dt>
      <dd className={classes.into}>{into ?? t('form:empty')}</dd>
    </dl>
  )
}

function Why({ line: { why, whyText, lacksReason, receivedAt } }: Pick<TrailEntryProps, 'line'>) {
  const { t } = useTranslation('trail')
  const said = [why, whyText].filter((part) => part !== null && part !== '').join(' · ')
  if (said === '' && !lacksReason) return null
  return (
    <p className={classes.why} data-lacking={lacksReason || undefined}>
      <span className={classes.quiet}>{t('why')}</span> {lacksReason && receivedAt === null ? t('unsent.waits') : said}
    </p>
  )
}

function When({ line: { who, role, at, driftMs, receivedAt } }: Pick<TrailEntryProps, 'line'>) {
  const { t } = useTranslation('trail')
  const driftText = useDriftText()
  const drifted = driftMs !== null && Math.abs(driftMs) >= TOLD_DRIFT_MS
  return (
    <p className={classes.when}>
      <strong>{role === null ? who : t('by', { name: who, role })}</strong>
      <time dateTime={at}>{t('onTablet', { time: fullTime(at) })}</time>
      {drifted && <span>{t('drift', { drift: driftText(driftMs) })}</span>}
      {receivedAt !== null && isDoubtfulTime(at, receivedAt) && <span className={classes.tag}>{t('doubtful')}</span>}
      {receivedAt !== null && <time dateTime={receivedAt}>{t('onServer', { time: fullTime(receivedAt) })}</time>}
    </p>
  )
}
