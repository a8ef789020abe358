import { describe, expect, it } from 'vitest'
import { compilePage } from '#core/form/compiled/compile.ts'
import type { PageOption } from '#core/form/definition/column.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { Issue } from '#core/form/engine/issue.ts'
import { isError } from '#core/form/engine/issue.ts'
import { readPage } from '#core/form/definition/page.ts'
import { isUnanswered, isWarning, warningName } from '#core/form/engine/warning.ts'
import type { Confirmation } from '#core/sync/confirmation.ts'

/** Three levels of a range, and what a person answers to a warning. */

const PAGE: PageOption = {
  column: [
    {
      prop: 'sex',
      label: '性别',
      type: 'radio',
      dicData: [
        { label: '男', value: '1' },
        { label: '女', value: '2' },
      ],
    },
    {
      prop: 'sbp',
      label: '收缩压',
      type: 'number',
      zl: {
        min: 0,
        max: 300,
        plausible: { min: 80, max: 180 },
        reference: [
          { when: 'page.sex == "1"', min: 90, max: 140 },
          { min: 90, max: 130 },
        ],
      },
    },
    {
      prop: 'dbp',
      label: '舒张压',
      type: 'number',
      zl: {
        checks: [
          { id: 'order', when: 'page.dbp >= page.sbp', severity: 'warning', message: { zh: '舒张压不低于收缩压' } },
        ],
      },
    },
    {
      prop: 'drug',
      label: '用药',
      type: 'dynamic',
      children: { column: [{ prop: 'dose', label: '剂量', type: 'number', zl: { plausible: { max: 10 } } }] },
    },
  ],
}

function opened(values: Record<string, unknown> = {}, confirmed: readonly Confirmation[] = []): FormState {
  const read = readPage(PAGE)
  if (!read.ok) throw new Error('the page cannot be read')
  const result = compilePage(read.page)
  if (!result.ok) throw new Error('the page cannot be compiled')
  return createFormState(
    result.compiled,
    { values: values as never, missing: {} },
    { moment: { today: '2026-05-01', now: '2026-05-01 08:00:00' }, readOnly: false, confirmed },
  )
}

function codes(form: FormState, key: string): readonly string[] {
  return form.getCell(key)?.issues.map(({ code }) => code) ?? []
}

/** A person's answer to the first warning of a field as it is now. */
function answerTo(form: FormState, code: string, rest: Partial<Confirmation> = {}): Confirmation {
  const cell = form.getCell(
    rest.table === undefined || rest.table === null ? code : `${rest.table}.${rest.rid ?? ''}.${code}`,
  )
  const warning = cell?.issues.find(isWarning)
  if (cell === undefined || warning === undefined) throw new Error('there is no warning')
  return {
    table: null,
    rid: null,
    code,
    warning: warningName(warning),
    says: warning.says,
    value: cell.value,
    reason: '复测仍如此',
    at: '2026-05-01T00:00:00.000Z',
    by: 'p',
    byName: '李',
    receivedAt: null,
    ...rest,
  }
}

describe('the three levels of a range', () => {
  it('let a value that can be and is not to be expected stand as a warning', () => {
    const form = opened()
    form.setText('sbp', '190')
    expect(codes(form, 'sbp')).toEqual(['implausible-high'])
    expect(form.completeness().withErrors).toEqual([])
    form.setText('sbp', '70')
    expect(codes(form, 'sbp')).toEqual(['implausible-low'])
    form.setText('sbp', '180')
    expect(codes(form, 'sbp')).toEqual([])
  })

  it('refuse what cannot be, and say that alone', () => {
    const form = opened()
    form.setText('sbp', '301')
    expect(codes(form, 'sbp')).toEqual(['above'])
    expect(form.getCell('sbp')?.issues.every(isError)).toBe(true)
  })

  it('show the first range of reference whose condition holds and flag what lies outside, which is no issue', () => {
    const form = opened()
    form.setText('sbp', '135')
    expect(form.getCell('sbp')).toMatchObject({ reference: { min: 90, max: 130 }, flag: 'high', issues: [] })
    form.setValue('sex', '1')
    expect(form.getCell('sbp')).toMatchObject({ reference: { min: 90, max: 140 }, flag: null })
    form.setText('sbp', '85')
    expect(form.getCell('sbp')).toMatchObject({ flag: 'low', issues: [] })
  })
})

describe('an answer to a warning', () => {
  const unanswered = (form: FormState, key: string) =>
    form.getCell(key)?.issues.filter((issue: Issue) => isUnanswered(issue)).length

  it('holds for the value that it was given to, and is asked for again with another', () => {
    const form = opened({ sbp: 190 })
    form.setConfirmed([answerTo(form, 'sbp')])
    expect(unanswered(form, 'sbp')).toBe(0)
    expect(form.getCell('sbp')?.issues).toMatchObject([{ code: 'implausible-high', answer: { reason: '复测仍如此' } }])
    form.setText('sbp', '195')
    expect(unanswered(form, 'sbp')).toBe(1)
    form.setText('sbp', '190')
    expect(unanswered(form, 'sbp')).toBe(0)
  })

  it('comes with the entry, and is gone where it is taken away', () => {
    const given = answerTo(opened({ sbp: 190 }), 'sbp')
    const form = opened({ sbp: 190 }, [given])
    expect(unanswered(form, 'sbp')).toBe(0)
    form.setConfirmed([])
    expect(unanswered(form, 'sbp')).toBe(1)
  })

  it('is void when the range is another', () => {
    const given = { ...answerTo(opened({ sbp: 190 }), 'sbp'), says: 'other' }
    expect(unanswered(opened({ sbp: 190 }, [given]), 'sbp')).toBe(1)
  })

  it('to a check is void when another value that the check reads changes', () => {
    const form = opened({ sbp: 100, dbp: 110 })
    form.setConfirmed([answerTo(form, 'dbp')])
    expect(unanswered(form, 'dbp')).toBe(0)
    form.setText('sbp', '105')
    expect(unanswered(form, 'dbp')).toBe(1)
  })

  it('is given in the row of a table too, also before the row is there', () => {
    const rid = '0190a1b2-0000-7000-8000-000000000001'
    const rows = { drug: [{ _rid: rid, _ord: 'a', dose: 20 }] }
    const given = answerTo(opened(rows), 'dose', { table: 'drug', rid })
    const form = opened({}, [given])
    expect(form.getCell(`drug.${rid}.dose`)).toBeUndefined()
    form.receive({ values: rows, missing: {} })
    expect(unanswered(form, `drug.${rid}.dose`)).toBe(0)
  })
})
