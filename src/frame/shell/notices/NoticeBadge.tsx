import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from '#src/frame/shell/shell.module.css'
import { useLaterDialog } from '#src/frame/shell/useLaterDialog.tsx'
import { NotLoaded } from '#src/ui/NotLoaded.tsx'

import { useNotices } from './useNotices.ts'

/** Specification §2: larger numbers are not shown. */
const MOST_SHOWN = 99

/** The bell: how many notices the user has not read. It opens the list. */
export function NoticeBadge() {
  const { t } = useTranslation('shell')
  const { total } = useNotices()
  const notices = useLaterDialog(async () => (await import('./NoticesDialog.tsx')).NoticesDialog, NotLoaded)
  return (
    <>
      <ActionIcon
        variant="transparent"
        size={44}
        className={`${classes.barButton} ${classes.log}`}
        aria-label={total > 0 ? t('notices.badge', { count: total }) : t('notices.title')}
        aria-haspopup="dialog"
        onClick={notices.open}
      >
        <IconBell size={22} stroke={1.6} aria-hidden="true" />
        {total > 0 && <span className={classes.logCount}>{total > MOST_SHOWN ? `${MOST_SHOWN}+` : total}</span>}
      </ActionIcon>
      {notices.dialog}
    </>
  )
}
