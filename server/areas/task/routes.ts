import type { TaskResult } from '#core/api/calls/sync.ts'
import { fail } from '#core/api/errors.ts'
import { membership, passParameter, seesAllPatients } from '#server/access.ts'
import { asideLog, migrationLog } from '#server/areas/version/migration/migrationLog.ts'
import { findTask, taskTurns } from '#server/areas/version/migration/migrationStore.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { CallContext, Handlers } from '#server/http/handler.ts'
import { readProgress } from '#server/jobs/queue.ts'

const STATUS = { running: 0, done: 1, failed: 2 } as const

/** The progress of a task, and its log once it has ended. For the person who began it, and for all who could have. */
async function readResult({ services, actor, params, language }: CallContext<'task.result'>): Promise<TaskResult> {
  return withTransaction(services.pool, async (transaction) => {
    const task = await findTask(transaction, params.id)
    if (task === null) throw fail('not_found')
    const member = await membership(transaction, actor, task.projectId)
    if (task.startedBy !== actor.userId && !member.permissions.has('project_crf_test_publish')) throw fail('not_found')
    // The log only has values of the first pass.
    const seesAll = member.centers === 'all' && seesAllPatients(member) && passParameter(member) !== 2
    const { state, versionNo } = task
    const { finished, total } = (await readProgress(transaction, params.id)) ?? { finished: 0, total: 0 }
    return {
      id: params.id,
      type: 'migration',
      status: STATUS[state],
      finishedCount: finished,
      totalCount: Math.max(total, finished),
      source: `V${String(versionNo)}.0`,
      log:
        state === 'running'
          ? null
          : [
              ...(task.aside === null ? [] : [asideLog(language, task.aside)]),
              migrationLog(language, task, await taskTurns(transaction, member, params.id), seesAll),
            ].join('\n\n'),
    }
  })
}

export const handlers: Handlers = { 'task.result': readResult }
