import { describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { compilePage } from '#core/form/compiled/compile.ts'
import { evaluateEntry } from '#core/form/engine/evaluate.ts'
import { readPage } from '#core/form/definition/page.ts'
import type { JsonValue } from '#core/json.ts'
import { EMPTY_ENTRY } from '#core/sync/merge.ts'
import { MOMENT, YES_NO, compiled, entry, opened } from '#tests/core/form/filling.ts'

/** What a person does with the rows of a table, and what rules make of it. */

const DRUGS: readonly Column[] = [
  { prop: 'weight', label: '体重', type: 'number' },
  {
    prop: 'drugs',
    label: '合并用药',
    type: 'dynamic',
    required: true,
    children: {
      column: [
        { prop: 'name', label: '药名', type: 'input', required: true },
        { prop: 'dose', label: '剂量', type: 'number', value: 1, zl: { min: 0 } },
        { prop: 'times', label: '每日次数', type: 'number' },
        { prop: 'daily', label: '日剂量', type: 'number', zl: { calculate: 'row.dose * row.times' } },
        { prop: 'perKg', label: '每公斤', type: 'number', zl: { calculate: 'row.daily / page.weight' } },
        { prop: 'stopped', label: '已停', type: 'radio', dicData: YES_NO },
        { prop: 'why', label: '停药原因', type: 'input', required: true, zl: { show: 'row.stopped == "1"' } },
      ],
    },
  },
  { prop: 'total', label: '总剂量', type: 'number', zl: { calculate: 'sum(page.drugs.map(drug, drug.daily))' } },
  { prop: 'many', label: '多重用药', type: 'input', zl: { show: 'size(page.drugs) >= 2' } },
]

const row = (rid: string, order: string, content: Readonly<Record<string, JsonValue>>) => ({
  _rid: rid,
  _ord: order,
  ...content,
})
const RID = '0190a000-0000-7000-8000-00000000000'
const [ONE, TWO] = [`${RID}1`, `${RID}2`]

describe('a table', () => {
  const two = entry({
    weight: 50,
    drugs: [row(ONE, 'a', { name: '丹参', dose: 10, times: 2 }), row(TWO, 'b', { name: '川芎', dose: 5, times: 3 })],
  })

  it('has a cell for each field of a row, and none for one that is no row', () => {
    const form = opened(compiled(DRUGS), two)
    expect(form.getCell('drugs')?.rows).toEqual([ONE, TWO])
    expect(form.getCell(`drugs.${ONE}.name`)?.value).toBe('丹参')
    expect(form.getCell('drugs.nobody.name')).toBeUndefined()
    expect(form.changes()).toEqual([])
    expect(form.data().values['drugs']).toEqual([
      row(ONE, 'a', { name: '丹参', dose: 10, times: 2, daily: 20, perKg: 0.4 }),
      row(TWO, 'b', { name: '川芎', dose: 5, times: 3, daily: 15, perKg: 0.3 }),
    ])
  })

  it('calculates in each row, and over all rows, as one types', () => {
    const form = opened(compiled(DRUGS), two)
    expect(form.getCell('total')?.value).toBe(35)
    form.setText(`drugs.${ONE}.dose`, '20')
    expect(form.getCell(`drugs.${ONE}.daily`)?.value).toBe(40)
    expect(form.getCell(`drugs.${TWO}.daily`)?.value).toBe(15)
    expect(form.getCell('total')?.value).toBe(55)
    form.setText('weight', '100')
    expect(form.getCell(`drugs.${ONE}.perKg`)?.value).toBe(0.4)
  })

  it('saves what differs, row by row, each with what it was', () => {
    const form = opened(compiled(DRUGS), two)
    form.setText(`drugs.${ONE}.dose`, '20')
    expect(form.changes().map(({ table, rid, code, base, value }) => [table, rid, code, base, value])).toEqual([
      ['drugs', ONE, 'dose', 10, 20],
      ['drugs', ONE, 'daily', null, 40],
      ['drugs', ONE, 'perKg', null, 0.8],
      ['drugs', TWO, 'daily', null, 15],
      ['drugs', TWO, 'perKg', null, 0.3],
      [null, null, 'total', null, 55],
    ])
    expect(form.rowChanges()).toEqual([])
  })

  it('takes new rows at the end and after another, begun with what the definition says', () => {
    const form = opened(compiled(DRUGS), two)
    const last = form.addRow('drugs')
    const between = form.addRow('drugs', ONE)
    expect(form.getCell('drugs')?.rows).toEqual([ONE, between?.rid, TWO, last?.rid])
    expect(last?.filled).toEqual([`drugs.${last?.rid}.dose`])
    expect(form.getCell(`drugs.${last?.rid}.dose`)?.value).toBe(1)
    expect(form.rowChanges().map(({ rid, base, to }) => [rid, base, to.deleted])).toEqual([
      [between?.rid, null, false],
      [last?.rid, null, false],
    ])
  })

  it('copies a row with its values, but not what rules make of them', () => {
    const form = opened(compiled(DRUGS), two)
    const copy = form.addRow('drugs', ONE, ONE)
    expect(form.getCell(`drugs.${copy?.rid}.name`)?.value).toBe('丹参')
    expect(form.getCell(`drugs.${copy?.rid}.daily`)?.value).toBe(20)
    expect(
      form
        .changes()
        .filter(({ rid }) => rid === copy?.rid)
        .map(({ code, base }) => [code, base]),
    ).toEqual([
      ['name', null],
      ['dose', null],
      ['times', null],
      ['daily', null],
      ['perKg', null],
    ])
    expect(form.getCell('total')?.value).toBe(55)
  })

  it('deletes a row with what the person saw in it, keeps its values, and brings it back', () => {
    const form = opened(compiled(DRUGS), two)
    form.setText(`drugs.${ONE}.dose`, '20')
    form.setRowDeleted('drugs', ONE, true)
    expect(form.getCell('drugs')?.rows).toEqual([TWO])
    expect(form.getCell('total')?.value).toBe(15)
    expect(form.rowChanges()).toEqual([
      {
        table: 'drugs',
        rid: ONE,
        base: { deleted: false, order: 'a' },
        to: { deleted: true, order: 'a' },
        seen: { name: '丹参', dose: 20, times: 2, daily: 40, perKg: 0.8 },
      },
    ])
    expect(form.data().values['drugs']).toMatchObject([{ _rid: ONE, _deleted: true, dose: 20 }, { _rid: TWO }])
    form.setRowDeleted('drugs', ONE, false)
    expect(form.rowChanges()).toEqual([])
    expect(form.getCell('total')?.value).toBe(55)
  })

  it('moves a row without touching the others', () => {
    const form = opened(compiled(DRUGS), two)
    form.moveRow('drugs', TWO, 0)
    expect(form.getCell('drugs')?.rows).toEqual([TWO, ONE])
    expect(form.rowChanges().map(({ rid }) => rid)).toEqual([TWO])
  })

  it('never was where a row was added and deleted again before anybody saved it', () => {
    const form = opened(compiled(DRUGS))
    const added = form.addRow('drugs')
    form.setRowDeleted('drugs', added?.rid ?? '', true)
    expect(form.rowChanges()).toEqual([])
    expect(form.changes()).toEqual([])
    expect(form.data()).toEqual(EMPTY_ENTRY)
  })

  it('is missing while it has no row, and a row lacks what is required in it', () => {
    const form = opened(compiled(DRUGS))
    expect(form.completeness()).toMatchObject({ total: 2, answered: 0, missingRequired: ['drugs'] })
    const added = form.addRow('drugs')
    const [name, why] = [`drugs.${added?.rid}.name`, `drugs.${added?.rid}.why`]
    expect(form.completeness()).toMatchObject({ answered: 1, missingRequired: [name] })
    form.setText(name, '丹参')
    form.setValue(`drugs.${added?.rid}.stopped`, '1')
    expect(form.validate()).toEqual([{ key: why, issues: [{ code: 'required' }] }])
    form.setRowDeleted('drugs', added?.rid ?? '', true)
    expect(form.validate()).toEqual([{ key: 'drugs', issues: [{ code: 'required' }] }])
  })

  it('may say why there is no row, and no longer once there is one', () => {
    const form = opened(compiled(DRUGS))
    form.setMissing('drugs', { m: 'NA', reason: '未合并用药' })
    expect(form.completeness().missingRequired).toEqual([])
    form.addRow('drugs')
    expect(form.getCell('drugs')?.missing).toBeNull()
    expect(form.setMissing('drugs', { m: 'NA', reason: '未合并用药' })).toBe('read-only')
  })

  it('goes on having no reason where older data arrive before the row is saved', () => {
    const said = { values: {}, missing: { drugs: { m: 'NA' as const, reason: '未合并用药' } } }
    const form = opened(compiled(DRUGS), said)
    form.addRow('drugs')
    form.receive(said)
    expect(form.changes()[0]).toMatchObject({ table: null, code: 'drugs', missing: null, baseMissing: { m: 'NA' } })
  })

  it('shows rows and the reason why there are none beside each other where two people said so, and lets the reason be taken back', () => {
    const form = opened(compiled(DRUGS), { ...two, missing: { drugs: { m: 'NA', reason: '未合并用药' } } })
    expect(form.getCell('drugs')).toMatchObject({ rows: [ONE, TWO], missing: { m: 'NA' } })
    expect(form.setMissing('drugs', null)).toBe('changed')
    expect(form.getCell('drugs')).toMatchObject({ rows: [ONE, TWO], missing: null })
  })

  it('keeps why a value of a row is missing, under the name of the row', () => {
    const form = opened(compiled(DRUGS), two)
    form.setMissing(`drugs.${ONE}.dose`, { m: 'UNK', reason: '患者不知' })
    expect(form.data().missing).toEqual({ [`${ONE}.dose`]: { m: 'UNK', reason: '患者不知' } })
    expect(form.changes()[0]).toMatchObject({ rid: ONE, code: 'dose', value: null, base: 10, missing: { m: 'UNK' } })
  })

  it('takes newer rows from elsewhere while a person goes on in theirs', () => {
    const form = opened(compiled(DRUGS), two)
    form.setText(`drugs.${ONE}.dose`, '20')
    const added = form.addRow('drugs')
    const third = `${RID}3`
    form.receive(
      entry({
        weight: 50,
        drugs: [
          row(ONE, 'a', { name: '三七', dose: 11, times: 2 }),
          { ...row(TWO, 'b', { name: '川芎', dose: 5, times: 3 }), _deleted: true },
          row(third, 'c', { name: '当归' }),
        ],
      }),
    )
    expect(form.getCell('drugs')?.rows).toEqual([ONE, added?.rid, third])
    expect(form.getCell(`drugs.${ONE}.name`)?.value).toBe('三七')
    expect(form.getCell(`drugs.${ONE}.dose`)?.value).toBe(20)
    const change = form.changes().find(({ rid, code }) => rid === ONE && code === 'dose')
    expect(change).toMatchObject({ base: 10, value: 20 })
  })

  it('does not run its rules again when what was saved comes back', () => {
    const form = opened(compiled(DRUGS), two)
    form.addRow('drugs')
    form.rebase(form.data())
    expect(form.changes()).toEqual([])
    expect(form.rowChanges()).toEqual([])
    expect(form.edited).toBe(false)
  })

  it('keeps what is no list of rows as it is, and nobody edits it', () => {
    const form = opened(compiled(DRUGS), entry({ drugs: '***' }))
    expect(form.getCell('drugs')).toMatchObject({ rows: null, value: '***', readOnly: true })
    expect(form.addRow('drugs')).toBeNull()
    expect(form.data().values['drugs']).toBe('***')
  })

  it('takes no more rows than the definition allows, and none while it is only looked at', () => {
    const [weight, table] = DRUGS
    const limited = opened(compiled([weight, { ...table, children: { ...table?.children, limit: 1 } }] as Column[]))
    expect(limited.addRow('drugs')).not.toBeNull()
    expect(limited.addRow('drugs')).toBeNull()
    const locked = opened(compiled([weight, { ...table, disabled: true }] as Column[]), two)
    expect(locked.addRow('drugs')).toBeNull()
    expect(locked.setText(`drugs.${ONE}.dose`, '1')).toBe('read-only')
  })

  it('is judged the same by the server, with what its rules calculate', () => {
    const judged = evaluateEntry(compiled(DRUGS), two, MOMENT)
    expect(judged.calculated.map(({ rid, code, value }) => [rid, code, value])).toEqual([
      [ONE, 'daily', 20],
      [ONE, 'perKg', 0.4],
      [TWO, 'daily', 15],
      [TWO, 'perKg', 0.3],
      [null, 'total', 35],
    ])
    expect(judged.hidden).toEqual([`drugs.${ONE}.why`, `drugs.${TWO}.why`])
    expect(judged.issues).toEqual([])
  })

  it('has rules of its own, which are checked like all others', () => {
    const page = readPage({
      column: [
        {
          prop: 't',
          label: 'T',
          type: 'dynamic',
          children: {
            column: [
              { prop: 'a', label: 'A', type: 'number', zl: { calculate: 'row.b' } },
              { prop: 'b', label: 'B', type: 'number', zl: { calculate: 'row.a' } },
            ],
          },
        },
      ],
    })
    const result = page.ok ? compilePage(page.page) : null
    expect(result).toEqual({ ok: false, errors: [{ kind: 'cycle', path: ['t.a', 't.b', 't.a'] }] })
    const wrong = readPage({
      column: [
        {
          prop: 't',
          label: 'T',
          type: 'dynamic',
          children: { column: [{ prop: 'a', label: 'A', type: 'number', zl: { calculate: 'row.ghost' } }] },
        },
        { prop: 'x', label: 'X', type: 'input', zl: { show: 'row.a > 1.0' } },
      ],
    })
    const refused = wrong.ok ? compilePage(wrong.page) : null
    expect(refused).toMatchObject({
      ok: false,
      errors: [
        { kind: 'rule', code: 't.a', problem: { kind: 'unknown-field', code: 'row.ghost' } },
        { kind: 'rule', code: 'x', problem: { kind: 'unknown-field' } },
      ],
    })
    const circle = readPage({
      column: [
        { prop: 'n', label: 'N', type: 'number', zl: { calculate: 'size(page.t)' } },
        {
          prop: 't',
          label: 'T',
          type: 'dynamic',
          children: { column: [{ prop: 'a', label: 'A', type: 'number', zl: { show: 'page.n > 1.0' } }] },
        },
      ],
    })
    expect(circle.ok ? compilePage(circle.page) : null).toEqual({
      ok: false,
      errors: [{ kind: 'cycle', path: ['n', 't', 'n'] }],
    })
  })
})
