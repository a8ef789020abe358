import { beforeAll, describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'
import type { DeviceReport } from '#core/api/sync/push.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import type { DeviceLine } from '#core/api/calls/sync.ts'
import type { Person } from '#tests/server/support/world.ts'
import {
  addMember,
  call,
  change,
  enrol,
  enrolment,
  item,
  operationOf,
  pull,
  push,
  refusal,
  save,
  setStatus,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Looking after the tablets of a project: what they said last, blocking them, and storage that is gone. */

const world = worldForAllTests()
beforeAll(async () => {
  for (const [who, centers] of [
    ['lin', ['north']],
    ['wu', ['north']],
    ['south', ['south']],
    ['monitor', []],
  ] as const) {
    await takeKeys(
      world.people[who],
      centers.map((center) => world.study[center]),
    )
  }
})

const project = () => world.study.projectId
const centerScope = (centerId: string) => scopeText({ kind: 'center', projectId: project(), centerId, pass: 1 })

async function takeKeys(who: Person, centers: readonly string[]): Promise<void> {
  await call(world, who, 'sync.keys', {
    body: { deviceId: who.deviceId, scopes: [project(), ...centers.map(centerScope)] },
  })
}

/** Says of a device what is on it. */
async function report(who: Person, more: Partial<DeviceReport>): Promise<void> {
  const body = { unsent: [], clockDriftMs: 250, appVersion: '1.2.0', sentAt: world.services.now(), ...more }
  for await (const line of await call(world, who, 'sync.push', {
    body: { deviceId: who.deviceId, report: body, ops: [] },
  })) {
    expect(line.t).toBe('end')
  }
}

const devices = async (
  by: Person = world.people.manager,
  more: { current?: number; size?: number } = {},
): Promise<readonly DeviceLine[]> =>
  (await call(world, by, 'sync.devices', { query: { projectId: project(), current: 1, size: 50, ...more } })).records

const of = (lines: readonly DeviceLine[], { deviceId }: Person): DeviceLine | undefined =>
  lines.find(({ id }) => id === deviceId)

function block(who: Person, blocked: boolean, by: Person = world.people.manager, key = newId()): Promise<boolean> {
  return call(world, by, 'sync.deviceBlock', {
    id: who.deviceId,
    key,
    body: { projectId: project(), blocked, reason: '遗失' },
  })
}

function saving(
  person: Person,
  patient: string,
  items: Parameters<typeof change>[1],
  more: Partial<Operation> = {},
): Operation {
  const target = vitals(world, patient)
  return operationOf(world, person, {
    call: 'entry.save',
    entityId: entryId(target),
    body: change(target, items),
    ...more,
  })
}

const manager = (centers: readonly string[]): Promise<Person> =>
  addMember(world.services, world.study, `dbd ${newId().slice(-6)}`, 'DBD', centers)

describe('the list of devices', () => {
  it('has what each said last, those with unsent work first and the oldest before all', async () => {
    const { lin, wu, south } = world.people
    const oldest = '2026-11-20T08:00:00.000Z'
    await report(wu, {
      unsent: [{ scope: centerScope(world.study.north), count: 1, oldest: '2026-11-21T08:00:00.000Z' }],
    })
    await report(lin, {
      unsent: [
        { scope: centerScope(world.study.north), count: 3, oldest },
        { scope: newId(), count: 9, oldest: '2020-01-01T00:00:00.000Z' },
      ],
      refused: 2,
      drafts: 1,
      storage: { usedBytes: 10, quotaBytes: 100, persisted: true },
    })
    await report(south, {})
    const lines = await devices()
    expect(lines.map(({ id }) => id)).toEqual([lin, wu, south, world.people.monitor].map(({ deviceId }) => deviceId))
    expect(of(lines, lin)).toMatchObject({
      unsent: 3,
      oldestUnsent: oldest,
      refused: 2,
      drafts: 1,
      storage: { usedBytes: 10, quotaBytes: 100 },
      persisted: true,
      centers: ['北院'],
      appVersion: '1.2.0',
      clockDriftMs: 250,
      lastUserName: lin.realName,
      blocked: false,
      storageLostAt: null,
    })
    expect(of(lines, south)).toMatchObject({ unsent: 0, oldestUnsent: null, storage: null, centers: ['南院'] })
    expect((await devices(world.people.manager, { current: 2, size: 3 })).map(({ id }) => id)).toEqual([
      world.people.monitor.deviceId,
    ])
  })

  it('is for those who look after devices, within their centers', async () => {
    const { lin, south, stranger } = world.people
    const southern = await devices(await manager([world.study.south]))
    expect(of(southern, lin)).toBeUndefined()
    expect(of(southern, south)).toBeDefined()
    expect(await refusal(devices(lin))).toBe('forbidden')
    expect(await refusal(devices(stranger))).toBe('not_found')
  })
})

describe('a blocked device', () => {
  it('gets no data, no keys and no numbers, and hears that it is blocked', async () => {
    const { lin } = world.people
    const { deviceId } = lin
    expect(await block(lin, true)).toBe(true)
    const line = of(await devices(), lin)
    expect(line).toMatchObject({ blocked: true, blockReason: '遗失', blockedByName: world.people.manager.realName })
    const lease = { projectId: project(), deviceId, centerId: world.study.north, want: 2 }
    expect(await refusal(pull(world, lin, project()))).toBe('device_blocked')
    expect(await refusal(takeKeys(lin, []))).toBe('device_blocked')
    expect(await refusal(call(world, lin, 'sync.lease', { body: lease }))).toBe('device_blocked')
    const about = { deviceId, name: '平板', userAgent: 'Chromium', appVersion: '1.0.0', persisted: true }
    expect(await call(world, lin, 'sync.device', { body: about })).toMatchObject({ blocked: true })
    await block(lin, false)
    expect(of(await devices(), lin)).toMatchObject({
      blocked: false,
      blockReason: null,
      blockedByName: null,
      blockedAt: null,
    })
    expect((await pull(world, lin, project())).at(-1)).toMatchObject({ t: 'end' })
  })

  it('loses nothing: what it sends waits for a decision, whoever carries it, and it is told none of the data', async () => {
    const { lin, wu, manager: decider } = world.people
    const patient = await enrol(world)
    const before = saving(lin, patient, { height: 170 })
    await push(world, lin, [before])
    await block(lin, true)
    const mine = saving(lin, patient, { weight: 60 }, { seq: 2 })
    const carried = saving(lin, patient, { note: '晨起' }, { seq: 3 })
    const answers = await push(world, lin, [before, mine])
    expect(answers.get(before.key)).toMatchObject({ t: 'taken', result: null, receipt: { outcome: 'applied' } })
    expect(answers.get(mine.key)).toMatchObject({
      t: 'taken',
      result: null,
      receipt: { outcome: 'inbox', reason: 'device_blocked' },
    })
    expect((await push(world, wu, [carried], lin.deviceId)).get(carried.key)).toMatchObject({
      receipt: { outcome: 'inbox', reason: 'device_blocked' },
    })
    await report(lin, { refused: 1 })
    expect(of(await devices(), lin)).toMatchObject({ refused: 1 })
    const target = entryId(vitals(world, patient))
    const values = async (): Promise<readonly unknown[]> =>
      (await world.services.pool.query<{ values: unknown }>('SELECT "values" FROM entry WHERE id = $1', [target])).rows
    expect(await values()).toEqual([{ values: { height: 170 } }])
    for (const op of [mine, carried]) {
      const body = { projectId: project(), decision: 'release' as const, note: '已核实' }
      expect(await call(world, decider, 'sync.inboxDecide', { id: op.key, body })).toMatchObject({ outcome: 'applied' })
    }
    expect(await values()).toMatchObject([{ values: { weight: 60, note: '晨起' } }])
    await block(lin, false)
  })

  it('has nothing applied without a decision when a paused project goes on', async () => {
    const { lin } = world.people
    const patient = await enrol(world)
    await block(lin, true)
    await setStatus(world, 'stop')
    const op = saving(lin, patient, { weight: 60 })
    expect((await push(world, lin, [op])).get(op.key)).toMatchObject({
      receipt: { outcome: 'inbox', reason: 'device_blocked' },
    })
    await setStatus(world, 'process')
    await block(lin, false)
  })
})

describe('blocking', () => {
  it('is audited in the project and in the system’s trail, with the reason', async () => {
    await block(world.people.wu, true)
    const { rows } = await world.services.pool.query(
      `SELECT a.project_id, a.user_id, v.new_value, v.reason_text FROM audit a JOIN audit_value v ON v.audit_id = a.id
       WHERE a.action = 'device.block' AND v.new_value->>'deviceId' = $1 ORDER BY a.project_id NULLS LAST`,
      [world.people.wu.deviceId],
    )
    const row = { user_id: world.people.manager.userId, reason_text: '遗失' }
    expect(rows).toMatchObject([
      { ...row, project_id: project() },
      { ...row, project_id: null },
    ])
    await block(world.people.wu, false)
  })

  it('is for those who look after the devices of every project that the device keeps data of, and for administrators', async () => {
    const { lin, wu, admin, manager: dbd } = world.people
    expect(await refusal(block(wu, true, lin))).toBe('forbidden')
    expect(await refusal(block(wu, true, await manager([world.study.south])))).toBe('not_found')
    const elsewhere = newId()
    await world.services.pool.query(
      `INSERT INTO project (id, name, status, scope_code, config, created_by) VALUES ($1, '另一项目', 'process', 'areamultiple', '{}', $2)`,
      [elsewhere, admin.userId],
    )
    await world.services.pool.query(
      `INSERT INTO device_key (device_id, scope, key_id, data_key, sensitive_key) VALUES ($1, $2, $3, 'k', 'k')`,
      [wu.deviceId, elsewhere, newId()],
    )
    expect(await refusal(block(wu, true, dbd))).toBe('forbidden')
    await world.services.pool.query(
      `INSERT INTO member (id, project_id, user_id, role, data_scope) VALUES ($1, $2, $3, 'PM', 'all')`,
      [newId(), elsewhere, dbd.userId],
    )
    expect(await block(wu, true, dbd)).toBe(true)
    expect(await block(wu, false, admin)).toBe(true)
    expect(await refusal(block(world.people.stranger, true, admin))).toBe('not_found')
  })
})

describe('a device that finds its storage gone', () => {
  const about = (who: Person) => ({
    deviceId: who.deviceId,
    name: '平板',
    userAgent: 'Chromium',
    appVersion: '1.0.0',
    persisted: false,
    storageLost: true,
  })

  it('hears how much it had not sent by its last word, and so does whoever looks after it', async () => {
    const { lin } = world.people
    await report(lin, { unsent: [{ scope: centerScope(world.study.north), count: 2, oldest: null }], drafts: 1 })
    for (let said = 0; said < 2; said += 1) {
      expect(await call(world, lin, 'sync.device', { body: about(lin) })).toMatchObject({ lostUnsent: 3 })
    }
    expect(of(await devices(), lin)).toMatchObject({
      lostUnsent: 3,
      storageLostAt: expect.stringMatching(/Z$/) as string,
    })
    const { rows } = await world.services.pool.query(
      `SELECT v.new_value FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.action = 'device.storage_lost'`,
    )
    expect(rows[0]).toMatchObject({ new_value: { deviceId: lin.deviceId, lostUnsent: 3 } })
    const unknown = { ...about(lin), deviceId: newId() }
    expect(await call(world, { ...lin, deviceId: unknown.deviceId }, 'sync.device', { body: unknown })).toMatchObject({
      lostUnsent: null,
    })
  })

  it('is leased none of its earlier numbers again: one of them may be on a patient’s paper', async () => {
    const { wu } = world.people
    const lease = async () =>
      (
        await call(world, wu, 'sync.lease', {
          body: { projectId: project(), deviceId: wu.deviceId, centerId: world.study.north, want: 3 },
        })
      ).numbers
    const before = await lease()
    await call(world, wu, 'sync.device', { body: about(wu) })
    const after = await lease()
    expect(after).toHaveLength(3)
    expect(after.filter((no) => before.includes(no))).toEqual([])
    expect(await lease()).toEqual(after)
    // What was enrolled before and comes in a rescue file keeps its number.
    const [patient, no] = [newId(), before[0] ?? '']
    const op = operationOf(world, wu, {
      call: 'patient.save',
      entityId: patient,
      body: enrolment(world, patient, { no }) as JsonValue,
    })
    expect((await push(world, wu, [op])).get(op.key)).toMatchObject({
      receipt: { outcome: 'applied' },
      result: { patient: { no } },
    })
  })
})

it('a save online is not held up by what a blocked device sent before', async () => {
  const { lin, wu } = world.people
  const patient = await enrol(world)
  await block(lin, true)
  const op = saving(lin, patient, { weight: 60 })
  await push(world, lin, [op])
  expect(await save(world, wu, change(vitals(world, patient), { weight: item('weight', null, 61) }))).toMatchObject({
    receipt: { outcome: 'applied' },
  })
  await block(lin, false)
})
