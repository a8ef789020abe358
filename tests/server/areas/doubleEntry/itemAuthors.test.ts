import { beforeEach, describe, expect, it } from 'vitest'
import { runMigrations } from '#server/jobs/migration.ts'
import { addDrug } from '#tests/server/support/drugs.ts'
import { enrolForDoubleEntry, inPass } from '#tests/server/support/passes.ts'
import { releaseRenamed, renameColumns } from '#tests/server/support/release.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, change, item, save } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/**
 * Who entered what differs between the passes is known after a release too. Lin and Zhao have the first pass, Wu the
 * second.
 */

const world = worldForEachTest()
let patient: string
let zhao: Person
beforeEach(async () => {
  zhao = await addMember(world.services, world.study, 'zhao', 'CRC', [world.study.north])
  patient = await enrolForDoubleEntry(world)
})

const at = (pass: 1 | 2) => inPass(world, patient, pass)

/** The note is called a remark, the table of drugs herbs, and the dose in it an amount. */
const RENAMED = [
  [null, 'note', 'remark'],
  [null, 'drugs', 'herbs'],
  ['drugs', 'dose', 'amount'],
] as const

const name = ({ realName }: Person) => realName

/** Who entered each difference, by its field. */
async function authors(): Promise<readonly (readonly unknown[])[]> {
  const { gaps } = await call(world, world.people.manager, 'double.gapCheck', { id: patient })
  return gaps.map(({ table, code, firstBy, secondBy }) => [
    table === null ? code : `${table}.${code}`,
    firstBy?.name,
    secondBy?.name,
  ])
}

describe('who entered a difference', () => {
  it('is known also of a field, a table and a column that a release has renamed', async () => {
    const { lin, wu } = world.people
    await save(world, lin, change(at(1), { note: 'a', height: 170 }))
    await save(world, wu, change(at(2), { note: 'b', height: 171 }))
    await addDrug(world, lin, at(1), { drug: '甘草', dose: 6 })
    await addDrug(world, wu, at(2), { drug: '甘草', dose: 5 })
    await releaseRenamed(world, renameColumns(RENAMED), RENAMED)
    await runMigrations(world.services)
    expect(await authors()).toEqual([
      ['height', name(lin), name(wu)],
      ['remark', name(lin), name(wu)],
      ['herbs.amount', name(lin), name(wu)],
    ])
    const { people } = await call(world, world.people.manager, 'double.agreement', {
      query: { projectId: world.study.projectId },
    })
    expect(people).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: name(lin), differing: 3 }),
        expect.objectContaining({ name: name(wu), differing: 3 }),
      ]),
    )
  })

  it('is whoever said the last word, before the release or after it', async () => {
    const { lin, wu } = world.people
    await save(world, lin, change(at(1), { note: 'a', contact: 'c' }))
    await save(world, wu, change(at(2), { note: 'b', contact: 'd' }))
    const id = await releaseRenamed(world, renameColumns(RENAMED), RENAMED)
    await runMigrations(world.services)
    await save(world, zhao, change(at(1), { remark: item('remark', 'a', 'z') }), { crfId: id })
    expect(await authors()).toEqual([
      ['contact', name(lin), name(wu)],
      ['remark', name(zhao), name(wu)],
    ])
  })

  it('is whoever entered that field, not the one whose code it has now', async () => {
    const { lin, wu } = world.people
    await save(world, lin, change(at(1), { height: 170 }))
    await save(world, zhao, change(at(1), { weight: 65 }))
    await save(world, wu, change(at(2), { height: 171, weight: 66 }))
    // The two change their codes with each other; the BMI is calculated no more.
    const swap = [
      [null, 'height', 'weight'],
      [null, 'weight', 'height'],
    ] as const
    await releaseRenamed(
      world,
      renameColumns(swap).filter(({ prop }) => prop !== 'bmi'),
      swap,
    )
    await runMigrations(world.services)
    expect(await authors()).toEqual([
      ['weight', name(lin), name(wu)],
      ['height', name(zhao), name(wu)],
    ])
  })
})
