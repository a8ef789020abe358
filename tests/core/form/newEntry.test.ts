import { describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import type { EntryData } from '#core/sync/entryData.ts'

import { MOMENT, YES_NO, compiled, entry } from './filling.ts'

/** What a new entry begins with, and what a definition shows in one mode of the form alone. */

const PAGE: readonly Column[] = [
  {
    prop: 'position',
    label: '体位',
    type: 'radio',
    dicData: [
      { value: 's', label: '坐位' },
      { value: 'l', label: '卧位' },
    ],
    value: 's',
  },
  { prop: 'minutes', label: '休息', type: 'number', value: '5' },
  { prop: 'twice', label: '两倍', type: 'number', zl: { calculate: 'page.minutes * 2' } },
  { prop: 'signs', label: '体征', type: 'checkbox', dicData: YES_NO, value: '1,0' },
  { prop: 'why', label: '原因', type: 'input', value: '未说明', zl: { show: 'page.position == "l"' } },
  { prop: 'sbp', label: '收缩压', type: 'number' },
]

function form(isNew: boolean, data: EntryData = entry({}), columns: readonly Column[] = PAGE): FormState {
  return createFormState(compiled(columns), data, { moment: MOMENT, readOnly: false, isNew })
}

describe('a new entry', () => {
  it('begins with what the definition says, which rules see', () => {
    const fresh = form(true)
    expect(fresh.data()).toEqual(entry({ position: 's', minutes: 5, twice: 10, signs: ['1', '0'] }))
    expect(fresh.getCell('why')?.visible).toBe(false)
    expect(fresh.completeness()).toMatchObject({ total: 4, answered: 3 })
  })

  it('is no change of anything until a person enters something; then it is saved with it', () => {
    const fresh = form(true)
    expect(fresh.changes()).toEqual([])
    fresh.setText('sbp', '120')
    expect(fresh.changes().map(({ code, value, base }) => [code, value, base])).toEqual([
      ['position', 's', null],
      ['minutes', 5, null],
      ['twice', 10, null],
      ['signs', ['1', '0'], null],
      ['sbp', 120, null],
    ])
  })

  it('keeps to itself what a rule hides, until it is shown', () => {
    const fresh = form(true)
    fresh.setText('sbp', '120')
    fresh.rebase(fresh.data())
    fresh.setValue('position', 'l')
    expect(fresh.getCell('why')).toMatchObject({ visible: true, value: '未说明' })
    expect(fresh.changes().map(({ code, value }) => [code, value])).toEqual([
      ['position', 'l'],
      ['why', '未说明'],
    ])
  })

  it('is submitted as it stands', () => {
    const fresh = form(true)
    fresh.takeInitial()
    expect(fresh.changes().map(({ code }) => code)).toEqual(['position', 'minutes', 'twice', 'signs'])
  })

  it('keeps nothing that a person took out', () => {
    const fresh = form(true)
    fresh.setText('minutes', '')
    fresh.setText('sbp', '120')
    expect(fresh.data().values).not.toHaveProperty('minutes')
    expect(fresh.changes().map(({ code }) => code)).not.toContain('minutes')
  })

  it('gives way to what a colleague has entered meanwhile, and to nothing else', () => {
    const fresh = form(true)
    fresh.receive(entry({ minutes: 9 }))
    expect(fresh.data().values).toMatchObject({ position: 's', minutes: 9, twice: 18 })
  })

  it('is the person’s own once it is saved', () => {
    const fresh = form(true)
    fresh.setText('sbp', '120')
    expect(fresh.getCell('position')?.initial).toBe(true)
    fresh.rebase(fresh.data())
    expect(fresh.changes()).toEqual([])
    expect(fresh.getCell('position')?.initial).toBe(false)
    fresh.setText('sbp', '130')
    expect(fresh.changes().map(({ code }) => code)).toEqual(['sbp'])
  })

  it('does not begin with what could not be saved', () => {
    const odd = form(true, entry({}), [
      { prop: 'x', label: 'x', type: 'input', value: 'x'.repeat(5_000) },
      { prop: 'y', label: 'y', type: 'upload', value: { a: [1] } },
    ])
    expect(odd.data()).toEqual(entry({}))
  })
})

describe('an entry that was saved before', () => {
  it('never gets a value that nobody entered', () => {
    expect(form(false, entry({ sbp: 120 })).data()).toEqual(entry({ sbp: 120 }))
  })
})

describe('a field that the definition shows or locks in one mode alone', () => {
  const columns: readonly Column[] = [
    { prop: 'hint', label: '提示', type: 'input', editDisplay: false },
    { prop: 'later', label: '复核', type: 'input', addDisplay: false },
    { prop: 'code', label: '编号', type: 'input', editDisabled: true },
    { prop: 'never', label: '内部', type: 'input', display: false, viewDisplay: true },
  ]
  const at = (open: FormState) =>
    columns.map(
      ({ prop }) =>
        `${open.getCell(prop)?.visible === true ? 'shown' : 'hidden'}, ${open.getCell(prop)?.readOnly === true ? 'locked' : 'free'}`,
    )

  it('is so in that mode', () => {
    expect(at(form(true, entry({}), columns))).toEqual(['shown, free', 'hidden, free', 'shown, free', 'hidden, free'])
    expect(at(form(false, entry({}), columns))).toEqual([
      'hidden, free',
      'shown, free',
      'shown, locked',
      'hidden, free',
    ])
    const view = createFormState(compiled(columns), entry({}), { moment: MOMENT, readOnly: true })
    expect(at(view)).toEqual(['shown, locked', 'shown, locked', 'shown, locked', 'shown, locked'])
  })
})
