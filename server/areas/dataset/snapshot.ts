import { createHmac, hkdfSync } from 'node:crypto'
import type { Pool } from 'pg'
import { fail } from '#core/api/errors.ts'
import { pseudonymOf } from '#core/dataset/deidentify.ts'
import type { Pseudonym } from '#core/dataset/deidentify.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** One instant of a project, to be read for as long as it takes; and the names under which its subjects leave. */

/** A writer may be held up by a slow store between two statements. */
const IDLE_MS = 600_000

export interface Instant {
  /** Place in the project's trail: all changes up to it are in what is read, and no later one. */
  readonly seq: number
  readonly head: string
}

/** Reads one instant: whatever is saved meanwhile is not in it. Nothing can be written. */
export async function withSnapshot<T>(
  pool: Pool,
  projectId: string,
  read: (connection: Queryable, instant: Instant) => Promise<T>,
): Promise<T> {
  return withTransaction(
    pool,
    async (transaction) => {
      await transaction.query('SET TRANSACTION READ ONLY')
      await transaction.query(`SELECT set_config('idle_in_transaction_session_timeout', $1, true)`, [String(IDLE_MS)])
      const { rows } = await transaction.query<Instant>('SELECT seq, head FROM project WHERE id = $1 AND NOT deleted', [
        projectId,
      ])
      const [instant] = rows
      if (instant === undefined) throw fail('not_found')
      return read(transaction, instant)
    },
    { isolation: 'repeatable read', retries: 0 },
  )
}

/**
 * Pseudonyms of a project's subjects: the same in every run, so that files can be joined; without the server's root
 * secret nobody can tell whose they are.
 */
export function pseudonymsOf(root: Uint8Array, projectId: string): (patientId: string) => Pseudonym {
  const key = Buffer.from(hkdfSync('sha256', root, projectId, 'export pseudonym', 32))
  return (patientId) => pseudonymOf(createHmac('sha256', key).update(patientId).digest())
}
