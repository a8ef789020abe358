import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DatabaseError } from '#server/database/errors.ts'
import { APP_LIMITS, createPool } from '#server/database/pool.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { createEmptyDatabase } from '#tests/server/support/database.ts'
import type { TestDatabase } from '#tests/server/support/database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createEmptyDatabase()
  await database.ownerPool
    .query(`CREATE TABLE bed (number int PRIMARY KEY, patient text CHECK (patient <> ''), ward int NOT NULL DEFAULT 1);
    GRANT USAGE ON SCHEMA public TO zhenglu_app;
    GRANT SELECT, INSERT, UPDATE ON bed TO zhenglu_app`)
})

afterAll(() => database.drop())

beforeEach(() => database.ownerPool.query(`TRUNCATE bed; INSERT INTO bed VALUES (1, 'A'), (2, 'B')`))

const patientIn = async (bed: number): Promise<string | undefined> =>
  (await database.pool.query<{ patient: string }>('SELECT patient FROM bed WHERE number = $1', [bed])).rows[0]?.patient

const move = (transaction: Queryable, bed: number, patient: string): Promise<unknown> =>
  transaction.query('UPDATE bed SET patient = $2 WHERE number = $1', [bed, patient])

async function failureOf(work: Promise<unknown>): Promise<DatabaseError> {
  const thrown: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (thrown instanceof DatabaseError) return thrown
  throw new Error('expected the database to refuse', { cause: thrown })
}

describe('a transaction', () => {
  test('stands as a whole when its work returns', async () => {
    const answer = await withTransaction(database.pool, async (transaction) => {
      await move(transaction, 1, 'C')
      await move(transaction, 2, 'D')
      return 'moved'
    })
    expect([answer, await patientIn(1), await patientIn(2)]).toEqual(['moved', 'C', 'D'])
  })

  test('leaves nothing when its work throws, and throws the same', async () => {
    class Refused extends Error {}
    const work = withTransaction(database.pool, async (transaction) => {
      await move(transaction, 1, 'C')
      throw new Refused()
    })
    await expect(work).rejects.toBeInstanceOf(Refused)
    expect(await patientIn(1)).toBe('A')
  })

  test('is never taken for saved when its work swallowed an error', async () => {
    const work = withTransaction(database.pool, async (transaction) => {
      await move(transaction, 1, 'C')
      await transaction.query('SELECT 1/0').catch(() => undefined)
      return 'all well'
    })
    expect((await failureOf(work)).failure).toEqual({ kind: 'other', sqlState: '25P02' })
    expect(await patientIn(1)).toBe('A')
  })
})

describe('a refusal says what it is, and never repeats a value', () => {
  const refused = (sql: string, values: unknown[] = []): Promise<DatabaseError> =>
    failureOf(withTransaction(database.pool, (transaction) => transaction.query(sql, values)))

  test('a row that is there already', async () => {
    const error = await refused('INSERT INTO bed VALUES (1, $1)', ['planted-name'])
    expect(error.failure).toEqual({ kind: 'unique', constraint: 'bed_pkey' })
    expect(JSON.stringify([error.message, error.stack, error])).not.toContain('planted-name')
  })

  test('a value that a constraint forbids', async () => {
    expect((await refused(`INSERT INTO bed VALUES (3, '')`)).failure).toEqual({
      kind: 'constraint',
      constraint: 'bed_patient_check',
    })
    expect((await refused('INSERT INTO bed VALUES (3, $1, NULL)', ['x'])).failure).toEqual({
      kind: 'constraint',
      constraint: 'ward',
    })
  })

  test('a right that the role does not have', async () => {
    expect((await refused('DELETE FROM bed')).kind).toBe('forbidden')
  })

  test('a value of another type', async () => {
    const error = await refused('SELECT $1::text::int', ['planted-name'])
    expect(error.failure).toEqual({ kind: 'other', sqlState: '22P02' })
    expect(error.message).not.toContain('planted-name')
  })

  test('a lock that somebody else holds', async () => {
    await withTransaction(database.pool, async (holder) => {
      await move(holder, 1, 'C')
      const waiting = withTransaction(database.pool, (other) => move(other, 1, 'D'), { lockTimeoutMs: 50 })
      expect((await failureOf(waiting)).kind).toBe('lock_timeout')
    })
    expect(await patientIn(1)).toBe('C')
  })

  test('a statement that runs too long', async () => {
    const hasty = createPool(
      database.appUrl,
      { ...APP_LIMITS, connections: 1, statementTimeoutMs: 50 },
      () => undefined,
    )
    expect((await failureOf(withConnection(hasty, (connection) => connection.query('SELECT pg_sleep(5)')))).kind).toBe(
      'statement_timeout',
    )
    await hasty.end()
  })
})

describe('conflicts', () => {
  test('of two transactions that lock crosswise both come through', async () => {
    const crosswise = (first: number, second: number, patient: string): Promise<unknown> =>
      withTransaction(
        database.pool,
        async (transaction) => {
          await move(transaction, first, patient)
          await sleep(100)
          await move(transaction, second, patient)
        },
        { lockTimeoutMs: 5_000 },
      )
    await Promise.all([crosswise(1, 2, 'C'), crosswise(2, 1, 'D')])
    expect(await patientIn(1)).toBe(await patientIn(2))
  })

  test('under serializable lose no update', async () => {
    await database.ownerPool.query('UPDATE bed SET ward = 0')
    const count = (): Promise<unknown> =>
      withTransaction(
        database.pool,
        async (transaction) => {
          const { rows } = await transaction.query<{ ward: number }>('SELECT ward FROM bed WHERE number = 1')
          await sleep(20)
          await transaction.query('UPDATE bed SET ward = $1 WHERE number = 1', [(rows[0]?.ward ?? 0) + 1])
        },
        { isolation: 'serializable', retries: 10 },
      )
    await Promise.all([count(), count(), count()])
    expect((await database.pool.query<{ ward: number }>('SELECT ward FROM bed WHERE number = 1')).rows[0]?.ward).toBe(3)
  })

  test('are reported when they do not end', async () => {
    let attempts = 0
    const work = withTransaction(
      database.pool,
      async (transaction) => {
        attempts += 1
        await transaction.query(`DO $$ BEGIN RAISE serialization_failure; END $$`)
      },
      { retries: 2 },
    )
    expect((await failureOf(work)).kind).toBe('serialization')
    expect(attempts).toBe(3)
  })
})

describe('a broken connection', () => {
  const cut = async (transaction: Queryable): Promise<void> => {
    const { rows } = await transaction.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await withConnection(database.pool, (other) => other.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]))
    await sleep(50)
  }

  test('is unavailable and changed nothing, and the pool goes on', async () => {
    const work = withTransaction(database.pool, async (transaction) => {
      await move(transaction, 1, 'C')
      await cut(transaction)
      await move(transaction, 2, 'D')
    })
    expect((await failureOf(work)).failure).toEqual({ kind: 'unavailable', outcome: 'not_committed' })
    expect([await patientIn(1), await patientIn(2)]).toEqual(['A', 'B'])
  })

  test('at COMMIT has an unknown outcome', async () => {
    const work = withTransaction(database.pool, async (transaction) => {
      await move(transaction, 1, 'C')
      await cut(transaction)
    })
    expect((await failureOf(work)).failure).toEqual({ kind: 'unavailable', outcome: 'unknown' })
  })

  test('a database that is not there is unavailable', async () => {
    const url = new URL(database.appUrl)
    url.hostname = '127.0.0.1'
    url.port = '1'
    const nowhere = createPool(url.href, APP_LIMITS, () => undefined)
    expect((await failureOf(withConnection(nowhere, (connection) => connection.query('SELECT 1')))).failure).toEqual({
      kind: 'unavailable',
      outcome: 'not_committed',
    })
    await nowhere.end()
  })
})
