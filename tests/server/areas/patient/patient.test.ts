import { describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { World } from '#tests/server/support/world.ts'
import { addMember, call, enrol, enrolment, operationOf, push, refusal } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

const world = worldForAllTests()

const list = (who: keyof World['people'], no?: string) =>
  call(world, world.people[who], 'patient.list', {
    query: { projectId: world.study.projectId, current: 1, size: 50, ...(no === undefined ? {} : { no }) },
  })
const detail = (who: keyof World['people'], id: string, skipSensitive?: string) =>
  call(world, world.people[who], 'patient.detail', {
    query: { id, ...(skipSensitive === undefined ? {} : { skipSensitive }) },
  })

describe('enrolment', () => {
  it('gives numbers in order, also to those who come at once', async () => {
    await Promise.all(Array.from({ length: 4 }, () => enrol(world)))
    const { records, total } = await list('lin')
    expect(records.map(({ no }) => no)).toEqual(['N01-001', 'N01-002', 'N01-003', 'N01-004'])
    expect(total).toBe(4)
  })

  it('refuses a number that the device was not leased', async () => {
    const attempt = (no: string) =>
      call(world, world.people.lin, 'patient.save', { body: enrolment(world, newId(), { no }) })
    for (const no of ['N01-900', 'S02-001', '7', 'N01-0001']) expect(await refusal(attempt(no))).toBe('invalid')
  })

  it('under a number that is taken already: the patient is taken in under the next, and both numbers are in the trail', async () => {
    const { lin } = world.people
    const asked = { projectId: world.study.projectId, deviceId: lin.deviceId, centerId: world.study.north, want: 1 }
    const { numbers } = await call(world, lin, 'sync.lease', { body: asked })
    const no = numbers[0] ?? ''
    await call(world, lin, 'patient.save', { body: enrolment(world, newId(), { no }) })
    const second = newId()
    const again = await call(world, lin, 'patient.save', { body: enrolment(world, second, { no }) })
    expect(again.receipt.outcome).toBe('conflict')
    expect(again.patient?.no).not.toBe(no)
    const { rows } = await world.services.pool.query(
      `SELECT v.old_value, v.new_value FROM audit a JOIN audit_value v ON v.audit_id = a.id
       WHERE a.patient_id = $1 AND a.action = 'patient.number_taken'`,
      [second],
    )
    expect(rows).toEqual([{ old_value: no, new_value: again.patient?.no }])
  })

  it('into a disabled center: refused online, into the inbox from a tablet', async () => {
    const { south } = world.people
    const centerId = world.study.south
    await world.services.pool.query(`UPDATE center SET status = 'disabled' WHERE id = $1`, [centerId])
    const online = call(world, south, 'patient.save', { body: enrolment(world, newId(), { centerId }) })
    expect(await refusal(online)).toBe('center_disabled')
    const id = newId()
    const body = enrolment(world, id, { centerId }) as JsonValue
    const op = operationOf(world, south, { call: 'patient.save', entityId: id, body })
    expect((await push(world, south, [op])).get(op.key)).toMatchObject({
      receipt: { outcome: 'inbox', reason: 'center_changed' },
    })
  })
})

describe('what is known of a patient', () => {
  const reason = { code: 'transcription' as const, text: '' }

  it('changes field by field; another’s word is not overwritten, and both are in the trail', async () => {
    const { lin, wu } = world.people
    const id = await enrol(world)
    const update = (who: typeof lin, field: 'initials' | 'mobile', base: string | null, to: string | null) =>
      call(world, who, 'patient.update', {
        body: { id, projectId: world.study.projectId, fields: [{ field, base, to }], reason },
      })
    expect((await update(lin, 'initials', 'ZS', 'ZSA')).receipt.outcome).toBe('applied')
    expect((await update(wu, 'mobile', '13800000000', null)).patient?.identity?.mobile).toBeNull()
    const late = await update(wu, 'initials', 'ZS', 'ZSB')
    expect(late).toMatchObject({ receipt: { outcome: 'conflict' }, patient: { initials: 'ZSA', rev: 3 } })
    const { rows } = await world.services.pool.query(
      `SELECT v.old_value, v.new_value FROM audit a JOIN audit_value v ON v.audit_id = a.id
       WHERE a.patient_id = $1 AND a.action = 'patient.conflict'`,
      [id],
    )
    expect(rows).toEqual([{ old_value: 'ZSA', new_value: 'ZSB' }])
  })

  it('has the structure of its fields', async () => {
    const id = await enrol(world)
    const update = (field: 'sex' | 'enrolledOn' | 'initials', to: string) =>
      call(world, world.people.lin, 'patient.update', {
        body: { id, projectId: world.study.projectId, fields: [{ field, base: null, to }], reason },
      })
    expect(await refusal(update('sex', 'X'))).toBe('invalid')
    expect(await refusal(update('enrolledOn', '2026-02-30'))).toBe('invalid')
    expect(await refusal(update('initials', 'x'.repeat(21)))).toBe('invalid')
  })

  it('shows what identifies a patient only to those with the right who ask for it', async () => {
    const id = await enrol(world)
    expect((await detail('lin', id)).identity).toMatchObject({ name: '张三' })
    expect((await detail('lin', id, 'true')).identity).toBeNull()
    expect((await detail('monitor', id)).identity).toBeNull()
    expect((await list('monitor')).records.every(({ identity }) => identity === null)).toBe(true)
  })
})

describe('the list', () => {
  it('has the reader’s centers, no removed patients, and can be narrowed by number', async () => {
    const { lin } = world.people
    const before = (await list('lin')).total
    const id = await enrol(world)
    const { no } = await detail('lin', id)
    expect((await list('lin', no?.slice(-3))).records.map((row) => row.id)).toContain(id)
    expect((await list('south')).total).toBe(0)
    await call(world, lin, 'patient.remove', {
      body: { id, projectId: world.study.projectId, reason: { code: 'other', text: '误录' } },
    })
    expect((await list('lin')).total).toBe(before)
    expect(await detail('lin', id)).toMatchObject({ deleted: true, no })
  })

  it('is in the order of the numbers and not of their letters', async () => {
    const { south } = world.people
    const centerId = world.study.south
    await world.services.pool.query(`UPDATE center SET next_no = 998, status = 'active' WHERE id = $1`, [centerId])
    for (let count = 0; count < 4; count += 1) await enrol(world, south, centerId)
    expect((await list('south')).records.map(({ no }) => no)).toEqual(['S02-998', 'S02-999', 'S02-1000', 'S02-1001'])
  })

  it('of a member with a scope of their own has their own patients only', async () => {
    const own = await addMember(world.services, world.study, 'own', 'CRC', [world.study.north])
    await world.services.pool.query(`UPDATE member SET data_scope = 'self' WHERE user_id = $1`, [own.userId])
    await world.services.pool.query('INSERT INTO device (id) VALUES ($1)', [own.deviceId])
    const theirs = await enrol(world)
    const id = await enrol(world, own)
    const { records } = await call(world, own, 'patient.list', {
      query: { projectId: world.study.projectId, current: 1, size: 50 },
    })
    expect(records.map((row) => row.id)).toEqual([id])
    expect(await refusal(call(world, own, 'entry.list', { query: { patientId: theirs } }))).toBe('not_found')
  })
})
