import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import { addVersion, call, change, enrol, event, item, save, vitals } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Two pages that read each other, to and fro, while no field waits for itself: weight → dose → load → balance. */

const SIGNS = JSON.stringify({
  column: [
    { prop: 'weight', label: '体重', type: 'number' },
    { prop: 'note', label: '备注', type: 'textarea' },
    { prop: 'load', label: '负荷', type: 'number', zl: { calculate: 'visit.AE.dose + 1.0' } },
  ],
})
const EVENT = JSON.stringify({
  column: [
    { prop: 'term', label: '不良事件', type: 'input' },
    { prop: 'dose', label: '剂量', type: 'number', zl: { calculate: 'visit.VS.weight * 0.5' } },
    { prop: 'balance', label: '差额', type: 'number', zl: { calculate: 'visit.VS.load - visit.VS.weight * 0.5' } },
  ],
})

const world = worldForAllTests()
let patient: string
let crfId: string
beforeAll(async () => {
  crfId = newId()
  await addVersion(world.services.pool, world.study, world.people.admin, {
    id: crfId,
    no: 2,
    vitals: SIGNS,
    event: EVENT,
  })
})
beforeEach(async () => {
  patient = await enrol(world)
  await write(change(event(world, patient, '0'), { term: '皮疹' }))
})

const signs = () => vitals(world, patient)
const adverse = () => event(world, patient, '0')
const write = (body: ReturnType<typeof change>) => save(world, world.people.lin, body, { crfId })

async function stored(target: ReturnType<typeof signs>): Promise<EntryRow | undefined> {
  const rows = await call(world, world.people.lin, 'entry.list', { query: { patientId: patient } })
  return rows.find(({ id }) => id === entryId(target))
}

/** What was booked of a field, in order. */
async function bookedOf(target: ReturnType<typeof signs>, prop: string): Promise<readonly unknown[]> {
  const { rows } = await world.services.pool.query<{ value: unknown }>(
    `SELECT v.new_value->'value' AS value FROM audit a JOIN audit_value v ON v.audit_id = a.id
     WHERE a.entry_id = $1 AND a.prop = $2 AND a.action = 'item.calculate' ORDER BY a.seq, a.ord`,
    [entryId(target), prop],
  )
  return rows.map(({ value }) => value)
}

describe('pages that read each other', () => {
  it('are both as the rules say, the saved page too where what it reads follows from it', async () => {
    const saved = await write(change(signs(), { weight: 60 }))
    expect(saved.entry?.values).toMatchObject({ weight: 60, load: 31 })
    expect(await stored(adverse())).toMatchObject({ values: { dose: 30, balance: 1 } })
    await write(change(signs(), { weight: item('weight', 60, 80) }))
    expect(await stored(signs())).toMatchObject({ values: { weight: 80, load: 41 } })
    expect(await stored(adverse())).toMatchObject({ values: { dose: 40, balance: 1 } })
  })

  it('book what they come to, and nothing that held only while the other had not followed yet', async () => {
    await write(change(signs(), { weight: 60 }))
    await write(change(signs(), { weight: item('weight', 60, 80) }))
    expect(await bookedOf(signs(), 'load')).toEqual([31, 41])
    expect(await bookedOf(adverse(), 'dose')).toEqual([30, 40])
    expect(await bookedOf(adverse(), 'balance')).toEqual([1])
    expect((await stored(adverse()))?.rev).toBe(3)
  })

  it('are submitted again where what they calculate has come to something else by it', async () => {
    await write(change(signs(), { weight: 60 }))
    await save(world, world.people.lin, change(signs(), { weight: item('weight', 60, 80) }), {
      crfId,
      as: 'entry.submit',
    })
    expect(await stored(signs())).toMatchObject({ status: 'process', values: { weight: 80, load: 41 } })
  })
})
