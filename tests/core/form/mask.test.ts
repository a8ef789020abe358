import { describe, expect, it } from 'vitest'
import { isError } from '#core/form/issue.ts'
import { MASK } from '#core/form/mask.ts'

import { entry, opened } from './filling.ts'

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

  it('is told apart from the same text in a field that identifies nobody', () => {
    const form = opened(columns, entry({ birth: '1961-03-18', visit: MASK }))
    expect(form.getCell('birth')).toMatchObject({ readOnly: false, issues: [] })
    expect(form.getCell('visit')?.issues.some(isError)).toBe(true)
  })
})
