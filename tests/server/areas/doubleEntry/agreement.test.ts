import { beforeEach, describe, expect, it } from 'vitest'
import type { ItemContent, RowChange } from '#core/sync/entryChange.ts'
import { addDrug } from '#tests/server/support/drugs.ts'
import { enrolForDoubleEntry, inPass } from '#tests/server/support/passes.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, change, item, save } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/** How far what each person entered agrees with the other pass. Lin and Zhao have the first pass, Wu the second. */

const world = worldForEachTest()
let patient: string
let zhao: Person
beforeEach(async () => {
  zhao = await addMember(world.services, world.study, 'zhao', 'CRC', [world.study.north])
  patient = await enrolForDoubleEntry(world)
})

const at = (pass: 1 | 2) => inPass(world, patient, pass)

/** What the report counts of each person: compared and differing. */
async function people(): Promise<Readonly<Record<string, readonly [number, number]>>> {
  const report = await call(world, world.people.manager, 'double.agreement', {
    query: { projectId: world.study.projectId },
  })
  return Object.fromEntries(report.people.map(({ name, compared, differing }) => [name, [compared, differing]]))
}

async function merge(): Promise<void> {
  const { gaps, compared } = await call(world, world.people.manager, 'double.gapCheck', { id: patient })
  await call(world, world.people.manager, 'double.merge', {
    body: { patientId: patient, compared, choices: gaps.map(({ id }) => ({ id, choose: 'second' as const })) },
  })
}

describe('the agreement of a person', () => {
  it('counts rows of theirs that the other pass does not have: each is one that was compared and differs, for who added it', async () => {
    const { lin, wu } = world.people
    await save(world, lin, change(at(1), { height: 170 }))
    await save(world, wu, change(at(2), { height: 170 }))
    await addDrug(world, lin, at(1), { drug: '甘草', dose: 6 })
    await addDrug(world, wu, at(2), { drug: '甘草', dose: 6 })
    await addDrug(world, zhao, at(1), { drug: '黄芪', dose: 9, order: 'b' })
    const counted = { [lin.realName]: [3, 0], [wu.realName]: [3, 0], [zhao.realName]: [1, 1] }
    expect(await people()).toEqual(counted)
    await merge()
    // Kept as it was, whatever the merge has made of the rows.
    expect(await people()).toEqual(counted)
  })

  it('counts nothing that was not compared: what went with a row, and what nobody says any more', async () => {
    const { lin, wu } = world.people
    await save(world, lin, change(at(1), { height: 170, note: 'a' }))
    await save(world, lin, change(at(1), { note: item('note', 'a', null) }))
    await save(world, wu, change(at(2), { height: 171 }))
    const rid = await addDrug(world, lin, at(1), { drug: '甘草', dose: 6 })
    const gone: RowChange = {
      table: 'drugs',
      rid,
      base: { deleted: false, order: 'a' },
      to: { deleted: true, order: 'a' },
      seen: null,
      reason: null,
    }
    await save(world, lin, change(at(1), {}, { rows: [gone] }))
    expect(await people()).toEqual({ [lin.realName]: [1, 1], [wu.realName]: [1, 1] })
  })

  it('counts a row against who said that there are none', async () => {
    const { lin, wu } = world.people
    const none: ItemContent = { value: null, missing: { m: 'NA', reason: '未合并用药' } }
    await save(world, lin, change(at(1), { drugs: item('drugs', null, null, { to: none }) }))
    await addDrug(world, wu, at(2), { drug: '甘草', dose: 6 })
    expect(await people()).toEqual({ [lin.realName]: [1, 1], [wu.realName]: [1, 1] })
  })
})
