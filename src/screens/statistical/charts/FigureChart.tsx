import type { ReactNode } from 'react'
import { ChartFrame } from '#src/ui/chart/ChartFrame.tsx'
import type { LegendItem } from '#src/ui/chart/ChartFrame.tsx'
import { today } from '#src/data/shapes/today.ts'

import { columnsOf, keyOfRow, rowsOf } from '../results/figureTable.ts'
import type { FigureTable } from '../results/figureTable.ts'

interface FigureChartProps {
  /** Its title is that of the chart, and its figures are what the chart shows. */
  readonly table: FigureTable
  readonly summary: string
  readonly note: string
  readonly legend?: readonly LegendItem[]
  readonly height: number
  readonly children: (width: number) => ReactNode
}

/** A chart of figures that are texts already. */
export function FigureChart({ table, summary, note, legend = [], height, children }: FigureChartProps) {
  return (
    <ChartFrame
      title={table.title}
      {...{ summary, note, legend, height, children }}
      columns={columnsOf(table)}
      rows={rowsOf(table)}
      rowKey={keyOfRow}
      fileName={`${table.title.replaceAll(/[\\/:*?"<>|：]/g, ' ')}-${today()}`}
    />
  )
}
