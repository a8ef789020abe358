import { describe, expect, it, vi } from 'vitest'
import type { CompiledCell, CompiledPage } from '#core/form/compiled/compile.ts'
import type { Column } from '#core/form/definition/column.ts'
import { MASK } from '#core/form/definition/mask.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import type { JsonValue } from '#core/json.ts'
import type { Rule } from '#core/rules/rule.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { MOMENT, VITALS, compiled } from '#tests/core/form/filling.ts'

/** What newer data cost an open page: rules are run where something is otherwise than before, and nowhere else. */

const [ONE, TWO, THREE] = [1, 2, 3].map((at) => `0190a000-0000-7000-8000-00000000000${at}`)

const PAGE: readonly Column[] = [
  ...VITALS,
  {
    prop: 'contact',
    label: '联系人',
    type: 'input',
    zl: {
      identifier: true,
      checks: [{ id: 'none', severity: 'error', when: 'page.contact == "无"', message: { zh: '请填写姓名' } }],
    },
  },
  { prop: 'photo', label: '照片', type: 'upload', zl: { show: 'page.sex == "0"' } },
  {
    prop: 'drugs',
    label: '合并用药',
    type: 'dynamic',
    children: {
      column: [
        { prop: 'name', label: '药名', type: 'input', unique: true, zl: { identifier: true } },
        { prop: 'dose', label: '剂量', type: 'number' },
        { prop: 'times', label: '每日次数', type: 'number' },
        { prop: 'daily', label: '日剂量', type: 'number', zl: { calculate: 'row.dose * row.times' } },
      ],
    },
  },
  { prop: 'total', label: '总剂量', type: 'number', zl: { calculate: 'sum(page.drugs.map(drug, drug.daily))' } },
]

function row(rid: string | undefined, order: string, content: Readonly<Record<string, JsonValue>>): JsonValue {
  return { _rid: rid ?? '', _ord: order, ...content }
}

const DANSHEN = row(ONE, 'a', { name: '丹参', dose: 10, times: 2, daily: 20 })
const CHUANXIONG = row(TWO, 'b', { name: '川芎', dose: 5, times: 3, daily: 15 })
const DANGGUI = row(THREE, 'c', { name: '当归', dose: 1, times: 1, daily: 1 })

const PHOTO = [{ id: '0190a000-0000-7000-8000-0000000000f1', name: 'ecg.png', size: 9, mime: 'image/png' }]

const SAVED: EntryData = {
  values: {
    sex: '0',
    pregnant: '0',
    height: 170,
    weight: 65,
    bmi: 22.5,
    contact: '王五',
    photo: PHOTO,
    drugs: [DANSHEN, CHUANXIONG],
    total: 35,
  },
  missing: { advice: { m: 'ND', reason: '未评估' } },
}

function changed(values: Readonly<Record<string, JsonValue>>, missing = SAVED.missing): EntryData {
  return { values: { ...SAVED.values, ...values }, missing }
}

/** A page that tells which of its rules are run, by the field and what is said of it. */
function countRules(page: CompiledPage): () => readonly string[] {
  const run: string[] = []
  for (const cell of page.ordered.flatMap((one) => [one, ...(one.table?.ordered ?? [])])) {
    for (const [role, rule] of rulesOf(cell)) {
      const { evaluate } = rule
      vi.spyOn(rule, 'evaluate').mockImplementation((scope) => {
        run.push(`${cell.field.code} ${role}`)
        return evaluate.call(rule, scope)
      })
    }
  }
  return () => run.splice(0)
}

function rulesOf({
  show,
  calculate,
  require,
  readOnlyWhen,
  checks,
}: CompiledCell): readonly (readonly [string, Rule])[] {
  const named = Object.entries({ show, calculate, require, readOnlyWhen })
  return [
    ...named.flatMap(([role, rule]) => (rule === null ? [] : [[role, rule] as const])),
    ...checks.map(({ rule }) => ['check', rule] as const),
  ]
}

function open(data: EntryData = SAVED) {
  const page = compiled(PAGE)
  const takeRun = countRules(page)
  const form = createFormState(page, data, { moment: MOMENT, readOnly: false, masked: false })
  expect(takeRun()).toContain('bmi calculate')
  return { form, takeRun }
}

const NO_ACT = () => undefined

/** Everything that a screen draws of the page. */
function look(form: FormState) {
  return form.cells().map((cell) => {
    const { key, value, rows, missing, visible, required, readOnly, issues } = cell
    return { key, value, rows, missing, visible, required, readOnly, issues }
  })
}

describe('data that come to an open page', () => {
  it.each<readonly [string, EntryData, (form: FormState) => unknown]>([
    ['the same values, be it of a newer revision', structuredClone(SAVED), NO_ACT],
    [
      'the same values in another order',
      { ...SAVED, values: Object.fromEntries(Object.entries(SAVED.values).toReversed()) },
      NO_ACT,
    ],
    ['other values of what no field of the page holds', changed({ former: 'x' }), NO_ACT],
    ['what a person has typed and not saved', SAVED, (form) => form.setText('weight', '70')],
    ['a newer value of what a person is changing', changed({ weight: 66 }), (form) => form.setText('weight', '70')],
    [
      'what a person has typed, saved by somebody else',
      changed({ weight: 70, bmi: 24.2 }),
      (form) => form.setText('weight', '70'),
    ],
    ['a table with a row that a person has added', SAVED, (form) => form.addRow('drugs')],
    ['a table whose rows a person has moved', SAVED, (form) => form.moveRow('drugs', TWO ?? '', 0)],
    ['a value of a row that a person is changing', SAVED, (form) => form.setText(`drugs.${ONE}.dose`, '11')],
    ['a calculated value that was saved otherwise than its rule says now', changed({ bmi: 21, total: 9 }), NO_ACT],
    ['a reason that a person has given', SAVED, (form) => form.setMissing('weight', { m: 'UNK', reason: '拒测' })],
  ])('run no rule where nothing looks different: %s', (_what, data, act) => {
    const { form, takeRun } = open()
    act(form)
    takeRun()
    const before = look(form)
    form.receive(data)
    expect(takeRun()).toEqual([])
    expect(look(form)).toEqual(before)
  })

  it('run no rule for a table that nobody can read and that comes as it was', () => {
    const { form, takeRun } = open(changed({ drugs: [{ name: '丹参' }], total: null }))
    expect(form.getCell('drugs')).toMatchObject({ rows: null, readOnly: true })
    form.receive(changed({ drugs: [{ name: '丹参' }], total: null }))
    expect(takeRun()).toEqual([])
  })

  it('run the rules that read what is otherwise, and those of the field itself', () => {
    const { form, takeRun } = open()
    form.receive(changed({ weight: 90 }))
    expect(takeRun()).toEqual(['bmi calculate', 'advice require', 'advice check'])
    form.receive(changed({ weight: 90, contact: '无' }))
    expect(takeRun()).toEqual(['contact check'])
    expect(form.getCell('contact')?.issues).toMatchObject([{ code: 'check', id: 'none' }])
  })

  it.each<readonly [string, EntryData]>([
    ['values', changed({ sex: '1', weight: 80 })],
    ['a value that is gone', changed({ height: null })],
    ['another reason', changed({}, { advice: { m: 'UNK', reason: '患者不知' } })],
    [
      'a reason in place of a value',
      changed({ weight: null }, { ...SAVED.missing, weight: { m: 'ND', reason: '拒测' } }),
    ],
    ['a reason of a row', changed({}, { ...SAVED.missing, [`${ONE}.dose`]: { m: 'UNK', reason: '患者不知' } })],
    ['no reason any more', changed({}, {})],
    ['a file more', changed({ photo: [...PHOTO, { ...PHOTO[0], id: '0190a000-0000-7000-8000-0000000000f2' }] })],
    ['no file', changed({ photo: null })],
    ['a row more', changed({ drugs: [DANSHEN, CHUANXIONG, DANGGUI] })],
    ['a row less', changed({ drugs: [CHUANXIONG] })],
    ['no row', changed({ drugs: null })],
    ['rows in another order', changed({ drugs: [DANSHEN, row(TWO, '_', { name: '川芎', dose: 5, times: 3 })] })],
    ['a value of a row', changed({ drugs: [row(ONE, 'a', { name: '川芎', dose: 20, times: 2 }), CHUANXIONG] })],
    ['no list of rows', changed({ drugs: '***' })],
  ])('leave the page as it is when it is opened with them: %s', (_what, data) => {
    const { form } = open()
    form.receive(data)
    const fresh = open(data).form
    expect(look(form)).toEqual(look(fresh))
    expect(form.data()).toEqual(fresh.data())
    expect(form.changes()).toEqual([])
    form.receive(SAVED)
    expect(look(form)).toEqual(look(open().form))
  })

  it('say of a value in a row that it is one of two no longer, where the other row has gone', () => {
    const twice = changed({ drugs: [DANSHEN, row(TWO, 'b', { name: '丹参' })] })
    const { form } = open(twice)
    expect(form.getCell(`drugs.${ONE}.name`)?.issues).toEqual([{ code: 'not-unique' }])
    form.receive(changed({ drugs: [DANSHEN] }))
    expect(form.getCell(`drugs.${ONE}.name`)?.issues).toEqual([])
  })

  it('lock and judge anew what is masked for this reader from now on, though its value reads the same', () => {
    const masks = changed({ contact: MASK, drugs: [row(ONE, 'a', { name: MASK, dose: 10, times: 2, daily: 20 })] })
    const { form, takeRun } = open(masks)
    form.receive(masks, true)
    expect(takeRun()).not.toContain('bmi calculate')
    expect(form.getCell('contact')?.readOnly).toBe(true)
    expect(form.getCell(`drugs.${ONE}.name`)?.readOnly).toBe(true)
    form.receive(masks, true)
    expect(takeRun()).toEqual([])
  })

  it('are what is edited against from then on, and not where a person is editing already', () => {
    const { form, takeRun } = open()
    form.setText('height', '180')
    form.receive(changed({ height: 175, weight: 66 }))
    expect(form.changes().map(({ code, base, value }) => [code, base, value])).toEqual([
      ['height', 170, 180],
      ['bmi', 22.5, 20.4],
    ])
    takeRun()
    // What was typed was saved: it counts as saved, and no rule had to be asked for that.
    form.receive(form.data())
    expect(takeRun()).toEqual([])
    expect(form.edited).toBe(false)
    expect(form.changes()).toEqual([])
  })

  it('cost as little when they are one’s own save that comes back', () => {
    const { form, takeRun } = open()
    form.setText('weight', '70')
    takeRun()
    form.rebase(form.data())
    expect(takeRun()).toEqual([])
    form.rebase({ ...form.data(), values: { ...form.data().values, contact: '赵六' } })
    expect(takeRun()).toEqual(['contact check'])
  })
})
