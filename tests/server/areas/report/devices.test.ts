import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { entryId } from '#core/derivedIds.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import type { DeviceReport } from '#core/api/sync/push.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, change, enrol, operationOf, push, refusal, vitals } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** What the report on devices counts, and for whom. */

const world = worldForAllTests()
let chief: Person

const scopeOf = (centerId: string, pass: 1 | 2 = 1) =>
  scopeText({ kind: 'center', projectId: world.study.projectId, centerId, pass })

async function keep(who: Person, centers: readonly string[]): Promise<void> {
  const scopes = [world.study.projectId, ...centers.map((center) => scopeOf(center))]
  await call(world, who, 'sync.keys', { body: { deviceId: who.deviceId, scopes } })
}

/** Has a device say what it has not sent. */
async function report(who: Person, unsent: DeviceReport['unsent']): Promise<void> {
  const said = { unsent, clockDriftMs: 0, appVersion: '1.2.0', sentAt: world.services.now() }
  for await (const line of await call(world, who, 'sync.push', {
    body: { deviceId: who.deviceId, report: said, ops: [] },
  }))
    expect(line.t).toBe('end')
}

/** Has a tablet send what its user did so many hours ago. */
async function sendLater(who: Person, centerId: string, hours: number, driftMs = 0): Promise<void> {
  const target = vitals(world, await enrol(world, who, centerId))
  const at = new Date(Date.now() - hours * 3_600_000 + driftMs).toISOString()
  const body = change(target, { height: 170 })
  const acted = { at, offsetMinutes: 480, driftMs }
  const op = operationOf(world, who, { call: 'entry.save', entityId: entryId(target), body, acted, centerId })
  const [answer] = (await push(world, who, [op])).values()
  expect(answer?.t).toBe('taken')
}

const set = (who: Person, change: string) =>
  world.services.pool.query(`UPDATE device SET ${change} WHERE id = $1`, [who.deviceId])

beforeAll(async () => {
  const { lin, wu, south, manager } = world.people
  const { north, south: other } = world.study
  chief = await addMember(world.services, world.study, 'chief', 'CRA', [north, other])
  await keep(lin, [north])
  await keep(wu, [north])
  await keep(south, [other])
  await keep(manager, [north, other])
  for (const hours of [1, 2, 30]) await sendLater(lin, north, hours)
  // Its clock is a day ahead, and known to be.
  await sendLater(south, other, 3, 24 * 3_600_000)
  await report(lin, [
    { scope: scopeOf(north), count: 4, oldest: '2026-11-20T08:00:00.000Z' },
    { scope: scopeOf(other), count: 9, oldest: '2026-11-20T08:00:00.000Z' },
  ])
  await report(manager, [{ scope: scopeOf(other), count: 2, oldest: '2026-11-21T08:00:00.000Z' }])
  await set(wu, `last_contact_at = now() - interval '8 days'`)
  await set(south, `last_contact_at = now() - interval '9 days', blocked = true`)
})

function read(who: Person, more: { centerId?: string; from?: string; to?: string } = {}) {
  return call(world, who, 'report.read', {
    query: { projectId: world.study.projectId, kind: 'devices', ...more },
  })
}

async function figuresOf(who: Person, centerId: string) {
  return (await read(who)).lines.find(({ id }) => id === centerId)?.figures
}

describe('devices', () => {
  it('are counted by the centers whose data they keep, with what they last said of them', async () => {
    expect(await figuresOf(chief, world.study.north)).toMatchObject({
      devices: 3,
      silent: 1,
      withUnsent: 1,
      unsent: 4,
      blocked: 0,
    })
    // What a device has of a center whose key it does not hold is nobody's. A blocked device is known to be silent.
    expect(await figuresOf(chief, world.study.south)).toMatchObject({
      devices: 2,
      silent: 0,
      withUnsent: 1,
      unsent: 2,
      blocked: 1,
    })
  })

  it('of several centers count once in the total', async () => {
    expect((await read(chief)).total).toMatchObject({ devices: 4, silent: 1, withUnsent: 2, unsent: 6, blocked: 1 })
  })

  it('of a pass that the reader does not have are not counted', async () => {
    const { monitor, manager } = world.people
    await world.services.pool.query(
      'INSERT INTO device_key (device_id, scope, key_id, data_key, sensitive_key) VALUES ($1, $2, $3, $4, $4)',
      [monitor.deviceId, scopeOf(world.study.north, 2), newId(), 'sealed'],
    )
    expect(await figuresOf(chief, world.study.north)).toMatchObject({ devices: 3 })
    expect(await figuresOf(manager, world.study.north)).toMatchObject({ devices: 4 })
  })
})

describe('what is done on a device', () => {
  it('takes so many hours to the server in the middle, by the server’s clock', async () => {
    expect(await figuresOf(chief, world.study.north)).toMatchObject({ acts: 3, withinDay: 2, toServer: 2 })
    expect(await figuresOf(chief, world.study.south)).toMatchObject({ acts: 1, withinDay: 1, toServer: 3 })
    expect((await read(chief)).total).toMatchObject({ acts: 4, withinDay: 3, toServer: 2.5 })
  })

  it('is told of what came in the period; devices stand as they are', async () => {
    const { total } = await read(chief, { to: '2020-12-31' })
    expect(total).toMatchObject({ devices: 4, acts: 0, toServer: null })
  })
})

describe('who sees them', () => {
  it('a reader of one center sees nothing of another', async () => {
    const { lines, total } = await read(world.people.south)
    expect(lines.map(({ id }) => id)).toEqual([world.study.south])
    expect(total).toMatchObject({ devices: 2, unsent: 2, blocked: 1, acts: 1 })
    expect((await read(chief, { centerId: world.study.north })).total).toMatchObject({ devices: 3, unsent: 4, acts: 3 })
  })

  it('no subjects stand behind a figure', async () => {
    const query = {
      projectId: world.study.projectId,
      kind: 'devices',
      measure: 'devices',
      current: 1,
      size: 50,
    } as const
    expect(await refusal(call(world, chief, 'report.subjects', { query }))).toBe('invalid')
  })
})
