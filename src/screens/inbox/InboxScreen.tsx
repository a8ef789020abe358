import { Button, SegmentedControl } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import type { InboxLine } from '#core/api/calls/sync.ts'
import type { InboxRow } from '#core/api/sync/rows.ts'
import { inboxStates } from '#core/api/sync/rows.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { useServerQuery } from '#src/data/server.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import type { DataColumn } from '#src/ui/lists/DataTable.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { Pages } from '#src/ui/lists/Pages.tsx'
import { useCallName } from '#src/ui/words/callName.ts'
import { fullTime } from '#src/ui/words/format.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { InboxDrawer } from './InboxDrawer.tsx'
import classes from './inbox.module.css'

const PAGE_SIZE = 20

/** The operations that the server has received and a data manager has to decide. */
export function InboxScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { t } = useTranslation('inbox')
  const [state, setState] = useState<InboxRow['state']>('open')
  const [current, setCurrent] = useState(1)
  const [opened, setOpened] = useState<string | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const lines = useServerQuery('sync.inbox', {
    query: { projectId: project.id, state, current, size: PAGE_SIZE },
    projectId: project.id,
  })
  const columns = useColumns(state, setOpened)
  const show = (next: InboxRow['state']) => {
    setState(next)
    setCurrent(1)
    setDone(null)
  }
  return (
    <PageFrame title={t('title')} intro={t('intro')}>
      <SegmentedControl
        className={classes.tabs ?? ''}
        aria-label={t('tabsLabel')}
        value={state}
        onChange={(value) => show(inboxStates.find((one) => one === value) ?? 'open')}
        data={inboxStates.map((one) => ({ value: one, label: t(`tabs.${one}`) }))}
      />
      {done !== null && (
        <Note tone="done" live>
          {done}
        </Note>
      )}
      <Loaded of={lines} rows={6}>
        {({ records, pages, total }) =>
          records.length === 0 ? (
            <EmptyState
              icon={<IconInbox size={44} stroke={1.4} />}
              title={t(`empty.${state}.title`)}
              text={t(`empty.${state}.text`)}
            />
          ) : (
            <>
              <DataTable
                caption={`${t('title')} · ${t(`tabs.${state}`)}`}
                rows={records}
                rowKey={({ id }) => id}
                columns={columns}
              />
              <Pages pages={pages} total={total} current={current} onChange={setCurrent} />
            </>
          )
        }
      </Loaded>
      {opened !== null && (
        <InboxDrawer key={opened} id={opened} project={project} onClose={() => setOpened(null)} onDone={setDone} />
      )}
    </PageFrame>
  )
}

function useColumns(state: InboxRow['state'], onOpen: (id: string) => void): readonly DataColumn<InboxLine>[] {
  const names = useNames()
  const { t } = useTranslation('inbox')
  const callName = useCallName()
  const decided: readonly DataColumn<InboxLine>[] =
    state === 'open'
      ? []
      : [
          {
            key: 'decided',
            title: t('columns.decided'),
            cell: ({ decidedByName, decidedAt, note }) => (
              <Two
                first={[decidedByName, decidedAt === null ? null : fullTime(decidedAt)].filter(Boolean).join(' · ')}
                second={note}
              />
            ),
          },
        ]
  return [
    {
      key: 'received',
      title: t('columns.received'),
      cell: ({ receivedAt }) => <span className={classes.time}>{fullTime(receivedAt)}</span>,
    },
    { key: 'author', title: t('columns.author'), cell: ({ authorName }) => authorName },
    {
      key: 'patient',
      title: t('columns.patient'),
      cell: ({ patientNo, centerName }) => <Two first={patientNo} second={centerName} />,
    },
    {
      key: 'what',
      title: t('columns.what'),
      cell: (line) => (
        <Two
          first={names.page(line) ?? callName(line.call)}
          second={line.pageName === null ? null : callName(line.call)}
        />
      ),
    },
    { key: 'reason', title: t('columns.reason'), cell: ({ reason }) => t(`reason.${reason}`) },
    ...decided,
    {
      key: 'open',
      title: t('columns.open'),
      cell: (line) => (
        <Button
          size="md"
          variant="default"
          aria-label={t('openLabel', {
            who: line.authorName,
            where: [line.patientNo, names.page(line)].filter(Boolean).join(' · '),
          })}
          onClick={() => onOpen(line.id)}
        >
          {t('open')}
        </Button>
      ),
    },
  ]
}

/** A cell with two lines: the thing itself, and in quieter type the line that places it. */
function Two({ first, second }: { readonly first: string | null; readonly second: string | null }) {
  return (
    <>
      <div>{first}</div>
      {second !== null && <div className={classes.quiet}>{second}</div>}
    </>
  )
}
