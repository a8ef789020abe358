import { describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { columnsOf, form, odm1, read } from '#tests/core/exchange/odm/files.ts'
import type { Values } from '#tests/core/exchange/odm/oracle.ts'
import { openEdcCondition, openEdcMethod } from '#tests/core/exchange/odm/oracle.ts'
import { compiled, entry, opened } from '#tests/core/form/filling.ts'

/**
 * Translated expressions say on a form what evaluators written for the tests say, for every combination of values,
 * blanks included.
 */

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function rule(kind: 'ConditionDef' | 'MethodDef', context: string, text: string): string {
  return `<${kind} OID="R" Name="R"><Description><TranslatedText>r</TranslatedText></Description><FormalExpression Context="${context}">${xml(text)}</FormalExpression></${kind}>`
}

/**
 * The page with a field `X` that the expression is of, beside two numbers, two texts, and one with points in its name.
 */
function pageWith(kind: 'ConditionDef' | 'MethodDef', context: string, text: string): readonly Column[] {
  const reference = kind === 'ConditionDef' ? 'CollectionExceptionConditionOID="R"' : 'MethodOID="R"'
  const items = [
    ['N', 'DataType="float"', ''],
    ['M', 'DataType="float"', ''],
    ['T', 'DataType="text"', ''],
    ['I.1', 'DataType="text"', ''],
    ['X', kind === 'ConditionDef' ? 'DataType="text"' : 'DataType="float"', '', reference],
  ] as const
  const definition = read(odm1(form(items, rule(kind, context, text))))
  expect(definition.notCarried.filter(({ what }) => what !== 'field-name')).toEqual([])
  return columnsOf(definition.pages[0]?.option ?? { column: [] })
}

const TEXTS = ['', '1', '2', 'Yes']
const NUMBERS = ['', '0', '2', '7.5']
const COMBINATIONS: readonly Values[] = NUMBERS.flatMap((N) =>
  NUMBERS.flatMap((M) => TEXTS.flatMap((T) => TEXTS.map((I) => ({ N, M, T, 'I.1': I })))),
)

function stateOf(columns: readonly Column[], { N = '', M = '', T = '', 'I.1': I = '' }: Values) {
  const numbers = Object.fromEntries(
    Object.entries({ N, M }).flatMap(([prop, text]) => (text === '' ? [] : [[prop, Number(text)]])),
  )
  const texts = Object.fromEntries(
    Object.entries({ T, I_1: I }).flatMap(([prop, text]) => (text === '' ? [] : [[prop, text]])),
  )
  return opened(compiled(columns), entry({ ...numbers, ...texts }))
}

describe('a condition of OpenEDC hides its field where it holds', () => {
  it.each([
    '!(T == "Yes")',
    '!(T == "1")',
    'T == "1" || I.1 == "Yes"',
    'T != "1" AND I.1 != "2"',
    '!(T == "1") && !(I.1 == "1")',
    '!(T == "1" && I.1 == "1" || N > 3)',
    'N < 5',
    'N >= M',
    'N + M > 4',
    '!(N == 2)',
    'T == I.1',
    '(T == "1" || T == "2") && (I.1 == "Yes" || N <= 2)',
  ])('%s', (expression) => {
    const columns = pageWith('ConditionDef', 'OpenEDC', expression)
    for (const values of COMBINATIONS) {
      // A sum with a blank is none, and no order holds of it.
      const blank = /N \+ M/.test(expression) && (values['N'] === '' || values['M'] === '')
      const hidden = !blank && openEdcCondition(expression, values)
      expect({ values, shown: stateOf(columns, values).getCell('X')?.visible }).toEqual({ values, shown: !hidden })
    }
  })
})

describe('a method of OpenEDC computes where every field has a value, to two digits', () => {
  it.each(['N / M ^ 2', '(N + M) * 4', 'N - M', 'N * M / 3', '(N + M + 1) / 7', 'N ^ 2 + M ^ 2'])(
    '%s',
    (expression) => {
      const columns = pageWith('MethodDef', 'OpenEDC', expression)
      for (const values of COMBINATIONS.filter(({ T, 'I.1': I }) => T === '' && I === '')) {
        const value = stateOf(columns, values).getCell('X')?.value ?? ''
        expect({ values, value: typeof value === 'number' ? String(value) : value }).toEqual({
          values,
          value: openEdcMethod(expression, values),
        })
      }
    },
  )

  it('through a group, as its own example has it', () => {
    const columns = pageWith('MethodDef', 'OpenEDC', '(IG-N + IG-M) * 4')
    expect(stateOf(columns, { N: '2', M: '7.5' }).getCell('X')?.value).toBe(38)
  })
})

describe('a condition in XPath hides its field where it holds', () => {
  const path = (oid: string) => `../ItemData[@ItemOID='${oid}']`
  it.each([
    [`${path('T')}='1'`, (v: Values) => v['T'] === '1'],
    [`${path('T')}/@Value != 'Yes'`, (v: Values) => v['T'] !== 'Yes'],
    [`not(${path('T')}='1') and ${path('I.1')} = 'Yes'`, (v: Values) => v['T'] !== '1' && v['I.1'] === 'Yes'],
    [`${path('N')} > 1 or ${path('T')}='2'`, (v: Values) => (v['N'] !== '' && Number(v['N']) > 1) || v['T'] === '2'],
    [`${path('N')} div 2 = 1`, (v: Values) => v['N'] !== '' && Number(v['N']) / 2 === 1],
    // An item with a value in brackets is there where it has that value.
    [`${path('T')}[@Value='1']`, (v: Values) => v['T'] === '1'],
    [
      `not(${path('T')}[@Value="1"]) and ${path('I.1')}[@Value = 'Yes']`,
      (v: Values) => v['T'] !== '1' && v['I.1'] === 'Yes',
    ],
    [`${path('T')}[@Value!='1']`, (v: Values) => v['T'] !== '' && v['T'] !== '1'],
    // `not` is of what stands in its brackets alone: zero or one, and one more.
    [`not(${path('T')}='1') + 1 > 0`, () => true],
    [`../../ItemGroupData[@ItemGroupOID="IG"]/ItemData[@ItemOID="T"] = '1'`, (v: Values) => v['T'] === '1'],
  ])('%s', (expression, isHidden) => {
    const columns = pageWith('ConditionDef', 'XPath', expression)
    for (const values of COMBINATIONS) {
      expect({ values, shown: stateOf(columns, values).getCell('X')?.visible }).toEqual({
        values,
        shown: !isHidden(values),
      })
    }
  })
})
