import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DataTable } from '#src/ui/lists/DataTable.tsx'

import { OutcomeFold } from '../OutcomeFold.tsx'

/** How many subjects are drawn; the number of the others is shown. */
const MOST_SHOWN = 200

/** How many queries of a subject a release would raise and close. */
export interface QueryFigures {
  readonly patientId: string
  readonly patient: string
  readonly asks: number
  readonly ends: number
}

/** The queries that checks of a release would raise over entered data, and those that would end, by subject. */
export function ReleaseQueries({ queries }: { readonly queries: readonly QueryFigures[] }) {
  const { t } = useTranslation('versions')
  const total = (key: 'asks' | 'ends') => queries.reduce((sum, one) => sum + one[key], 0)
  const title = t('migration.queries.title')
  return (
    <OutcomeFold
      tone="warn"
      title={title}
      figure={t('migration.queries.figure', {
        asks: total('asks'),
        ends: total('ends'),
        patients: queries.length,
      })}
    >
      <DataTable
        caption={title}
        rows={queries.slice(0, MOST_SHOWN)}
        rowKey={({ patientId }) => patientId}
        columns={[
          { key: 'patient', title: t('migration.columns.patient'), short: true, cell: ({ patient }) => patient },
          { key: 'asks', title: t('migration.values.asks'), align: 'right', cell: ({ asks }) => asks },
          { key: 'ends', title: t('migration.values.ends'), align: 'right', cell: ({ ends }) => ends },
        ]}
      />
      {queries.length > MOST_SHOWN && (
        <Text size="sm">{t('migration.more', { count: queries.length - MOST_SHOWN })}</Text>
      )}
    </OutcomeFold>
  )
}
