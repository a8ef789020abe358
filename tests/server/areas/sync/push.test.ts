import { describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import {
  call,
  change,
  countRows,
  enrol,
  enrolment,
  operationOf,
  push,
  refusal,
  setStatus,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

const world = worldForAllTests()

const asBody = (body: object): JsonValue => body as JsonValue

function saveOf(patient: string, items: Parameters<typeof change>[1]) {
  const target = vitals(world, patient)
  return { call: 'entry.save' as const, entityId: entryId(target), body: asBody(change(target, items)) }
}

describe('a push', () => {
  it('takes operations in their order, each with its own receipt', async () => {
    const { lin } = world.people
    const patient = newId()
    const enrolled = operationOf(world, lin, {
      call: 'patient.save',
      entityId: patient,
      body: asBody(enrolment(world, patient)),
    })
    const saved = operationOf(world, lin, { ...saveOf(patient, { height: 170 }), after: [enrolled.key], seq: 2 })
    const answers = await push(world, lin, [enrolled, saved])
    expect([...answers.values()].map((answer) => answer.t)).toEqual(['taken', 'taken'])
    expect(answers.get(saved.key)).toMatchObject({
      result: { entry: { values: { height: 170 } } },
      receipt: { projectId: world.study.projectId },
    })
    const { rows } = await world.services.pool.query(
      `SELECT author, device_id, device_seq, acted_at, acted_offset_minutes, clock_drift_ms, carried_by FROM operation WHERE key = $1`,
      [saved.key],
    )
    expect(rows).toEqual([
      {
        author: lin.userId,
        device_id: lin.deviceId,
        device_seq: 2,
        acted_at: '2026-11-02T01:02:03.004Z',
        acted_offset_minutes: 480,
        clock_drift_ms: -40,
        carried_by: null,
      },
    ])
  })

  it('whose answer was lost is sent again, and has one effect', async () => {
    const { lin } = world.people
    const op = operationOf(world, lin, saveOf(await enrol(world), { height: 170 }))
    const first = await push(world, lin, [op])
    const before = await countRows(world, 'audit')
    expect(await push(world, lin, [op])).toEqual(first)
    expect(await countRows(world, 'audit')).toBe(before)
  })

  it('meets the same operation that came alone, and gives the same receipt', async () => {
    const { lin } = world.people
    const target = vitals(world, await enrol(world))
    const body = change(target, { height: 170 })
    const op = operationOf(world, lin, { call: 'entry.save', entityId: entryId(target), body: asBody(body) })
    const alone = await call(world, lin, 'entry.save', { key: op.key, id: entryId(target), body })
    expect((await push(world, lin, [op])).get(op.key)).toMatchObject({ t: 'taken', receipt: alone.receipt })
  })

  it('answers a bad operation alone; the others go through', async () => {
    const { lin } = world.people
    const patient = await enrol(world)
    const good = operationOf(world, lin, saveOf(patient, { height: 170 }))
    const unclean = operationOf(world, lin, saveOf(patient, { note: 'a\u0000b' }))
    const malformed = { ...operationOf(world, lin, saveOf(patient, { note: 'x' })), seq: 'one' }
    const unknownField = operationOf(world, lin, saveOf(patient, { colour: 'red' }))
    const answers = await push(world, lin, [unclean, malformed, unknownField, good])
    for (const bad of [unclean, malformed, unknownField]) {
      expect(answers.get(bad.key)).toMatchObject({ t: 'refused', error: { code: 'invalid' } })
    }
    expect(answers.get(good.key)).toMatchObject({ t: 'taken' })
    expect(await refusal(push(world, lin, [{ nothing: 'at all' }, good]))).toBe('invalid')
  })

  it('hears which field of an operation is wrong and how, in the words of every other call', async () => {
    const { lin } = world.people
    const patient = await enrol(world)
    const op = (more: object) => operationOf(world, lin, { ...saveOf(patient, { height: 170 }), ...more })
    const acted = (at: string) => ({ acted: { at, offsetMinutes: 480, driftMs: null } })
    const reason = { code: 'other', text: ' ' } as const
    const removal = { id: patient, projectId: world.study.projectId, reason }
    const cases = [
      [op(acted('0000-01-01T00:00:00.000Z')), { path: 'op.acted.at', code: 'year' }],
      [op({ protocol: 2 ** 40 }), { path: 'op.protocol', code: 'too_big' }],
      [
        { ...op({}), pass: undefined },
        { path: 'op.pass', code: 'required' },
      ],
      [
        operationOf(world, lin, { call: 'patient.remove', entityId: patient, body: asBody(removal) }),
        { path: 'body.reason.text', code: 'required' },
      ],
      [
        { ...op({}), body: { height: Number.POSITIVE_INFINITY } },
        { path: 'op.body.height', code: 'number' },
      ],
    ] as const
    for (const [bad, field] of cases) {
      expect((await push(world, lin, [asBody(bad)])).get(bad.key)).toMatchObject({
        t: 'refused',
        error: { code: 'invalid', fields: [field] },
      })
    }
  })

  it('waits for what an operation builds on', async () => {
    const { lin } = world.people
    const patient = await enrol(world)
    const first = operationOf(world, lin, saveOf(patient, { height: 170 }))
    const second = operationOf(world, lin, { ...saveOf(patient, { weight: 65 }), after: [first.key] })
    expect((await push(world, lin, [second])).get(second.key)).toMatchObject({
      t: 'refused',
      error: { code: 'waits_for_earlier' },
    })
    const answers = await push(world, lin, [first, second])
    expect([...answers.values()].map((answer) => answer.t)).toEqual(['taken', 'taken'])
  })

  it('keeps what the device says of itself', async () => {
    const { lin } = world.people
    await push(world, lin, [])
    const { rows } = await world.services.pool.query(
      'SELECT clock_drift_ms, app_version, last_user_id FROM device WHERE id = $1',
      [lin.deviceId],
    )
    expect(rows).toEqual([{ clock_drift_ms: -40, app_version: '1.0.0', last_user_id: lin.userId }])
  })

  it('comes from a device that is known', async () => {
    expect(await refusal(push(world, world.people.lin, [], newId()))).toBe('client_unknown')
  })
})

describe('a proof', () => {
  it('that another made, that is of another device, or of other content, is refused', async () => {
    const { lin, wu } = world.people
    const patient = await enrol(world)
    const honest = operationOf(world, lin, saveOf(patient, { height: 170 }))
    const inAnothersName = {
      ...operationOf(world, wu, saveOf(patient, { height: 1 })),
      author: lin.userId,
      deviceId: lin.deviceId,
    }
    const altered = { ...honest, key: newId() }
    const answers = await push(world, lin, [inAnothersName, altered])
    expect([...answers.values()]).toMatchObject([
      { error: { code: 'proof_wrong' } },
      { error: { code: 'proof_wrong' } },
    ])
    const elsewhere = operationOf(world, wu, saveOf(patient, { height: 1 }))
    expect((await push(world, lin, [elsewhere])).get(elsewhere.key)).toMatchObject({ error: { code: 'proof_wrong' } })
  })

  it('lets another session carry the work: it is booked to its author, and the carrier reads none of it', async () => {
    const { lin, wu, stranger } = world.people
    const patient = await enrol(world)
    const op = operationOf(world, lin, saveOf(patient, { height: 170 }))
    const answers = await push(world, wu, [op], lin.deviceId)
    expect(answers.get(op.key)).toMatchObject({ t: 'taken', result: null, receipt: { outcome: 'applied' } })
    const { rows } = await world.services.pool.query(
      `SELECT DISTINCT user_id, carried_by, device_id FROM audit WHERE op_key = $1`,
      [op.key],
    )
    expect(rows).toEqual([{ user_id: lin.userId, carried_by: wu.userId, device_id: lin.deviceId }])

    const second = operationOf(world, lin, saveOf(patient, { weight: 65 }))
    expect((await push(world, stranger, [second], lin.deviceId)).get(second.key)).toMatchObject({
      t: 'taken',
      result: null,
    })
  })

  it('of somebody whose account was disabled since: taken in for a decision', async () => {
    const { lin, wu } = world.people
    const op = operationOf(world, lin, saveOf(await enrol(world), { height: 170 }))
    await world.services.pool.query(`UPDATE app_user SET status = 'disabled' WHERE id = $1`, [lin.userId])
    const answers = await push(world, wu, [op], lin.deviceId)
    await world.services.pool.query(`UPDATE app_user SET status = 'active' WHERE id = $1`, [lin.userId])
    expect(answers.get(op.key)).toMatchObject({ t: 'taken', receipt: { outcome: 'inbox', reason: 'right_withdrawn' } })
  })
})

describe('what builds on work that is held', () => {
  it('goes where that went', async () => {
    const { lin } = world.people
    await setStatus(world, 'close')
    const patient = newId()
    const enrolled = operationOf(world, lin, {
      call: 'patient.save',
      entityId: patient,
      body: asBody(enrolment(world, patient)),
    })
    await push(world, lin, [enrolled])
    await setStatus(world, 'process')
    const saved = operationOf(world, lin, { ...saveOf(patient, { height: 170 }), after: [enrolled.key] })
    expect((await push(world, lin, [saved])).get(saved.key)).toMatchObject({
      receipt: { outcome: 'inbox', reason: 'project_closed' },
    })
  })
})
