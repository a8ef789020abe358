import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { ItemContent, MissingReason, RowChange } from '#core/sync/entryChange.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import { contentAt } from '#core/sync/merge.ts'
import {
  addVersion,
  call,
  change,
  enrol,
  item,
  operationOf,
  push,
  refusal,
  save,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Why a table has no rows: it is said of the table as of any field, and meets rows that somebody else entered. */

const world = worldForAllTests()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
})

const NONE: MissingReason = { m: 'NA', reason: '未合并用药' }
const SAID: ItemContent = { value: null, missing: NONE }
const DRUGS = { table: null, rid: null, code: 'drugs' }
const page = () => vitals(world, patient)
const saysNone = (base: ItemContent = EMPTY_ITEM, to: ItemContent = SAID) => item('drugs', null, null, { base, to })

function withDrug(name: string, more: Parameters<typeof change>[1] = {}) {
  const rid = newId()
  const rows: RowChange[] = [
    { table: 'drugs', rid, to: { deleted: false, order: 'V' }, base: null, seen: null, reason: null },
  ]
  return change(page(), { ...more, drug: item('drug', null, name, { table: 'drugs', rid }) }, { rows })
}

const asJson = (body: object): JsonValue => body as JsonValue

async function stored() {
  const { lin } = world.people
  return (await save(world, lin, change(page(), {}))).entry
}

describe('why a table has no rows', () => {
  it('is kept, said in the trail, and taken back', async () => {
    const { lin } = world.people
    const saved = await save(world, lin, change(page(), { height: 170, drugs: saysNone() }))
    expect(saved.entry).toMatchObject({ values: { height: 170 }, missing: { drugs: NONE }, conflicts: 0 })
    const { rows } = await world.services.pool.query<{ action: string }>(
      `SELECT a.action FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.entry_id = $1 AND a.prop = 'drugs' AND v.new_value->'missing'->>'m' = 'NA'`,
      [entryId(page())],
    )
    expect(rows).toEqual([{ action: 'item.update' }])
    const back = await save(world, lin, change(page(), { drugs: saysNone(SAID, EMPTY_ITEM) }))
    expect(back.entry).toMatchObject({ values: { height: 170 }, missing: {} })
  })

  it('reaches the server from a tablet, and so does what was typed on the page after it', async () => {
    const { lin } = world.people
    const first = operationOf(world, lin, {
      call: 'entry.save',
      entityId: entryId(page()),
      body: asJson(change(page(), { drugs: saysNone() })),
    })
    const next = operationOf(world, lin, {
      call: 'entry.save',
      entityId: entryId(page()),
      after: [first.key],
      seq: 2,
      body: asJson(change(page(), { weight: 65 })),
    })
    const answers = await push(world, lin, [first, next])
    expect([...answers.values()].map(({ t }) => t)).toEqual(['taken', 'taken'])
    expect(await stored()).toMatchObject({ values: { weight: 65 }, missing: { drugs: NONE } })
  })

  it('gives way to a row that is entered by who knew it', async () => {
    const { lin, wu } = world.people
    await save(world, lin, change(page(), { drugs: saysNone() }))
    const saved = await save(world, wu, withDrug('甘草', { drugs: saysNone(SAID, EMPTY_ITEM) }))
    expect(saved.entry).toMatchObject({ values: { drugs: [{ drug: '甘草' }] }, missing: {}, conflicts: 0 })
  })

  it('takes nothing from rows that its author had not seen: a person decides', async () => {
    const { lin, wu } = world.people
    await save(world, wu, withDrug('甘草'))
    const saved = await save(world, lin, change(page(), { drugs: saysNone() }))
    expect(saved.entry).toMatchObject({ values: { drugs: [{ drug: '甘草' }] }, missing: {}, conflicts: 1 })
    expect(saved.conflicts).toMatchObject([{ ...DRUGS, server: EMPTY_ITEM, mine: SAID, state: 'open' }])
    const decision = {
      target: page(),
      conflictId: saved.conflicts[0]?.id ?? '',
      choice: 'mine' as const,
      seen: EMPTY_ITEM,
      to: SAID,
      reason: { code: 'clarification' as const, text: '核对' },
    }
    const decided = await call(world, wu, 'conflict.resolve', { id: entryId(page()), body: decision })
    expect(decided.entry).toMatchObject({
      values: { drugs: [{ drug: '甘草' }] },
      missing: { drugs: NONE },
      conflicts: 0,
    })
  })

  it('is not passed over by a row whose author had not seen it: both stay, and a person decides', async () => {
    const { lin, wu } = world.people
    await save(world, lin, change(page(), { drugs: saysNone() }))
    const saved = await save(world, wu, withDrug('甘草'))
    expect(saved.entry).toMatchObject({ values: { drugs: [{ drug: '甘草' }] }, missing: { drugs: NONE }, conflicts: 1 })
    expect(saved.conflicts).toMatchObject([{ ...DRUGS, server: SAID, mine: EMPTY_ITEM, state: 'open' }])
    const decision = {
      target: page(),
      conflictId: saved.conflicts[0]?.id ?? '',
      choice: 'mine' as const,
      seen: SAID,
      to: EMPTY_ITEM,
      reason: { code: 'clarification' as const, text: '核对' },
    }
    const decided = await call(world, lin, 'conflict.resolve', { id: entryId(page()), body: decision })
    expect(decided.entry).toMatchObject({ values: { drugs: [{ drug: '甘草' }] }, missing: {}, conflicts: 0 })
  })

  it('is the content of its table: rows are none, for they are merged by themselves', async () => {
    await save(world, world.people.wu, withDrug('甘草'))
    const entry = await stored()
    expect(entry === null ? null : contentAt(entry, DRUGS)).toEqual(EMPTY_ITEM)
  })

  it('comes alone: rows as a value are refused as ever', async () => {
    const rows = [{ _rid: newId(), _ord: 'V', drug: '甘草' }]
    for (const wrong of [item('drugs', null, rows), item('drugs', rows, null, { to: SAID })]) {
      expect(await refusal(save(world, world.people.lin, change(page(), { drugs: wrong })))).toBe('invalid')
    }
  })
})

describe('why a table has no rows, where one of its columns identifies', () => {
  const FAMILY = JSON.stringify({
    column: [
      {
        prop: 'family',
        label: '家属',
        type: 'dynamic',
        children: {
          column: [
            { prop: 'who', label: '姓名', type: 'input', zl: { identifier: true } },
            { prop: 'age', label: '年龄', type: 'number' },
          ],
        },
      },
      {
        prop: 'drugs',
        label: '合并用药',
        type: 'dynamic',
        children: { column: [{ prop: 'drug', label: '药品', type: 'input' }] },
      },
    ],
  })
  const WIDOWED: MissingReason = { m: 'NA', reason: '丧偶，女儿王五在外地' }
  const saysNobody = (base: ItemContent, to: ItemContent) => item('family', null, null, { base, to })
  let crfId: string
  beforeAll(async () => {
    crfId = newId()
    await addVersion(world.services.pool, world.study, world.people.admin, { id: crfId, no: 2, vitals: FAMILY })
  })

  it('is read without its words on the page and in its conflicts alike by who may not see what identifies; why any other has none is read whole', async () => {
    const { lin, wu, monitor } = world.people
    const nobody = { value: null, missing: WIDOWED }
    await save(world, lin, change(page(), { family: saysNobody(EMPTY_ITEM, nobody), drugs: saysNone() }), { crfId })
    const [seen] = await call(world, monitor, 'entry.list', { query: { patientId: patient } })
    expect(seen?.missing).toEqual({ family: { m: 'NA', reason: '***' }, drugs: NONE })
    const other = { value: null, missing: { m: 'UNK' as const, reason: '王五不肯说' } }
    const saved = await save(world, wu, change(page(), { family: saysNobody(EMPTY_ITEM, other) }), { crfId })
    expect(saved.conflicts).toMatchObject([{ code: 'family', state: 'open' }])
    const conflicts = async () =>
      (
        await call(world, monitor, 'conflict.list', {
          query: { projectId: world.study.projectId, patientId: patient, current: 1, size: 10 },
        })
      ).records
    const masked = (m: string) => ({ value: null, missing: { m, reason: '***' } })
    expect(await conflicts()).toMatchObject([{ server: masked('NA'), mine: masked('UNK'), current: masked('NA') }])
    const decision = {
      target: page(),
      conflictId: saved.conflicts[0]?.id ?? '',
      choice: 'mine' as const,
      seen: nobody,
      to: other,
      reason: { code: 'other' as const, text: '王五来电更正' },
    }
    await call(world, lin, 'conflict.resolve', { id: entryId(page()), body: decision, crfId })
    expect(await conflicts()).toMatchObject([
      { state: 'resolved', resolution: { to: masked('UNK'), reason: { code: 'other', text: '***' } } },
    ])
    expect(
      JSON.stringify([await conflicts(), await call(world, monitor, 'entry.list', { query: { patientId: patient } })]),
    ).not.toMatch(/王五/)
    // Who may see it reads it whole.
    expect(await call(world, lin, 'entry.list', { query: { patientId: patient } })).toMatchObject([
      { missing: { family: other.missing } },
    ])
  })
})
