import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Report } from '#core/api/calls/data/report.ts'
import { REPORTS, shareOf } from '#core/report/kinds.ts'
import type { ReportKind } from '#core/report/kinds.ts'
import { useServerQuery } from '#src/data/server.ts'
import { reportPath } from '#src/paths/screenPaths.ts'
import { useSession } from '#src/session/useSession.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { figure } from '#src/ui/words/format.ts'

import classes from './pinned.module.css'

/** Most figures of a card. */
const MOST_FIGURES = 4

interface PinnedReportsProps {
  readonly projectId: string
  readonly versionId: string
}

/**
 * The reports that the user has pinned, below their work: nothing that is read stands under them. Figures are counted
 * when they are asked for, so without a network there are none.
 */
export function PinnedReports({ projectId, versionId }: PinnedReportsProps) {
  const { t } = useTranslation('workspace')
  const { reachable } = useSession()
  const pins = useServerQuery('report.pins', { query: { projectId }, projectId })
  if (reachable === false || pins.state !== 'ready' || pins.value.length === 0) return null
  return (
    <section className={classes.pinned} aria-label={t('pinned')}>
      {pins.value.map((kind) => (
        <Card key={kind} {...{ projectId, kind }} to={reportPath(projectId, versionId, kind)} />
      ))}
    </section>
  )
}

interface CardProps {
  readonly projectId: string
  readonly kind: ReportKind
  readonly to: string
}

function Card({ projectId, kind, to }: CardProps) {
  const { t } = useTranslation(['report', 'common'])
  const errorText = useErrorText()
  const read = useServerQuery('report.read', { query: { projectId, kind }, projectId })
  return (
    <article className={classes.card} aria-busy={read.state === 'loading'}>
      <h2 className={classes.name}>
        <Link className={classes.link} to={to}>
          {t(`kinds.${kind}.title`)}
        </Link>
      </h2>
      {read.state === 'failed' && <p className={classes.failed}>{errorText(read.error)}</p>}
      {read.state === 'ready' && <Told report={read.value} />}
    </article>
  )
}

/** The figures, also where a part of them comes from a form that nobody has; else why there are none. */
function Told({ report }: { readonly report: Report }) {
  const { t } = useTranslation('report')
  const { untold, lines } = report
  return untold !== null && lines.length === 0 ? (
    <p className={classes.quiet}>{t(`untold.${untold}.title`)}</p>
  ) : (
    <Figures report={report} />
  )
}

/** The sums of a report, those that ask for work first, and its first share. */
function Figures({ report: { kind, total } }: { readonly report: Report }) {
  const { t } = useTranslation('report')
  const { measures, shares } = REPORTS[kind]
  const shown = [
    ...measures.filter(({ asksForWork }) => asksForWork),
    ...measures.filter(({ asksForWork }) => !asksForWork),
  ].slice(0, MOST_FIGURES)
  const [share] = shares
  const value = share === undefined ? null : shareOf(share, total)
  return (
    <>
      <dl className={classes.figures}>
        {shown.map(({ code, asksForWork }) => {
          const sum = total[code] ?? null
          return (
            <div key={code} data-asks={(asksForWork && sum !== null && sum > 0) || undefined}>
              <dt>{t(`measures.${code}`)}</dt>
              <dd>{sum === null ? '–' : figure(sum, 1)}</dd>
            </div>
          )
        })}
      </dl>
      {share !== undefined && value !== null && (
        <div className={classes.share}>
          <span className={classes.shareName}>{t(`shares.${share.code}`)}</span>
          <span>{`${figure(value, 1)}${share.kind === 'percent' ? '%' : ''}`}</span>
          {share.kind === 'percent' && (
            <span className={classes.bar} aria-hidden="true">
              <span style={{ width: `${Math.min(100, value)}%` }} />
            </span>
          )}
        </div>
      )}
    </>
  )
}
