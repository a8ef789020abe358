import { Button, Drawer, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconListTree, IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { useBreakpoint } from '#src/frame/breakpoints.ts'
import { PageStatus } from '#src/ui/badges/PageStatus.tsx'
import type { PageFacts } from '#src/ui/badges/pageState.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import type { UatVisit } from './casebook.ts'
import type { PageAt, UatPage, UatView } from './uatEditor.ts'
import { pageKey } from './uatEditor.ts'
import classes from '#src/screens/uat/uat.module.css'

interface UatNavProps {
  readonly visits: readonly UatVisit[]
  readonly view: UatView
  readonly current: PageAt
  readonly mayWrite: boolean
  readonly onGo: (at: PageAt) => void
}

/**
 * The visits and pages, each with this test subject's progress: beside the page where there is room, behind a button
 * elsewhere.
 */
export function UatNav(props: UatNavProps) {
  const { t } = useTranslation(['uat', 'common'])
  const beside = useBreakpoint() === 3
  const [opened, { open, close }] = useDisclosure(false)
  if (beside) {
    return (
      <nav className={classes.aside} aria-label={t('nav')}>
        <Visits {...props} />
      </nav>
    )
  }
  return (
    <>
      <Button
        size="md"
        variant="default"
        className={classes.opener ?? ''}
        leftSection={<IconListTree size={20} aria-hidden="true" />}
        aria-expanded={opened}
        onClick={open}
      >
        {t('nav')}
      </Button>
      <Drawer
        opened={opened}
        onClose={close}
        title={t('nav')}
        size={340}
        closeButtonProps={{ 'aria-label': t('common:action.close') }}
      >
        <nav aria-label={t('nav')}>
          <Visits
            {...props}
            onGo={(at) => {
              close()
              props.onGo(at)
            }}
          />
        </nav>
      </Drawer>
    </>
  )
}

function Visits({ visits, view, current, mayWrite, onGo }: UatNavProps) {
  const names = useNames()
  const { t } = useTranslation('uat')
  return visits.map(({ folder, folderRepeat, no, pages, mayRepeat }) => {
    const name = no > 1 ? t('pageNo', { name: names.visit(folder), no }) : names.visit(folder)
    const [first] = folder.pages
    return (
      <section key={`${folder.id} ${folderRepeat}`} aria-label={name}>
        <h2 className={classes.folder}>{name}</h2>
        <ul className={classes.pages}>
          {pages.map(({ page, at, no: nth, isLast }) => (
            <li key={pageKey(at)}>
              <UnstyledButton
                className={classes.page ?? ''}
                {...(pageKey(at) === pageKey(current) ? { 'aria-current': 'page' as const } : {})}
                onClick={() => onGo(at)}
              >
                <PageStatus pages={[factsOf(view.pages.get(pageKey(at)), view)]} compact />
                <span>{nth > 1 ? t('pageNo', { name: names.page(page), no: nth }) : names.page(page)}</span>
              </UnstyledButton>
              {mayWrite && page.repeatable && isLast && view.pages.has(pageKey(at)) && (
                <Again
                  label={t('again', { name: names.page(page) })}
                  onClick={() => onGo({ ...at, pageRepeat: newId() })}
                />
              )}
            </li>
          ))}
        </ul>
        {mayWrite && mayRepeat && first !== undefined && pages.some(({ at }) => view.pages.has(pageKey(at))) && (
          <Again
            label={t('again', { name: names.visit(folder) })}
            onClick={() =>
              onGo({ folderId: folder.id, folderRepeat: newId(), pageId: first.id, pageRepeat: FIRST_REPEAT })
            }
          />
        )}
      </section>
    )
  })
}

function Again({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <Button
      variant="subtle"
      h="var(--zl-control)"
      mx={8}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      onClick={onClick}
    >
      {label}
    </Button>
  )
}

/** What the mark of a page shows: its progress, and whether the server has it. */
function factsOf(page: UatPage | undefined, { status }: UatView): PageFacts {
  if (page === undefined) return { status: 'init', progress: null, mark: null }
  if (page.theirs !== null) return { status: 'process', progress: null, mark: 'conflict' }
  const mark = page.isSaved ? 'received' : status.is === 'away' ? 'local' : 'sending'
  return { status: page.isSaved ? (page.saved?.status ?? 'process') : 'process', progress: null, mark }
}
