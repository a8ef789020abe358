import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReceipts } from '#src/data/hooks/sync.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { useCallName } from '#src/ui/words/callName.ts'
import { fullTime } from '#src/ui/words/format.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { EnteredDialog } from './EnteredDialog.tsx'
import classes from './device.module.css'

/** How many receipts are shown; the others stay on the device. */
const SHOWN = 50

/** What the server has confirmed: the time, the result, and its place in the server's chain. */
export function ReceiptsPanel() {
  const names = useNames()
  const { t } = useTranslation('device')
  const callName = useCallName()
  const receipts = useReceipts()
  const [opened, setOpened] = useState<string | null>(null)
  return (
    <Panel title={t('receipts.title')}>
      <p className={`${classes.quiet} ${classes.aboutReceipts}`}>{t('receipts.text')}</p>
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
                {
                  key: 'at',
                  title: t('receipts.columns.at'),
                  short: true,
                  cell: ({ receivedAt }) => fullTime(receivedAt),
                },
                {
                  key: 'where',
                  title: t('receipts.columns.where'),
                  cell: (row) => [row.patientLabel, names.page(row)].filter(Boolean).join(' · '),
                },
                { key: 'what', title: t('receipts.columns.what'), cell: ({ call }) => callName(call) },
                {
                  key: 'outcome',
                  title: t('receipts.columns.outcome'),
                  cell: ({ outcome, inbox, note }) => (
                    <>
                      {t(`receipts.outcome.${inbox === null || inbox === 'open' ? outcome : inbox}`)}
                      {inbox === 'returned' && note !== null && (
                        <p className={classes.quiet}>{t('receipts.note', { note })}</p>
                      )}
                    </>
                  ),
                },
                {
                  key: 'entered',
                  title: t('receipts.columns.entered'),
                  cell: (row) => (
                    <Button
                      size="md"
                      variant="subtle"
                      aria-label={t('receipts.enteredFor', {
                        where: [row.patientLabel, names.page(row)].filter(Boolean).join(' · '),
                      })}
                      onClick={() => setOpened(row.key)}
                    >
                      {t('receipts.entered')}
                    </Button>
                  ),
                },
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
      {opened !== null && <EnteredDialog opKey={opened} onClose={() => setOpened(null)} />}
    </Panel>
  )
}
