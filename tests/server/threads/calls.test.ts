import { beforeAll, describe, expect, it } from 'vitest'
import { headers } from '#core/api/headers.ts'
import { buildApp } from '#server/app.ts'
import { IN_THREADS, startCallThreads } from '#server/threads/calls.ts'
import type { ThreadLimits } from '#server/threads/calls.ts'
import { threadHandlers } from '#server/threads/handlers.ts'
import { newId } from '#core/ids.ts'
import { nested } from '#tests/core/rules/support/hostileRules.ts'
import { Client } from '#tests/server/support/app.ts'
import type { TestServer } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'
import { SOUND, createProject, definitionOf } from '#tests/server/support/project.ts'

/**
 * Calls on definitions in threads of their own: served as ever, and whoever asks for something else waits for none of
 * them.
 */

const server = serverForAllTests()
let admin: Client
let draft: string
const LIMITS: ThreadLimits = { threads: 2, waiting: 4, longestMs: 20_000, memoryMb: 512, idleMs: 60_000 }

beforeAll(async () => {
  admin = await server.signInAdmin()
  const { id: projectId } = await createProject(admin)
  draft = (await admin.get<{ id: string }>('version.save', { body: { projectId, remark: '初版' } })).id
}, 60_000)

/** The app as it runs, with threads; and the client on it. */
async function withThreads<T>(
  limits: Partial<ThreadLimits>,
  run: (at: { readonly client: Client; readonly app: TestServer['app'] }) => Promise<T>,
): Promise<T> {
  const threads = startCallThreads(server.services, { ...LIMITS, ...limits })
  const app = await buildApp(
    { ...server.services, threads },
    { webRoot: '/nonexistent', checkAnswers: true, limits: { all: 100_000, signIn: 100_000 } },
  )
  const client = new Client({ app }, admin.client)
  client.token = admin.token
  try {
    return await run({ client, app })
  } finally {
    await app.close()
    await threads.stop()
  }
}

it('every call that is served in a thread has its handler there', () => {
  expect([...IN_THREADS].filter((id) => threadHandlers[id] === undefined)).toEqual([])
})

const importOf = (
  sourceName: string,
  column: readonly object[] = [{ prop: 'weight', label: '体重', type: 'number' }],
) => ({ query: { crfId: draft }, body: { ...definitionOf(column), sourceName } })

describe('a call in a thread', () => {
  it('answers as it would among all others, its refusals too', async () => {
    await withThreads({}, async ({ client }) => {
      expect(await client.get('version.import', importOf('a.csv'))).toMatchObject({ pages: 1 })
      expect(await client.call('version.releaseTest', { query: { crfId: newId() } })).toMatchObject({
        error: { code: 'not_found' },
      })
      expect(await client.call('version.import', { query: { crfId: draft }, body: { definition: 1 } })).toMatchObject({
        error: { code: 'invalid' },
      })
    })
  }, 60_000)

  it('reads a large body itself, and refuses what is wrong with it by its place', async () => {
    const large = [{ prop: 'note', label: 'x'.repeat(300_000), type: 'input' }]
    await withThreads({}, async ({ client, app }) => {
      expect(await client.get('version.import', importOf('a.csv', large))).toMatchObject({ pages: 1, fields: 1 })
      expect(
        await client.call('version.import', {
          query: { crfId: draft },
          body: { ...SOUND, sourceName: `b${'x'.repeat(200_000)}\u0000` },
        }),
      ).toMatchObject({ error: { code: 'invalid', fields: [{ path: 'sourceName', code: 'text' }] } })
      const broken = await app.inject({
        method: 'POST',
        url: '/api/edc/data/crf/import',
        query: { crfId: draft },
        payload: `{"a":"${'x'.repeat(200_000)}`,
        headers: { ...client.headers(), 'content-type': 'application/json', [headers.idempotencyKey]: newId() },
      })
      expect(broken.json()).toMatchObject({ error: { code: 'invalid' } })
    })
  }, 60_000)

  it('that takes too long is ended and says so, and the next one is served', async () => {
    await withThreads({ threads: 1, longestMs: 1_500 }, async ({ client }) => {
      expect(await client.get('version.import', importOf('warm.csv'))).toMatchObject({ pages: 1 })
      // Nothing that comes over the network takes so long any more: the database is made to wait.
      const blocker = await server.database.ownerPool.connect()
      await blocker.query('BEGIN; LOCK TABLE crf_version IN ACCESS EXCLUSIVE MODE')
      try {
        expect(await client.call('version.import', importOf('late.csv'))).toMatchObject({
          error: { code: 'too_much_work' },
        })
      } finally {
        await blocker.query('ROLLBACK')
        blocker.release()
      }
      expect(await client.get('version.import', importOf('next.csv'))).toMatchObject({ pages: 1 })
    })
  }, 60_000)

  it('that takes too much memory is ended and says so, and the next one is served', async () => {
    await withThreads({ threads: 1, memoryMb: 64 }, async ({ client }) => {
      const option = JSON.stringify({
        column: Array.from({ length: 4_000 }, (_, at) => ({
          prop: `f${at}`,
          label: `F${at}`,
          type: 'input',
          zl: { show: `page.f0 == "${'x'.repeat(400)}${at}"` },
        })),
      })
      const pages = Array.from({ length: 10 }, (_, at) => ({
        pageName: `P${at}`,
        pageCode: `P${at}`,
        repeatable: false,
        option,
      }))
      const body = {
        definition: { folders: [{ folderName: 'V', folderCode: 'V1', pages }] },
        sourceName: 'large.csv',
        source: '',
      }
      expect(await client.call('version.import', { query: { crfId: draft }, body })).toMatchObject({
        success: false,
        error: { code: 'too_much_work' },
      })
      expect(await client.get('version.import', importOf('small.csv'))).toMatchObject({ pages: 1 })
    })
  }, 120_000)

  it('waits for a thread only among so many', async () => {
    await withThreads({ threads: 1, waiting: 2 }, async ({ client }) => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, at) => client.call('version.import', importOf(`${at}.csv`))),
      )
      const codes = answers.map(({ success, error }) => (success === true ? 'done' : error?.code))
      expect(new Set(codes)).toEqual(new Set(['done', 'busy']))
      expect(codes.filter((code) => code === 'done').length).toBeGreaterThanOrEqual(2)
    })
  }, 60_000)

  it('keeps nobody waiting, however large the definition', async () => {
    const rule = nested(3)
    const column = Array.from({ length: 1_500 }, (_, at) => ({
      prop: `f${at}`,
      label: `F${at}`,
      type: 'input',
      zl: { show: rule },
    }))
    await withThreads({}, async ({ client, app }) => {
      await client.get('version.import', importOf('warm.csv'))
      let [open, longest] = [true, 0]
      const sent = client.call('version.import', importOf('large.csv', column)).then(async (answer) => {
        const tested = await client.call('version.releaseTest', { query: { crfId: draft } })
        open = false
        return [answer, tested]
      })
      while (open) {
        const asked = performance.now()
        await app.inject({ method: 'GET', url: '/healthz' })
        longest = Math.max(longest, performance.now() - asked)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      expect(await sent).toMatchObject([{ success: true }, {}])
      process.stdout.write(
        `${JSON.stringify(column).length} characters of a definition: nobody else waited more than ${longest.toFixed(0)} ms\n`,
      )
      // 200 ms on a machine of its own (bench/beside).
      expect(longest).toBeLessThan(1_000)
    })
  }, 120_000)
})
