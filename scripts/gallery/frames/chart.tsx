import { ChartFrame } from '#src/ui/chart/ChartFrame.tsx'
import classes from '#src/ui/chart/chart.module.css'

import type { Frame } from '../frame.ts'

const ROWS = Array.from({ length: 24 }, (_, at) => ({ day: `2026-03-${`${at + 1}`.padStart(2, '0')}`, sum: at * at }))
const HEIGHT = 160

function Chart({ rows }: { readonly rows: typeof ROWS }) {
  const most = Math.max(1, ...rows.map(({ sum }) => sum))
  return (
    <ChartFrame
      title="累计入组"
      summary={`累计入组 ${rows.at(-1)?.sum ?? 0} 例`}
      note="按本机数据，截至 2026-03-24"
      legend={[
        { name: '累计入组', line: 'solid' },
        { name: '计划', line: 'dashed' },
      ]}
      columns={[
        { key: 'day', title: '入组日期', cell: ({ day }) => day, short: true },
        { key: 'sum', title: '累计入组', cell: ({ sum }) => sum, align: 'right' },
      ]}
      rows={rows}
      rowKey={({ day }) => day}
      fileName="chart"
      height={HEIGHT}
    >
      {(width) => (
        <>
          <line x1={0} x2={width} y1={20} y2={20} className={classes.dashed} />
          <polyline
            className={classes.solid}
            points={rows
              .map(({ sum }, at) => `${(at / rows.length) * width},${HEIGHT - 10 - (sum / most) * (HEIGHT - 40)}`)
              .join(' ')}
          />
        </>
      )}
    </ChartFrame>
  )
}

/** For the gallery, which finds it here. */
export const frame: Frame = {
  name: 'chart/ChartFrame',
  states: { curve: () => <Chart rows={ROWS} />, 'one day': () => <Chart rows={ROWS.slice(0, 1)} /> },
}
