import { useTranslation } from 'react-i18next'
import type { PlanCoverage } from '#core/api/calls/review/check.ts'
import { Note } from '#src/ui/Note.tsx'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import type { DataColumn } from '#src/ui/lists/DataTable.tsx'
import { figure } from '#src/ui/words/format.ts'

import { percentOf } from '../Share.tsx'

type Line = Omit<PlanCoverage['centers'][number], 'centerId'> & { readonly centerId: string | null }

/** What a plan would ask for, over the data that are there: by center, and all together. */
export function CoverageTable({ coverage }: { readonly coverage: PlanCoverage }) {
  const { t } = useTranslation('review')
  const { centers, ...all } = coverage
  const total: Line = { ...all, centerId: null, centerName: t('progress.total') }
  const rows: readonly Line[] = centers.length > 1 ? [...centers, total] : centers.length === 1 ? centers : [total]
  const countOf = (key: 'patients' | 'chosen' | 'items' | 'due' | 'done'): DataColumn<Line> => ({
    key,
    title: t(`plan.coverage.${key}`),
    align: 'right',
    cell: (line) => figure(line[key], 0),
  })
  return (
    <>
      <DataTable
        caption={t('plan.coverage.title')}
        rows={rows}
        rowKey={({ centerId }) => centerId ?? 'total'}
        columns={[
          {
            key: 'center',
            title: t('list.columns.center'),
            cell: ({ centerId, centerName }) => (centerId === null ? <strong>{centerName}</strong> : centerName),
          },
          countOf('patients'),
          countOf('chosen'),
          countOf('items'),
          countOf('due'),
          {
            key: 'share',
            title: t('plan.coverage.share'),
            align: 'right',
            cell: ({ due, items }) => `${percentOf({ done: due, due: items })}%`,
          },
          countOf('done'),
        ]}
      />
      {all.items > 0 && all.due === 0 && <Note tone="warning">{t('plan.coverage.none')}</Note>}
    </>
  )
}
