import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { VisitReport } from '#core/api/calls/review/check.ts'
import type { ReviewTrack } from '#core/review/verification.ts'
import { studyName } from '#core/study/studyName.ts'
import { PrintedLine } from '#src/frame/shell/PrintedLine.tsx'
import { useSession } from '#src/session/useSession.ts'
import { percentOf } from '#src/screens/check/Share.tsx'
import { FactList } from '#src/ui/FactList.tsx'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import type { DataColumn } from '#src/ui/lists/DataTable.tsx'
import { figure, fullTime } from '#src/ui/words/format.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from './report.module.css'

interface ReportPaperProps {
  readonly report: VisitReport
  readonly tracks: readonly ReviewTrack[]
}

/** The report as it is read and signed on paper. It says when it was shown first: its figures are of then. */
export function ReportPaper({ report, tracks }: ReportPaperProps) {
  const { t } = useTranslation('review')
  const { current } = useSession()
  const language = useLanguage()
  const [at] = useState(() => fullTime(new Date().toISOString()))
  const { projectName, centerName, from, to, raised, closed, open } = report
  return (
    <article className={classes.paper} aria-label={t('report.title')}>
      <header>
        <h2 className={classes.title}>{t('report.title')}</h2>
        <PrintedLine />
      </header>
      <FactList
        facts={[
          [t('report.project'), studyName(projectName, language)],
          [t('report.center'), centerName ?? t('report.allCenters')],
          [t('report.period'), t('report.range', { from, to })],
          [t('report.made'), current.state === 'open' ? t('plan.byAt', { name: current.user.realName, at }) : ''],
        ]}
      />
      <Part title={t('report.coverage')}>
        <Coverage report={report} tracks={tracks} />
      </Part>
      <Part title={t('report.done')}>
        <Done report={report} />
      </Part>
      <Part title={t('report.queries')}>
        <FactList
          facts={[
            [t('report.raised'), figure(raised, 0)],
            [t('report.closed'), figure(closed, 0)],
            [t('report.openNow'), figure(open.length, 0)],
          ]}
        />
        <Open report={report} />
      </Part>
      <Part title={t('report.sign')}>
        <div className={classes.signatures}>
          <Signature who={t('report.monitor')} />
          <Signature who={t('report.investigator')} />
        </div>
      </Part>
    </article>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={classes.part}>
      <h3 className={classes.heading}>{title}</h3>
      {children}
    </section>
  )
}

function Coverage({ report, tracks }: ReportPaperProps) {
  const { t } = useTranslation('review')
  const rows = (['sdv', 'dmr'] as const).filter((track) => tracks.includes(track) || report[track].due > 0)
  return (
    <DataTable
      caption={t('report.coverage')}
      rows={rows}
      rowKey={(track) => track}
      columns={[
        { key: 'kind', title: t('report.kind'), cell: (track) => t(`track.${track}`) },
        { key: 'due', title: t('report.due'), align: 'right', cell: (track) => figure(report[track].due, 0) },
        { key: 'done', title: t('report.verified'), align: 'right', cell: (track) => figure(report[track].done, 0) },
        { key: 'changed', title: t('mark.changed'), align: 'right', cell: (track) => figure(report[track].changed, 0) },
        { key: 'rate', title: t('report.rate'), align: 'right', cell: (track) => `${percentOf(report[track])}%` },
      ]}
    />
  )
}

type PageLine = VisitReport['pages'][number]

function Done({ report: { pages } }: { readonly report: VisitReport }) {
  const { t } = useTranslation('review')
  const label = usePatientLabel()
  const names = useNames()
  if (pages.length === 0) return <p className={classes.none}>{t('report.nothing')}</p>
  const countOf = (key: 'verified' | 'withdrawn' | 'exempt' | 'changed'): DataColumn<PageLine | null> => ({
    key,
    title: t(`report.columns.${key}`),
    align: 'right',
    cell: (page) => figure(page === null ? pages.reduce((sum, one) => sum + one[key], 0) : page[key], 0),
  })
  return (
    <DataTable<PageLine | null>
      caption={t('report.done')}
      rows={[...pages, null]}
      rowKey={(page) => (page === null ? 'total' : String(pages.indexOf(page)))}
      columns={[
        {
          key: 'subject',
          title: t('report.columns.subject'),
          short: true,
          cell: (page) =>
            page === null ? (
              <strong>{t('report.total')}</strong>
            ) : (
              label({ no: page.patientNo, mark: page.patientMark })
            ),
        },
        { key: 'place', title: t('report.columns.place'), cell: (page) => (page === null ? '' : names.place(page)) },
        {
          key: 'track',
          title: t('report.columns.track'),
          short: true,
          cell: (page) => (page === null ? '' : t(`track.${page.track}`)),
        },
        countOf('verified'),
        countOf('withdrawn'),
        countOf('exempt'),
        countOf('changed'),
        {
          key: 'by',
          title: t('report.columns.by'),
          cell: (page) => page?.byNames.join(t('plan.words.comma')) ?? '',
        },
      ]}
    />
  )
}

function Open({ report: { open } }: { readonly report: VisitReport }) {
  const { t } = useTranslation(['review', 'query'])
  const label = usePatientLabel()
  if (open.length === 0) return <p className={classes.none}>{t('report.noneOpen')}</p>
  return (
    <DataTable
      caption={t('report.open')}
      rows={open}
      rowKey={({ no }) => String(no)}
      columns={[
        { key: 'no', title: t('report.no'), short: true, cell: ({ no }) => no },
        {
          key: 'subject',
          title: t('report.columns.subject'),
          short: true,
          cell: ({ patientNo, patientMark }) => label({ no: patientNo, mark: patientMark }),
        },
        { key: 'state', title: t('report.state'), short: true, cell: ({ state }) => t(`query:state.${state}`) },
        { key: 'text', title: t('report.text'), cell: ({ text }) => text ?? t('report.masked') },
        { key: 'asked', title: t('report.asked'), short: true, cell: ({ askedAt }) => fullTime(askedAt).slice(0, 16) },
      ]}
    />
  )
}

/** Lines for the hand of one person. */
function Signature({ who }: { readonly who: string }) {
  const { t } = useTranslation('review')
  return (
    <div className={classes.signature}>
      <strong>{who}</strong>
      {(['name', 'signature', 'day'] as const).map((line) => (
        <div key={line} className={classes.line}>
          <span>{t(`report.${line}`)}</span>
          <span className={classes.rule} />
        </div>
      ))}
    </div>
  )
}
