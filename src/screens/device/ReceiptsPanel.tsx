import { useTranslation } from 'react-i18next'
import { useReceipts } from '#src/data/sync.ts'
import { DataTable } from '#src/ui/DataTable.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { fullTime } from '#src/ui/format.ts'

import classes from './device.module.css'

/** How many are shown; the rest stay on the device. */
const SHOWN = 50

/** What the server has confirmed: when, what became of it, and its place in the server's chain. */
export function ReceiptsPanel() {
  const { t } = useTranslation('device')
  const receipts = useReceipts()
  return (
    <Panel title={t('receipts.title')}>
      <p className={classes.quiet}>{t('receipts.text')}</p>
      <Loaded of={receipts} rows={3}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState compact title={t('receipts.empty.title')} text={t('receipts.empty.text')} />
          ) : (
            <DataTable
              caption={t('receipts.title')}
              rows={rows.slice(0, SHOWN)}
              rowKey={({ key }) => key}
              columns={[
                { key: 'at', title: t('receipts.columns.at'), cell: ({ receivedAt }) => fullTime(receivedAt) },
                {
                  key: 'where',
                  title: t('receipts.columns.where'),
                  cell: ({ patientLabel, pageName }) => [patientLabel, pageName].filter(Boolean).join(' · '),
                },
                { key: 'outcome', title: t('receipts.columns.outcome'), cell: ({ outcome }) => t(`receipts.outcome.${outcome}`) },
                { key: 'seq', title: t('receipts.columns.seq'), align: 'right', cell: ({ seq }) => seq },
                {
                  key: 'head',
                  title: t('receipts.columns.head'),
                  cell: ({ head }) => (
                    <span className={classes.hash} title={head}>
                      {head.slice(0, 12)}
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}
