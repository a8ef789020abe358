import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import type { Report } from '#core/api/calls/data/report.ts'
import type { MeasureCode } from '#core/report/kinds.ts'
import { today } from '#src/data/shapes/today.ts'
import { ChartFrame } from '#src/ui/chart/ChartFrame.tsx'
import chart from '#src/ui/chart/chart.module.css'
import { shorten } from '#src/ui/chart/shorten.ts'
import { Panel } from '#src/ui/PageFrame.tsx'

import { flowHeight, flowLayout } from './flowLayout.ts'
import type { FlowBox, PlacedBox } from './flowLayout.ts'
import { useMeasureWords } from './measureWords.ts'
import { withOpened } from './reportAddress.ts'
import classes from './reports.module.css'

/** How subjects went through the study, from top to bottom, as CONSORT draws it. Each box opens its subjects. */
export function FlowChart({ report }: { readonly report: Report }) {
  const { t } = useTranslation('report')
  const { measure } = useMeasureWords()
  const boxes = useBoxes(report)
  const { total, lines } = report
  const [only] = lines.length === 1 ? lines : []
  const title = t('flow.ofCenter', { center: only?.name ?? t('allCenters') })
  const rows = (['screened', 'excluded', 'numbered', 'withdrawn', 'following', 'completed'] as const).flatMap((at) => {
    const { code, value, lines: parts } = boxes[at]
    return [
      { key: code, name: measure(code), value },
      ...parts.map(({ name, count }) => ({ key: `${code} ${name}`, name: `${measure(code)} · ${name}`, value: count })),
    ]
  })
  return (
    <Panel title={t('flow.title')}>
      <ChartFrame
        title={title}
        summary={t('flow.summary', {
          subjects: total['subjects'] ?? 0,
          numbered: total['numbered'] ?? 0,
          following: total['following'] ?? 0,
          completed: total['completed'] ?? 0,
          withdrawn: total['withdrawn'] ?? 0,
        })}
        note={t('flow.note')}
        legend={[]}
        columns={[
          { key: 'name', title: t('flow.step'), cell: ({ name }) => name },
          { key: 'value', title: t('flow.count'), align: 'right', cell: ({ value }) => value ?? '–' },
        ]}
        rows={rows}
        rowKey={({ key }) => key}
        fileName={`${title}-${today()}`}
        height={flowHeight(boxes)}
        hasLinks
      >
        {(width) => <Drawing {...{ boxes, width }} />}
      </ChartFrame>
    </Panel>
  )
}

type Boxes = Readonly<Record<'screened' | 'excluded' | 'numbered' | 'withdrawn' | 'following' | 'completed', FlowBox>>

function useBoxes({ total, reasons }: Report): Boxes {
  const { t } = useTranslation('report')
  const box = (code: MeasureCode, lines: FlowBox['lines'] = []): FlowBox => ({
    code,
    value: total[code] ?? null,
    lines,
  })
  const before = total['leftBefore'] ?? 0
  const given = reasons.reduce((sum, { count }) => sum + count, 0)
  const others = (total['withdrawn'] ?? 0) - given
  return {
    screened: box('subjects'),
    excluded: box('unnumbered', before === 0 ? [] : [{ name: t('flow.leftBefore'), count: before }]),
    numbered: box('numbered'),
    withdrawn: box('withdrawn', [
      ...reasons.map(({ text, count }) => ({ name: text, count })),
      ...(others > 0 ? [{ name: t('flow.otherReasons'), count: others }] : []),
    ]),
    following: box('following'),
    completed: box('completed'),
  }
}

function Drawing({ boxes, width }: { readonly boxes: Boxes; readonly width: number }) {
  const { placed, paths, heads } = flowLayout(boxes, width)
  return (
    <>
      {paths.map((path) => (
        <path key={path} d={path} className={classes.flowLine} />
      ))}
      {heads.map((head) => (
        <path key={head} d={head} className={classes.flowHead} />
      ))}
      {placed.map((one) => (
        <Box key={one.code} box={one} />
      ))}
    </>
  )
}

/** Room within a box, px. */
const PAD = 12

function Box({ box }: { readonly box: PlacedBox }) {
  const { measure } = useMeasureWords()
  const { t } = useTranslation('report')
  const { pathname, search } = useLocation()
  const { code, value, lines, x, y, width, height } = box
  const drawn = (
    <>
      <rect x={x} y={y} width={width} height={height} rx={4} className={classes.flowBox} />
      <text x={x + PAD} y={y + 27} className={chart['value']}>
        {measure(code)}
      </text>
      <text x={x + width - PAD} y={y + 27} textAnchor="end" className={chart['value']}>
        {t('flow.n', { value: value ?? '–' })}
      </text>
      {lines.map(({ name, count }, at) => (
        <text key={name} x={x + PAD} y={y + 50 + at * 20} className={chart['tick']}>
          {shorten(name, width - 2 * PAD - 48) !== name && <title>{name}</title>}
          {`${shorten(name, width - 2 * PAD - 48)} ${t('flow.n', { value: count })}`}
        </text>
      ))}
    </>
  )
  if (value === null || value === 0) return <g>{drawn}</g>
  const address = withOpened(new URLSearchParams(search), { measure: code, centerId: null })
  // It is called by what stands in it.
  return (
    <Link className={classes.flowLink} to={`${pathname}?${address.toString()}`}>
      {drawn}
    </Link>
  )
}
