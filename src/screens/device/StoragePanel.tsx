import { Button, Group, Progress, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NEARLY_FULL } from '#offline/db/usage.ts'
import { useSyncState } from '#src/data/hooks/sync.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { byteSize } from '#src/ui/words/format.ts'

import classes from './device.module.css'

/** How much room the data take, and a button that asks the browser never to clear them by itself. */
export function StoragePanel() {
  const { t } = useTranslation('device')
  const sync = useSyncState()
  const { persistStorage } = useDataActions()
  const [refused, setRefused] = useState(false)
  const ask = async () => setRefused(!(await persistStorage()))
  return (
    <Panel title={t('storage.title')}>
      <Loaded of={sync} rows={2}>
        {({ storage, evicted }) => {
          const gone = evicted > 0 && <Note tone="warning">{t('storage.evicted', { count: evicted })}</Note>
          if (storage === null) {
            return (
              <Stack gap="sm">
                <p className={classes.quiet}>{t('storage.unknown')}</p>
                {gone}
              </Stack>
            )
          }
          const { usedBytes, quotaBytes, persisted } = storage
          const percent = quotaBytes === 0 ? 0 : Math.round((100 * usedBytes) / quotaBytes)
          const used = t('storage.used', { used: byteSize(usedBytes), quota: byteSize(quotaBytes) })
          return (
            <Stack gap="sm">
              <p className={classes.quiet}>{used}</p>
              <Progress value={percent} aria-label={used} />
              {gone}
              {percent >= 100 * NEARLY_FULL && <Note tone="warning">{t('storage.nearlyFull', { percent })}</Note>}
              <Note tone={persisted ? 'done' : 'info'}>
                {persisted ? t('storage.persisted') : t('storage.notPersisted')}
              </Note>
              {!persisted && (
                <Group>
                  <Button size="md" variant="default" onClick={() => void ask()}>
                    {t('storage.ask')}
                  </Button>
                </Group>
              )}
              {refused && !persisted && (
                <Note tone="warning" live>
                  {t('storage.refused')}
                </Note>
              )}
            </Stack>
          )
        }}
      </Loaded>
    </Panel>
  )
}
