import { describe, expect, it } from 'vitest'
import { isError } from '#core/form/issue.ts'
import type { Column } from '#core/form/column.ts'
import { MASK } from '#core/form/mask.ts'

import { YES_NO, entry, opened } from './filling.ts'

describe('a value that is kept from its reader', () => {
  const columns = [
    { prop: 'birth', label: '出生日期', type: 'date', required: true, zl: { identifier: true } },
    { prop: 'visit', label: '检查日期', type: 'date', required: true },
  ] as const

  it('is no error of the page and cannot be written over', () => {
    const form = opened(columns, entry({ birth: MASK, visit: '2026-02-01' }))
    expect(form.getCell('birth')).toMatchObject({ value: MASK, readOnly: true, issues: [] })
    expect(form.validate().filter(({ issues }) => issues.some(isError))).toEqual([])
  })

  it('is no value of the copy of its row: the cell stays empty, says so, and waits for what a person enters', () => {
    const column: Column[] = [
      { prop: 'name', label: '姓名', type: 'input', required: true, value: '张', zl: { identifier: true } },
      { prop: 'tags', label: '身份标记', type: 'checkbox', dicData: YES_NO, zl: { identifier: true } },
      { prop: 'relation', label: '关系', type: 'input' },
    ]
    const masked = { _rid: '0190a000-0000-7000-8000-000000000001', _ord: 'a', name: MASK, tags: MASK, relation: '女儿' }
    const form = opened([{ prop: 'family', label: '家属', type: 'dynamic', children: { column } }], entry({ family: [masked] }))
    const copy = form.addRow('family', masked._rid, masked._rid)
    const at = (code: string) => form.getCell(`family.${copy?.rid}.${code}`)
    expect(at('name')).toMatchObject({ value: null, notCopied: true, readOnly: false, issues: [{ code: 'required' }] })
    expect(at('tags')).toMatchObject({ value: null, notCopied: true, readOnly: false })
    expect(at('relation')).toMatchObject({ value: '女儿', notCopied: false })
    expect(copy?.filled).toEqual([`family.${copy?.rid}.relation`])
    expect(form.changes().map(({ prop, value }) => [prop, value])).toEqual([['relation', '女儿']])
    form.setText(`family.${copy?.rid}.name`, '王五')
    expect(at('name')).toMatchObject({ value: '王五', notCopied: false })
  })

  it('cannot be written over in a field of several answers either', () => {
    const form = opened([{ prop: 'tags', label: '身份标记', type: 'checkbox', dicData: YES_NO, zl: { identifier: true } }], entry({ tags: MASK }))
    expect(form.getCell('tags')).toMatchObject({ readOnly: true, issues: [] })
  })

  it('is told apart from the same text in a field that identifies nobody', () => {
    const form = opened(columns, entry({ birth: '1961-03-18', visit: MASK }))
    expect(form.getCell('birth')).toMatchObject({ readOnly: false, issues: [] })
    expect(form.getCell('visit')?.issues.some(isError)).toBe(true)
  })
})
