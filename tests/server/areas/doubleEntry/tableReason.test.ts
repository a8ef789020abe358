import { beforeEach, describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { addDrug } from '#tests/server/support/drugs.ts'
import { enrolForDoubleEntry, inPass } from '#tests/server/support/passes.ts'
import type { Person } from '#tests/server/support/world.ts'
import { call, change, item, refusal, save } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/** One pass says why a table has no rows, the other says otherwise. Lin has the first pass, Wu the second. */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  patient = await enrolForDoubleEntry(world)
})

const NONE: ItemContent = { value: null, missing: { m: 'NA', reason: '未合并用药' } }
const UNASKED: ItemContent = { value: null, missing: { m: 'UNK', reason: '未询问' } }
const NOTHING: ItemContent = { value: null, missing: null }

const at = (pass: 1 | 2) => inPass(world, patient, pass)
const sayNone = (who: Person, pass: 1 | 2, to = NONE) =>
  save(world, who, change(at(pass), { drugs: item('drugs', null, null, { to }) }))

const check = () => call(world, world.people.manager, 'double.gapCheck', { id: patient })

async function merge(choose: 'first' | 'second') {
  const { gaps, compared } = await check()
  return call(world, world.people.manager, 'double.merge', {
    body: { patientId: patient, compared, choices: gaps.map(({ id }) => ({ id, choose })) },
  })
}

const merged = async () => (await call(world, world.people.lin, 'entry.list', { query: { patientId: patient } }))[0]

/** What the merge says in the trail of the reason of the first pass. */
async function trail(): Promise<readonly unknown[]> {
  const { rows } = await world.database.ownerPool.query(
    `SELECT a.user_name AS by, a.reason_code AS why, v.old_value AS old, v.new_value AS new FROM audit a JOIN audit_value v ON v.audit_id = a.id
     WHERE a.entry_id = $1 AND a.action = 'item.update' AND a.prop = 'drugs' AND a.seq = (SELECT max(seq) FROM audit WHERE action = 'double.merge') ORDER BY a.ord`,
    [entryId(at(1))],
  )
  return rows as unknown[]
}

describe('why a table has no rows', () => {
  it('is a difference where the passes say different things of it, with who said what, and is decided like any', async () => {
    const { lin, wu } = world.people
    await sayNone(lin, 1)
    await sayNone(wu, 2, UNASKED)
    const { gaps, agreement, compared } = await check()
    expect(gaps).toMatchObject([
      {
        table: null,
        code: 'drugs',
        kind: 'different',
        first: NONE,
        second: UNASKED,
        firstBy: { name: 'lin (测试)' },
        secondBy: { name: 'wu (测试)' },
      },
    ])
    expect(agreement).toEqual({ compared: 1, differing: 1 })
    // Rows are never a value of their table.
    const asRows = {
      id: gaps[0]?.id ?? '',
      choose: 'new' as const,
      to: { value: [{ _rid: newId(), drug: '甘草' }], missing: null },
      reason: { code: 'new_source' as const, text: '' },
    }
    expect(
      await refusal(
        call(world, world.people.manager, 'double.merge', {
          body: { patientId: patient, compared, choices: [asRows] },
        }),
      ),
    ).toBe('invalid')
    await merge('second')
    expect(await merged()).toMatchObject({ values: {}, missing: { drugs: UNASKED.missing } })
    expect(await trail()).toEqual([{ by: 'manager (测试)', why: 'adjudication', old: NONE, new: UNASKED }])
  })

  it('is a difference where only one says it, and is taken or not', async () => {
    const { lin, wu } = world.people
    await save(world, lin, change(at(1), { height: 170 }))
    await save(world, wu, change(at(2), { height: 170, drugs: item('drugs', null, null, { to: NONE }) }))
    expect((await check()).gaps).toMatchObject([{ code: 'drugs', kind: 'missing', first: NOTHING, second: NONE }])
    await merge('second')
    expect(await merged()).toMatchObject({ missing: { drugs: NONE.missing } })
  })

  it('ends where rows of the second pass are taken: the trail says so', async () => {
    const { lin, wu } = world.people
    await sayNone(lin, 1)
    await addDrug(world, wu, at(2), { drug: '甘草' })
    expect((await check()).gaps).toMatchObject([
      {
        kind: 'row',
        first: NONE,
        second: { value: { drug: '甘草' } },
        firstBy: { name: 'lin (测试)' },
        secondBy: { name: 'wu (测试)' },
      },
    ])
    await merge('second')
    expect(await merged()).toMatchObject({ values: { drugs: [{ drug: '甘草' }] }, conflicts: 0 })
    expect((await merged())?.missing).toEqual({})
    expect(await trail()).toEqual([{ by: 'manager (测试)', why: 'adjudication', old: NONE, new: NOTHING }])
  })

  it('stays where the rows of the second pass are not taken', async () => {
    const { lin, wu } = world.people
    await sayNone(lin, 1)
    await addDrug(world, wu, at(2), { drug: '甘草' })
    await merge('first')
    expect(await merged()).toMatchObject({ values: {}, missing: { drugs: NONE.missing } })
    expect(await trail()).toEqual([])
  })

  it('comes with it that the rows of the first pass are not right', async () => {
    const { lin, wu } = world.people
    await addDrug(world, lin, at(1), { drug: '甘草' })
    await sayNone(wu, 2)
    await merge('second')
    expect(await merged()).toMatchObject({
      values: { drugs: [{ drug: '甘草', _deleted: true }] },
      missing: { drugs: NONE.missing },
      conflicts: 0,
    })
    expect(await trail()).toEqual([{ by: 'manager (测试)', why: 'adjudication', old: NOTHING, new: NONE }])
  })

  it('is not left from a page that was deleted in the first pass and comes back with rows', async () => {
    const { lin, wu } = world.people
    const saved = await sayNone(lin, 1)
    await call(world, lin, 'entry.delete', {
      query: { id: entryId(at(1)) },
      pass: 1,
      body: { target: at(1), seenRev: saved.entry?.rev ?? 0, reason: { code: 'transcription', text: '录错页面' } },
    })
    await addDrug(world, wu, at(2), { drug: '甘草' })
    await merge('second')
    expect(await merged()).toMatchObject({ deleted: false, values: { drugs: [{ drug: '甘草' }] } })
    expect((await merged())?.missing).toEqual({})
  })
})
