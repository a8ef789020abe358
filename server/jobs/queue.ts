import type { ZodMiniType } from 'zod/mini'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Jobs for code that needs one. A job is requested in the transaction that needs it. One can read its progress and
 * cancel it. The runner decides which server runs it (`runner.ts`).
 */

/** A kind of job. Its name is stored in the database and never changes. */
export interface JobKind<Payload> {
  readonly name: string
  readonly payload: ZodMiniType<Payload>
}

export interface NewJob<Payload> {
  /** The id under which its progress can be read. */
  readonly id: string
  readonly payload: Payload
  /** How many steps it has. */
  readonly total: number
}

const ENQUEUE = prepare<NewJob<unknown> & { readonly kind: string }>('job_enqueue', (parameter) => {
  const { names, places } = columns<NewJob<unknown> & { readonly kind: string }>(parameter, {
    id: ({ id }) => id,
    kind: ({ kind }) => kind,
    payload: ({ payload }) => JSON.stringify(payload),
    total: ({ total }) => total,
  })
  return `INSERT INTO job (${names}) VALUES (${places})`
})

/** Requests a job. It exists once the transaction commits, and not at all if that fails. */
export async function enqueueJob<Payload>(
  transaction: Queryable,
  kind: JobKind<Payload>,
  job: NewJob<Payload>,
): Promise<void> {
  await transaction.query(ENQUEUE({ ...job, kind: kind.name }))
}

/** The progress of a job. */
export interface JobProgress {
  /** `failed`: it was given up. */
  readonly state: 'open' | 'done' | 'failed' | 'cancelled'
  readonly finished: number
  readonly total: number
}

/** The progress of a job; null where no job has this id. */
export async function readProgress(connection: Queryable, id: string): Promise<JobProgress | null> {
  const { rows } = await connection.query<JobProgress>({
    name: 'job_progress',
    text: 'SELECT state, finished, total FROM job WHERE id = $1',
    values: [id],
  })
  return rows[0] ?? null
}

/**
 * Cancels a job: nobody begins it any more. A runner that has it can book nothing from now on and is told so.
 *
 * @returns whether the job had not ended yet
 */
export async function cancelJob(transaction: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'job_cancel',
    text: `UPDATE job SET state = 'cancelled', leased_by = NULL, leased_until = NULL WHERE id = $1 AND state = 'open'`,
    values: [id],
  })
  return rowCount === 1
}
