import { projectStatuses } from '#core/study/projectStatus.ts'
import { commitProject } from '#server/database/commit.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import type { Services } from '#server/services.ts'
import { removePieces } from '#server/storage/sealedPieces.ts'

import { findSwept, lockRun, markSwept } from './runStore.ts'
import { nameOf } from './runWork.ts'

/** Files of runs are deleted after some days; the record of the run stays. */

/** A runner that was believed dead has stopped by then. */
const LEFT_MS = 3_600_000

/** Deletes what is due: files that have expired, and what runs left that came to nothing. */
export async function sweepRuns(services: Pick<Services, 'pool' | 'files' | 'now'>): Promise<void> {
  const now = services.now()
  const before = new Date(Date.parse(now) - LEFT_MS).toISOString()
  for (const runId of await withConnection(services.pool, (connection) => findSwept(connection, now, before)))
    await sweepRun(services, runId)
}

async function sweepRun(services: Pick<Services, 'pool' | 'files' | 'now'>, runId: string): Promise<void> {
  await withTransaction(services.pool, async (transaction) => {
    const run = await lockRun(transaction, runId)
    if (run === null || run.swept) return
    // A runner that was believed dead may have written into the attempt before the last one.
    for (const attempt of [run.attempt - 1, run.attempt]) await removePieces(services.files, nameOf(run, attempt))
    await markSwept(transaction, runId)
    if (run.state !== 'done') return
    await commitProject(transaction, {
      projectId: run.projectId,
      statuses: projectStatuses,
      stamp: serverStamp(services),
      audit: [{ action: 'dataset.expire', new: { id: runId, hash: run.hash } }],
      changes: [],
    })
  })
}
