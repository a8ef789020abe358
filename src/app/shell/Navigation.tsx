import {
  IconAlertTriangle,
  IconBuildingHospital,
  IconDeviceTablet,
  IconDevices,
  IconFolders,
  IconHistory,
  IconInbox,
  IconInfoCircle,
  IconPlayerPlay,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router-dom'
import type { ProjectRow } from '#core/sync/rows.ts'

import { adminAreas } from './adminAreas.ts'
import { reviewAreas } from './reviewAreas.ts'
import classes from './shell.module.css'
import { useSync } from './useSync.ts'

interface NavigationProps {
  readonly project: ProjectRow | null
  /** The version whose patients are listed; null while a project has none. */
  readonly versionId: string | null
  readonly onChosen: () => void
}

const adminIcons = { projectInfo: IconInfoCircle, mem: IconUsersGroup, site: IconBuildingHospital, crfHistory: IconHistory }
const reviewIcons = { inbox: IconInbox, devices: IconDevices }

/** Where one can go from here: only places that exist and that the user may enter. */
export function Navigation({ project, versionId, onChosen }: NavigationProps) {
  const { t } = useTranslation('shell')
  const sync = useSync()
  const areas = project === null ? [] : adminAreas(project)
  const reviews = project === null ? [] : reviewAreas(project)
  const link = (to: string, label: string, LinkIcon: Icon, count = 0) => (
    <NavLink key={to} to={to} className={classes.navLink ?? ''} onClick={onChosen}>
      <LinkIcon size={20} aria-hidden="true" />
      <span className={classes.navLabel}>{label}</span>
      {count > 0 && <span>{count > 99 ? '99+' : count}</span>}
    </NavLink>
  )
  return (
    <nav className={classes.nav} aria-label={t('nav.title')}>
      {link('/projects', t('nav.projects'), IconFolders)}
      {project !== null && versionId !== null && project.projectStatus !== 'start' && (
        <>
          <p className={classes.navTitle}>{project.projectName}</p>
          {link(`/p/${project.id}/v/${versionId}/patients`, t('nav.patients'), IconUsers)}
        </>
      )}
      {project !== null && reviews.length > 0 && project.projectStatus !== 'start' && (
        <>
          <p className={classes.navTitle}>{t('nav.review')}</p>
          {reviews.map((area) => link(`/p/${project.id}/${area}`, t(`nav.${area}`), reviewIcons[area]))}
        </>
      )}
      {project !== null && areas.length > 0 && (
        <>
          <p className={classes.navTitle}>{t('nav.admin')}</p>
          {areas.map((area) => link(`/p/${project.id}/admin/${area}`, t(`nav.${area}`), adminIcons[area]))}
          {project.projectStatus === 'start' &&
            versionId !== null &&
            link(`/p/${project.id}/v/${versionId}/patients`, t('nav.startResearch'), IconPlayerPlay)}
        </>
      )}
      <p className={classes.navTitle}>{t('nav.tablet')}</p>
      {link('/device', t('nav.device'), IconDeviceTablet, sync?.unsent)}
      {link('/attention', t('nav.attention'), IconAlertTriangle, sync?.attention)}
    </nav>
  )
}
