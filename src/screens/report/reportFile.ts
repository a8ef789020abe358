import { useTranslation } from 'react-i18next'
import type { Report } from '#core/api/calls/data/report.ts'
import { csvText } from '#core/exchange/writeCsv.ts'
import { REPORTS, shareOf } from '#core/report/kinds.ts'

import { useMeasureWords } from './measureWords.ts'

/** Makes the text of a report's file: every line, and all together. */
export function useReportFile(): (report: Report) => string {
  const { t } = useTranslation('report')
  const { measure, share } = useMeasureWords()
  return ({ kind, lines, total }) => {
    const { measures, shares, lines: of } = REPORTS[kind]
    const rows = [...lines, { name: t('total'), figures: total }]
    return csvText([
      [t(`line.${of}`), ...measures.map(({ code }) => measure(code)), ...shares.map(({ code }) => share(code))],
      ...rows.map(({ name, figures }) => [
        name,
        ...measures.map(({ code }) => figures[code] ?? null),
        ...shares.map((one) => roundShare(shareOf(one, figures))),
      ]),
    ])
  }
}

function roundShare(value: number | null): number | null {
  return value === null ? null : Math.round(value * 100) / 100
}
