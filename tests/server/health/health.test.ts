import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { Health } from '#server/health/health.ts'
import { Pulse } from '#server/health/pulse.ts'
import type { Client, TestServer } from '#tests/server/support/app.ts'
import { createTestServer } from '#tests/server/support/app.ts'

let server: TestServer
let admin: Client
let free: number
beforeEach(async () => {
  free = 10 * 1024 ** 3
  server = await createTestServer({ freeBytes: () => Promise.resolve(free) })
  await server.makeUser('chief', { isAdmin: true })
  admin = await server.signIn('chief')
})
afterEach(() => server.close())

const saveProject = () => admin.call('project.save', { body: { projectName: `研究 ${newId()}` } })
const readiness = async () => {
  const answer = await server.app.inject({ url: '/readyz' })
  return { status: answer.statusCode, said: answer.json<unknown>() }
}

/** Every new project fails in the database with this state, as the real fault would. */
const failWith = (state: string) =>
  server.database.ownerPool.query(`
    CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'planted' USING ERRCODE = '${state}'; END $$;
    CREATE TRIGGER fault BEFORE INSERT ON project FOR EACH ROW EXECUTE FUNCTION fault()`)
const repair = () => server.database.ownerPool.query('DROP TRIGGER fault ON project; DROP FUNCTION fault()')

describe('with less room on the disk than the mark', () => {
  beforeEach(async () => {
    free = 100 * 1024 ** 2
    await server.health.look()
  })

  it('saves are refused before anything is tried, as something that passes, and reading and signing in go on', async () => {
    const answer = await saveProject()
    expect(answer).toMatchObject({
      status: 500,
      success: false,
      error: { code: 'server_full', message: expect.stringContaining('存储空间已满') as unknown },
    })
    expect(answer.error?.retryAfterSeconds).toBeGreaterThan(0)
    expect((await admin.call('project.list', { query: { current: 1, size: 10 } })).success).toBe(true)
    expect((await server.signIn('chief')).token).not.toBeNull()
  })

  it('a tablet’s operations are refused together, and its word on itself is still heard', async () => {
    const deviceId = newId()
    await admin.get('sync.device', {
      body: { deviceId, name: 'ward', userAgent: '', appVersion: '1', persisted: true, storageLost: false },
    })
    const report = {
      unsent: [],
      clockDriftMs: null,
      appVersion: '1',
      sentAt: new Date().toISOString(),
      refused: 0,
      drafts: 0,
      storage: null,
    }
    expect((await admin.call('sync.push', { body: { deviceId, report, ops: [{ key: newId() }] } })).error?.code).toBe(
      'server_full',
    )
    expect((await admin.call('sync.push', { body: { deviceId, report, ops: [] } })).status).toBe(200)
  })

  it('the server is not ready, and says so once in its log until there is room', async () => {
    expect(await readiness()).toEqual({ status: 503, said: { status: 'not ready', why: 'full' } })
    await server.health.look()
    expect(server.log.filter((line) => line.includes('"alert":"server_full"'))).toHaveLength(1)
    // Just over the mark is not calm yet.
    free = 520 * 1024 ** 2
    await server.health.look()
    expect((await saveProject()).error?.code).toBe('server_full')
    free = 10 * 1024 ** 3
    await server.health.look()
    expect((await saveProject()).success).toBe(true)
    expect(await readiness()).toEqual({ status: 200, said: { status: 'ok' } })
    expect(server.log.at(-1) === undefined ? '' : server.log.join('')).toContain('the server takes everything again')
  })

  it('an operator’s database lies on another disk: only attachments are refused', async () => {
    const { config, log } = server.services
    const health = new Health({
      pool: server.database.pool,
      log,
      config: { ...config, databaseUrl: 'postgresql://elsewhere' },
      freeBytes: () => Promise.resolve(free),
    })
    await health.look()
    expect(health.refusal({ id: 'entry.save', write: true }, true)).toBeNull()
    expect(health.refusal({ id: 'attachment.start', write: false }, true)).toMatchObject({ code: 'server_full' })
    expect(await health.unready()).toBeNull()
  })
})

it('a database that finds no room is full for all, until a save goes through again', async () => {
  await failWith('53100')
  expect((await saveProject()).error?.code).toBe('server_full')
  expect(await readiness()).toMatchObject({ status: 503, said: { why: 'full' } })
  await repair()
  await expect.poll(async () => (await saveProject()).success, { timeout: 15_000, interval: 500 }).toBe(true)
}, 30_000)

it.each([
  ['25006', 'read-only'],
  ['57P03', 'starting up'],
  ['53200', 'out of memory'],
])('a database in state %s (%s) is busy, never a fault of the work', async (state) => {
  await failWith(state)
  const answer = await saveProject()
  expect(answer.error?.code).toBe('busy')
  expect(answer.headers['retry-after']).toBeDefined()
})

it('while a write does not come back saves are refused at once as busy', () => {
  const pulse = new Pulse(server.database.pool)
  Object.defineProperty(pulse, 'state', { value: 'late' })
  const health = new Health({
    pool: server.database.pool,
    log: server.services.log,
    config: server.services.config,
    pulse,
  })
  expect(health.refusal({ id: 'entry.save', write: true }, true)).toMatchObject({ code: 'busy' })
  expect(health.refusal({ id: 'entry.list', write: false }, false)).toBeNull()
})
