import { scaleLinear } from 'd3-scale'
import { useTranslation } from 'react-i18next'
import type { DescribedCategory } from '#core/analysis/described.ts'
import chart from '#src/ui/chart/chart.module.css'
import { shorten } from '#src/ui/chart/shorten.ts'

import { count, ends, percent } from '../numbers.ts'
import type { FigureTable } from '../results/figureTable.ts'
import classes from '../statistical.module.css'
import { BottomAxis, leftOfNames, MARGIN } from './Axes.tsx'
import { FigureChart } from './FigureChart.tsx'
import { nameWithUnit } from './nameWithUnit.ts'

/** A bar and the name of a category above its bars, px. */
const BAR = 26
const HEAD = 26
/** More categories than this are only in the table. */
const MOST = 20

interface Block {
  readonly label: string
  readonly bars: readonly { readonly name: string; readonly count: number; readonly share: number }[]
}

/** The share of each category, with a bar for each group. */
export function BarChart({ described }: { readonly described: DescribedCategory }) {
  const { t } = useTranslation('statistical')
  const { variable, categories, parts } = described
  const shown = parts.length > 1 ? parts.slice(0, -1) : parts
  const filled = shown.flatMap(({ group, description }) =>
    description.ok && description.value.n > 0 ? [{ name: group ?? '', ...description.value }] : [],
  )
  if (filled.length === 0) return null
  const shareOf = (at: number, code: string) => filled[at]?.categories.find(({ category }) => category === code)
  const blocks = categories.map(({ code, label }): Block => ({
    label,
    bars: filled.map(({ name }, at) => {
      const own = shareOf(at, code)
      return { name, count: own?.count ?? 0, share: own?.share ?? 0 }
    }),
  }))
  const table: FigureTable = {
    title: t('charts.bar', { name: nameWithUnit(variable) }),
    head: [t('columns.category'), t('columns.group'), t('columns.count'), t('columns.percent'), t('columns.ci')],
    rows: categories.flatMap(({ code, label }) =>
      filled.map(({ name }, at) => {
        const own = shareOf(at, code)
        const interval = own?.interval
        return [
          label,
          name === '' ? t('columns.all') : name,
          count(own?.count ?? 0),
          percent(own?.share ?? 0),
          interval === undefined ? '' : ends({ low: 100 * interval.low, high: 100 * interval.high }, 1),
        ]
      }),
    ),
  }
  const told = filled.flatMap(({ name, categories: own }) => {
    const most = own.toSorted((a, b) => b.count - a.count)[0]
    if (most === undefined) return []
    const category = categories.find(({ code }) => code === most.category)?.label ?? most.category
    const group = name === '' ? t('columns.all') : name
    return [t('charts.summaryBarPart', { group, category, count: most.count, percent: percent(most.share) })]
  })
  const drawn = blocks.slice(0, MOST)
  const isGrouped = filled.length > 1
  return (
    <FigureChart
      table={table}
      summary={t('charts.summaryBar', { parts: told.join('; ') })}
      note={t('charts.noteBar')}
      height={MARGIN.top + MARGIN.bottom + drawn.length * ((isGrouped ? HEAD : 0) + filled.length * BAR + 6)}
    >
      {(width) => <Bars {...{ blocks: drawn, isGrouped, width }} title={`${t('charts.percent')} (%)`} />}
    </FigureChart>
  )
}

interface BarsProps {
  readonly blocks: readonly Block[]
  readonly isGrouped: boolean
  readonly width: number
  readonly title: string
}

function Bars({ blocks, isGrouped, width, title }: BarsProps) {
  const left = leftOfNames(width)
  const head = isGrouped ? HEAD : 0
  const step = head + (blocks[0]?.bars.length ?? 0) * BAR + 6
  const bottom = MARGIN.top + blocks.length * step
  const most = Math.max(...blocks.flatMap(({ bars }) => bars.map(({ share }) => share)), 0.05)
  // At the right of the longest bar there is room for its figures.
  const x = scaleLinear([0, 100 * most], [left, width - MARGIN.right - 96])
  return (
    <>
      <BottomAxis x={x} top={MARGIN.top} bottom={bottom} title={title} hasGrid />
      {blocks.map(({ label, bars }, block) => {
        const top = MARGIN.top + block * step
        return (
          <g key={label}>
            {isGrouped && (
              <text x={0} y={top + head / 2} dominantBaseline="central" className={chart['value']}>
                {shorten(label, width)}
              </text>
            )}
            {bars.map(({ name, count: own, share }, at) => {
              const middle = top + head + at * BAR + BAR / 2
              return (
                <g key={name}>
                  <text x={left - 8} y={middle} textAnchor="end" dominantBaseline="central" className={chart['tick']}>
                    {shorten(isGrouped ? name : label, left - 16)}
                  </text>
                  <rect
                    x={x(0)}
                    y={middle - 9}
                    width={Math.max(1, x(100 * share) - x(0))}
                    height={18}
                    rx={2}
                    className={classes.bar}
                  />
                  <text x={x(100 * share) + 6} y={middle} dominantBaseline="central" className={chart['value']}>
                    {`${count(own)} (${percent(share)})`}
                  </text>
                </g>
              )
            })}
          </g>
        )
      })}
    </>
  )
}
