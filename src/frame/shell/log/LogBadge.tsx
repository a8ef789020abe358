import { ActionIcon } from '@mantine/core'
import { IconBug } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from '#src/frame/shell/shell.module.css'
import { useLaterDialog } from '#src/frame/shell/useLaterDialog.tsx'
import { useLog } from '#src/log/store.ts'
import { NotLoaded } from '#src/ui/NotLoaded.tsx'

/** Specification §9. */
const MOST_SHOWN = 99

/** How many errors this device has noted; shows nothing when there are none. It opens the log. */
export function LogBadge() {
  const { t } = useTranslation('log')
  const { length: count } = useLog()
  const log = useLaterDialog(async () => (await import('./LogDialog.tsx')).LogDialog, NotLoaded)
  return (
    <>
      {count > 0 && (
        <ActionIcon
          variant="transparent"
          size={44}
          className={`${classes.barButton} ${classes.log}`}
          aria-label={t('badge', { count })}
          aria-haspopup="dialog"
          onClick={log.open}
        >
          <IconBug size={22} stroke={1.6} aria-hidden="true" />
          <span className={classes.logCount}>{count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}</span>
        </ActionIcon>
      )}
      {log.dialog}
    </>
  )
}
