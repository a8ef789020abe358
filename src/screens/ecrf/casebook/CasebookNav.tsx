import { ActionIcon, Anchor, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconListTree } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { entryPath, patientVisitsPath } from '#src/paths/screenPaths.ts'
import { useBreakpoint } from '#src/frame/breakpoints.ts'
import shell from '#src/frame/shell/shell.module.css'
import type { Casebook, CasebookPage } from '#src/data/shapes/types.ts'
import { PageStatus } from '#src/ui/badges/PageStatus.tsx'
import { VisitBadge } from '#src/ui/badges/VisitBadge.tsx'
import { useNames } from '#src/ui/words/useNames.ts'

import { HiddenVisits } from './HiddenVisits.tsx'
import { VisitFactsLine } from './VisitFactsLine.tsx'
import classes from './nav.module.css'
import { useVisibleVisits } from './useVisibleVisits.ts'
import visits from './visits.module.css'

interface CasebookNavProps {
  readonly book: Casebook
  /** The page that is open. */
  readonly current: string
  /** Goes to a page, after the open page is saved. */
  readonly onGo: (page: CasebookPage) => void
}

/**
 * The visits and pages of the patient, beside the open page. Where there is no room, `CasebookNavButton` shows them.
 */
export function CasebookNav(props: CasebookNavProps) {
  const { t } = useTranslation('ecrf')
  const beside = useBreakpoint() === 3
  if (!beside) return null
  return (
    <nav className={classes.aside} aria-label={t('nav.title')}>
      <Pages {...props} />
    </nav>
  )
}

/** The same list, opened by a button in the header where there is no room beside the page. */
export function CasebookNavButton({ onGo, ...props }: CasebookNavProps) {
  const { t } = useTranslation(['ecrf', 'common'])
  const beside = useBreakpoint() === 3
  const [opened, { open, close }] = useDisclosure(false)
  if (beside) return null
  return (
    <>
      <ActionIcon
        variant="transparent"
        size={44}
        className={shell.barButton ?? ''}
        aria-label={t('nav.open')}
        aria-expanded={opened}
        onClick={open}
      >
        <IconListTree size={22} />
      </ActionIcon>
      <Drawer
        opened={opened}
        onClose={close}
        title={t('nav.title')}
        size={340}
        closeButtonProps={{ 'aria-label': t('common:action.close') }}
      >
        <nav aria-label={t('nav.title')}>
          <Pages
            {...props}
            onGo={(page) => {
              close()
              onGo(page)
            }}
          />
        </nav>
      </Drawer>
    </>
  )
}

function Pages({ book, current, onGo }: CasebookNavProps) {
  const names = useNames()
  const { t } = useTranslation(['ecrf', 'visits'])
  const open = useRef<HTMLAnchorElement>(null)
  // Keeps the open page in sight, however many visits there are.
  useEffect(() => {
    // Newer browsers return a promise here, which an effect must not return as its clean-up.
    open.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const visible = useVisibleVisits(book, current)
  const sections = visible.folders.map((folder) => (
    <section key={folder.visit.id} aria-label={names.visit(folder)}>
      <h2 className={classes.folder}>
        <span>{names.visit(folder)}</span>
        <VisitFactsLine visit={folder.visit} short />
        {folder.visit.kind !== 'none' && folder.visit.kind !== 'log' && (
          <VisitBadge
            status={folder.visit.status}
            unplanned={folder.visit.kind !== 'planned' || folder.folderRepeat !== '0'}
            compact
          />
        )}
      </h2>
      <ul className={classes.pages}>
        {folder.pages.map((page) => (
          <li key={page.entryId}>
            <Link
              ref={page.entryId === current ? open : null}
              to={entryPath(book.project.id, page.target.patientId, page.entryId)}
              className={classes.page}
              {...(page.entryId === current ? { 'aria-current': 'page' as const } : {})}
              onClick={(event) => {
                // The user asks for another tab or window: the link opens it by itself.
                if (event.metaKey || event.ctrlKey || event.shiftKey) return
                event.preventDefault()
                onGo(page)
              }}
            >
              <PageStatus pages={[page]} compact />
              <span>
                {names.page(page)}
                {page.repeatable && <small>{t('casebook.repeat', { no: page.repeatNo })}</small>}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  ))
  return (
    <>
      <div className={classes.top}>
        <Anchor
          component={Link}
          to={patientVisitsPath(book.project.id, book.patient.id)}
          size="sm"
          className={visits.toSchedule ?? ''}
        >
          {t('visits:patient.open')}
        </Anchor>
        <HiddenVisits of={visible} />
      </div>
      {sections}
    </>
  )
}
