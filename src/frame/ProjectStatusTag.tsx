import { IconCircleDot, IconLock, IconPlayerPause, IconTool } from '@tabler/icons-react'
import type { ProjectStatus } from '#core/study/projectStatus.ts'
import { useStatusName } from './shell/statusName.ts'

import classes from './projectStatus.module.css'

const icons = { start: IconTool, process: IconCircleDot, stop: IconPlayerPause, close: IconLock }

/** A project's status as colour, shape and word. */
export function ProjectStatusTag({ status }: { readonly status: ProjectStatus }) {
  const statusName = useStatusName()
  const StatusIcon = icons[status]
  return (
    <span className={classes.status} data-status={status}>
      <StatusIcon size={16} aria-hidden="true" />
      {statusName(status)}
    </span>
  )
}
