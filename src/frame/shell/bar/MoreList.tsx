import {
  IconBuildingHospital,
  IconFileText,
  IconHistory,
  IconInfoCircle,
  IconLayoutGrid,
  IconLock,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
  IconUsersGroup,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { adminAreas } from '#src/frame/shell/adminAreas.ts'
import { useStatusName } from '#src/frame/shell/statusName.ts'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'

import { BarAction } from './BarAction.tsx'
import type { BarDialog, BarList } from './barDialogs.ts'
import { statusStep, statusTargets } from './statusTargets.ts'
import classes from './bar.module.css'

const listIcons = { version: IconFileText, center: IconBuildingHospital, member: IconUsersGroup }
const statusIcons = { process: IconPlayerPlay, stop: IconPlayerPause, close: IconLock }

interface MoreListProps {
  readonly project: ProjectRow
  /** Lists for which the bar has no room at this width, with the text of their lines. */
  readonly lists: readonly { readonly list: BarList; readonly label: string }[]
  readonly onChosen: () => void
  readonly onDialog: (dialog: BarDialog) => void
}

/**
 * Less frequent actions of a project (specification §2): each line is shown to users with the right, and says so where
 * it needs the server.
 */
export function MoreList({ project, lists, onChosen, onDialog }: MoreListProps) {
  const { t } = useTranslation(['shell', 'admin'])
  const navigate = useNavigate()
  const statusName = useStatusName()
  const needsServer = useNeedsServer()
  const areas = adminAreas(project)
  const targets = statusTargets(project)
  const open = (dialog: BarDialog) => () => {
    onChosen()
    onDialog(dialog)
  }
  const go = (area: string) => () => {
    onChosen()
    void navigate(`/p/${project.id}/admin/${area}`)
  }
  const icon = (Icon: typeof IconTrash) => <Icon size={20} aria-hidden="true" />
  return (
    <div className={classes.panel}>
      {lists.map(({ list, label }) => (
        <BarAction key={list} icon={icon(listIcons[list])} onClick={open({ kind: 'list', list })}>
          {label}
        </BarAction>
      ))}
      {areas.includes('projectInfo') && (
        <BarAction icon={icon(IconInfoCircle)} onClick={go('projectInfo')}>
          {t('more.info')}
        </BarAction>
      )}
      {project.permissions.includes('project_enable_resources') && (
        <BarAction icon={icon(IconLayoutGrid)} barred={needsServer} onClick={open({ kind: 'functions' })}>
          {t('more.functions')}
        </BarAction>
      )}
      {areas.includes('crfHistory') && (
        <BarAction icon={icon(IconHistory)} barred={needsServer} onClick={go('crfHistory')}>
          {t('more.history')}
        </BarAction>
      )}
      <p className={classes.title}>{t('more.status', { status: statusName(project.projectStatus) })}</p>
      {targets.map((to) => (
        <BarAction key={to} icon={icon(statusIcons[to])} barred={needsServer} onClick={open({ kind: 'status', to })}>
          {t(`more.to.${statusStep(project, to)}`)}
        </BarAction>
      ))}
      {project.permissions.includes('project_del') && (
        <div className={classes.foot}>
          <BarAction icon={icon(IconTrash)} danger barred={needsServer} onClick={open({ kind: 'delete' })}>
            {t('delete.title')}
          </BarAction>
        </div>
      )}
    </div>
  )
}
