import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import type { Report, ReportLine } from '#core/api/calls/data/report.ts'
import { funnelOf } from '#core/report/funnel.ts'
import { REPORTS, shareOf } from '#core/report/kinds.ts'
import type { Measure, Share } from '#core/report/kinds.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import type { DataColumn } from '#src/ui/lists/DataTable.tsx'
import { figure } from '#src/ui/words/format.ts'

import { useMeasureWords } from './measureWords.ts'
import { withOpened } from './reportAddress.ts'
import classes from './reports.module.css'

/** A line, or all of them together (`id` null). */
type Line = Omit<ReportLine, 'id'> & { readonly id: string | null }

/** The figures of a report line by line. Each figure leads to the subjects behind it. */
export function ReportTable({ report }: { readonly report: Report }) {
  const { t } = useTranslation('report')
  const { kind, lines, total } = report
  const words = useMeasureWords()
  const { measures, shares, lines: of } = REPORTS[kind]
  const rows: readonly Line[] = lines.length > 1 ? [...lines, { id: null, name: t('total'), figures: total }] : lines
  const columns: readonly DataColumn<Line>[] = [
    {
      key: 'name',
      title: t(`line.${of}`),
      cell: ({ id, name }) => (id === null ? <strong>{name}</strong> : name),
    },
    ...measures.map((measure): DataColumn<Line> => ({
      key: measure.code,
      title: words.measure(measure.code),
      align: 'right',
      cell: (line) => <FigureCell {...{ line, measure }} name={`${line.name} · ${words.measure(measure.code)}`} />,
    })),
    ...shares.map((share): DataColumn<Line> => ({
      key: `share-${share.code}`,
      title: words.share(share.code),
      align: 'right',
      short: true,
      cell: (line) => <ShareCell {...{ line, share, total }} isRisk={kind === 'risk'} />,
    })),
  ]
  return (
    <DataTable caption={t(`kinds.${kind}.title`)} columns={columns} rows={rows} rowKey={({ id }) => id ?? 'total'} />
  )
}

interface FigureCellProps {
  readonly line: Line
  readonly measure: Measure
  readonly name: string
}

function FigureCell({ line, measure, name }: FigureCellProps) {
  const { pathname, search } = useLocation()
  const value = line.figures[measure.code] ?? null
  if (value === null) return <span className={classes.none}>–</span>
  const text = figure(value, 1)
  if (value === 0) return text
  if (!measure.opens) return measure.asksForWork ? <span className={classes.asks}>{text}</span> : text
  const address = withOpened(new URLSearchParams(search), { measure: measure.code, centerId: line.id })
  return (
    <Link
      className={classes.figure}
      data-asks={measure.asksForWork || undefined}
      to={`${pathname}?${address.toString()}`}
      aria-label={`${name} ${text}`}
    >
      {text}
    </Link>
  )
}

interface ShareCellProps {
  readonly line: Line
  readonly share: Share
  readonly total: Report['total']
  /** Whether a share that is far above the others is marked. */
  readonly isRisk: boolean
}

function ShareCell({ line, share, total, isRisk }: ShareCellProps) {
  const { t } = useTranslation('report')
  const value = shareOf(share, line.figures)
  if (value === null) return <span className={classes.none}>–</span>
  const point = isRisk && line.id !== null ? funnelOf(share, line.figures, total) : null
  return (
    <span className={classes.share} data-standing={point?.standing}>
      {point !== null && point.standing !== 'usual' && (
        <span className={classes.standing}>
          <IconAlertTriangle size={16} aria-hidden="true" />
          {t(`standing.${point.standing}`)}
        </span>
      )}
      {figure(value, 1)}
      {share.kind === 'percent' && '%'}
    </span>
  )
}
