import { IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { studyName } from '#core/study/studyName.ts'
import { crumbsAt } from '#src/paths/routeNames.ts'
import type { Crumb } from '#src/paths/routeNames.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import classes from './breadcrumbs.module.css'

/** The current place, and the way back out. Nothing where there is only one level (specification §2). */
export function Breadcrumbs({ project }: { readonly project: ProjectRow | null }) {
  const { t } = useTranslation('shell')
  const language = useLanguage()
  const { pathname } = useLocation()
  const crumbs = crumbsAt(pathname)
  if (crumbs.length === 0) return null
  const nameOf = ({ place }: Crumb) =>
    place !== 'project'
      ? t(`place.${place}`)
      : project === null
        ? t('place.project')
        : studyName(project.projectName, language)
  return (
    <nav aria-label={t('breadcrumbs')}>
      <ol className={classes.crumbs}>
        {crumbs.map((crumb) => (
          <li key={crumb.place}>
            {crumb.to === null ? (
              <span aria-current="page">{nameOf(crumb)}</span>
            ) : (
              <Link to={crumb.to} title={nameOf(crumb)}>
                {nameOf(crumb)}
              </Link>
            )}
            {crumb.to !== null && <IconChevronRight size={14} aria-hidden="true" />}
          </li>
        ))}
      </ol>
    </nav>
  )
}
