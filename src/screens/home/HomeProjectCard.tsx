import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { studyName } from '#core/study/studyName.ts'
import { ProjectStatusTag } from '#src/frame/ProjectStatusTag.tsx'
import { useEnrolled } from '#src/data/hooks/enrolment.ts'
import { useKeeping } from '#src/data/hooks/sync.ts'
import type { HomeProject } from '#src/data/shapes/types.ts'
import { QueryFlag } from '#src/ui/badges/QueryBadge.tsx'
import { StatusShape } from '#src/ui/badges/StatusBadge.tsx'
import { clockTime } from '#src/ui/words/format.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import classes from './home.module.css'

const KINDS = ['missing', 'process', 'queries', 'attention'] as const
const shapes: Readonly<Record<(typeof KINDS)[number], ReactNode>> = {
  missing: <StatusShape status="missing" />,
  process: <StatusShape status="inProgress" />,
  queries: (
    <span className={classes.flag}>
      <QueryFlag state="open" />
    </span>
  ),
  attention: <StatusShape status="attention" />,
}

interface HomeProjectCardProps extends HomeProject {
  /** Whether it is time to read how far enrolment is: what waits comes first. */
  readonly isDue: boolean
  /** Asks before the user enters a project that is being set up (specification §4). */
  readonly onStart: (project: ProjectRow) => void
}

/** A project: the user's role in it, how far enrolment is, what waits there, and since when it is on this device. */
export function HomeProjectCard({ project, counts, counting, isDue, onStart }: HomeProjectCardProps) {
  const { t } = useTranslation(['home', 'projects'])
  const { projectStatus, permissions, functions } = project
  const projectName = studyName(project.projectName, useLanguage())
  const isRunning = projectStatus !== 'start'
  const asks = !isRunning && permissions.includes('project_toggle_status')
  return (
    <article className={classes.card}>
      <h3 className={classes.name}>
        <Link
          to={`/p/${project.id}`}
          onClick={(event) => {
            if (!asks) return
            event.preventDefault()
            onStart(project)
          }}
        >
          {projectName}
        </Link>
      </h3>
      <p className={classes.facts}>
        <ProjectStatusTag status={projectStatus} />
        <span>{t(`projects:role.${project.role}`)}</span>
        {isRunning && <Synced projectId={project.id} />}
      </p>
      {isRunning && <Progress projectId={project.id} isDue={isDue} />}
      {isRunning && (
        <ul className={classes.counts} aria-label={t('waiting', { name: projectName })}>
          {KINDS.filter((kind) => kind !== 'queries' || functions?.includes('query') === true).map((kind) => (
            <li key={kind} className={classes.count} data-none={counts?.[kind] === 0 || undefined}>
              <span className={classes.figure}>{counts?.[kind] ?? '—'}</span>{' '}
              <span className={classes.kind}>
                {shapes[kind]}
                {t(`kind.${kind}`)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {counts === null && isRunning && <p className={classes.unknown}>{t(counting ? 'counting' : 'unknown')}</p>}
    </article>
  )
}

/** How many are enrolled, of how many the centers plan. It keeps its place until that is known. */
function Progress({ projectId, isDue }: { readonly projectId: string; readonly isDue: boolean }) {
  const { t } = useTranslation('home')
  const read = useEnrolled(projectId, isDue)
  const known = read.state === 'ready' ? read.value : null
  const planned = known?.planned ?? 0
  const share = known === null || planned === 0 ? 0 : Math.min(1, known.enrolled / planned)
  return (
    <div className={classes.progress}>
      <p>
        {known === null
          ? t(read.state === 'failed' ? 'enrolled.unknown' : 'enrolled.reading')
          : t(planned === 0 ? 'enrolled.count' : 'enrolled.ofPlan', { count: known.enrolled, planned })}
        {planned > 0 && <span className={classes.share}>{Math.round(share * 100)}%</span>}
      </p>
      <span className={classes.track} aria-hidden="true">
        <span className={classes.filled} style={{ transform: `scaleX(${share})` }} />
      </span>
    </div>
  )
}

/** Since when what is kept of the project is as it is on this device. */
function Synced({ projectId }: { readonly projectId: string }) {
  const { t } = useTranslation('home')
  const keeping = useKeeping(projectId)
  if (keeping.state !== 'ready') return null
  const pulled = keeping.value.flatMap(({ center, kept, pulledAt }) =>
    center !== null && kept && pulledAt !== null ? [pulledAt] : [],
  )
  const [oldest] = pulled.toSorted()
  return <span>{oldest === undefined ? t('notKept') : t('synced', { time: clockTime(oldest) })}</span>
}
