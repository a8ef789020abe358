import { Button } from '@mantine/core'
import { IconDevices, IconLifebuoy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import type { DeviceLine } from '#core/api/calls/sync.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { useServerQuery } from '#src/data/server.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import type { DataColumn } from '#src/ui/lists/DataTable.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { Pages } from '#src/ui/lists/Pages.tsx'
import { fullTime, timeAgo } from '#src/ui/words/format.ts'

import { DeviceDrawer } from './DeviceDrawer.tsx'
import { Flags } from './Flags.tsx'
import { RescueDialog } from './RescueDialog.tsx'
import classes from './devices.module.css'

const PAGE_SIZE = 50

/** Devices that keep data of a project: what only they have, and which of them may have to be found. */
export function DevicesScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { t } = useTranslation('devices')
  const [current, setCurrent] = useState(1)
  const devices = useServerQuery('sync.devices', {
    query: { projectId: project.id, current, size: PAGE_SIZE },
    projectId: project.id,
  })
  const [opened, setOpened] = useState<string | null>(null)
  const [rescuing, setRescuing] = useState(false)
  const columns = useColumns(setOpened)
  const device = devices.state === 'ready' ? devices.value.records.find(({ id }) => id === opened) : undefined
  return (
    <PageFrame
      title={t('title')}
      intro={t('intro')}
      actions={
        <ServerButton
          size="md"
          variant="default"
          leftSection={<IconLifebuoy size={18} aria-hidden="true" />}
          onClick={() => setRescuing(true)}
        >
          {t('rescue.open')}
        </ServerButton>
      }
    >
      <Loaded of={devices} rows={6}>
        {({ records, pages, total }) =>
          records.length === 0 ? (
            <EmptyState icon={<IconDevices size={44} stroke={1.4} />} title={t('empty.title')} text={t('empty.text')} />
          ) : (
            <>
              <DataTable caption={t('title')} rows={records} rowKey={({ id }) => id} columns={columns} />
              <Pages pages={pages} total={total} current={current} onChange={setCurrent} />
            </>
          )
        }
      </Loaded>
      {device !== undefined && <DeviceDrawer device={device} projectId={project.id} onClose={() => setOpened(null)} />}
      {rescuing && <RescueDialog projectId={project.id} onClose={() => setRescuing(false)} />}
    </PageFrame>
  )
}

function useColumns(onOpen: (id: string) => void): readonly DataColumn<DeviceLine>[] {
  const { t, i18n } = useTranslation(['devices', 'form'])
  const ago = (instant: string) => timeAgo(instant, i18n.language)
  return [
    {
      key: 'name',
      title: t('columns.name'),
      cell: ({ name, centers }) => (
        <>
          <div>{name}</div>
          <div className={classes.quiet}>{centers.join(t('form:listSeparator'))}</div>
        </>
      ),
    },
    {
      key: 'contact',
      title: t('columns.contact'),
      short: true,
      cell: ({ lastContactAt, lastUserName }) => (
        <>
          <div>
            {ago(lastContactAt)} <span className={classes.quiet}>{fullTime(lastContactAt)}</span>
          </div>
          {lastUserName !== null && <div className={classes.quiet}>{t('by', { name: lastUserName })}</div>}
        </>
      ),
    },
    {
      key: 'unsent',
      title: t('columns.unsent'),
      cell: ({ unsent, oldestUnsent }) =>
        unsent === 0 ? (
          <span className={classes.quiet}>{t('noneUnsent')}</span>
        ) : (
          <>
            <strong>{t('unsent', { count: unsent })}</strong>
            {oldestUnsent !== null && (
              <div className={classes.quiet} title={fullTime(oldestUnsent)}>
                {t('oldest', { ago: ago(oldestUnsent) })}
              </div>
            )}
          </>
        ),
    },
    { key: 'state', title: t('columns.state'), cell: (device) => <Flags device={device} /> },
    { key: 'version', title: t('columns.version'), short: true, cell: ({ appVersion }) => appVersion },
    {
      key: 'open',
      title: t('columns.open'),
      cell: ({ id, name }) => (
        <Button size="md" variant="default" aria-label={t('openLabel', { name })} onClick={() => onOpen(id)}>
          {t('open')}
        </Button>
      ),
    },
  ]
}
