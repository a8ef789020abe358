import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import { addVersion, call, change, enrol, event, item, save, vitals } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/**
 * Rules that read the previous or the last of a page's repeats: what they calculate follows whatever becomes of these.
 */

const EVENT = JSON.stringify({
  column: [
    { prop: 'term', label: '不良事件', type: 'input' },
    { prop: 'dose', label: '剂量', type: 'number' },
    {
      prop: 'total',
      label: '累计',
      type: 'number',
      zl: { calculate: 'page.dose + (has(visit.AE.prev.total) ? visit.AE.prev.total : 0.0)' },
    },
    { prop: 'step', label: '增减', type: 'number', zl: { calculate: 'page.dose - visit.AE.prev.dose' } },
  ],
})
const SIGNS = JSON.stringify({
  column: [
    { prop: 'weight', label: '体重', type: 'number' },
    { prop: 'latest', label: '最近剂量', type: 'number', zl: { calculate: 'visits.AE.last.dose' } },
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
})

const [FIRST, SECOND, THIRD] = [1, 2, 3].map((no) => `0192b000-0000-7000-8000-00000000000${no}`) as [
  string,
  string,
  string,
]
const write = (target: ReturnType<typeof event>, values: Parameters<typeof change>[1]) =>
  save(world, world.people.lin, change(target, values), { crfId })
const adverse = (repeat: string) => event(world, patient, repeat)

async function stored(target: ReturnType<typeof event>): Promise<EntryRow | undefined> {
  const rows = await call(world, world.people.lin, 'entry.list', { query: { patientId: patient } })
  return rows.find(({ id }) => id === entryId(target))
}
const valuesOf = async (repeat: string) => (await stored(adverse(repeat)))?.values

describe('what an entry calculates from the one before it', () => {
  it('is calculated when it is saved', async () => {
    await write(adverse(FIRST), { dose: 10 })
    const saved = await write(adverse(SECOND), { dose: 12 })
    expect(saved.entry?.values).toMatchObject({ dose: 12, step: 2 })
  })

  it('follows when that one changes, comes later, or is deleted', async () => {
    await write(adverse(THIRD), { dose: 12 })
    expect(await valuesOf(THIRD)).not.toHaveProperty('step')
    await write(adverse(SECOND), { dose: 10 })
    expect(await valuesOf(THIRD)).toMatchObject({ step: 2 })
    await write(adverse(FIRST), { dose: 1 })
    expect([await valuesOf(SECOND), await valuesOf(THIRD)]).toMatchObject([{ step: 9 }, { step: 2 }])
    await write(adverse(SECOND), { dose: item('dose', 10, 11) })
    expect([await valuesOf(SECOND), await valuesOf(THIRD)]).toMatchObject([{ step: 10 }, { step: 1 }])
    const rev = (await stored(adverse(SECOND)))?.rev ?? 0
    await call(world, world.people.lin, 'entry.delete', {
      query: { id: entryId(adverse(SECOND)) },
      body: { target: adverse(SECOND), seenRev: rev, reason: { code: 'other', text: '重复录入' } },
    })
    expect(await valuesOf(THIRD)).toMatchObject({ step: 11 })
  })
})

describe('what adds up over all entries', () => {
  it('is right in each of them whichever changes', async () => {
    for (const [repeat, dose] of [
      [THIRD, 4],
      [FIRST, 1],
      [SECOND, 2],
    ] as const)
      await write(adverse(repeat), { dose })
    const totals = async () =>
      Promise.all([FIRST, SECOND, THIRD].map(async (repeat) => (await valuesOf(repeat))?.['total']))
    expect(await totals()).toEqual([1, 3, 7])
    await write(adverse(FIRST), { dose: item('dose', 1, 10) })
    expect(await totals()).toEqual([10, 12, 16])
  })
})

describe('what a page calculates from the last entry of another', () => {
  it('follows every entry that is added after it', async () => {
    await write(vitals(world, patient), { weight: 60 })
    await write(adverse(SECOND), { dose: 5 })
    expect((await stored(vitals(world, patient)))?.values).toMatchObject({ latest: 5 })
    await write(adverse(THIRD), { dose: 7 })
    expect((await stored(vitals(world, patient)))?.values).toMatchObject({ latest: 7 })
    await write(adverse(FIRST), { dose: 9 })
    expect((await stored(vitals(world, patient)))?.values).toMatchObject({ latest: 7 })
  })
})
