import { beforeAll, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { Tablet } from '#tests/scenarios/support/ward.ts'
import { call, enrol, vitals } from '#tests/server/support/world.ts'

/** Two people enter the same five patients on two tablets without a network, each without seeing the other's work. */

const server = serverForAllTests()
beforeAll(async () => {
  const { services, people } = server.world
  await services.pool.query(`UPDATE project SET config = config || '{"isDouble": 1}'`)
  await services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [people.wu.userId])
})

/** What each of the two enters of a patient, by field; the gaps are planted. */
const ENTERED = [
  {
    first: { height: '170', weight: '65', note: 'lin-one' },
    second: { height: '170', weight: '56', note: 'lin-one' },
    gaps: ['weight'],
  },
  { first: { height: '160', weight: '50' }, second: { height: '160', weight: '50' }, gaps: [] },
  {
    first: { height: '180', note: 'LIN-THREE' },
    second: { height: '181', note: 'lin-three' },
    gaps: ['height', 'note'],
  },
  { first: { weight: '70' }, second: { weight: '70', note: 'wu-four' }, gaps: ['note'] },
  { first: { height: '155', weight: '48' }, second: { height: '155' }, gaps: ['weight'] },
] as const

/** Everything that lies on a tablet's disk, as text. Ids are in the clear, values are sealed. */
async function disk({ storage }: Tablet): Promise<string> {
  const tables = [...storage.work.tables, ...storage.cache.tables]
  return JSON.stringify(await Promise.all(tables.map((table) => table.toArray())))
}

test('neither tablet holds anything of the other, and the gaps are those that were planted', async () => {
  const { study, people } = server.world
  const patients = await Promise.all(ENTERED.map(() => enrol(server.world)))
  const [one, two] = [await Tablet.unpacked(server), await Tablet.unpacked(server)]
  await one.signIn('lin')
  await two.signIn('wu', { pass: 2 })
  for (const tablet of [one, two]) tablet.goOffline()
  for (const [at, patientId] of patients.entries()) {
    const { first, second } = ENTERED[at] ?? { first: {}, second: {} }
    for (const [tablet, values, pass] of [
      [one, first, 1],
      [two, second, 2],
    ] as const) {
      const page = await tablet.open(patientId, { ...vitals(server.world, patientId), pass })
      const rid = page.addRow('drugs')
      page.type(`drugs.${rid}.drug`, at === 1 && pass === 2 ? '川芎' : '甘草')
      for (const [field, text] of Object.entries(values)) page.type(field, text)
      await page.leave()
    }
  }
  for (const tablet of [one, two]) tablet.comeBack()
  // Each sends and fetches, more than once: what the other sent meanwhile does not come either.
  for (const tablet of [one, two, one, two]) expect((await tablet.sync()).error).toBeNull()
  for (const tablet of [one, two]) expect(await tablet.unsent()).toBe(0)

  const [disks, ids] = [
    [await disk(one), await disk(two)],
    patients.map((id) => ([1, 2] as const).map((pass) => entryId({ ...vitals(server.world, id), pass }))),
  ]
  for (const [first = '', second = ''] of ids) {
    expect([disks[0]?.includes(first), disks[0]?.includes(second)]).toEqual([true, false])
    expect([disks[1]?.includes(second), disks[1]?.includes(first)]).toEqual([true, false])
  }
  for (const [at, patientId] of patients.entries()) {
    const { gaps } = await call(server.world, people.manager, 'double.gapCheck', {
      id: patientId,
      projectId: study.projectId,
    })
    expect(gaps.map(({ table, code }) => (table === null ? code : `${table}.${code}`))).toEqual([
      ...(ENTERED[at]?.gaps.filter((code) => code !== 'note') ?? []),
      ...(ENTERED[at]?.gaps.filter((code) => code === 'note') ?? []),
      ...(at === 1 ? ['drugs.drug'] : []),
    ])
  }
})
