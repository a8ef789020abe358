import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { newId } from '#core/ids.ts'
import { DatabaseError } from '#server/database/errors.ts'
import { APP_LIMITS, createPool } from '#server/database/pool.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import { releaseLeases } from '#server/jobs/leases.ts'
import { cancelJob, enqueueJob, readProgress } from '#server/jobs/queue.ts'
import type { JobKind, JobProgress } from '#server/jobs/queue.ts'
import { defineWork, JobLostError, runDueJobs, startJobs } from '#server/jobs/runner.ts'
import type { JobWork, RunningJob } from '#server/jobs/runner.ts'
import { createLog } from '#server/log.ts'
import { createTestDatabase } from '#tests/server/support/database.ts'
import type { TestDatabase } from '#tests/server/support/database.ts'

/**
 * Jobs on a real database: a report of a center is written line by line, each line in a transaction of its own, by one
 * or several servers, which are stopped, cut off and thought dead.
 */

const REPORT: JobKind<{ readonly reportId: string }> = {
  name: 'report',
  payload: z.object({ reportId: z.uuid() }),
}
type Report = RunningJob<{ readonly reportId: string }>

const LINES = 5
const LEASE_MS = 1_000

let database: TestDatabase
const others: Pool[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  await database.ownerPool.query(`
    CREATE TABLE report_line (report_id uuid NOT NULL, line int NOT NULL, server text NOT NULL);
    GRANT SELECT, INSERT ON report_line TO zhenglu_app`)
})
afterAll(() => database.drop())
afterEach(async () => {
  await Promise.all(others.splice(0).map((pool) => pool.end()))
  await database.ownerPool.query('TRUNCATE job, report_line')
})

/** A server's own connections to the database. */
function server(pool = database.pool) {
  return { pool, log: createLog({ level: 'debug', write: () => undefined }) }
}

/** Another server. */
function anotherServer() {
  const pool = createPool(database.appUrl, APP_LIMITS, () => undefined)
  others.push(pool)
  return server(pool)
}

async function ask(): Promise<string> {
  const id = newId()
  await withTransaction(database.pool, (transaction) =>
    enqueueJob(transaction, REPORT, { id, payload: { reportId: id }, total: LINES }),
  )
  return id
}

const progress = (id: string): Promise<JobProgress | null> =>
  withConnection(database.pool, (connection) => readProgress(connection, id))

/** Who wrote which line of a report. */
async function lines(reportId: string): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ said: string }>(
    `SELECT line || ' by ' || server AS said FROM report_line WHERE report_id = $1 ORDER BY line`,
    [reportId],
  )
  return rows.map(({ said }) => said)
}

const all = (name: string) => Array.from({ length: LINES }, (_, index) => `${index + 1} by ${name}`)

/** Writes the next line of a report. Gives its number. */
async function writeLine({ pool }: { readonly pool: Pool }, name: string, job: Report): Promise<number> {
  return withTransaction(pool, async (transaction) => {
    const { reportId } = job.payload
    const { rows } = await transaction.query<{ line: number }>(
      `INSERT INTO report_line (report_id, line, server)
       SELECT $1, (SELECT count(*)::integer + 1 FROM report_line WHERE report_id = $1), $2 RETURNING line`,
      [reportId, name],
    )
    await job.advance(transaction, 1)
    return rows[0]?.line ?? 0
  })
}

/** Writes what a report still lacks. `before` is asked before each line. */
function reporting(
  by: { readonly pool: Pool },
  name: string,
  {
    before = async () => undefined,
    ...more
  }: Partial<JobWork<{ readonly reportId: string }>> & {
    readonly before?: (job: Report, written: number) => Promise<void>
  } = {},
) {
  return defineWork({
    kind: REPORT,
    pausesMs: [1_000],
    run: async (job: Report) => {
      let written = (await lines(job.payload.reportId)).length
      while (written < LINES) {
        await before(job, written)
        if (job.signal.aborted) return 'later'
        written = await writeLine(by, name, job)
      }
      return 'done'
    },
    giveUp: async () => undefined,
    ...more,
  })
}

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await what())) await sleep(10)
}

/** Brings the time of what was put off. */
async function passPause(id: string): Promise<number> {
  const { rows } = await database.pool.query<{ pause: number }>(
    `WITH was AS (SELECT id, due_at FROM job WHERE id = $1)
     UPDATE job SET due_at = now() FROM was WHERE job.id = was.id
     RETURNING round(extract(epoch FROM was.due_at - now()))::integer AS pause`,
    [id],
  )
  return rows[0]?.pause ?? 0
}

describe('a job', () => {
  it('is there with the transaction that asks for it, and never was where that is rolled back', async () => {
    const [kept, dropped] = [newId(), newId()]
    await withTransaction(database.pool, async (transaction) => {
      await enqueueJob(transaction, REPORT, { id: kept, payload: { reportId: kept }, total: LINES })
      // Nobody else sees it yet.
      await runDueJobs(anotherServer(), [reporting(server(), 'early')])
    })
    const rolledBack = withTransaction(database.pool, async (transaction) => {
      await enqueueJob(transaction, REPORT, { id: dropped, payload: { reportId: dropped }, total: LINES })
      throw new Error('the release is refused')
    })
    await expect(rolledBack).rejects.toThrow('refused')
    await runDueJobs(server(), [reporting(server(), 'one')])
    expect([await lines(kept), await lines(dropped)]).toEqual([all('one'), []])
    expect([await progress(kept), await progress(dropped)]).toEqual([
      { state: 'done', finished: LINES, total: LINES },
      null,
    ])
  })

  it('says how far it is while it runs: what was committed, and nothing that may yet be rolled back', async () => {
    const id = await ask()
    const seen: (JobProgress | null)[] = []
    await runDueJobs(server(), [reporting(server(), 'one', { before: async () => void seen.push(await progress(id)) })])
    expect(seen).toEqual([0, 1, 2, 3, 4].map((finished) => ({ state: 'open', finished, total: LINES })))
    const next = await ask()
    const failing = reporting(server(), 'one', {
      run: (job) =>
        withTransaction(database.pool, async (transaction) => {
          await job.advance(transaction, 3)
          throw new Error('a value that cannot be written')
        }),
    })
    await runDueJobs(server(), [failing])
    expect(await progress(next)).toEqual({ state: 'open', finished: 0, total: LINES })
  })

  it('of a kind that a server does not know is left to those who do', async () => {
    const id = await ask()
    await runDueJobs(server(), [defineWork({ ...reporting(server(), 'one'), kind: { ...REPORT, name: 'export' } })])
    expect(await progress(id)).toMatchObject({ state: 'open', finished: 0 })
  })

  it('waits while the server has no room', async () => {
    const id = await ask()
    await runDueJobs({ ...server(), health: { isFull: true } }, [reporting(server(), 'one')])
    expect(await lines(id)).toEqual([])
  })
})

describe('two servers on one database', () => {
  it('run each job once', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, ask))
    const [one, two] = [server(), anotherServer()]
    const running = [startJobs(one, [reporting(one, 'one')]), startJobs(two, [reporting(two, 'two')])]
    await until(async () => (await Promise.all(ids.map(progress))).every((found) => found?.state === 'done'))
    await Promise.all(running.map((each) => each.stop()))
    // All lines of a report are of one server, and none is there twice.
    for (const id of ids) expect([all('one'), all('two')]).toContainEqual(await lines(id))
  })

  it('leave a job alone that takes longer than its lease, as long as its server is heard of', async () => {
    const id = await ask()
    const [one, two] = [server(), anotherServer()]
    const slow = reporting(one, 'one', { before: (_, written) => sleep(written === 0 ? 1.8 * LEASE_MS : 0) })
    const running = runDueJobs(one, [slow], { leaseMs: LEASE_MS })
    await until(async () => (await database.pool.query('SELECT FROM job WHERE leased_by IS NOT NULL')).rowCount === 1)
    await sleep(1.3 * LEASE_MS)
    await runDueJobs(two, [reporting(two, 'two')])
    await running
    expect(await lines(id)).toEqual(all('one'))
  })
})

describe('a server that ends in the middle of a job', () => {
  it('without a word: another goes on where it was when its lease has run out, and what it still does comes to nothing', async () => {
    const id = await ask()
    const [dying, heir] = [anotherServer(), server()]
    let job: Report | undefined
    const cut = new Promise<void>((resolve) => {
      const work = reporting(dying, 'dead', {
        before: async (running, written) => {
          if (written < 2) return
          job = running
          resolve()
          await new Promise(() => undefined)
        },
      })
      void runDueJobs(dying, [work], { leaseMs: LEASE_MS })
    })
    await cut
    // Its connections are gone, and with them every sign of it.
    others.splice(0)
    await dying.pool.end()

    // However long this took, its lease has not run out.
    await database.pool.query(`UPDATE job SET leased_until = now() + interval '1 minute'`)
    await runDueJobs(heir, [reporting(heir, 'heir')])
    expect(await lines(id)).toEqual(['1 by dead', '2 by dead'])
    await database.pool.query('UPDATE job SET leased_until = now()')
    await runDueJobs(heir, [reporting(heir, 'heir')])
    expect(await lines(id)).toEqual(['1 by dead', '2 by dead', '3 by heir', '4 by heir', '5 by heir'])
    expect(await progress(id)).toEqual({ state: 'done', finished: LINES, total: LINES })

    // It was only asleep, and finds that the job is not its own.
    const back = job
    if (back === undefined) throw new Error('it did not begin')
    await until(() => back.signal.aborted)
    await expect(writeLine(heir, 'dead', back)).rejects.toBeInstanceOf(JobLostError)
    expect(await lines(id)).toHaveLength(LINES)
  })

  it('while another has begun the job: it is told, and leaves it', async () => {
    const id = await ask()
    const [slow, other] = [server(), anotherServer()]
    let told = false
    const running = runDueJobs(
      slow,
      [
        reporting(slow, 'slow', {
          before: async (job) => {
            // Thought dead, though it is not.
            await database.pool.query('UPDATE job SET leased_until = now()')
            await runDueJobs(other, [reporting(other, 'other')])
            await until(() => job.signal.aborted)
            told = true
          },
        }),
      ],
      { leaseMs: LEASE_MS },
    )
    await running
    expect(told).toBe(true)
    expect([await lines(id), await progress(id)]).toEqual([
      all('other'),
      { state: 'done', finished: LINES, total: LINES },
    ])
  })

  it('because it is stopped: it gives the job back at once, and that counts for no failure', async () => {
    const id = await ask()
    const one = server()
    const running: { stop?: Promise<void> } = {}
    const jobs = startJobs(one, [
      reporting(one, 'one', {
        before: async (_, written) => {
          if (written === 2) running.stop = jobs.stop()
        },
      }),
    ])
    await until(() => running.stop !== undefined)
    await running.stop
    expect(await progress(id)).toEqual({ state: 'open', finished: 2, total: LINES })
    const two = anotherServer()
    await runDueJobs(two, [reporting(two, 'two')])
    expect((await lines(id)).slice(1, 3)).toEqual(['2 by one', '3 by two'])
  })

  it('again and again, without getting on: the job is given up, and that is booked', async () => {
    const id = await ask()
    const given: string[] = []
    const work = reporting(server(), 'one', {
      pausesMs: [1_000, 1_000],
      giveUp: async (_, { reportId }, why) => void given.push(`${reportId} ${why}`),
    })
    // What three servers leave behind them that died as they began.
    await database.pool.query(`UPDATE job SET tries = 3, leased_by = id, leased_until = now() - interval '1 second'`)
    await runDueJobs(server(), [work])
    expect([given, await lines(id)]).toEqual([[`${id} died`], []])
    expect(await progress(id)).toMatchObject({ state: 'failed' })
  })

  it('and is known to be dead: its jobs are anybody’s at once', async () => {
    const id = await ask()
    const holder = newId()
    await database.pool.query(`UPDATE job SET leased_by = $1, leased_until = now() + interval '1 hour'`, [holder])
    await runDueJobs(server(), [reporting(server(), 'one')])
    expect(await lines(id)).toEqual([])
    await withConnection(database.pool, (connection) => releaseLeases(connection, holder))
    await runDueJobs(server(), [reporting(server(), 'one')])
    expect(await lines(id)).toEqual(all('one'))
  })
})

describe('a job that fails', () => {
  const failing = (pausesMs: readonly number[], more: { readonly given?: string[]; readonly steps?: number } = {}) =>
    reporting(server(), 'one', {
      pausesMs,
      run: async (job) => {
        for (let step = 0; step < (more.steps ?? 0); step += 1) await writeLine(server(), 'one', job)
        throw new Error('no such center')
      },
      giveUp: async (_, { reportId }, why) => void more.given?.push(`${reportId} ${why}`),
    })

  it('is tried again after pauses that grow, and given up after the last', async () => {
    const id = await ask()
    const given: string[] = []
    const pauses: number[] = []
    for (let round = 0; round < 4; round += 1) {
      await runDueJobs(server(), [failing([60_000, 300_000, 900_000], { given })])
      // Before its time nobody begins it.
      await runDueJobs(server(), [reporting(server(), 'early')])
      if ((await progress(id))?.state !== 'open') break
      pauses.push(await passPause(id))
    }
    expect([pauses, given, await progress(id)]).toEqual([
      [60, 300, 900],
      [`${id} failed`],
      { state: 'failed', finished: 0, total: LINES },
    ])
    expect(await lines(id)).toEqual([])
  })

  it('has all its tries again once it has got on', async () => {
    const id = await ask()
    const given: string[] = []
    const pauses: number[] = []
    for (const steps of [0, 1, 0, 1, 0]) {
      await runDueJobs(server(), [failing([60_000, 300_000], { given, steps })])
      pauses.push(await passPause(id))
    }
    expect([pauses, given]).toEqual([[60, 60, 300, 60, 300], []])
  })

  it('is not given up by half: where that cannot be booked, the job is still there', async () => {
    const id = await ask()
    const work = reporting(server(), 'one', {
      pausesMs: [],
      run: () => Promise.reject(new Error('no such center')),
      giveUp: () => Promise.reject(new Error('the trail is out of reach')),
    })
    await expect(runDueJobs(server(), [work])).rejects.toThrow('the trail')
    expect(await progress(id)).toMatchObject({ state: 'open' })
  })

  it('because the database is busy has not failed: the next round goes on with it', async () => {
    const id = await ask()
    const busy = reporting(server(), 'one', {
      pausesMs: [],
      run: () => Promise.reject(new DatabaseError({ kind: 'lock_timeout' })),
    })
    await runDueJobs(server(), [busy])
    await runDueJobs(server(), [busy])
    await runDueJobs(server(), [reporting(server(), 'one')])
    expect(await lines(id)).toEqual(all('one'))
  })
})

describe('a job that is called off', () => {
  const callOff = (id: string) => withTransaction(database.pool, (transaction) => cancelJob(transaction, id))

  it('before it began is begun by nobody', async () => {
    const id = await ask()
    expect(await callOff(id)).toBe(true)
    await runDueJobs(server(), [reporting(server(), 'one')])
    expect([await lines(id), await progress(id)]).toEqual([[], { state: 'cancelled', finished: 0, total: LINES }])
    expect(await callOff(id)).toBe(false)
  })

  it('while it runs stops, and books nothing from then on', async () => {
    const id = await ask()
    let stoppedBy: unknown = null
    const work = reporting(server(), 'one', {
      before: async (job, written) => {
        if (written < 2) return
        await callOff(id)
        stoppedBy = await writeLine(server(), 'one', job).catch((error: unknown) => error)
        await until(() => job.signal.aborted)
      },
    })
    await runDueJobs(server(), [work], { leaseMs: LEASE_MS })
    expect(stoppedBy).toBeInstanceOf(JobLostError)
    expect([await lines(id), await progress(id)]).toEqual([
      ['1 by one', '2 by one'],
      { state: 'cancelled', finished: 2, total: LINES },
    ])
  })

  it('when it has ended stays as it ended', async () => {
    const id = await ask()
    await runDueJobs(server(), [reporting(server(), 'one')])
    expect([await callOff(id), await progress(id)]).toMatchObject([false, { state: 'done' }])
  })
})
