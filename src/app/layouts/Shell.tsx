import { AppShell } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { ProjectRow } from '#core/sync/rows.ts'
import { DeviceNotices } from '#src/app/shell/DeviceNotices.tsx'
import { Navigation } from '#src/app/shell/Navigation.tsx'
import { SkipLink } from '#src/app/shell/SkipLink.tsx'
import { TopBar } from '#src/app/shell/TopBar.tsx'
import classes from '#src/app/shell/shell.module.css'

interface ShellProps {
  readonly project: ProjectRow | null
  readonly projectId: string | null
  readonly versionId: string | null
  readonly children: ReactNode
}

/** Top bar, navigation beside the content on a wide screen and over it on a tablet, content. */
export function Shell({ project, projectId, versionId, children }: ShellProps) {
  const [opened, { toggle, close }] = useDisclosure(false)
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 224, breakpoint: 'md', collapsed: { mobile: !opened } }}
      padding="md"
      transitionDuration={120}
    >
      <SkipLink />
      <AppShell.Header>
        <TopBar projectId={projectId} navOpened={opened} onToggleNav={toggle} />
      </AppShell.Header>
      <AppShell.Navbar>
        <Navigation project={project} versionId={versionId} onChosen={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <DeviceNotices />
        {children}
      </AppShell.Main>
    </AppShell>
  )
}
