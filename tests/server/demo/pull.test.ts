import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '#core/api/shapes.ts'
import { newId } from '#core/ids.ts'
import { pullLine } from '#core/sync/pull.ts'
import { rowKinds } from '#core/sync/rows.ts'
import type { ProjectRow } from '#core/sync/rows.ts'
import { ensureDemo } from '#server/demo/demo.ts'
import { ensureAdministrator } from '#server/firstRun.ts'
import { createTestServer } from '#tests/server/support/app.ts'
import type { TestServer } from '#tests/server/support/app.ts'

let server: TestServer

beforeAll(async () => {
  server = await createTestServer()
  await ensureAdministrator(server.services)
  await ensureDemo(server.services)
})
afterAll(() => server.close())

it('a tablet of the demo gets its scopes, their keys, and every row in the shape of the contract', async () => {
  const crc = await server.signIn('crc')
  const projectId = (await crc.get<Page<ProjectRow>>('project.list')).records[0]?.id ?? ''
  const deviceId = newId()
  await crc.get('sync.device', { body: { deviceId, name: '平板', userAgent: 'test', appVersion: '1.0.0', persisted: true } })
  const scopes = await crc.get<{ scope: string; patients: number }[]>('sync.scopes', { query: { projectId } })
  expect(scopes.map(({ patients }) => patients)).toContain(3)
  const keys = await crc.get<{ scopes: unknown[] }>('sync.keys', { body: { deviceId, scopes: scopes.map(({ scope }) => scope) } })
  expect(keys.scopes).toHaveLength(scopes.length)

  const kinds = new Map<string, number>()
  for (const { scope } of scopes) {
    const response = await server.app.inject({ url: '/api/edc/sync/pull', query: { scope, cursor: '0', deviceId }, headers: crc.headers() })
    const lines = response.body.trimEnd().split('\n').map((line) => pullLine.parse(JSON.parse(line)))
    expect([lines[0]?.t, lines.at(-1)?.t]).toEqual(['start', 'end'])
    for (const line of lines.filter((candidate) => candidate.t === 'put')) {
      expect(rowKinds[line.kind].safeParse(line.row).error).toBeUndefined()
      kinds.set(line.kind, (kinds.get(line.kind) ?? 0) + 1)
    }
  }
  // Of the seven members all are seen; of the two centers, and of the subjects, only the own.
  expect(Object.fromEntries(kinds)).toMatchObject({ project: 1, center: 1, member: 7, version: 1, patient: 3, entry: 9 })
})
