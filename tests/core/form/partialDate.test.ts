import { describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'

import { entry, opened } from './filling.ts'

/** docs/adr/0013-partial-dates.md */

const onset = (partial: 'month' | 'year', more: Column['zl'] = {}): Column => ({
  prop: 'onset',
  label: '发病日期',
  type: 'date',
  zl: { partial, ...more },
})
const visit: Column = { prop: 'visit', label: '访视日期', type: 'date' }

describe('a date of which only a part is known', () => {
  it.each([
    ['202405', '2024-05'],
    ['2024-5', '2024-05'],
    ['２０２４年５月', '2024-05'],
    ['2024-05-UN', '2024-05'],
    ['2024-05-UNK', '2024-05'],
    ['202405UN', '2024-05'],
    ['2024年5月不详日', '2024-05'],
    ['2024', '2024'],
    ['2024年', '2024'],
    ['2024-UNK-UNK', '2024'],
    ['2024年未知月未知日', '2024'],
    ['2024-??-??', '2024'],
    ['20240506', '2024-05-06'],
  ])('is entered as %s and stored as %s', (typed, value) => {
    const form = opened([onset('year')])
    form.setText('onset', typed)
    expect(form.getCell('onset')).toMatchObject({ value, issues: [] })
  })

  it('is an error where the definition asks for more, and is kept', () => {
    const whole = opened([{ prop: 'onset', label: '发病日期', type: 'date' }])
    whole.setText('onset', '202405')
    expect(whole.getCell('onset')).toMatchObject({ value: '202405', issues: [{ code: 'not-date' }] })
    const toTheMonth = opened([onset('month')])
    toTheMonth.setText('onset', '2024')
    expect(toTheMonth.getCell('onset')).toMatchObject({ value: '2024', issues: [{ code: 'not-date-or-month' }] })
    const toTheYear = opened([onset('year')])
    toTheYear.setText('onset', '2024-13')
    expect(toTheYear.getCell('onset')).toMatchObject({ value: '2024-13', issues: [{ code: 'not-date-or-year' }] })
  })

  it('is an answer: the page is complete with it', () => {
    const form = opened([{ ...onset('month'), required: true }])
    form.setText('onset', '202405')
    expect(form.completeness()).toMatchObject({ answered: 1, missingRequired: [], withErrors: [] })
  })

  it('is outside of a bound only where every day that it can mean is', () => {
    const form = opened([onset('year', { min: '2024-03-15', max: '2024-10-15' })])
    const code = (typed: string) => {
      form.setText('onset', typed)
      return form.getCell('onset')?.issues[0]?.code
    }
    expect(['2023', '202402', '202403', '2024', '202410', '202411', '2025'].map(code)).toEqual([
      'below',
      'below',
      undefined,
      undefined,
      undefined,
      'above',
      'above',
    ])
  })

  it('makes every rule unknown that needs the whole date', () => {
    const form = opened([
      visit,
      onset('month', {
        checks: [{ id: 'late', when: 'page.onset > page.visit', severity: 'error', message: { zh: '晚于访视' } }],
      }),
      { prop: 'days', label: '病程', type: 'number', zl: { calculate: 'days(page.onset, page.visit)' } },
      {
        prop: 'acute',
        label: '急性期',
        type: 'input',
        zl: { show: 'page.onset >= "2024-05"', require: 'page.onset >= "2024-05"' },
      },
      { prop: 'age', label: '月龄', type: 'number', zl: { calculate: 'age(page.onset, page.visit)' } },
    ])
    form.setText('visit', '20240420')
    form.setText('onset', '20240506')
    expect(form.getCell('onset')?.issues).toMatchObject([{ code: 'check', id: 'late' }])
    expect(form.getCell('days')?.value).toBe(-16)
    expect(form.getCell('acute')).toMatchObject({ visible: true, required: true })

    form.setText('onset', '202405')
    expect(form.getCell('onset')?.issues).toEqual([])
    expect(form.getCell('days')?.value).toBeNull()
    expect(form.getCell('age')?.value).toBeNull()
    expect(form.getCell('acute')).toMatchObject({ visible: false, required: false })
    expect(form.faults()).toEqual([])
  })

  it('differs from the whole date in the comparison of two entries', () => {
    const form = opened([onset('month')], entry({ onset: '2024-05' }))
    expect(form.changes()).toEqual([])
    form.setText('onset', '20240501')
    expect(form.changes()).toMatchObject([{ code: 'onset', base: '2024-05', value: '2024-05-01' }])
    form.setText('onset', '2024年5月')
    expect(form.changes()).toEqual([])
  })
})
