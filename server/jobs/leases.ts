import { prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Who runs which job, in SQL. A lease uses the database's clock, so that servers need not agree on the time. Every
 * write of a holder checks that the lease is still theirs. So a holder who was believed dead changes nothing.
 */

/** A job in the hands of a runner. */
export interface Lease {
  readonly id: string
  /** The runner: one of a thread, with an id of its own each time it starts. */
  readonly holder: string
  /** How long the holder is believed to be at work without being heard of. */
  readonly leaseMs: number
}

/** A job that was claimed. */
export interface ClaimedJob {
  readonly id: string
  readonly kind: string
  readonly payload: unknown
  /** How many times it was begun since it last made progress, this time included. */
  readonly tries: number
}

interface Claim extends Omit<Lease, 'id'> {
  /** Names of the kinds that the runner knows. */
  readonly kinds: readonly string[]
  /** Ids of jobs that the runner leaves to others, or for later. */
  readonly except: readonly string[]
}

const holderOf = ({ holder }: Pick<Lease, 'holder'>) => holder
const leaseMsOf = ({ leaseMs }: Pick<Lease, 'leaseMs'>) => leaseMs
const idOf = ({ id }: Lease) => id

/** SQL for the instant at which a lease that begins now expires, given its length in milliseconds. */
const leaseEnd = (milliseconds: string) => `clock_timestamp() + ${milliseconds} * interval '1 millisecond'`

const CLAIM = prepare<Claim>(
  'job_claim',
  (parameter) => `
    WITH due AS (
      SELECT id FROM job
      WHERE state = 'open' AND due_at <= now() AND (leased_until IS NULL OR leased_until < now())
        AND kind = ANY (${parameter(({ kinds }) => kinds)}) AND id <> ALL (${parameter(({ except }) => except)}::uuid[])
      ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    UPDATE job SET leased_by = ${parameter(holderOf)}, leased_until = ${leaseEnd(parameter(leaseMsOf))}, tries = tries + 1
    FROM due WHERE job.id = due.id
    RETURNING job.id, kind, payload, tries`,
)

/**
 * Takes the job that has been due longest and that nobody holds, so that nobody else runs it. Null where none is due.
 */
export async function claimJob(connection: Queryable, claim: Claim): Promise<ClaimedJob | null> {
  const { rows } = await connection.query<ClaimedJob>(CLAIM(claim))
  return rows[0] ?? null
}

/** SQL: whether the holder still has the job, so that it was neither cancelled nor taken by another since. */
const isTheirs = (id: string, holder: string) => `id = ${id} AND leased_by = ${holder} AND state = 'open'`

const RENEW = prepare<Lease>(
  'job_renew',
  (parameter) => `
    UPDATE job SET leased_until = ${leaseEnd(parameter(leaseMsOf))}
    WHERE ${isTheirs(parameter(idOf), parameter(holderOf))}`,
)

/**
 * Renews a lease.
 *
 * @returns whether the job is still the holder's
 */
export async function renewLease(connection: Queryable, lease: Lease): Promise<boolean> {
  const { rowCount } = await connection.query(RENEW(lease))
  return rowCount === 1
}

const ADVANCE = prepare<Lease & { readonly steps: number }>(
  'job_advance',
  (parameter) => `
    UPDATE job SET
      finished = finished + ${parameter(({ steps }) => steps)}, tries = 0, leased_until = ${leaseEnd(parameter(leaseMsOf))}
    WHERE ${isTheirs(parameter(idOf), parameter(holderOf))}`,
)

/**
 * Books steps of a job within the transaction that made them. Until that transaction ends, nobody else can take the
 * job.
 *
 * @returns whether the job is still the holder's; otherwise the transaction must not commit
 */
export async function advanceJob(transaction: Queryable, lease: Lease, steps: number): Promise<boolean> {
  const { rowCount } = await transaction.query(ADVANCE({ ...lease, steps }))
  return rowCount === 1
}

const PUT_BACK = prepare<Lease>(
  'job_put_back',
  (parameter) => `
    UPDATE job SET leased_by = NULL, leased_until = NULL, tries = greatest(tries - 1, 0)
    WHERE ${isTheirs(parameter(idOf), parameter(holderOf))}`,
)

/** Gives a job back that is to go on in a later round; this try does not count. */
export async function putBack(connection: Queryable, lease: Lease): Promise<void> {
  await connection.query(PUT_BACK(lease))
}

const PUT_OFF = prepare<Lease & { readonly pausesMs: readonly number[] }>('job_put_off', (parameter) => {
  const pauses = parameter(({ pausesMs }) => pausesMs)
  // If a job made progress and then failed, the count began anew.
  const failures = 'greatest(tries, 1)'
  return `
    UPDATE job SET
      leased_by = NULL, leased_until = NULL, tries = ${failures},
      due_at = now() + (${pauses}::float8[])[${failures}] * interval '1 millisecond'
    WHERE ${isTheirs(parameter(idOf), parameter(holderOf))} AND ${failures} <= cardinality(${pauses}::float8[])`
})

/**
 * Gives a job back that has failed. It is tried again after the pause for this number of failures.
 *
 * @returns false where it has no further pause, or where the job is no longer the holder's
 */
export async function putOff(connection: Queryable, lease: Lease, pausesMs: readonly number[]): Promise<boolean> {
  const { rowCount } = await connection.query(PUT_OFF({ ...lease, pausesMs }))
  return rowCount === 1
}

const END = prepare<Lease & { readonly state: 'done' | 'failed' }>(
  'job_end',
  (parameter) => `
    UPDATE job SET leased_by = NULL, leased_until = NULL, state = ${parameter(({ state }) => state)}
    WHERE ${isTheirs(parameter(idOf), parameter(holderOf))}`,
)

/**
 * Ends a job.
 *
 * @returns whether the job was still the holder's
 */
export async function endJob(transaction: Queryable, lease: Lease, state: 'done' | 'failed'): Promise<boolean> {
  const { rowCount } = await transaction.query(END({ ...lease, state }))
  return rowCount === 1
}

/** Gives back the jobs of a runner that is known to be dead, so that nobody has to wait until its leases expire. */
export async function releaseLeases(connection: Queryable, holder: string): Promise<void> {
  await connection.query({
    name: 'job_release',
    text: `UPDATE job SET leased_by = NULL, leased_until = NULL WHERE leased_by = $1 AND state = 'open'`,
    values: [holder],
  })
}
