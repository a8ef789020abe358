import { beforeEach, describe, expect, it } from 'vitest'
import type { GapRow } from '#core/api/calls/review/double.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { addDrug } from '#tests/server/support/drugs.ts'
import { enrolForDoubleEntry, inPass } from '#tests/server/support/passes.ts'
import { releaseRenamed, renameColumns, smokingByLetter, vitalsColumns } from '#tests/server/support/release.ts'
import { call, change, item, save } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/**
 * A difference that somebody accepted is accepted after a release too, as long as it is the same one. Lin has the first
 * pass, Wu the second.
 */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  patient = await enrolForDoubleEntry(world)
})

const at = (pass: 1 | 2) => inPass(world, patient, pass)

const gaps = async (): Promise<readonly GapRow[]> =>
  (await call(world, world.people.manager, 'double.gapCheck', { id: patient })).gaps
const gapAt = async (code: string): Promise<GapRow | undefined> => (await gaps()).find((gap) => gap.code === code)

async function acceptAll(): Promise<void> {
  await call(world, world.people.manager, 'double.gapIgnore', {
    body: { dataIdList: (await gaps()).map(({ id }) => id), isIgnoreGap: 1, reason: '等价' },
  })
}

/** The note is called a remark, smoking is written Y and N, the dose of a drug is called an amount. */
const RENAMED = [
  [null, 'note', 'remark'],
  [null, 'drugs', 'herbs'],
  ['drugs', 'dose', 'amount'],
] as const
const release = () => releaseRenamed(world, smokingByLetter(renameColumns(RENAMED)), RENAMED)

describe('an accepted difference', () => {
  it('follows its field to another code, another writing of its choices and another table', async () => {
    await save(world, world.people.lin, change(at(1), { note: 'a', smokes: '1' }))
    await save(world, world.people.wu, change(at(2), { note: 'A', smokes: '0' }))
    await addDrug(world, world.people.lin, at(1), { drug: '甘草', dose: 6 })
    await addDrug(world, world.people.wu, at(2), { drug: '甘草', dose: 5 })
    await acceptAll()
    await release()
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
    await save(world, world.people.lin, change(at(1), { note: 'a' }))
    await save(world, world.people.wu, change(at(2), { note: 'A' }))
    await acceptAll()
    const id = await release()
    await save(world, world.people.wu, change(at(2), { height: 170 }), { crfId: id })
    await runMigrations(world.services)
    expect((await gapAt('remark'))?.ignored?.reason).toBe('等价')
  })

  it('follows two fields that change their codes with each other', async () => {
    await save(world, world.people.lin, change(at(1), { note: 'a', contact: 'a' }))
    await save(world, world.people.wu, change(at(2), { note: 'A', contact: 'b' }))
    const { id } = (await gapAt('note')) ?? { id: '' }
    await call(world, world.people.manager, 'double.gapIgnore', {
      body: { dataIdList: [id], isIgnoreGap: 1, reason: '等价' },
    })
    await releaseRenamed(world, vitalsColumns, [
      [null, 'note', 'contact'],
      [null, 'contact', 'note'],
    ])
    await runMigrations(world.services)
    expect((await gapAt('contact'))?.ignored?.reason).toBe('等价')
    expect((await gapAt('note'))?.ignored).toBeNull()
  })

  it('that somebody has changed since stays open', async () => {
    await save(world, world.people.lin, change(at(1), { note: 'a' }))
    await save(world, world.people.wu, change(at(2), { note: 'A' }))
    await acceptAll()
    await save(world, world.people.wu, change(at(2), { note: item('note', 'A', 'B') }))
    await release()
    await runMigrations(world.services)
    expect(await gapAt('remark')).toMatchObject({ ignored: null })
  })
})
