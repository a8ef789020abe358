import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open.ts'
import { APP_LIMITS, createPool, PULSE_LIMITS } from '#server/database/pool.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { Pulse } from '#server/health/pulse.ts'
import { createTestDatabase } from '#tests/server/support/database.ts'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import { removeDataDir } from '#tests/server/support/processes.ts'
import { openWire } from '#tests/server/support/wire.ts'

const cleanUp: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step()
})

const ignore = (): void => undefined

describe('a database that falls silent without breaking a connection', () => {
  test('is told from one that answers, in bounded time, and a save fails as one that may be tried again', async () => {
    const database = await createTestDatabase()
    cleanUp.push(() => database.drop())
    const wire = await openWire(database.url)
    cleanUp.push(() => wire.close())
    const app = createPool(wire.url(database.appUrl), { ...APP_LIMITS, answerMs: 800 }, ignore)
    const beside = createPool(wire.url(database.appUrl), PULSE_LIMITS, ignore)
    cleanUp.push(async () => {
      wire.thaw()
      await Promise.all([app.end(), beside.end()])
    })
    const pulse = new Pulse(beside, 500)
    const save = () =>
      withTransaction(app, (transaction) =>
        transaction.query(`INSERT INTO setting (key, value) VALUES (gen_random_uuid()::text, '1')`),
      )
    expect(await pulse.look()).toBe('ok')
    await save()

    wire.freeze()
    // What came back a moment ago is believed for a moment.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const began = performance.now()
    const [state, saved] = await Promise.allSettled([pulse.look(), save()])
    expect(state).toMatchObject({ value: 'late' })
    expect(saved).toMatchObject({ reason: { name: 'DatabaseError', failure: { kind: 'unavailable' } } })
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(pulse.state).toBe('late')

    wire.thaw()
    await expect.poll(() => pulse.look(), { timeout: 10_000 }).toBe('ok')
    await save()
  })
})

test('a standby that must confirm each write and is away makes the database late, and writes that nobody waits for are not piled up', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'zl-pulse-'))
  cleanUp.push(() => removeDataDir(dataDir))
  const database = await openDatabase({ dataDir, databaseUrl: null, appDatabaseUrl: null, onLog: ignore })
  cleanUp.push(() => database.close())
  await migrate(database.owner)
  const superuser = await openServerDatabase(dataDir)
  cleanUp.push(() => superuser.end())
  const pulse = new Pulse(database.pulse, 400)
  expect(await pulse.look()).toBe('ok')

  await superuser.query(`ALTER SYSTEM SET synchronous_standby_names = 'away'`)
  await superuser.query('SELECT pg_reload_conf()')
  await expect.poll(() => pulse.look(), { timeout: 10_000 }).toBe('late')
  for (let look = 0; look < 5; look += 1) expect(await pulse.look()).toBe('late')
  const { rows } = await superuser.query<{ n: number }>(
    `SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event = 'SyncRep'`,
  )
  expect(rows[0]?.n).toBe(1)

  await superuser.query('ALTER SYSTEM RESET synchronous_standby_names')
  await superuser.query('SELECT pg_reload_conf()')
  await expect.poll(() => pulse.look(), { timeout: 10_000 }).toBe('ok')
})
