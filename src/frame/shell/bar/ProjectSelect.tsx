import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router-dom'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { studyName } from '#core/study/studyName.ts'
import { useProjectChoice } from '#src/data/hooks/projects.ts'
import type { ProjectChoice } from '#src/data/shapes/listTypes.ts'
import { mayEnter } from '#src/frame/shell/menu.ts'
import { useStatusName } from '#src/frame/shell/statusName.ts'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'
import { reloadPath } from '#src/paths/redirect.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { ProjectBadge } from '#src/ui/badges/ProjectBadge.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { BarAction } from './BarAction.tsx'
import { BarPanel } from './BarPanel.tsx'
import classes from './bar.module.css'

/** At this distance from the end of the list (px) the next projects are loaded. */
const NEAR_END = 80

/** Chooses the project to work in. */
export function ProjectSelect({ project }: { readonly project: ProjectRow | null }) {
  const { t } = useTranslation(['shell', 'form'])
  const language = useLanguage()
  const name = project === null ? null : studyName(project.projectName, language)
  const label = name === null ? t('project.choose') : [t('project.choose'), name].join(t('form:colon'))
  return (
    <BarPanel long label={label} button={<span className={classes.text}>{name ?? t('project.choose')}</span>}>
      {(close) => <ProjectList projectId={project?.id ?? null} onChosen={close} />}
    </BarPanel>
  )
}

/**
 * Twenty at first, more by scrolling or searching (specification §9). A choice goes through /302, so that nothing of
 * the old project stays.
 */
function ProjectList({ projectId, onChosen }: { readonly projectId: string | null; readonly onChosen: () => void }) {
  const { t } = useTranslation('shell')
  const language = useLanguage()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const statusName = useStatusName()
  const needsServer = useNeedsServer()
  const [search, setSearch] = useState('')
  const [pages, setPages] = useState(1)
  const name = useDeferredValue(search)
  const reading = useProjectChoice({ name, pages })
  // While the next projects are being loaded, the present ones stay.
  const [last, setLast] = useState<ProjectChoice | null>(null)
  if (reading.state === 'ready' && reading.value !== last) setLast(reading.value)
  const shown = reading.state === 'loading' && last !== null ? { state: 'ready' as const, value: last } : reading
  const hasMore = shown.state === 'ready' && shown.value.projects.length < shown.value.total
  const more = () => {
    if (hasMore && reading.state === 'ready') setPages(pages + 1)
  }
  const choose = (row: ProjectRow) => {
    onChosen()
    void navigate(reloadPath(samePlaceIn(row, pathname)))
  }
  return (
    <div
      className={classes.panel}
      // On a touch screen a focused input opens the keyboard over the very list to choose from.
      {...(window.matchMedia('(pointer: coarse)').matches ? { 'data-autofocus': true, tabIndex: -1 } : {})}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (scrollHeight - scrollTop - clientHeight < NEAR_END) more()
      }}
    >
      <TextInput
        mb={8}
        size="md"
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value)
          setPages(1)
        }}
        placeholder={t('project.search')}
        aria-label={t('project.search')}
        leftSection={<IconSearch size={18} aria-hidden="true" />}
      />
      <Loaded of={shown} rows={4}>
        {({ projects }) => (
          <>
            {needsServer !== null && <p className={classes.title}>{t('project.kept')}</p>}
            {projects.length === 0 && <p className={classes.title}>{t('project.none')}</p>}
            <ul className={classes.list}>
              {projects.map((row) => (
                <li key={row.id}>
                  <BarAction
                    current={row.id === projectId}
                    icon={<ProjectBadge icon={row.projectIcon} name={row.projectName} className={classes.badge} />}
                    note={statusName(row.projectStatus)}
                    onClick={() => choose(row)}
                  >
                    {studyName(row.projectName, language)}
                  </BarAction>
                </li>
              ))}
            </ul>
            {hasMore && (
              <Button
                variant="subtle"
                h="var(--zl-control)"
                fullWidth
                loading={reading.state === 'loading'}
                onClick={more}
              >
                {t('project.more')}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

/** The same place in another project, if the user has it there: each project has versions of its own. */
function samePlaceIn(project: ProjectRow, pathname: string): string {
  const [, root, , area = '', ...rest] = pathname.split('/')
  const other = `/p/${project.id}/${[area, ...rest].join('/')}`
  return root === 'p' && area !== '' && area !== 'v' && mayEnter(project, other) ? other : `/p/${project.id}`
}
