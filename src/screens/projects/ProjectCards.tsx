import { useTranslation } from 'react-i18next'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { studyName } from '#core/study/studyName.ts'
import { ProjectStatusTag } from '#src/frame/ProjectStatusTag.tsx'
import { ProjectBadge } from '#src/ui/badges/ProjectBadge.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import classes from './projects.module.css'

interface ProjectCardsProps {
  readonly projects: readonly ProjectRow[]
  readonly onOpen: (project: ProjectRow) => void
}

/** Projects as cards. */
export function ProjectCards({ projects, onOpen }: ProjectCardsProps) {
  const { t } = useTranslation('projects')
  const language = useLanguage()
  return (
    <ul className={classes.cards}>
      {projects.map((project) => (
        <li key={project.id}>
          <button type="button" className={classes.card} onClick={() => onOpen(project)}>
            <ProjectBadge icon={project.projectIcon} name={project.projectName} className={classes.badge} />
            <span className={classes.cardBody}>
              <span className={classes.name}>{studyName(project.projectName, language)}</span>
              <span className={classes.facts}>
                <ProjectStatusTag status={project.projectStatus} />
                <span>{t(project.projectScopeCode === 'areamultiple' ? 'mode.areamultiple' : 'mode.areasingle')}</span>
                {project.config.isDouble === 1 && <span>{t('double')}</span>}
                <span>{t(`role.${project.role}`)}</span>
              </span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
