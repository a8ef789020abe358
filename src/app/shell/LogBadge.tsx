import { ActionIcon } from '@mantine/core'
import { IconBug } from '@tabler/icons-react'
import { useState } from 'react'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { useLog } from '#src/log/store.ts'
import { loadPart } from '#src/session/loadPart.ts'

import type { LogDialogProps } from './LogDialog.tsx'
import classes from './shell.module.css'

/** SPEC §9. */
const MOST_SHOWN = 99

/** How many errors this device has noted; nothing when there are none. It opens the log. */
export function LogBadge() {
  const { t } = useTranslation('log')
  const { length: count } = useLog()
  const [Dialog, setDialog] = useState<ComponentType<LogDialogProps> | null>(null)
  const [opened, setOpened] = useState(false)
  const open = async () => {
    const part = await loadPart(() => import('./LogDialog.tsx'))
    if (part === null) return
    setDialog(() => part.LogDialog)
    setOpened(true)
  }
  return (
    <>
      {count > 0 && (
        <ActionIcon
          variant="transparent"
          size={44}
          className={`${classes.barButton} ${classes.log}`}
          aria-label={t('badge', { count })}
          aria-haspopup="dialog"
          onClick={() => void open()}
        >
          <IconBug size={22} stroke={1.6} aria-hidden="true" />
          <span className={classes.logCount}>{count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}</span>
        </ActionIcon>
      )}
      {Dialog !== null && <Dialog opened={opened} onClose={() => setOpened(false)} />}
    </>
  )
}
