import { Button, Group, Stack } from '@mantine/core'
import { IconDownload, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { useSyncState } from '#src/data/hooks/sync.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import type { SyncState } from '#src/data/shapes/types.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { DRIFT_WARNING_MS, useDriftText } from '#src/ui/words/driftText.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { fullTime } from '#src/ui/words/format.ts'

import classes from './device.module.css'

/** What waits to be sent, a button that sends it now, and one that saves it as a rescue file. */
export function SyncPanel() {
  const { t } = useTranslation('device')
  const errorText = useErrorText()
  const sync = useSyncState()
  const { syncNow, exportUnsent } = useDataActions()
  const [busy, setBusy] = useState<'sync' | 'export' | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  const [exported, setExported] = useState<{ readonly count: number; readonly files: number } | null>(null)

  const send = async () => {
    setBusy('sync')
    const result = await syncNow()
    setBusy(null)
    setError(result.ok ? null : result.error)
  }
  const save = async () => {
    setBusy('export')
    const result = await exportUnsent()
    setBusy(null)
    if (!result.ok) return setError(result.error)
    setError(null)
    setExported(result.value)
    downloadFile(result.value.name, result.value.file)
  }
  return (
    <Panel title={t('connection.title')}>
      <Loaded of={sync} rows={2}>
        {(state) => (
          <Stack gap="sm">
            <SyncFacts sync={state} />
            {error !== null && (
              <Note tone="error" live>
                {errorText(error)}
              </Note>
            )}
            {exported !== null && error === null && (
              <Note tone="done" live>
                {t('connection.exported', { count: exported.count })}
                {exported.files > 0 && <p>{t('connection.exportedWithout', { count: exported.files })}</p>}
              </Note>
            )}
            <Group gap="xs">
              <Button
                size="md"
                leftSection={<IconRefresh size={18} aria-hidden="true" />}
                loading={busy === 'sync' || state.syncing}
                onClick={() => void send()}
              >
                {t('connection.now')}
              </Button>
              {state.unsent > 0 && (
                <Button
                  size="md"
                  variant="default"
                  leftSection={<IconDownload size={18} aria-hidden="true" />}
                  loading={busy === 'export'}
                  onClick={() => void save()}
                >
                  {t('connection.export')}
                </Button>
              )}
            </Group>
            {state.unsent > 0 && <p className={classes.quiet}>{t('connection.exportHint')}</p>}
          </Stack>
        )}
      </Loaded>
    </Panel>
  )
}

/** How much waits and since when, the last contact with the server, and whether the clocks differ. */
function SyncFacts({ sync: { unsent, oldestUnsent, lastContact, driftMs } }: { readonly sync: SyncState }) {
  const { t } = useTranslation('device')
  const driftText = useDriftText()
  return (
    <>
      <p className={classes.figure}>
        <strong>{unsent}</strong>
        {unsent === 0 ? t('connection.none') : t('connection.unsent')}
      </p>
      {oldestUnsent !== null && (
        <p className={classes.quiet}>{t('connection.oldest', { time: fullTime(oldestUnsent) })}</p>
      )}
      <p className={classes.quiet}>
        {lastContact === null ? t('connection.never') : t('connection.lastContact', { time: fullTime(lastContact) })}
      </p>
      {driftMs !== null && Math.abs(driftMs) > DRIFT_WARNING_MS && (
        <Note tone="warning">{t('drift.warning', { drift: driftText(driftMs) })}</Note>
      )}
    </>
  )
}
