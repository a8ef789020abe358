import { useTranslation } from 'react-i18next'
import type { Described } from '#core/analysis/described.ts'
import { Note } from '#src/ui/Note.tsx'

import { BarChart } from '../charts/BarChart.tsx'
import { BoxChart } from '../charts/BoxChart.tsx'
import { HistogramChart } from '../charts/HistogramChart.tsx'
import classes from '../statistical.module.css'
import { useWording } from '../wording.ts'
import { FigureTableView } from './FigureTableView.tsx'
import { useFigures } from './useFigures.ts'

interface DescribedViewProps {
  readonly described: Described
  /** Whether its name is shown: not where it is that of the panel. */
  readonly isTitled: boolean
}

/** A variable in figures and pictures. */
export function DescribedView({ described, isTitled }: DescribedViewProps) {
  const { t } = useTranslation('statistical')
  const { problemOf } = useWording()
  const { ofDescribed } = useFigures()
  const failed = described.parts.map(({ description }) => description).find((description) => !description.ok)
  return (
    <div className={classes.stack}>
      <FigureTableView table={ofDescribed(described)} isTitled={isTitled} />
      <p className={classes.how}>
        {t(described.scale === 'number' ? 'describe.numberMethod' : 'describe.categoryMethod')}
      </p>
      {failed !== undefined && !failed.ok && <Note tone="warning">{problemOf(failed.error)}</Note>}
      {described.scale === 'category' ? (
        <BarChart described={described} />
      ) : (
        <div className={classes.charts}>
          {described.histogram.ok && (
            <HistogramChart variable={described.variable} histogram={described.histogram.value} />
          )}
          <BoxChart
            variable={described.variable}
            parts={described.parts.length > 1 ? described.parts.slice(0, -1) : described.parts}
          />
        </div>
      )}
    </div>
  )
}
