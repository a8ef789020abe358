import { describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { deviceProof } from '#server/areas/auth/device.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import type { World } from '#tests/server/support/world.ts'
import { call, enrolment, pull, push, refusal, setStatus } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

const world = worldForAllTests()

const common = () => world.study.projectId
const center = (centerId: string, pass: 1 | 2 = 1) =>
  scopeText({ kind: 'center', projectId: world.study.projectId, centerId, pass })

describe('a device', () => {
  it('makes itself known, and hears the time and whether it is blocked', async () => {
    const deviceId = newId()
    const body = { deviceId, name: '平板 3', userAgent: 'Chromium', appVersion: '1.0.0', persisted: true }
    expect(await call(world, { ...world.people.lin, deviceId }, 'sync.device', { body })).toMatchObject({
      deviceId,
      blocked: false,
      epoch: 'first',
    })
    const deviceCookie = deviceProof(world.services.secrets, deviceId)
    expect(
      await call(world, { ...world.people.wu, deviceId }, 'sync.device', {
        body: { ...body, name: '平板三' },
        deviceCookie,
      }),
    ).toMatchObject({ blocked: false })
    const { rows } = await world.services.pool.query('SELECT name, last_user_id FROM device WHERE id = $1', [deviceId])
    expect(rows).toEqual([{ name: '平板三', last_user_id: world.people.wu.userId }])
  })

  it('may keep the scopes of its user', async () => {
    const scopes = await call(world, world.people.lin, 'sync.scopes', { query: { projectId: common() } })
    expect(scopes.map(({ scope }) => scope)).toEqual([common(), center(world.study.north)])
    const all = await call(world, world.people.manager, 'sync.scopes', { query: { projectId: common() } })
    expect(all).toHaveLength(3)
  })
})

describe('a device that the server does not know, because it was put back to a backup from before', () => {
  it('is told to make itself known: nothing that it sends is refused, and nothing that it keeps is taken away', async () => {
    const { lin } = world.people
    const unknown = newId()
    expect(await refusal(push(world, lin, [], unknown))).toBe('client_unknown')
    expect(await refusal(pull(world, { ...lin, deviceId: unknown }, center(world.study.north)))).toBe('client_unknown')
  })
})

describe('keys', () => {
  const keysOf = (who: keyof World['people'], deviceId: string, scopes: string[]) =>
    call(world, { ...world.people[who], deviceId }, 'sync.keys', { body: { deviceId, scopes } })

  it('are made once per device and scope, and are the same for the next shift', async () => {
    const { deviceId } = world.people.lin
    const scopes = [common(), center(world.study.north)]
    const lin = await keysOf('lin', deviceId, scopes)
    const wu = await keysOf('wu', deviceId, scopes)
    expect(lin.scopes.map(({ scope }) => scope)).toEqual(scopes)
    expect(wu.scopes).toEqual(lin.scopes)
    expect(wu.proof).not.toBe(lin.proof)
    expect((await keysOf('lin', world.people.wu.deviceId, scopes)).scopes[0]?.data).not.toBe(lin.scopes[0]?.data)
  })

  it('come without the second key for those who may not see what identifies a patient', async () => {
    const { scopes } = await keysOf('monitor', world.people.monitor.deviceId, [center(world.study.north)])
    expect(scopes).toMatchObject([{ sensitive: null }])
  })

  it('are given for the user’s own scopes only; a withdrawn one is left out', async () => {
    const { deviceId } = world.people.lin
    const asked = [center(world.study.north), center(world.study.south), center(world.study.north, 2)]
    expect((await keysOf('lin', deviceId, asked)).scopes.map(({ scope }) => scope)).toEqual([center(world.study.north)])
    expect((await keysOf('stranger', deviceId, asked)).scopes).toEqual([])
    expect(await refusal(keysOf('lin', newId(), asked))).toBe('client_unknown')
  })

  it('are the very same from a server that was put back to before it knew the device: what was sealed since can still be opened', async () => {
    const { deviceId } = world.people.monitor
    const scopes = [common(), center(world.study.north)]
    const before = await keysOf('lin', deviceId, scopes)
    await world.database.ownerPool.query('DELETE FROM device_key WHERE device_id = $1', [deviceId])
    const again = await keysOf('lin', deviceId, scopes)
    expect(again.scopes).toEqual(before.scopes)
    expect(again.proof).toBe(before.proof)
  })
})

describe('subject numbers', () => {
  const lease = (who: keyof World['people'], want: number, centerId = world.study.north) => {
    const { deviceId } = world.people[who]
    return call(world, world.people[who], 'sync.lease', { body: { projectId: common(), deviceId, centerId, want } })
  }

  it('are leased in blocks that never overlap, however many ask at once', async () => {
    const leases = await Promise.all([
      lease('lin', 5),
      lease('wu', 5),
      lease('south', 5, world.study.south),
      lease('lin', 5),
      lease('wu', 7),
    ])
    const lin = new Set([...(leases[0]?.numbers ?? []), ...(leases[3]?.numbers ?? [])])
    const wu = new Set([...(leases[1]?.numbers ?? []), ...(leases[4]?.numbers ?? [])])
    expect([...lin].filter((no) => wu.has(no))).toEqual([])
    expect(lin.size).toBe(5)
    expect(wu.size).toBe(7)
    expect(leases[2]?.numbers).toEqual(['S02-001', 'S02-002', 'S02-003', 'S02-004', 'S02-005'])
  })

  it('that were used count no more; what is left does', async () => {
    const { lin } = world.people
    const { numbers } = await lease('lin', 5)
    const [first = ''] = numbers
    const saved = await call(world, lin, 'patient.save', { body: enrolment(world, newId(), { no: first }) })
    expect(saved.patient?.no).toBe(first)
    const next = await lease('lin', 5)
    expect(next.numbers).toHaveLength(5)
    expect(next.numbers.slice(0, 4)).toEqual(numbers.slice(1))
    expect(next.numbers).not.toContain(first)
  })

  it('of an enrolment that is held are not leased again', async () => {
    const { numbers } = await lease('lin', 5)
    const [first = ''] = numbers
    await setStatus(world, 'stop')
    await call(world, world.people.lin, 'patient.save', { body: enrolment(world, newId(), { no: first }) })
    await setStatus(world, 'process')
    expect((await lease('lin', 5)).numbers).not.toContain(first)
  })

  it('are for those who may enrol there, in a project that goes on', async () => {
    expect(await refusal(lease('monitor', 5))).toBe('forbidden')
    expect(await refusal(lease('lin', 5, world.study.south))).toBe('not_found')
    await setStatus(world, 'stop')
    expect(await refusal(lease('wu', 50))).toBe('project_stopped')
    await setStatus(world, 'process')
    await world.services.pool.query(`UPDATE center SET status = 'disabled' WHERE id = $1`, [world.study.south])
    expect(await refusal(lease('south', 5, world.study.south))).toBe('center_disabled')
  })
})
