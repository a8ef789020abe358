import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headers } from '#core/api/headers.ts'
import { callOf } from '#core/api/table.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import { pullLine } from '#core/api/sync/pull.ts'
import { pushAnswer } from '#core/api/sync/push.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { sealForRescue } from '#offline/vault/keys.ts'
import { buildApp } from '#server/app.ts'
import { hashPassword } from '#server/areas/auth/password.ts'
import { Client, PASSWORD } from '#tests/server/support/app.ts'
import type { World } from '#tests/server/support/world.ts'
import { change, enrolment, makeWorld, operationOf, vitals } from '#tests/server/support/world.ts'

/** The tablet's day over HTTP: every answer is checked against the contract by the server itself. */

let world: World
let app: FastifyInstance
let lin: Client
beforeAll(async () => {
  world = await makeWorld()
  await world.services.pool.query('UPDATE app_user SET password_hash = $1', [await hashPassword(PASSWORD)])
  app = await buildApp(world.services, { checkAnswers: true, limits: { all: 100_000, signIn: 100_000 } })
  lin = await signIn('lin', device())
})
afterAll(async () => {
  await app.close()
  await world.close()
})

async function signIn(account: string, deviceId: string | null = null): Promise<Client> {
  const client = new Client({ app }, 'zhenglu')
  client.deviceId = deviceId
  await client.enter(account, PASSWORD)
  return client
}

const lines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
const study = () => world.study
const device = () => world.people.lin.deviceId
const north = () => scopeText({ kind: 'center', projectId: study().projectId, centerId: study().north, pass: 1 })

describe('a tablet’s day', () => {
  it('registers, takes its keys and numbers, enrols, saves, and reads back', async () => {
    const { projectId, versionId, north: centerId } = study()
    const about = { deviceId: device(), name: '平板', userAgent: 'Chromium', appVersion: '1.0.0', persisted: true }
    expect(await lin.get('sync.device', { body: about })).toMatchObject({ blocked: false })
    expect(await lin.get('sync.scopes', { query: { projectId } })).toHaveLength(2)
    expect(await lin.get('sync.keys', { body: { deviceId: device(), scopes: [projectId, north()] } })).toMatchObject({
      scopes: [{}, {}],
    })
    const { numbers } = await lin.get<{ numbers: string[] }>('sync.lease', {
      body: { projectId, deviceId: device(), centerId, want: 3 },
    })
    expect(numbers).toEqual(['N01-001', 'N01-002', 'N01-003'])

    const id = newId()
    const context = { [headers.projectId]: projectId, [headers.crfId]: versionId, [headers.deviceId]: device() }
    const body = enrolment(world, id, { no: numbers[0] ?? null })
    expect(await lin.get('patient.save', { body, headers: context })).toMatchObject({ patient: { no: 'N01-001' } })
    const target = vitals(world, id)
    const saved = await lin.get('entry.smartSave', {
      params: { id: entryId(target) },
      body: change(target, { height: 170, weight: 65 }),
      headers: context,
    })
    expect(saved).toMatchObject({ receipt: { outcome: 'applied' }, entry: { values: { height: 170 } } })
    expect(await lin.get('patient.list', { query: { projectId } })).toMatchObject({ total: 1 })
    expect(await lin.get('patient.detail', { query: { id }, headers: context })).toMatchObject({
      identity: { name: '张三' },
    })
    expect(await lin.get('entry.list', { query: { patientId: id }, headers: context })).toHaveLength(1)
    const query = { patientId: id, id: entryId(target) }
    expect(await lin.get('entry.content', { query, headers: context })).toMatchObject({ status: 'process' })

    const manager = await signIn('manager')
    expect(await manager.get('audit.list', { query: { projectId, size: 500 } })).toMatchObject({ total: 9 })
    expect(await manager.get('audit.verify', { query: { projectId } })).toMatchObject({ holds: true })
    expect(await manager.get('sync.inbox', { query: { projectId } })).toMatchObject({ total: 0 })
  })

  it('pushes a compressed envelope and gets one line per operation; one that cannot be stored holds back no other', async () => {
    const person = world.people.lin
    const id = newId()
    const target = vitals(world, id)
    const enrolled = operationOf(world, person, {
      call: 'patient.save',
      entityId: id,
      body: enrolment(world, id) as JsonValue,
    })
    const asBody = (note: string) => change(target, { note })
    const unclean = operationOf(world, person, {
      call: 'entry.save',
      entityId: entryId(target),
      body: asBody('a\u0000b'),
    })
    const saved = operationOf(world, person, {
      call: 'entry.save',
      entityId: entryId(target),
      body: asBody('晨起'),
      after: [enrolled.key],
    })
    const report = {
      unsent: [{ scope: north(), count: 3, oldest: null }],
      clockDriftMs: 3,
      appVersion: '1.0.0',
      sentAt: world.services.now(),
    }
    const response = await app.inject({
      method: 'POST',
      url: `/api${callOf('sync.push').path}`,
      payload: gzipSync(JSON.stringify({ deviceId: device(), report, ops: [enrolled, unclean, saved] })),
      headers: { ...lin.headers(), 'content-type': 'application/json', 'content-encoding': 'gzip' },
    })
    expect(response.statusCode).toBe(200)
    const answers = lines(response.body).map((line) => pushAnswer.parse(line))
    expect(answers).toMatchObject([
      { t: 'taken', key: enrolled.key },
      { t: 'refused', key: unclean.key, error: { code: 'invalid' } },
      { t: 'taken', key: saved.key },
      { t: 'end' },
    ])
  })

  it('pulls what the server has, line by line', async () => {
    const response = await app.inject({
      method: 'GET',
      url: `/api${callOf('sync.pull').path}`,
      query: { scope: north(), cursor: '0', deviceId: device() },
      headers: lin.headers(),
    })
    const pulled = lines(response.body).map((line) => pullLine.parse(line))
    expect(pulled.map(({ t }) => t)).toEqual(['start', 'put', 'put', 'put', 'put', 'end'])
  })

  it('is refused before the first line where it has no right', async () => {
    const south = await signIn('south', world.people.south.deviceId)
    const answer = await south.call('sync.pull', { query: { scope: north(), deviceId: world.people.south.deviceId } })
    expect(answer).toMatchObject({ status: 403, success: false, error: { code: 'forbidden' } })
  })
})

describe('those who look after data and devices', () => {
  it('list devices, block one, decide what it sent, and bring a rescue file: every answer is as the contract says', async () => {
    const { projectId } = study()
    const manager = await signIn('manager')
    const { wu } = world.people
    const wuSession = await signIn('wu', wu.deviceId)
    await wuSession.get('sync.keys', { body: { deviceId: wu.deviceId, scopes: [projectId, north()] } })
    const id = newId()
    const report = {
      unsent: [{ scope: north(), count: 2, oldest: '2026-11-21T08:00:00.000Z' }],
      clockDriftMs: null,
      appVersion: '1',
      sentAt: world.services.now(),
      refused: 1,
      drafts: 1,
      storage: { usedBytes: 1, quotaBytes: 2, persisted: true },
    }
    await manager.get('sync.deviceBlock', {
      params: { id: wu.deviceId },
      body: { projectId, blocked: true, reason: '遗失' },
    })
    const enrolled = operationOf(world, wu, {
      call: 'patient.save',
      entityId: id,
      body: enrolment(world, id) as JsonValue,
    })
    const target = vitals(world, id)
    const saved = operationOf(world, wu, {
      call: 'entry.save',
      entityId: entryId(target),
      body: change(target, { height: 170, contact: '王五' }),
      after: [enrolled.key],
    })
    const push = await app.inject({
      method: 'POST',
      url: `/api${callOf('sync.push').path}`,
      payload: { deviceId: wu.deviceId, report, ops: [enrolled, saved], hints: { [enrolled.key]: { no: 'N01-099' } } },
      headers: { ...wuSession.headers(), 'content-type': 'application/json' },
    })
    expect(lines(push.body).map((line) => pushAnswer.parse(line))).toMatchObject([
      { receipt: { outcome: 'inbox' } },
      { receipt: { outcome: 'inbox' } },
      { t: 'end' },
    ])
    expect(await manager.get('sync.devices', { query: { projectId } })).toMatchObject({
      records: [{ id: wu.deviceId, unsent: 2, blocked: true, persisted: true }, {}],
    })
    expect(await manager.get('sync.inbox', { query: { projectId } })).toMatchObject({ total: 2 })
    for (const { key } of [enrolled, saved]) {
      expect(await manager.get('sync.inboxDetail', { params: { id: key }, query: { projectId } })).toMatchObject({
        line: { id: key, centerName: '北院' },
      })
      const body = { projectId, decision: 'release', note: '已核实' }
      expect(await manager.get('sync.inboxDecide', { params: { id: key }, body })).toEqual({
        state: 'released',
        outcome: 'applied',
      })
    }
    expect(await manager.get('sync.inbox', { query: { projectId, state: 'released' } })).toMatchObject({ total: 2 })
    const content = {
      version: 2,
      deviceId: wu.deviceId,
      exportedBy: wu.userId,
      exportedAt: world.services.now(),
      operations: [enrolled, saved].map((op) => ({ state: 'queued', operation: op })),
      drafts: [],
    }
    const file = await sealForRescue(world.services.secrets.rescuePublicKey, content)
    expect(await manager.get('sync.rescue', { body: { projectId, file, apply: true } })).toMatchObject({
      operations: [{ known: true, outcome: 'applied' }, { known: true }],
    })
    const tooLarge = await manager.call('sync.rescue', {
      body: { projectId, file: 'x'.repeat(17 * 1024 * 1024), apply: false },
    })
    expect(tooLarge).toMatchObject({ success: false, error: { code: 'too_large' } })
  })
})
