import { ActionIcon } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

import { AttentionLink, ConnectionStatus } from './ConnectionStatus.tsx'
import { LogBadge } from './LogBadge.tsx'
import { ProjectSelect } from './ProjectSelect.tsx'
import { UserMenu } from './UserMenu.tsx'
import classes from './shell.module.css'

interface TopBarProps {
  readonly projectId: string | null
  readonly navOpened: boolean
  readonly onToggleNav: () => void
}

/** Product, project, connection, what needs attention, the user. */
export function TopBar({ projectId, navOpened, onToggleNav }: TopBarProps) {
  const { t } = useTranslation(['shell', 'common'])
  return (
    <div className={classes.bar}>
      <ActionIcon
        variant="transparent"
        size={44}
        hiddenFrom="md"
        className={classes.barButton}
        aria-label={navOpened ? t('closeMenu') : t('openMenu')}
        aria-expanded={navOpened}
        onClick={onToggleNav}
      >
        <IconMenu2 size={22} />
      </ActionIcon>
      <Link to="/projects" className={classes.brand}>
        <img src="/icon.svg" alt="" width={28} height={28} />
        {t('common:product')}
      </Link>
      <ProjectSelect projectId={projectId} />
      <span className={classes.spacer} />
      <LogBadge />
      <AttentionLink />
      <ConnectionStatus />
      <UserMenu />
    </div>
  )
}
