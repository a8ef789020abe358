import { newId } from '#core/ids.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { toApiError } from '#server/http/errors.ts'
import { advanceJob, claimJob, endJob, putBack, putOff, renewLease } from '#server/jobs/leases.ts'
import type { ClaimedJob, Lease } from '#server/jobs/leases.ts'
import type { JobKind } from '#server/jobs/queue.ts'
import { startRounds } from '#server/jobs/rounds.ts'
import type { Services } from '#server/services.ts'

/**
 * Runs jobs (docs/adr/0042-jobs.md). It takes one due job after the other that nobody holds, and keeps its lease
 * while the job runs. All progress is in the database, so any server goes on where another ended.
 */

const EVERY_MS = 2_000
/** This long after a server was last heard of, others may take its jobs. */
const LEASE_MS = 15_000
/** How often a lease is renewed within its time. */
const RENEWALS = 3

/**
 * The job is no longer ours: it was cancelled, or we were believed dead and another runner has it. Nothing is booked.
 */
export class JobLostError extends Error {
  override readonly name = 'JobLostError'
}

/** A job while it runs. */
export interface RunningJob<Payload> {
  readonly payload: Payload
  /** Aborted when the job has to stop: the server stops, the job was cancelled, or another runner has it. */
  readonly signal: AbortSignal
  /**
   * Books steps within the transaction that made them: they count as done when that commits. It must be the last step
   * of the transaction, because callers that read the job's progress wait for its end.
   *
   * @throws JobLostError where the job is no longer ours; the transaction must not commit
   */
  advance(transaction: Queryable, steps: number): Promise<void>
}

/** Why a job was given up: without any progress it failed too often, or ended its process too often. */
export type GivenUp = 'failed' | 'died'

/** The work for a kind of job. */
export interface JobWork<Payload> {
  readonly kind: JobKind<Payload>
  /**
   * Pauses after each failure, without progress in between; after one more failure the job is given up. A database
   * that is busy, away or full is no failure of the job.
   */
  readonly pausesMs: readonly number[]
  /**
   * It may be run again from its beginning at any time. So each step is a transaction that books itself (`advance`).
   */
  run(job: RunningJob<Payload>): Promise<'done' | 'later'>
  /** Books that the job is given up, in the transaction that ends it. */
  giveUp(transaction: Queryable, payload: Payload, why: GivenUp): Promise<void>
}

/** The work for jobs of one kind, whatever their payload. */
export interface AnyWork {
  readonly name: string
  readonly pausesMs: readonly number[]
  run(job: RunningJob<unknown>): Promise<'done' | 'later'>
  giveUp(transaction: Queryable, payload: unknown, why: GivenUp): Promise<void>
}

/** Work as a runner takes it: it checks payloads as they come from the database. */
export function defineWork<Payload>({ kind, pausesMs, run, giveUp }: JobWork<Payload>): AnyWork {
  return {
    name: kind.name,
    pausesMs,
    run: (job) => run({ ...job, payload: kind.payload.parse(job.payload) }),
    giveUp: (transaction, payload, why) => giveUp(transaction, kind.payload.parse(payload), why),
  }
}

type RunnerServices = Pick<Services, 'pool' | 'log'> & { readonly health?: { readonly isFull: boolean } }

export interface RunnerOptions {
  readonly stopped?: AbortSignal
  /** The holder of the leases; a new id unless given. */
  readonly holder?: string
  readonly leaseMs?: number
}

/** A loop that runs jobs until it is stopped; `stop` waits for the running job, which is given back. */
export function startJobs(
  services: RunnerServices,
  works: readonly AnyWork[],
  { everyMs = EVERY_MS, ...options }: Omit<RunnerOptions, 'stopped'> & { readonly everyMs?: number } = {},
): { stop(): Promise<void> } {
  const holder = options.holder ?? newId()
  return startRounds(services, { everyMs, first: 'at once', failed: 'jobs were not looked through' }, (stopped) =>
    runDueJobs(services, works, { ...options, holder, stopped }),
  )
}

/** One round: every due job, once, the longest due first. */
export async function runDueJobs(
  services: RunnerServices,
  works: readonly AnyWork[],
  { stopped = new AbortController().signal, holder = newId(), leaseMs = LEASE_MS }: RunnerOptions = {},
): Promise<void> {
  const byName = new Map(works.map((work) => [work.name, work]))
  const later: string[] = []
  // Jobs write most, and they can wait.
  while (!stopped.aborted && services.health?.isFull !== true) {
    const claimed = await withConnection(services.pool, (connection) =>
      claimJob(connection, { holder, leaseMs, kinds: [...byName.keys()], except: later }),
    )
    const work = byName.get(claimed?.kind ?? '')
    if (claimed === null || work === undefined) return
    const lease = { id: claimed.id, holder, leaseMs }
    if ((await runClaimed(services, work, claimed, { lease, stopped })) === 'later') later.push(claimed.id)
  }
}

async function runClaimed(
  services: RunnerServices,
  work: AnyWork,
  { id, payload, tries }: ClaimedJob,
  { lease, stopped }: { readonly lease: Lease; readonly stopped: AbortSignal },
): Promise<'done' | 'later'> {
  const { pool } = services
  if (tries > work.pausesMs.length + 1) {
    await giveUp(services, work, { lease, payload, why: 'died' })
    return 'done'
  }
  const keeping = keepLease(services, lease)
  try {
    const end = await work.run({
      payload,
      signal: AbortSignal.any([stopped, keeping.lost]),
      advance: async (transaction, steps) => {
        if (!(await advanceJob(transaction, lease, steps))) throw new JobLostError(`job ${id} is not ours any more`)
      },
    })
    await withConnection(pool, async (connection) => {
      if (end === 'done') await endJob(connection, lease, 'done')
      else await putBack(connection, lease)
    })
    return end
  } catch (error) {
    await putAway(services, work, { lease, payload, error })
    return 'later'
  } finally {
    keeping.stop()
  }
}

interface Failed {
  readonly lease: Lease
  readonly payload: unknown
  readonly error: unknown
}

/** Handles a job whose run threw an error. */
async function putAway(services: RunnerServices, work: AnyWork, { lease, payload, error }: Failed): Promise<void> {
  const { pool, log } = services
  const facts = { job: lease.id, kind: work.name }
  if (error instanceof JobLostError) {
    log.warn(facts, 'a job was cancelled, or taken by another server')
    return
  }
  log.error({ ...facts, error }, 'a job failed')
  const { code } = toApiError(error)
  if (code === 'busy' || code === 'server_full') {
    await withConnection(pool, (connection) => putBack(connection, lease))
    return
  }
  if (!(await withConnection(pool, (connection) => putOff(connection, lease, work.pausesMs))))
    await giveUp(services, work, { lease, payload, why: 'failed' })
}

async function giveUp(
  { pool, log }: RunnerServices,
  work: AnyWork,
  { lease, payload, why }: { readonly lease: Lease; readonly payload: unknown; readonly why: GivenUp },
): Promise<void> {
  const ended = await withTransaction(pool, async (transaction) => {
    const isOurs = await endJob(transaction, lease, 'failed')
    if (isOurs) await work.giveUp(transaction, payload, why)
    return isOurs
  })
  if (ended) log.error({ job: lease.id, kind: work.name, why }, 'a job was given up')
}

/**
 * Renews a lease until it is stopped. `lost` is aborted when the job is no longer ours. It is also aborted when the
 * database was silent for so long that another runner may have the job.
 */
function keepLease({ pool }: RunnerServices, lease: Lease): { readonly lost: AbortSignal; stop(): void } {
  const lost = new AbortController()
  let ours = performance.now() + lease.leaseMs
  const renew = async (): Promise<void> => {
    const asked = performance.now()
    if (asked > ours) lost.abort()
    try {
      if (await withConnection(pool, (connection) => renewLease(connection, lease))) ours = asked + lease.leaseMs
      else lost.abort()
    } catch {
      // If the database does not answer, the lease may still be ours; it expires by itself.
    }
  }
  const timer = setInterval(() => void renew(), lease.leaseMs / RENEWALS).unref()
  return { lost: lost.signal, stop: () => clearInterval(timer) }
}
