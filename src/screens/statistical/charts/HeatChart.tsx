import { useTranslation } from 'react-i18next'
import type { CrossedResult } from '#core/analysis/related.ts'
import type { CrossTable } from '#core/statistics/describe/crossTable.ts'
import chart from '#src/ui/chart/chart.module.css'
import { shorten } from '#src/ui/chart/shorten.ts'

import { count, percent } from '../numbers.ts'
import { crossFigures } from '../results/crossFigures.ts'
import classes from '../statistical.module.css'
import { leftOfNames } from './Axes.tsx'
import { FigureChart } from './FigureChart.tsx'

const ROW = 44
const HEAD = 32
/** The darkest cell still lets its figures be read. */
const DARKEST = 0.4

/** A table of counts as shades: the darker, the more of its row. */
export function HeatChart({ crossed, table }: { readonly crossed: CrossedResult; readonly table: CrossTable }) {
  const { t } = useTranslation('statistical')
  const cells = table.cells.flatMap((line, row) =>
    line.map((cell, column) => ({
      ...cell,
      row: table.rows[row] ?? '',
      column: table.columns[column] ?? '',
    })),
  )
  const most = cells.toSorted((a, b) => b.count - a.count)[0]
  const title = t('charts.heat', { x: crossed.x.label, y: crossed.y.label })
  const words = { total: t('columns.all'), title }
  return (
    <FigureChart
      table={crossFigures(table, words)}
      summary={t('charts.summaryHeat', {
        n: count(table.total),
        row: most?.row ?? '',
        column: most?.column ?? '',
        most: count(most?.count ?? 0),
      })}
      note={t('charts.noteHeat')}
      height={HEAD + table.rows.length * ROW + 8}
    >
      {(width) => <Shades table={table} width={width} />}
    </FigureChart>
  )
}

function Shades({ table, width }: { readonly table: CrossTable; readonly width: number }) {
  const left = leftOfNames(width)
  const step = (width - left) / Math.max(1, table.columns.length)
  return (
    <>
      {table.columns.map((name, column) => (
        <text key={name} x={left + (column + 0.5) * step} y={18} textAnchor="middle" className={chart['tick']}>
          {shorten(name, step)}
        </text>
      ))}
      {table.rows.map((name, row) => {
        const top = HEAD + row * ROW
        return (
          <g key={name}>
            <text x={left - 8} y={top + ROW / 2} textAnchor="end" dominantBaseline="central" className={chart['tick']}>
              {shorten(name, left - 16)}
            </text>
            {(table.cells[row] ?? []).map(({ count: own, ofRow }, column) => (
              <g key={table.columns[column]}>
                <rect
                  x={left + column * step + 1}
                  y={top + 1}
                  width={Math.max(1, step - 2)}
                  height={ROW - 2}
                  className={classes.shade}
                  fillOpacity={DARKEST * (ofRow ?? 0)}
                />
                <text
                  x={left + (column + 0.5) * step}
                  y={top + ROW / 2}
                  textAnchor="middle"
                  dominantBaseline="central"
                  className={chart['value']}
                >
                  {step < 96 ? count(own) : `${count(own)}${ofRow === null ? '' : ` (${percent(ofRow)})`}`}
                </text>
              </g>
            ))}
          </g>
        )
      })}
    </>
  )
}
