import { describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { MASK } from '#core/form/definition/mask.ts'
import { notEchoed } from '#core/form/engine/echo.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { isError } from '#core/form/engine/issue.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { MOMENT, YES_NO, compiled, entry, opened } from '#tests/core/form/filling.ts'

/** A form for somebody whom the server keeps what identifies from. */
function masked(columns: readonly Column[], data: EntryData): FormState {
  return createFormState(compiled(columns), data, { moment: MOMENT, readOnly: false, masked: true })
}

describe('a value that is kept from its reader', () => {
  const columns = [
    { prop: 'birth', label: '出生日期', type: 'date', required: true, zl: { identifier: true } },
    { prop: 'visit', label: '检查日期', type: 'date', required: true },
  ] as const

  it('is no error of the page and cannot be written over', () => {
    const form = masked(columns, entry({ birth: MASK, visit: '2026-02-01' }))
    expect(form.getCell('birth')).toMatchObject({ value: MASK, readOnly: true, issues: [] })
    expect(form.validate().filter(({ issues }) => issues.some(isError))).toEqual([])
  })

  it('is no value of the copy of its row: the cell stays empty, says so, and waits for what a person enters', () => {
    const column: Column[] = [
      { prop: 'name', label: '姓名', type: 'input', required: true, value: '张', zl: { identifier: true } },
      { prop: 'tags', label: '身份标记', type: 'checkbox', dicData: YES_NO, zl: { identifier: true } },
      { prop: 'relation', label: '关系', type: 'input' },
    ]
    const row = { _rid: '0190a000-0000-7000-8000-000000000001', _ord: 'a', name: MASK, tags: MASK, relation: '女儿' }
    const form = masked(
      [{ prop: 'family', label: '家属', type: 'dynamic', children: { column } }],
      entry({ family: [row] }),
    )
    const copy = form.addRow('family', row._rid, row._rid)
    const at = (code: string) => form.getCell(`family.${copy?.rid}.${code}`)
    expect(at('name')).toMatchObject({ value: null, notCopied: true, readOnly: false, issues: [{ code: 'required' }] })
    expect(at('tags')).toMatchObject({ value: null, notCopied: true, readOnly: false })
    expect(at('relation')).toMatchObject({ value: '女儿', notCopied: false })
    expect(copy?.filled).toEqual([`family.${copy?.rid}.relation`])
    expect(form.changes().map(({ code, value }) => [code, value])).toEqual([['relation', '女儿']])
    form.setText(`family.${copy?.rid}.name`, '王五')
    expect(at('name')).toMatchObject({ value: '王五', notCopied: false })
  })

  it('cannot be written over in a field of several answers either', () => {
    const form = masked(
      [{ prop: 'tags', label: '身份标记', type: 'checkbox', dicData: YES_NO, zl: { identifier: true } }],
      entry({ tags: MASK }),
    )
    expect(form.getCell('tags')).toMatchObject({ readOnly: true, issues: [] })
  })

  it('of a field that identified in an older release alone is neither an error of the page nor written over: of the version of now nobody can tell', () => {
    const former: Column[] = [
      { prop: 'weeks', label: '孕周', type: 'number', required: true },
      {
        prop: 'family',
        label: '家属',
        type: 'dynamic',
        children: { column: [{ prop: 'age', label: '年龄', type: 'number' }] },
      },
    ]
    const row = { _rid: '0190a000-0000-7000-8000-000000000001', _ord: 'a', age: MASK }
    const form = masked(former, entry({ weeks: MASK, family: [row] }))
    expect(form.getCell('weeks')).toMatchObject({ value: MASK, readOnly: true, issues: [] })
    expect(form.setText('weeks', '12')).toBe('read-only')
    expect(form.getCell(`family.${row._rid}.age`)).toMatchObject({ readOnly: true, issues: [] })
    expect(form.getCell('family')).toMatchObject({ readOnly: false })
    const { page } = compiled([{ prop: 'tags', label: '身份标记', type: 'radio', dicData: YES_NO }])
    expect(notEchoed(page, entry({ tags: MASK }), true).notShown).toEqual([])
    expect(notEchoed(page, entry({ tags: MASK }), false).notShown).toEqual(['tags'])
  })

  it('is that wherever it stands, and nowhere else: what can be read is entered and judged as ever', () => {
    const form = masked(columns, entry({ birth: '1961-03-18', visit: '昨天' }))
    expect(form.getCell('birth')).toMatchObject({ readOnly: false, issues: [] })
    expect(form.getCell('visit')).toMatchObject({ readOnly: false })
    expect(form.getCell('visit')?.issues.some(isError)).toBe(true)
  })
})

describe('asterisks that somebody typed in a field that identifies', () => {
  const family: Column = {
    prop: 'family',
    label: '家属',
    type: 'dynamic',
    children: { column: [{ prop: 'name', label: '姓名', type: 'input', zl: { identifier: true } }] },
  }
  const columns: readonly Column[] = [
    {
      prop: 'contact',
      label: '联系人',
      type: 'input',
      zl: {
        identifier: true,
        checks: [{ id: 'c1', severity: 'error', when: 'page.contact == "***"', message: { zh: '请填写姓名' } }],
      },
    },
    family,
  ]
  const row = { _rid: '0190a000-0000-7000-8000-000000000001', _ord: 'a', name: MASK }
  const data = entry({ contact: MASK, family: [row] })

  it('are a value for whoever may see what identifies: judged, corrected and copied as any', () => {
    const form = opened(columns, data)
    expect(form.getCell('contact')).toMatchObject({ readOnly: false, issues: [{ id: 'c1' }] })
    expect(form.setText('contact', '王五')).toBe('changed')
    expect(form.changes()).toMatchObject([{ code: 'contact', value: '王五', base: MASK }])
    expect(form.getCell(`family.${row._rid}.name`)).toMatchObject({ readOnly: false })
    const copy = form.addRow('family', row._rid, row._rid)
    expect(form.getCell(`family.${copy?.rid}.name`)).toMatchObject({ value: MASK, notCopied: false })
    expect(form.setRowDeleted('family', row._rid, true)?.seen).toEqual({ name: MASK })
  })

  it('stay one when their save comes back, and when the page is read again', () => {
    const form = opened(columns, entry({}))
    form.setText('contact', MASK)
    form.rebase(form.data())
    expect(form.getCell('contact')).toMatchObject({ readOnly: false, issues: [{ id: 'c1' }] })
    form.receive(entry({ contact: MASK }), false)
    expect(form.getCell('contact')).toMatchObject({ readOnly: false })
  })

  it('are masked as any value where the right was withdrawn while the page was open, and a value again where it was given', () => {
    const form = opened(columns, data)
    form.receive(data, true)
    expect(form.getCell('contact')).toMatchObject({ readOnly: true, issues: [] })
    expect(form.getCell(`family.${row._rid}.name`)).toMatchObject({ readOnly: true })
    form.receive(data, false)
    expect(form.getCell('contact')).toMatchObject({ readOnly: false, issues: [{ id: 'c1' }] })
    expect(form.getCell(`family.${row._rid}.name`)).toMatchObject({ readOnly: false })
  })

  it('are said where the field cannot show them', () => {
    const { page } = compiled([
      { prop: 'tags', label: '身份标记', type: 'radio', dicData: YES_NO, zl: { identifier: true } },
    ])
    expect(notEchoed(page, entry({ tags: MASK }), false).notShown).toEqual(['tags'])
    expect(notEchoed(page, entry({ tags: MASK }), true).notShown).toEqual([])
  })
})
