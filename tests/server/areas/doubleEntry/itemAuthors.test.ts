import { beforeEach, describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { MigrationMappings } from '#core/study/migration/migrationMappings.ts'
import type { ItemChange } from '#core/sync/entryChange.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { releaseTested, testedVersion, vitalsColumns } from '#tests/server/support/release.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, change, enrol, item, vitals } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/**
 * Who entered what differs between the passes is known after a release too. Lin and Zhao have the first pass, Wu the
 * second.
 */

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
const enter = (who: Person, pass: 1 | 2, values: Parameters<typeof change>[1], crfId = world.study.versionId) =>
  call(world, who, 'entry.save', { id: entryId(at(pass)), pass, body: change(at(pass), values), crfId })

async function enterDrug(who: Person, pass: 1 | 2, drug: string, dose: number): Promise<void> {
  const of = { table: 'drugs', rid: newId() }
  const rows = [{ ...of, to: { deleted: false, order: 'a' }, base: null, seen: null, reason: null }]
  const items: ItemChange[] = [item('drug', null, drug, of), item('dose', null, dose, of)]
  await call(world, who, 'entry.save', { id: entryId(at(pass)), pass, body: change(at(pass), {}, { rows, items }) })
}

async function release(
  columns: readonly Column[],
  renamed: readonly (readonly [table: string | null, from: string, to: string])[],
): Promise<string> {
  const id = await testedVersion(world, { no: 2, columns })
  const fields: MigrationMappings['fields'] = renamed.map(([table, from, to]) => ({
    pageId: world.study.vitalsId,
    table,
    from,
    to,
  }))
  await releaseTested(world, id, { fields, choices: [] })
  return id
}

/** The note is called a remark, the table of drugs herbs, and the dose in it an amount. */
const RENAMED = vitalsColumns.map((column): Column => {
  if (column.prop === 'note') return { ...column, prop: 'remark' }
  if (column.prop === 'drugs')
    return {
      ...column,
      prop: 'herbs',
      children: {
        column: (column.children?.column ?? []).map((own) => (own.prop === 'dose' ? { ...own, prop: 'amount' } : own)),
      },
    }
  return column
})
const renamed = [
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
    await enter(lin, 1, { note: 'a', height: 170 })
    await enter(wu, 2, { note: 'b', height: 171 })
    await enterDrug(lin, 1, '甘草', 6)
    await enterDrug(wu, 2, '甘草', 5)
    await release(RENAMED, renamed)
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
    await enter(lin, 1, { note: 'a', contact: 'c' })
    await enter(wu, 2, { note: 'b', contact: 'd' })
    const id = await release(RENAMED, renamed)
    await runMigrations(world.services)
    await enter(zhao, 1, { remark: item('remark', 'a', 'z') }, id)
    expect(await authors()).toEqual([
      ['contact', name(lin), name(wu)],
      ['remark', name(zhao), name(wu)],
    ])
  })

  it('is whoever entered that field, not the one whose code it has now', async () => {
    const { lin, wu } = world.people
    await enter(lin, 1, { height: 170 })
    await enter(zhao, 1, { weight: 65 })
    await enter(wu, 2, { height: 171, weight: 66 })
    // The two change their codes with each other; the BMI is calculated no more.
    const columns = vitalsColumns.flatMap((column): readonly Column[] => {
      if (column.prop === 'bmi') return []
      return [
        column.prop === 'height'
          ? { ...column, prop: 'weight' }
          : column.prop === 'weight'
            ? { ...column, prop: 'height' }
            : column,
      ]
    })
    await release(columns, [
      [null, 'height', 'weight'],
      [null, 'weight', 'height'],
    ])
    await runMigrations(world.services)
    expect(await authors()).toEqual([
      ['weight', name(lin), name(wu)],
      ['height', name(zhao), name(wu)],
    ])
  })
})
