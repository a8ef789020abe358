import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { setMigrationTask, useMigrationTask } from '#src/frame/migrationTask.ts'
import type { MigrationTask } from '#src/frame/migrationTask.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'

import { MigrationProgress } from './MigrationProgress.tsx'

/** How often the server is asked whether somebody else has started one. */
const LOOK_EVERY_MS = 60_000

interface ProjectMigrationProps {
  readonly project: ProjectRow
}

/**
 * The migration of a project: for the person who released, on the device that did it, and for all others who may
 * release, whoever started it and wherever.
 */
export function ProjectMigration({ project }: ProjectMigrationProps) {
  const task = useMigrationTask()
  const own = task?.projectId === project.id ? task : null
  if (project.permissions.includes('project_crf_test_publish')) return <FollowedMigration project={project} own={own} />
  return own === null ? null : (
    <MigrationProgress key={own.taskId} task={own} isOwn onDismiss={() => setMigrationTask(null)} />
  )
}

function FollowedMigration({ project, own }: ProjectMigrationProps & { readonly own: MigrationTask | null }) {
  const projectId = project.id
  const { pathname } = useLocation()
  const act = useServerAction()
  const found = useServerQuery('version.migrationTask', { query: { projectId }, projectId }, '', () => LOOK_EVERY_MS)
  const known = found.state === 'ready' ? found.value : null
  const [followed, setFollowed] = useState<string | null>(null)
  const [dismissed, setDismissed] = useState<string | null>(null)
  if (own === null && known?.status === 0 && known.taskId !== followed) setFollowed(known.taskId)
  // Patients that a migration left behind are shown only on the versions screen, so that other work is not disturbed.
  const isLeftBehind = known?.status === 2 && pathname.endsWith('/admin/crfHistory')
  const other = followed ?? (isLeftBehind ? known.taskId : null)
  const taskId = own?.taskId ?? (other === dismissed ? null : other)
  if (taskId === null) return null
  const again = async (crfId: string) => {
    const begun = await act('version.migrationAgain', { query: { crfId }, projectId })
    if (begun.ok) setMigrationTask({ taskId: begun.value.taskId, projectId })
    return begun
  }
  const crfId = known?.taskId === taskId ? known.crfId : null
  const dismiss = () => {
    if (own !== null) setMigrationTask(null)
    setDismissed(taskId)
    setFollowed(null)
  }
  return (
    <MigrationProgress
      key={taskId}
      task={{ taskId, projectId }}
      isOwn={own !== null}
      onDismiss={dismiss}
      {...(crfId === null ? {} : { onAgain: () => again(crfId) })}
    />
  )
}
