import { REVIEW_PLAN, countNextPatient } from '#server/areas/review/planWork.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { defineWork, runDueJobs } from '#server/jobs/runner.ts'
import type { AnyWork, RunningJob } from '#server/jobs/runner.ts'
import type { Services } from '#server/services.ts'

/**
 * Works out what a review plan asks for on all pages of a project, patient by patient and each in its own transaction,
 * while people enter data (docs/adr/0046-verification.md). A later plan cancels it.
 */

/** Tried for an hour. Until then, pages that nobody writes are counted by the former plan. */
const PAUSES_MS = [2_000, 30_000, 300_000, 3_600_000]

type PlanServices = Pick<Services, 'pool' | 'log'> & { readonly health?: { readonly isFull: boolean } }

/** The work of plans, for a runner. */
export function reviewPlanWork(services: PlanServices): AnyWork {
  return defineWork({
    kind: REVIEW_PLAN,
    pausesMs: PAUSES_MS,
    run: (job) => countAll(services, job),
    // The list of plans goes on to say how far it has come.
    giveUp: () => Promise.resolve(),
  })
}

/** One round: every plan that is to be worked out. */
export async function runReviewPlans(services: PlanServices): Promise<void> {
  await runDueJobs(services, [reviewPlanWork(services)])
}

async function countAll(
  services: PlanServices,
  job: RunningJob<{ readonly planId: string }>,
): Promise<'done' | 'later'> {
  for (;;) {
    if (job.signal.aborted || services.health?.isFull === true) return 'later'
    const went = await withTransaction(services.pool, async (transaction) => {
      if (!(await countNextPatient(transaction, job.payload.planId))) return false
      await job.advance(transaction, 1)
      return true
    })
    if (!went) return 'done'
  }
}
