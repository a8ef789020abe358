import type { ZodMiniType } from 'zod/mini'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Jobs as those see them who ask for one: it is asked for in the transaction that needs it, can be asked how far it is,
 * and can be called off. Who runs it is the runner's affair (`runner.ts`).
 */

/** A kind of job. Its name is in the database, and stays. */
export interface JobKind<Payload> {
  readonly name: string
  readonly payload: ZodMiniType<Payload>
}

export interface NewJob<Payload> {
  /** What its progress is asked for by. */
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

/** Asks for a job. It is there when the transaction commits, and never was when that does not. */
export async function enqueueJob<Payload>(
  transaction: Queryable,
  kind: JobKind<Payload>,
  job: NewJob<Payload>,
): Promise<void> {
  await transaction.query(ENQUEUE({ ...job, kind: kind.name }))
}

/** How far a job is. */
export interface JobProgress {
  /** `failed`: it was given up. */
  readonly state: 'open' | 'done' | 'failed' | 'cancelled'
  readonly finished: number
  readonly total: number
}

/** How far a job is; null where there is none of this id. */
export async function readProgress(connection: Queryable, id: string): Promise<JobProgress | null> {
  const { rows } = await connection.query<JobProgress>({
    name: 'job_progress',
    text: 'SELECT state, finished, total FROM job WHERE id = $1',
    values: [id],
  })
  return rows[0] ?? null
}

/**
 * Calls a job off: it is begun by nobody any more, and whoever runs it can book nothing from now on and is told so.
 *
 * @returns whether it had not ended yet
 */
export async function cancelJob(transaction: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'job_cancel',
    text: `UPDATE job SET state = 'cancelled', leased_by = NULL, leased_until = NULL WHERE id = $1 AND state = 'open'`,
    values: [id],
  })
  return rowCount === 1
}
