import { useTranslation } from 'react-i18next'
import type { VisitReport } from '#core/api/calls/review/check.ts'
import { csvText } from '#core/exchange/writeCsv.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useNames } from '#src/ui/words/useNames.ts'

/** Makes the text of the file: what was checked, a line for each page of a subject. */
export function useReportFile(): (report: VisitReport) => string {
  const { t } = useTranslation('review')
  const label = usePatientLabel()
  const names = useNames()
  return ({ pages }) =>
    csvText([
      (['subject', 'place', 'track', 'verified', 'withdrawn', 'exempt', 'changed', 'by'] as const).map((column) =>
        t(`report.columns.${column}`),
      ),
      ...pages.map((page) => [
        label({ no: page.patientNo, mark: page.patientMark }),
        names.place(page),
        t(`track.${page.track}`),
        page.verified,
        page.withdrawn,
        page.exempt,
        page.changed,
        page.byNames.join(t('plan.words.comma')),
      ]),
    ])
}
