import { describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { countFilled, emptyForm } from '#src/form/emptyForm.ts'
import type { FormEdit } from '#src/form/formActions.ts'
import { YES_NO, compiled, entry, opened } from '#tests/core/form/filling.ts'

const PAGE: readonly Column[] = [
  { prop: 'weight', label: '体重', type: 'number' },
  { prop: 'half', label: '一半', type: 'number', zl: { calculate: 'page.weight / 2.0' } },
  { prop: 'smokes', label: '吸烟', type: 'radio', dicData: YES_NO },
  { prop: 'often', label: '支数', type: 'number', zl: { show: 'page.smokes == "1"' } },
  { prop: 'note', label: '备注', type: 'input' },
  { prop: 'site', label: '中心', type: 'input', readonly: true },
  { prop: 'closed', label: '结论', type: 'input', zl: { readOnlyWhen: 'page.weight > 0.0' } },
  {
    prop: 'drugs',
    label: '合并用药',
    type: 'dynamic',
    children: { column: [{ prop: 'name', label: '药名', type: 'input' }] },
  },
]
const RID = '0190a000-0000-7000-8000-000000000001'
const filled = {
  ...entry({
    weight: 60,
    smokes: '1',
    often: 5,
    site: '北院',
    closed: '正常',
    drugs: [{ _rid: RID, _ord: 'a', name: '丹参' }],
  }),
  missing: { note: { m: 'ND', reason: '未做' } },
} as const

describe('emptying a page', () => {
  it('empties all that a person may edit, hidden answers, reasons and rows too, and tells of each as an edit', () => {
    const form = opened(compiled(PAGE), filled)
    const edits: FormEdit[] = []
    expect(countFilled(form)).toBe(5)
    emptyForm({ state: form, onEdit: (edit) => edits.push(edit) })
    // A deleted row keeps what it held, so that it can be brought back.
    expect(form.data().values).toEqual({
      site: '北院',
      drugs: [{ _rid: RID, _ord: 'a', _deleted: true, name: '丹参' }],
    })
    expect(form.data().missing).toEqual({})
    expect(countFilled(form)).toBe(0)
    const told = edits.map((edit) => (edit.kind === 'item' ? [edit.code, edit.old, edit.value] : [edit.table, 'row']))
    expect(told).toEqual([
      ['weight', 60, null],
      ['smokes', '1', null],
      ['often', 5, null],
      ['note', null, null],
      ['drugs', 'row'],
      ['closed', '正常', null],
    ])
    expect(
      form
        .changes()
        .filter(({ calculated }) => !calculated)
        .map(({ code }) => code),
    ).toEqual(['weight', 'smokes', 'often', 'note', 'closed'])
  })

  it('does nothing to a page where nobody has entered anything', () => {
    const form = opened(compiled([{ prop: 'unit', label: '单位', type: 'input', value: 'kg' }, ...PAGE]))
    const edits: FormEdit[] = []
    emptyForm({ state: form, onEdit: (edit) => edits.push(edit) })
    expect([countFilled(form), edits, form.changes().filter(({ calculated }) => !calculated)]).toEqual([0, [], []])
  })
})
