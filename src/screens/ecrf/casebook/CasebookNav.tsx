import { ActionIcon, Anchor, Drawer } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconChevronRight, IconListTree } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { QueryState } from '#core/review/query.ts'
import { NO_COUNTS } from '#core/review/verification.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import shell from '#src/frame/shell/shell.module.css'
import type { Casebook, CasebookFolder, CasebookPage } from '#src/data/shapes/types.ts'
import { entryPath, patientVisitsPath } from '#src/paths/screenPaths.ts'
import { useAskedPages } from '#src/screens/ecrf/beside/askedPages.ts'
import type { AskedPages } from '#src/screens/ecrf/beside/askedPages.ts'
import { countsOfPages, useReviewedPages } from '#src/screens/ecrf/check/reviewedPages.ts'
import type { ReviewedPages } from '#src/screens/ecrf/check/reviewedPages.ts'
import { PageStatus } from '#src/ui/badges/PageStatus.tsx'
import { QueryBadge } from '#src/ui/badges/QueryBadge.tsx'
import { ReviewRollUp } from '#src/ui/badges/ReviewBadge.tsx'
import { StatusRing } from '#src/ui/badges/StatusRing.tsx'
import { stateOfPages } from '#src/ui/badges/pageState.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { HiddenVisits } from './HiddenVisits.tsx'
import { useVisitWords } from './VisitFactsLine.tsx'
import classes from './nav.module.css'
import { isDated } from './visitOrder.ts'
import { useVisibleVisits } from './useVisibleVisits.ts'
import visits from './visits.module.css'

interface CasebookNavProps {
  readonly book: Casebook
  /** The page that is open. */
  readonly current: string
  /** Goes to a page, after the open page is saved. */
  readonly onGo: (page: CasebookPage) => void
}

/** From here on the list stands beside the page: the fields of the page still have two columns of their own. */
const BESIDE = '(min-width: 1100px)'

/** Read before the first drawing: the page must not jump to the side after it. */
function useBeside(): boolean {
  return useMediaQuery(BESIDE, undefined, { getInitialValueInEffect: false })
}

/**
 * The visits and pages of the patient, beside the open page. Where there is no room, `CasebookNavButton` shows them.
 */
export function CasebookNav(props: CasebookNavProps) {
  const { t } = useTranslation('ecrf')
  const beside = useBeside()
  if (!beside) return null
  return (
    <nav className={classes.aside} aria-label={t('nav.title')}>
      <Visits {...props} />
    </nav>
  )
}

/** The same list, opened by a button in the header where there is no room beside the page. */
export function CasebookNavButton({ onGo, ...props }: CasebookNavProps) {
  const { t } = useTranslation(['ecrf', 'common'])
  const beside = useBeside()
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
          <Visits
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

/** Up to so many pages all visits are open. */
const SHORT = 40

function Visits({ book, current, onGo }: CasebookNavProps) {
  const { t } = useTranslation('visits')
  const open = useRef<HTMLAnchorElement>(null)
  const visible = useVisibleVisits(book, current)
  const asked = useAskedPages(book)
  const reviewed = useReviewedPages(book)
  const isShort = book.folders.reduce((sum, { pages }) => sum + pages.length, 0) <= SHORT
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  // Keeps the open page in sight, however many visits there are.
  useEffect(() => {
    // Newer browsers return a promise here, which an effect must not return as its clean-up.
    open.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <>
      <div className={classes.top}>
        <Anchor
          component={Link}
          to={patientVisitsPath(book.project.id, book.patient.id)}
          size="sm"
          className={visits.toSchedule ?? ''}
        >
          {t('patient.open')}
        </Anchor>
        <HiddenVisits of={visible} />
      </div>
      {visible.folders.map((folder) => {
        const { id } = folder.visit
        const isOpen = chosen.get(id) ?? (isShort || folder.pages.some(({ entryId }) => entryId === current))
        return (
          <VisitPart
            key={id}
            folder={folder}
            isOpen={isOpen}
            onToggle={() => setChosen((before) => new Map([...before, [id, !isOpen]]))}
            {...{ book, current, onGo, open, asked, reviewed }}
          />
        )
      })}
    </>
  )
}

function AskedFlag({ state }: { readonly state: QueryState | undefined }) {
  const { t } = useTranslation('form')
  return state === undefined ? null : (
    <QueryBadge state={state} compact>
      {t(`asked.${state}`)}
    </QueryBadge>
  )
}

interface VisitPartProps extends CasebookNavProps {
  readonly folder: CasebookFolder
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly open: RefObject<HTMLAnchorElement | null>
  readonly asked: AskedPages
  readonly reviewed: ReviewedPages
}

/** A visit as a line with its ring, and below it its pages. */
function VisitPart({ book, folder, current, isOpen, onToggle, onGo, open, asked, reviewed }: VisitPartProps) {
  const names = useNames()
  const { t } = useTranslation(['ecrf', 'visits', 'casebook'])
  const sayVisit = useVisitWords()
  const { visit, pages } = folder
  const name = names.visit(folder)
  const left = pages.filter(({ status }) => status !== SUBMITTED).length
  const { when } = sayVisit(visit)
  const standing = isDated(visit) ? t(`visits:status.${visit.status}`) : null
  return (
    <section aria-label={name}>
      <h2 className={classes.folder}>
        <button type="button" aria-expanded={isOpen} onClick={onToggle}>
          <StatusRing visit={visit.status} state={stateOfPages(pages)} left={left} />
          <span className={classes.folderName}>
            {name}
            <small>
              {standing !== null && <span>{standing}</span>}
              <span>{when}</span>
            </small>
          </span>
          <ReviewRollUp counts={countsOfPages(reviewed, pages)} compact />
          <IconChevronRight size={16} className={classes.chevron} aria-hidden="true" />
        </button>
      </h2>
      {isOpen && (
        <ul className={classes.pages}>
          {pages.map((page) => (
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
                <span className={classes.marks}>
                  <AskedFlag state={asked.get(page.entryId)} />
                  <ReviewRollUp counts={reviewed.get(page.entryId) ?? NO_COUNTS} compact />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
