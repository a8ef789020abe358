import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { createLog } from '#server/log.ts'

const NOW = Date.UTC(2026, 10, 21, 3, 4, 5, 6)

function recordingLog(): {
  readonly log: ReturnType<typeof createLog>
  readonly lines: () => Record<string, unknown>[]
  readonly text: () => string
} {
  const written: string[] = []
  return {
    log: createLog({ level: 'info', write: (line) => written.push(line), now: () => NOW }),
    lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
    text: () => written.join(''),
  }
}

test('a line is one JSON object with its time, level, scalars and message', () => {
  const { log, lines } = recordingLog()
  log.child({ jobId: 'j1' }).info({ rows: 3, done: true, detail: { name: 'planted' }, list: [1, 2] }, 'job done')
  log.debug('not at this level')
  expect(lines()).toEqual([
    {
      time: '2026-11-21T03:04:05.006Z',
      level: 'info',
      jobId: 'j1',
      rows: 3,
      done: true,
      detail: '[object]',
      list: '[2]',
      msg: 'job done',
    },
  ])
})

test('an error is its type, code and place, not its words', () => {
  const { log, lines, text } = recordingLog()
  log.error(Object.assign(new TypeError('planted-name is no date'), { code: 'E1' }))
  log.error({ err: new RangeError('planted\nname') }, 'failed')
  expect(lines()).toMatchObject([
    { error: 'TypeError', errorCode: 'E1' },
    { error: 'RangeError', msg: 'failed' },
  ])
  expect(text()).not.toContain('planted')
  expect(text()).toContain('log.test.ts')
})

test('a server that logs with it writes route patterns, and nothing that a request carried', async () => {
  const { log, lines, text } = recordingLog()
  const app = Fastify({ loggerInstance: log })
  app.post('/api/patients/:id', () => {
    throw new Error('planted-failure')
  })
  await app.inject({
    method: 'POST',
    url: '/api/patients/planted-id?name=planted-query',
    headers: { authorization: 'planted-token' },
    payload: { name: 'planted-body' },
  })
  await app.close()
  expect(text()).not.toContain('planted')
  expect(lines().some((line) => line['method'] === 'POST' && line['route'] === '/api/patients/:id')).toBe(true)
  expect(lines().some((line) => line['status'] === 500)).toBe(true)
})
