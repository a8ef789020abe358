import type { chart as source } from '../zh/chart.ts'
import type { Texts } from '../texts.ts'

/** The frame of every chart. */
export const chart: Texts<typeof source> = {
  legend: 'Legend',
  figures: 'Show data table',
  svg: 'Download SVG',
  png: 'Download PNG',
}
