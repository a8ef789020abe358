import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { ProjectStatusTag } from '#src/frame/ProjectStatusTag.tsx'
import type { HomeProject } from '#src/data/shapes/types.ts'
import { Count } from '#src/ui/badges/Count.tsx'
import { StatusShape } from '#src/ui/badges/StatusBadge.tsx'
import type { Status } from '#src/ui/badges/StatusBadge.tsx'

import classes from './home.module.css'

const KINDS = ['missing', 'process', 'attention'] as const
const shapes: Readonly<Record<(typeof KINDS)[number], Status>> = {
  missing: 'missing',
  process: 'inProgress',
  attention: 'attention',
}

interface HomeProjectCardProps extends HomeProject {
  /** Asks before the user enters a project that is being set up (specification §4). */
  readonly onStart: (project: ProjectRow) => void
}

/** A project, the user's role in it, and what waits there. */
export function HomeProjectCard({ project, counts, counting, onStart }: HomeProjectCardProps) {
  const { t } = useTranslation(['home', 'projects'])
  const { projectStatus, permissions, projectName } = project
  const asks = projectStatus === 'start' && permissions.includes('project_toggle_status')
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
      </p>
      {projectStatus !== 'start' && (
        <ul className={classes.counts} aria-label={t('waiting', { name: projectName })}>
          {KINDS.map((kind) => (
            <li key={kind}>
              <Count
                figure={counts?.[kind] ?? '—'}
                shape={<StatusShape status={shapes[kind]} />}
                word={t(`kind.${kind}`)}
              />
            </li>
          ))}
        </ul>
      )}
      {counts === null && projectStatus !== 'start' && (
        <p className={classes.unknown}>{t(counting ? 'counting' : 'unknown')}</p>
      )}
    </article>
  )
}
