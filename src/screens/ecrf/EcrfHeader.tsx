import { ActionIcon } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { use } from 'react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useBreakpoint } from '#src/frame/breakpoints.ts'
import { OpenSearchButton } from '#src/frame/palette/SearchButton.tsx'
import { OpenSearchContext } from '#src/frame/palette/openSearch.ts'
import { AttentionLink, ConnectionStatus } from '#src/frame/shell/ConnectionStatus.tsx'
import { PrintedLine } from '#src/frame/shell/PrintedLine.tsx'
import { SkipLink } from '#src/frame/shell/SkipLink.tsx'
import { UserMenu } from '#src/frame/shell/user/UserMenu.tsx'
import shell from '#src/frame/shell/shell.module.css'
import { PassBadge } from '#src/ui/badges/PassBadge.tsx'

import classes from './ecrf.module.css'

interface EcrfHeaderProps {
  readonly backTo: string
  readonly backLabel: string
  readonly title: ReactNode
  /** The pass of double entry that is shown; null in a project in which data are entered once. */
  readonly pass?: 1 | 2 | null
  /** What stands before the title: the way to the other pages. */
  readonly before?: ReactNode
  /** A second line, such as the progress of the page. */
  readonly children?: ReactNode
}

/** The header: patient, visit and page on the left; connection and sync in words, and the search on the right. */
export function EcrfHeader({ backTo, backLabel, title, pass = null, before, children }: EcrfHeaderProps) {
  return (
    <header className={classes.header}>
      <SkipLink />
      <div className={`${classes.headerLine} ${shell.tinted}`}>
        <ActionIcon
          component={Link}
          to={backTo}
          data-print="no"
          variant="transparent"
          size={44}
          className={shell.barButton ?? ''}
          aria-label={backLabel}
        >
          <IconChevronLeft size={24} />
        </ActionIcon>
        {before !== undefined && <span data-print="no">{before}</span>}
        <h1 className={classes.title}>
          {pass !== null && <PassBadge pass={pass} />}
          {title}
        </h1>
        <span className={classes.headerEnd} data-print="no">
          <AttentionLink />
          <ConnectionStatus />
          <Search />
          <UserMenu />
        </span>
      </div>
      {children}
      <PrintedLine />
    </header>
  )
}

/** The way to any subject and screen, as in the bar of the other screens. */
function Search() {
  const open = use(OpenSearchContext)
  const breakpoint = useBreakpoint()
  return open === null ? null : <OpenSearchButton breakpoint={breakpoint} onOpen={open} />
}
