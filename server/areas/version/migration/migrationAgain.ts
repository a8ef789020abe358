import { fail } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import { membership, requirePermission } from '#server/access.ts'
import { membershipOf } from '#server/areas/version/service.ts'
import { findVersion, newestVersion } from '#server/areas/version/store.ts'
import { commitForMember } from '#server/database/commit.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { CallContext } from '#server/http/handler.ts'
import { runOnce } from '#server/http/runOnce.ts'

import { insertTask, lastTask, patientsLeft } from './migrationStore.ts'

/** Shows a project's migration to everybody who may release, and gives patients who were left behind a second turn. */

const STATUS = { running: 0, done: 1, failed: 2 } as const

/**
 * The migration that runs, or that left patients behind. Everybody who may release sees it, also when another began
 * it.
 */
export async function readTask(
  context: CallContext<'version.migrationTask'>,
): Promise<{ taskId: string; crfId: string; status: number; left: number } | null> {
  const { services, actor, query } = context
  return withTransaction(services.pool, async (transaction) => {
    requirePermission(await membership(transaction, actor, query.projectId), 'project_crf_test_publish')
    const task = await lastTask(transaction, query.projectId)
    if (task === null) return null
    const left = await patientsLeft(transaction, query.projectId, task.versionId)
    return task.state === 'running' || left > 0
      ? { taskId: task.id, crfId: task.versionId, status: STATUS[task.state], left }
      : null
  })
}

/**
 * Gives another turn to patients whom the migration to the newest release left behind. Their data stayed unchanged,
 * under their version.
 */
export async function migrateAgain(context: CallContext<'version.migrationAgain'>): Promise<{ taskId: string }> {
  const { services, actor, query, language } = context
  const { crfId } = query
  const { projectId } = await withTransaction(services.pool, (transaction) => membershipOf(transaction, actor, crfId))
  return runOnce(context, { projectId, entityId: crfId, crfVersionId: crfId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'project_crf_test_publish')
    // Locked: if two people ask at once, the second finds the task of the first.
    const version = await findVersion(transaction, crfId, true)
    if (version === null) throw fail('not_found')
    const newest = await newestVersion(transaction, projectId, ['formal'])
    const last = await lastTask(transaction, projectId)
    const left = await patientsLeft(transaction, projectId, crfId)
    if (newest?.id !== crfId || last === null || last.versionId !== crfId || last.state === 'running' || left === 0)
      throw fail('transition_refused')
    const taskId = newId()
    const starter = { userId: actor.userId, userName: actor.realName, role: member.role, language }
    await insertTask(transaction, {
      ...starter,
      id: taskId,
      projectId,
      versionId: crfId,
      total: left,
      at: services.now(),
    })
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: ['start', 'process'],
      audit: [
        {
          action: 'version.migrateAgain',
          versionId: crfId,
          old: { task: last.id },
          new: { task: taskId, patients: left },
        },
      ],
      changes: [],
    })
    return { committed, result: { taskId } }
  })
}
