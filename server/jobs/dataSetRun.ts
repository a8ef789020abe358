import { ApiFailure } from '#core/api/errors.ts'
import { DATA_SET_RUN } from '#server/areas/dataset/runStore.ts'
import { endAsFailed, workOnRun } from '#server/areas/dataset/runWork.ts'
import type { RunServices } from '#server/areas/dataset/runWork.ts'
import { DatabaseError } from '#server/database/errors.ts'
import { defineWork, JobLostError, runDueJobs } from '#server/jobs/runner.ts'
import type { AnyWork, RunnerOptions } from '#server/jobs/runner.ts'

/**
 * Runs of data sets as jobs (docs/adr/0049-datasets.md). One that was interrupted begins anew from a new instant; what
 * it had written is deleted.
 */

const PAUSES_MS = [2_000, 30_000, 300_000]

/** What failed in a run, without the words of its cause: they may quote what was being written. */
class RunFault extends Error {
  override readonly name = 'RunFault'

  constructor(cause: unknown) {
    super(cause instanceof Error ? `${cause.name} in a run of a data set` : 'a run of a data set failed')
    if (cause instanceof Error) this.stack = `${this.message}\n${framesOf(cause)}`
  }
}

/** Where an error was thrown, without its message. */
function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}

/** The work of runs, for a runner. */
export function dataSetWork(services: RunServices): AnyWork {
  return defineWork({
    kind: DATA_SET_RUN,
    pausesMs: PAUSES_MS,
    run: async (job) => {
      try {
        return await workOnRun(services, job.payload.runId, job)
      } catch (error) {
        if (error instanceof JobLostError || error instanceof ApiFailure || error instanceof DatabaseError) throw error
        throw new RunFault(error)
      }
    },
    giveUp: (transaction, { runId }, why) => endAsFailed(services, transaction, runId, why),
  })
}

/** One round: every run that is due. */
export async function runDataSets(services: RunServices, options: RunnerOptions = {}): Promise<void> {
  await runDueJobs(services, [dataSetWork(services)], options)
}
