import { Button } from '@mantine/core'
import { IconFolders } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import type { HomeState } from '#src/paths/screenPaths.ts'
import { StartProjectDialog } from '#src/frame/StartProjectDialog.tsx'
import { LoadedProjects } from '#src/frame/shell/LoadedProjects.tsx'
import { useHome } from '#src/data/hooks/projects.ts'
import type { HomeProject } from '#src/data/shapes/types.ts'
import { useSession } from '#src/session/useSession.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Note } from '#src/ui/Note.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { useAfterDrawing } from '#src/ui/lists/useAfterDrawing.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { DevicePanel } from './DevicePanel.tsx'
import { EnrolmentSection, useChosenCurve } from './EnrolmentSection.tsx'
import { HomeNotices } from './HomeNotices.tsx'
import { HomeProjectCard } from './HomeProjectCard.tsx'
import classes from './home.module.css'

/** How many projects are shown; the list of projects shows all of them. */
const SHOWN = 6
/** So many projects stand beside their curve; more stand above it. */
const FEW = 2

const NONE: readonly HomeProject[] = []

/** The first screen: the user's projects, what waits in each, and what only this device has. */
export function HomeScreen() {
  const { t, i18n } = useTranslation('home')
  const { current } = useSession()
  const home = useHome()
  const isDrawn = useAfterDrawing(home.state === 'ready')
  const projects = home.state === 'ready' ? home.value : NONE
  const isCounted = isDrawn && projects.every(({ counting }) => !counting)
  const running = projects.map(({ project }) => project).filter(({ projectStatus }) => projectStatus !== 'start')
  const curve = useChosenCurve(running, isCounted)
  const [starting, setStarting] = useState<ProjectRow | null>(null)
  const name = current.state === 'open' ? current.user.realName : ''
  const isAdmin = current.state === 'open' && current.user.isAdmin
  const errorText = useErrorText()
  const refused = refusedIn(useLocation().state)
  const [now] = useState(() => new Date())
  const today = new Intl.DateTimeFormat(i18n.language === 'en' ? 'en' : 'zh-CN', { dateStyle: 'full' }).format(now)
  return (
    <PageFrame title={t('title')} intro={t('intro', { name, today })}>
      {refused !== null && (
        <Note tone="error" title={t('refused')} live>
          {errorText(refused)}
        </Note>
      )}
      <DevicePanel />
      <div className={classes.parts} data-few={(home.state === 'ready' && home.value.length <= FEW) || undefined}>
        <section aria-labelledby="home-projects" className={classes.section}>
          <h2 id="home-projects" className={classes.heading}>
            {t('projects')}
          </h2>
          <LoadedProjects of={home}>
            {(projects) =>
              projects.length === 0 ? (
                <EmptyState
                  icon={<IconFolders size={44} stroke={1.4} />}
                  title={t('empty.title')}
                  text={t(isAdmin ? 'empty.admin' : 'empty.text')}
                  {...(isAdmin ? { action: <AllProjects label={t('empty.create')} /> } : {})}
                />
              ) : (
                <>
                  <ul className={classes.cards}>
                    {projects.slice(0, SHOWN).map(({ project, counts, counting }) => (
                      <li key={project.id}>
                        <HomeProjectCard
                          project={project}
                          counts={counts}
                          counting={counting}
                          isDue={isDrawn}
                          onStart={setStarting}
                        />
                      </li>
                    ))}
                  </ul>
                  {projects.length > SHOWN && <AllProjects label={t('all', { count: projects.length })} />}
                </>
              )
            }
          </LoadedProjects>
        </section>
        {home.state === 'ready' && <EnrolmentSection projects={running} curve={curve} />}
      </div>
      {/* Notices may come before what stands above them, and would be pushed down by it. */}
      {(home.state === 'failed' || (isCounted && (curve.project === null || curve.enrolment.state !== 'loading'))) && (
        <HomeNotices />
      )}
      <StartProjectDialog project={starting} onClose={() => setStarting(null)} />
    </PageFrame>
  )
}

/** Why a project could not be opened, as told by the screen that led here (`HomeState`). */
function refusedIn(state: unknown): ApiError | null {
  return (state as Partial<HomeState> | null)?.refused ?? null
}

function AllProjects({ label }: { readonly label: string }) {
  return (
    <Button component={Link} to="/projects" variant="default" size="md">
      {label}
    </Button>
  )
}
