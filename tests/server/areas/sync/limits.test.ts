import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isDoubtfulTime } from '#core/study/doubtfulTime.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { createTestServer } from '#tests/server/support/app.ts'
import type { Person, World } from '#tests/server/support/world.ts'
import {
  addMember,
  call,
  change,
  enrol,
  makeWorld,
  operationOf,
  push,
  save,
  vitals,
} from '#tests/server/support/world.ts'

/** What is taken without end elsewhere has an end here, and loses nothing by it. */

describe('late work of who is nothing in the project any more', () => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld()
  })
  afterAll(() => world.close())

  it('is taken in for a decision up to a number; more stays on the device, and a colleague still brings it', async () => {
    const { services, study, people } = world
    const former: Person = await addMember(services, study, 'former', 'CRC', [study.north])
    await services.pool.query('INSERT INTO device (id) VALUES ($1)', [former.deviceId])
    const patient = await enrol(world)
    await services.pool.query('UPDATE member SET removed = true WHERE user_id = $1', [former.userId])
    const target = vitals(world, patient)
    const saving = (weight: number) =>
      operationOf(world, former, {
        call: 'entry.save',
        entityId: entryId(target),
        body: change(target, { weight }),
      })
    const first = saving(60)
    expect((await push(world, former, [first])).get(first.key)).toMatchObject({
      t: 'taken',
      receipt: { outcome: 'inbox', reason: 'right_withdrawn' },
    })
    const { rows } = await world.database.ownerPool.query<{ names: string }>(
      `SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS names FROM information_schema.columns WHERE table_name = 'operation' AND column_name <> 'key'`,
    )
    await world.database.ownerPool.query(
      `WITH more AS (INSERT INTO operation (key, ${rows[0]?.names}) SELECT gen_random_uuid(), ${rows[0]?.names} FROM operation, generate_series(1, 1999) WHERE key = $1 RETURNING key, project_id)
       INSERT INTO inbox (op_key, project_id, center_id, reason) SELECT key, project_id, $2, 'right_withdrawn' FROM more`,
      [first.key, study.north],
    )
    const last = saving(61)
    expect((await push(world, former, [last])).get(last.key)).toMatchObject({
      t: 'refused',
      error: { code: 'inbox_full' },
    })
    // What was taken is answered again, and others are none the worse for it.
    expect((await push(world, former, [first])).get(first.key)).toMatchObject({ t: 'taken' })
    expect((await push(world, people.wu, [last], former.deviceId)).get(last.key)).toMatchObject({
      t: 'taken',
      receipt: { outcome: 'inbox' },
    })
    expect(await save(world, people.lin, change(target, { height: 170 }))).toMatchObject({
      receipt: { outcome: 'applied' },
    })
  })

  it('is read in the trail with the time that its tablet showed', async () => {
    const patient = await enrol(world)
    const target = vitals(world, patient)
    const acted = { at: '9999-12-31T00:00:00.000Z', offsetMinutes: 480, driftMs: 0 }
    const op = operationOf(world, world.people.lin, {
      call: 'entry.save',
      entityId: entryId(target),
      body: change(target, { weight: 60 }),
      acted,
    })
    await push(world, world.people.lin, [op])
    const { records } = await call(world, world.people.monitor, 'audit.list', {
      query: { projectId: world.study.projectId, entryId: entryId(target), current: 1, size: 50 },
    })
    const line = records.find(({ action }) => action === 'item.update')
    expect(line?.occurredAt).toBe(acted.at)
    expect(isDoubtfulTime(line?.occurredAt ?? '', line?.receivedAt ?? '')).toBe(true)
  })
})

describe('a time on a tablet', () => {
  const received = '2026-11-24T08:00:00.000Z'
  it.each([
    ['2026-11-24T07:59:00.000Z', false],
    ['2026-11-24T08:09:00.000Z', false],
    ['2026-11-24T08:11:00.000Z', true],
    ['2026-02-01T00:00:00.000Z', false],
    ['2025-11-01T00:00:00.000Z', true],
    ['0001-01-01T00:00:00.000Z', true],
    ['9999-12-31T00:00:00.000Z', true],
  ])('%s is doubtful beside its receipt: %s', (at, doubtful) => {
    expect(isDoubtfulTime(at, received)).toBe(doubtful)
  })
})

it('whether a value is taken is told a person sixty times a minute, and others meanwhile', async () => {
  const server = await createTestServer()
  try {
    await server.makeUser('curious')
    await server.makeUser('other')
    const [curious, other] = [await server.signIn('curious'), await server.signIn('other')]
    const ask = async (who: typeof curious): Promise<string | undefined> =>
      (await who.call('entry.unique', { params: { id: newId() }, body: {} })).error?.code
    for (let asked = 0; asked < 60; asked += 1) expect(await ask(curious)).toBe('invalid')
    expect(await ask(curious)).toBe('rate_limited')
    expect(await ask(other)).toBe('invalid')
  } finally {
    await server.close()
  }
})
