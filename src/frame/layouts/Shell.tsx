import { AppShell } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useCallback, useRef } from 'react'
import type { ReactNode } from 'react'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { breakpointWidths, useBreakpoint } from '#src/frame/breakpoints.ts'
import { setPreferences, usePreferences } from '#src/frame/preferences.ts'
import { Breadcrumbs } from '#src/frame/shell/Breadcrumbs.tsx'
import { DeviceNotices } from '#src/frame/shell/DeviceNotices.tsx'
import { Navigation } from '#src/frame/shell/Navigation.tsx'
import { SkipLink } from '#src/frame/shell/SkipLink.tsx'
import { TopBar } from '#src/frame/shell/TopBar.tsx'
import classes from '#src/frame/shell/shell.module.css'

import { NavigationDrawer } from './NavigationDrawer.tsx'

interface ShellProps {
  readonly project: ProjectRow | null
  readonly versionId: string | null
  readonly children: ReactNode
}

const NAV_WIDTH = 224
const COLLAPSED_WIDTH = 64

/**
 * Top bar, navigation, content. Above breakpoint 1 the navigation stands beside the content and can be narrowed down to
 * its icons; at 1 and below it opens over the content (specification §2).
 */
export function Shell({ project, versionId, children }: ShellProps) {
  const breakpoint = useBreakpoint()
  const { navCollapsed } = usePreferences()
  const [opened, { open, close }] = useDisclosure(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const isBeside = breakpoint > 1
  const toggleNav = useCallback(
    () => (isBeside ? setPreferences({ navCollapsed: !navCollapsed }) : open()),
    [isBeside, navCollapsed, open],
  )
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{
        width: navCollapsed ? COLLAPSED_WIDTH : NAV_WIDTH,
        breakpoint: breakpointWidths[2],
        collapsed: { mobile: true },
      }}
      padding="md"
      transitionDuration={120}
    >
      <SkipLink />
      <AppShell.Header>
        <TopBar
          project={project}
          versionId={versionId}
          breakpoint={breakpoint}
          navOpened={isBeside ? !navCollapsed : opened}
          onToggleNav={toggleNav}
          toggleRef={toggle}
        />
      </AppShell.Header>
      {isBeside ? (
        <AppShell.Navbar>
          <Navigation project={project} versionId={versionId} collapsed={navCollapsed} onChosen={close} />
        </AppShell.Navbar>
      ) : (
        <NavigationDrawer project={project} versionId={versionId} opened={opened} onClose={close} toggle={toggle} />
      )}
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <DeviceNotices />
        <Breadcrumbs project={project} />
        {children}
      </AppShell.Main>
    </AppShell>
  )
}
