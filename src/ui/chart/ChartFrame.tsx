import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useId, useRef } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import type { DataColumn } from '#src/ui/lists/DataTable.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'

import classes from './chart.module.css'
import { pngOf, svgFile } from './exportChart.ts'
import type { ChartHead } from './exportChart.ts'
import { useWidth } from './useWidth.ts'

/** How a series is drawn: told apart by its line, not by its colour alone. */
export type LineStyle = 'solid' | 'dashed' | (typeof SERIES)[number]

/** Lines of groups, in their order: each has its own strokes besides its colour. */
export const SERIES = ['solid', 'series2', 'series3', 'series4', 'series5', 'series6'] as const

export interface LegendItem {
  readonly name: string
  readonly line: LineStyle
}

interface ChartFrameProps<Row> {
  readonly title: string
  /** What the chart says, in a sentence: read out in place of the drawing. */
  readonly summary: string
  /** Since when it holds, of whom it is. */
  readonly note: string
  readonly legend: readonly LegendItem[]
  readonly columns: readonly DataColumn<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  /** Without its ending. */
  readonly fileName: string
  readonly height: number
  /** Whether parts of the drawing lead on: then they are read one by one, not as one picture. */
  readonly hasLinks?: boolean
  /** Draws the inside of the SVG for a width in px. */
  readonly children: (width: number) => ReactNode
}

/**
 * The frame of every chart: its title, its legend, its drawing, the figures as a table, and both as files. The drawing
 * is as wide as its place and takes its colours from the theme.
 */
export function ChartFrame<Row>(props: ChartFrameProps<Row>) {
  const { title, summary, note, legend, columns, rows, rowKey, fileName, height, hasLinks = false, children } = props
  const { t } = useTranslation('chart')
  const id = useId()
  const svg = useRef<SVGSVGElement>(null)
  const [place, width] = useWidth<HTMLDivElement>()
  const list = useRef<HTMLUListElement>(null)
  const headOf = (): ChartHead => ({
    title,
    legend: [...(list.current?.querySelectorAll('line') ?? [])].map((line, at) => ({
      name: legend[at]?.name ?? '',
      line,
    })),
  })
  const saveSvg = () => {
    if (svg.current !== null) downloadFile(`${fileName}.svg`, svgFile(svg.current, headOf()))
  }
  const savePng = async () => {
    const file = svg.current === null ? null : await pngOf(svg.current, headOf())
    if (file !== null) downloadFile(`${fileName}.png`, file)
  }
  return (
    <figure className={classes.frame} aria-labelledby={`${id}-title`}>
      <figcaption className={classes.head}>
        <span id={`${id}-title`} className={classes.title}>
          {title}
        </span>
        <ul ref={list} hidden={legend.length === 0} className={classes.legend} aria-label={t('legend')}>
          {legend.map(({ name, line }) => (
            <li key={name}>
              <svg width="24" height="8" aria-hidden="true" focusable="false">
                <line x1="0" x2="24" y1="4" y2="4" className={classes[line]} />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <div ref={place} className={classes.place} style={{ height }}>
        {width > 0 && (
          <svg
            ref={svg}
            className={classes.drawing}
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            role={hasLinks ? 'group' : 'img'}
            aria-label={summary}
          >
            {children(width)}
          </svg>
        )}
      </div>
      <div className={classes.foot}>
        <p className={classes.note}>{note}</p>
        <details className={classes.figures}>
          <summary>{t('figures')}</summary>
          <DataTable caption={title} columns={columns} rows={rows} rowKey={rowKey} />
        </details>
        <Button
          variant="subtle"
          size="md"
          leftSection={<IconDownload size={18} aria-hidden="true" />}
          onClick={saveSvg}
        >
          {t('svg')}
        </Button>
        <Button
          variant="subtle"
          size="md"
          leftSection={<IconDownload size={18} aria-hidden="true" />}
          onClick={() => void savePng()}
        >
          {t('png')}
        </Button>
      </div>
    </figure>
  )
}
