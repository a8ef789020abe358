import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { NEARLY_FULL } from '#offline/db/usage.ts'
import { InstallHint } from '#src/frame/look/InstallHint.tsx'
import { Note } from '#src/ui/Note.tsx'
import { byteSize } from '#src/ui/words/format.ts'

import { LossNote } from './LossNote.tsx'
import classes from './shell.module.css'
import { useSync } from './useSync.ts'

/**
 * What is wrong with this device's storage, on top of every screen: in figures, and with what to do. Shows nothing
 * while all is well, except, once, the offer to install the app.
 */
export function DeviceNotices() {
  return (
    <div className={classes.notices} data-print="no">
      <LossNote />
      <RoomNote />
      <InstallHint />
    </div>
  )
}

function RoomNote() {
  const { t } = useTranslation('shell')
  const sync = useSync()
  if (sync === null) return null
  const { storage, evicted } = sync
  const share = storage === null || storage.quotaBytes === 0 ? 0 : storage.usedBytes / storage.quotaBytes
  if (share < NEARLY_FULL && evicted === 0) return null
  return (
    <Note tone="warning" live>
      {storage !== null &&
        share >= NEARLY_FULL &&
        `${t('room.nearlyFull', { percent: Math.round(100 * share), used: byteSize(storage.usedBytes), quota: byteSize(storage.quotaBytes) })} `}
      {evicted > 0 && `${t('room.evicted', { count: evicted })} `}
      {t('room.what')}{' '}
      <Anchor inherit component={Link} to="/device" underline="always">
        {t('nav.device')}
      </Anchor>
    </Note>
  )
}
