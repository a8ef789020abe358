import { IconChartBar } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Report } from '#core/api/calls/data/report.ts'
import { inLanguage } from '#core/form/definition/inLanguage.ts'
import { REPORTS, shareOf } from '#core/report/kinds.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { figure, fullTime } from '#src/ui/words/format.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { FlowChart } from './FlowChart.tsx'
import { MonthsChart } from './MonthsChart.tsx'
import { ReportTable } from './ReportTable.tsx'
import { ShareChart } from './ShareChart.tsx'
import classes from './reports.module.css'
import { useMeasureWords } from './measureWords.ts'

/** A report: what it is about, all together in figures, its chart, and its table. */
export function ReportBody({ report }: { readonly report: Report }) {
  const { t } = useTranslation('report')
  const { kind, at, lines, months, untold } = report
  const icon = <IconChartBar size={44} stroke={1.4} />
  // Visits tell of deviations too.
  if (untold !== null && kind !== 'deviations') {
    return <EmptyState icon={icon} title={t(`untold.${untold}.title`)} text={t(`untold.${untold}.text`)} />
  }
  if (isEmpty(report)) {
    return <EmptyState icon={icon} title={t('empty.title')} text={t('empty.text')} />
  }
  const [share] = REPORTS[kind].shares
  return (
    <>
      <p className={classes.about}>
        {t(`kinds.${kind}.about`)}
        <span className={classes.at}>{t('at', { time: fullTime(at) })}</span>
      </p>
      <Sources report={report} />
      <Whole report={report} />
      {kind === 'flow' && <FlowChart report={report} />}
      {kind === 'enrolment' && months.length > 0 && <MonthsChart report={report} />}
      {share !== undefined && lines.length > 1 && <ShareChart key={kind} report={report} />}
      <Panel title={t(`by.${REPORTS[kind].lines}`)}>
        <ReportTable report={report} />
      </Panel>
    </>
  )
}

/** The forms from which the figures come: they were recognised, so a reader should know which, or why none. */
function Sources({ report: { sources, untold } }: { readonly report: Report }) {
  const { t } = useTranslation('report')
  const language = useLanguage()
  if (untold !== null) return <p className={classes.count}>{t(`partly.${untold}`)}</p>
  if (sources.length === 0) return null
  const names = sources.map(({ name, nameEn }) => inLanguage(language, name, nameEn))
  return <p className={classes.count}>{t('sources', { forms: [...new Set(names)].join(t('comma')) })}</p>
}

function isEmpty({ kind, lines, total }: Report): boolean {
  if (lines.length === 0) return true
  // That a center has no device is an answer.
  return kind !== 'devices' && Object.values(total).every((one) => one === null || one === 0)
}

/** All lines together. */
function Whole({ report: { kind, total } }: { readonly report: Report }) {
  const { measure, share } = useMeasureWords()
  const { measures, shares } = REPORTS[kind]
  const facts = [
    ...shares.map((one) => {
      const value = shareOf(one, total)
      return [
        one.code,
        share(one.code),
        value === null ? '–' : `${figure(value, 1)}${one.kind === 'percent' ? '%' : ''}`,
      ] as const
    }),
    // Risks are shares; their figures stand in the table.
    ...(kind === 'risk' ? [] : measures).map(({ code }) => {
      const value = total[code] ?? null
      return [code, measure(code), value === null ? '–' : figure(value, 1)] as const
    }),
  ]
  return (
    <dl className={classes.facts}>
      {facts.map(([code, name, value]) => (
        <div key={code}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
