import { beforeEach, describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { ItemContent, RowChange } from '#core/sync/entryChange.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, change, enrol, item, vitals } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/** How far what each person entered agrees with the other pass. Lin and Zhao have the first pass, Wu the second. */

const world = worldForEachTest()
let patient: string
let zhao: Person
beforeEach(async () => {
  await world.services.pool.query(`UPDATE project SET config = config || '{"isDouble": 1}'`)
  await world.services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [world.people.wu.userId])
  zhao = await addMember(world.services, world.study, 'zhao', 'CRC', [world.study.north])
  patient = await enrol(world)
})

const at = (pass: 1 | 2) => ({ ...vitals(world, patient), pass })
const enter = (who: Person, pass: 1 | 2, body: ReturnType<typeof change>) =>
  call(world, who, 'entry.save', { id: entryId(at(pass)), pass, body })

async function addDrug(who: Person, pass: 1 | 2, order: string, drug: string, dose: number): Promise<string> {
  const of = { table: 'drugs', rid: newId() }
  const rows = [{ ...of, to: { deleted: false, order }, base: null, seen: null, reason: null }]
  await enter(
    who,
    pass,
    change(at(pass), {}, { rows, items: [item('drug', null, drug, of), item('dose', null, dose, of)] }),
  )
  return of.rid
}

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
    await enter(lin, 1, change(at(1), { height: 170 }))
    await enter(wu, 2, change(at(2), { height: 170 }))
    await addDrug(lin, 1, 'a', '甘草', 6)
    await addDrug(wu, 2, 'a', '甘草', 6)
    await addDrug(zhao, 1, 'b', '黄芪', 9)
    const counted = { [lin.realName]: [3, 0], [wu.realName]: [3, 0], [zhao.realName]: [1, 1] }
    expect(await people()).toEqual(counted)
    await merge()
    // Kept as it was, whatever the merge has made of the rows.
    expect(await people()).toEqual(counted)
  })

  it('counts nothing that was not compared: what went with a row, and what nobody says any more', async () => {
    const { lin, wu } = world.people
    await enter(lin, 1, change(at(1), { height: 170, note: 'a' }))
    await enter(lin, 1, change(at(1), { note: item('note', 'a', null) }))
    await enter(wu, 2, change(at(2), { height: 171 }))
    const rid = await addDrug(lin, 1, 'a', '甘草', 6)
    const gone: RowChange = {
      table: 'drugs',
      rid,
      base: { deleted: false, order: 'a' },
      to: { deleted: true, order: 'a' },
      seen: null,
      reason: null,
    }
    await enter(lin, 1, change(at(1), {}, { rows: [gone] }))
    expect(await people()).toEqual({ [lin.realName]: [1, 1], [wu.realName]: [1, 1] })
  })

  it('counts a row against who said that there are none', async () => {
    const { lin, wu } = world.people
    const none: ItemContent = { value: null, missing: { m: 'NA', reason: '未合并用药' } }
    await enter(lin, 1, change(at(1), { drugs: item('drugs', null, null, { to: none }) }))
    await addDrug(wu, 2, 'a', '甘草', 6)
    expect(await people()).toEqual({ [lin.realName]: [1, 1], [wu.realName]: [1, 1] })
  })
})
