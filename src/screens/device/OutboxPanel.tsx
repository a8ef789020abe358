import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { entryId } from '#core/derivedIds.ts'
import { useOutbox } from '#src/data/hooks/sync.ts'
import type { OutboxView } from '#src/data/shapes/types.ts'
import { casebookPath, entryPath } from '#src/paths/screenPaths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { useCallName } from '#src/ui/words/callName.ts'
import { fullTime } from '#src/ui/words/format.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from './device.module.css'

/** Operations that have not reached the server, in the order they were made. */
export function OutboxPanel() {
  const { t } = useTranslation('device')
  const callName = useCallName()
  const outbox = useOutbox()
  return (
    <Panel
      title={t('outbox.title')}
      actions={
        outbox.state === 'ready' && outbox.value.length > 0 ? (
          <span className={classes.quiet}>{t('outbox.items', { count: outbox.value.length })}</span>
        ) : undefined
      }
    >
      <Loaded of={outbox} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState compact title={t('outbox.empty.title')} text={t('outbox.empty.text')} />
          ) : (
            <DataTable
              caption={t('outbox.title')}
              rows={rows}
              rowKey={({ key }) => key}
              columns={[
                { key: 'seq', title: t('outbox.columns.seq'), align: 'right', cell: ({ seq }) => seq },
                {
                  key: 'what',
                  title: t('outbox.columns.what'),
                  cell: ({ call, items }) =>
                    items === 0 ? callName(call) : `${callName(call)} · ${t('outbox.items', { count: items })}`,
                },
                {
                  key: 'where',
                  title: t('outbox.columns.where'),
                  cell: (row) => <Where row={row} />,
                },
                { key: 'by', title: t('outbox.columns.by'), cell: ({ authorName }) => authorName },
                { key: 'at', title: t('outbox.columns.at'), short: true, cell: ({ actedAt }) => fullTime(actedAt) },
                {
                  key: 'state',
                  title: t('outbox.columns.state'),
                  cell: ({ state }) => (
                    <>
                      <StatusBadge
                        compact
                        status={state === 'rejected' ? 'attention' : state === 'sending' ? 'sending' : 'local'}
                      />{' '}
                      {state === 'rejected' ? (
                        <Link to="/attention">{t('outbox.state.rejected')}</Link>
                      ) : (
                        t(`outbox.state.${state}`)
                      )}
                    </>
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

/** Whom and which page an operation is about, as the way there; empty for work of another kind. */
function Where({ row }: { readonly row: OutboxView }) {
  const names = useNames()
  const { projectId, patientId, target, patientLabel } = row
  const words = [patientLabel, names.page(row)].filter(Boolean).join(' · ')
  if (words === '' || patientId === null) return words
  const to = target === null ? casebookPath(projectId, patientId) : entryPath(projectId, patientId, entryId(target))
  return <Link to={to}>{words}</Link>
}
