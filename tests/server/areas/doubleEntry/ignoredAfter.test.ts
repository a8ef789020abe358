import { beforeEach, describe, expect, it } from 'vitest'
import type { GapRow } from '#core/api/calls/double.ts'
import type { Column } from '#core/form/definition/column.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { MigrationMappings } from '#core/study/migration/migrationMappings.ts'
import type { ItemChange } from '#core/sync/entryChange.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { releaseTested, testedVersion, vitalsColumns } from '#tests/server/support/release.ts'
import type { Person } from '#tests/server/support/world.ts'
import { call, change, enrol, item, vitals } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/**
 * A difference that somebody accepted is accepted after a release too, as long as it is the same one. Lin has the first
 * pass, Wu the second.
 */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  await world.services.pool.query(`UPDATE project SET config = config || '{"isDouble": 1}'`)
  await world.services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [world.people.wu.userId])
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

const gaps = async (): Promise<readonly GapRow[]> =>
  (await call(world, world.people.manager, 'double.gapCheck', { id: patient })).gaps
const gapAt = async (code: string): Promise<GapRow | undefined> => (await gaps()).find((gap) => gap.code === code)

async function acceptAll(): Promise<void> {
  await call(world, world.people.manager, 'double.gapIgnore', {
    body: { dataIdList: (await gaps()).map(({ id }) => id), isIgnoreGap: 1, reason: '等价' },
  })
}

const mapping = (table: string | null, from: string, to: string): MigrationMappings['fields'][number] => ({
  pageId: world.study.vitalsId,
  table,
  from,
  to,
})

async function release(columns: readonly Column[], fields: MigrationMappings['fields']): Promise<string> {
  const id = await testedVersion(world, { no: 2, columns })
  await releaseTested(world, id, { fields: [...fields], choices: [] })
  return id
}

/** The note is called a remark, smoking is written Y and N, the dose of a drug is called an amount. */
const NEXT = vitalsColumns.map((column): Column => {
  if (column.prop === 'note') return { ...column, prop: 'remark' }
  if (column.prop === 'smokes')
    return {
      ...column,
      dicData: [
        { label: '是', value: 'Y' },
        { label: '否', value: 'N' },
      ],
    }
  if (column.prop === 'drugs')
    return {
      ...column,
      prop: 'herbs',
      children: {
        column: (column.children?.column ?? []).map((own) => (own.prop === 'dose' ? { ...own, prop: 'amount' } : own)),
      },
    }
  return column.prop === 'packs' ? { ...column, zl: {} } : column
})
const renamed = () => [
  mapping(null, 'note', 'remark'),
  mapping(null, 'drugs', 'herbs'),
  mapping('drugs', 'dose', 'amount'),
]

describe('an accepted difference', () => {
  it('follows its field to another code, another writing of its choices and another table', async () => {
    await enter(world.people.lin, 1, { note: 'a', smokes: '1' })
    await enter(world.people.wu, 2, { note: 'A', smokes: '0' })
    await enterDrug(world.people.lin, 1, '甘草', 6)
    await enterDrug(world.people.wu, 2, '甘草', 5)
    await acceptAll()
    await release(NEXT, renamed())
    await runMigrations(world.services)
    const now = await gaps()
    expect(now.map(({ table, code, ignored }) => [table, code, ignored?.reason])).toEqual(
      expect.arrayContaining([
        [null, 'remark', '等价'],
        [null, 'smokes', '等价'],
        ['herbs', 'amount', '等价'],
      ]),
    )
    expect(now.filter(({ ignored }) => ignored === null)).toEqual([])
    const { rows } = await world.database.ownerPool.query(
      `SELECT a.prop, v.old_value AS old FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE action = 'gap.migrate' ORDER BY prop`,
    )
    expect(rows.map(({ prop }) => prop as string)).toEqual(['amount', 'remark', 'smokes'])
    expect(rows[1]).toMatchObject({ old: 'note' })
  })

  it('follows it also where one pass is brought along by what its author enters, and the other by the task', async () => {
    await enter(world.people.lin, 1, { note: 'a' })
    await enter(world.people.wu, 2, { note: 'A' })
    await acceptAll()
    const id = await release(NEXT, renamed())
    await enter(world.people.wu, 2, { height: 170 }, id)
    await runMigrations(world.services)
    expect((await gapAt('remark'))?.ignored?.reason).toBe('等价')
  })

  it('follows two fields that change their codes with each other', async () => {
    await enter(world.people.lin, 1, { note: 'a', contact: 'a' })
    await enter(world.people.wu, 2, { note: 'A', contact: 'b' })
    const { id } = (await gapAt('note')) ?? { id: '' }
    await call(world, world.people.manager, 'double.gapIgnore', {
      body: { dataIdList: [id], isIgnoreGap: 1, reason: '等价' },
    })
    await release(vitalsColumns, [mapping(null, 'note', 'contact'), mapping(null, 'contact', 'note')])
    await runMigrations(world.services)
    expect((await gapAt('contact'))?.ignored?.reason).toBe('等价')
    expect((await gapAt('note'))?.ignored).toBeNull()
  })

  it('that somebody has changed since stays open', async () => {
    await enter(world.people.lin, 1, { note: 'a' })
    await enter(world.people.wu, 2, { note: 'A' })
    await acceptAll()
    await enter(world.people.wu, 2, { note: item('note', 'A', 'B') })
    await release(NEXT, renamed())
    await runMigrations(world.services)
    expect(await gapAt('remark')).toMatchObject({ ignored: null })
  })
})
