import { ActionIcon } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconMenu2 } from '@tabler/icons-react'
import { memo } from 'react'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import type { Breakpoint } from '#src/frame/breakpoints.ts'
import { SearchButton } from '#src/frame/palette/SearchButton.tsx'

import { AttentionLink, ConnectionStatus } from './ConnectionStatus.tsx'
import { LogBadge } from './log/LogBadge.tsx'
import { NoticeBadge } from './notices/NoticeBadge.tsx'
import { ProjectBar } from './bar/ProjectBar.tsx'
import { ProjectSelect } from './bar/ProjectSelect.tsx'
import { UserMenu } from './user/UserMenu.tsx'
import classes from './shell.module.css'

interface TopBarProps {
  readonly project: ProjectRow | null
  readonly versionId: string | null
  readonly breakpoint: Breakpoint
  /** Whether the navigation is open, or wide enough for its words. */
  readonly navOpened: boolean
  readonly onToggleNav: () => void
  readonly toggleRef: Ref<HTMLButtonElement>
}

/**
 * Navigation, product, the project's own controls, what needs attention, connection, the search, the user. It is not
 * drawn again when the screen changes: on a tablet most of a tap's time is drawing.
 */
export const TopBar = memo(function TopBar({
  project,
  versionId,
  breakpoint,
  navOpened,
  onToggleNav,
  toggleRef,
}: TopBarProps) {
  const { t } = useTranslation(['shell', 'common'])
  const ToggleIcon =
    breakpoint <= 1 ? IconMenu2 : navOpened ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand
  return (
    <div className={classes.bar}>
      <ActionIcon
        ref={toggleRef}
        variant="transparent"
        size={44}
        className={classes.barButton}
        aria-label={navOpened ? t('closeMenu') : t('openMenu')}
        aria-expanded={navOpened}
        onClick={onToggleNav}
      >
        <ToggleIcon size={22} />
      </ActionIcon>
      <Link to="/wel/index" className={classes.brand} aria-label={t('common:product')}>
        <span className="zl-mark" />
        {breakpoint > 1 && t('common:product')}
      </Link>
      <ProjectSelect project={project} />
      {project !== null && <ProjectBar project={project} versionId={versionId} breakpoint={breakpoint} />}
      <span className={classes.spacer} />
      {/* What comes, goes and changes its width stands before what does not: only empty room gives way to it. */}
      <LogBadge />
      <AttentionLink />
      <ConnectionStatus />
      <SearchButton breakpoint={breakpoint} />
      <NoticeBadge />
      <UserMenu />
    </div>
  )
})
