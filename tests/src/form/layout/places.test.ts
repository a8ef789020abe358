import { expect, test } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { readPage } from '#core/form/definition/page.ts'
import { placesOf } from '#src/form/layout/places.ts'

const YES_NO = [
  { value: '1', label: '是' },
  { value: '0', label: '否' },
]

function placed(column: readonly Column[], mode: 'input' | 'view' = 'input') {
  const read = readPage({ column })
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  return placesOf(read.page.fields, mode, 'zh')
}

const figure = (prop: string, unit?: string, show?: string): Column => ({
  prop,
  label: prop,
  type: 'number',
  zl: { ...(unit === undefined ? {} : { unit }), ...(show === undefined ? {} : { show }) },
})

test('short fields stand two in a line, and what needs room has the whole line', () => {
  expect(
    placed([figure('height'), figure('weight'), { prop: 'note', label: '备注', type: 'textarea' }, figure('waist')]),
  ).toEqual(['left', 'right', 'full', 'left'])
})

test('a field that a rule shows shares its line only with what comes and goes with it', () => {
  const shown = 'page.event == "1"'
  expect(placed([figure('a'), figure('b', undefined, shown), figure('c', undefined, shown), figure('d')])).toEqual([
    'left',
    'left',
    'right',
    'left',
  ])
})

test('two figures of one unit, like the two of a blood pressure, stand in one line', () => {
  expect(placed([figure('pulse'), figure('sbp', 'mmHg'), figure('dbp', 'mmHg'), figure('weight', 'kg')])).toEqual([
    'left',
    'left',
    'right',
    'left',
  ])
})

test('from three questions with the same answers on they are a matrix; to a reader their answers are short', () => {
  const criteria = ['年龄 18 至 75 岁', '符合诊断标准', '签署知情同意书'].map((label, at): Column => ({
    prop: `in_${at}`,
    label,
    type: 'radio',
    dicData: YES_NO,
  }))
  expect(placed(criteria)).toEqual(['matrix', 'matrix', 'matrix'])
  expect(placed(criteria, 'view')).toEqual(['left', 'right', 'left'])
  expect(placed(criteria.slice(1))).toEqual(['left', 'right'])
})

test('a question that is a sentence has half of the page', () => {
  const label = '过去四周内受试者是否曾因心绞痛发作而在休息或轻度活动时使用过硝酸甘油或其他急救药物'
  expect(placed([{ prop: 'used', label, type: 'radio', dicData: YES_NO }])).toEqual(['wide'])
})
