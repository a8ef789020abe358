import { describe, expect, it } from 'vitest'
import type { Column, FieldType } from '#core/form/definition/column.ts'
import type { Field } from '#core/form/definition/page.ts'
import { readPage } from '#core/form/definition/page.ts'
import { checkEntryShape, checkValueShape } from '#core/form/definition/shape.ts'
import { canonicalValue, valueFromTyping } from '#core/form/definition/value.ts'
import { definitionIssue, nonConformity } from '#core/form/engine/issue.ts'
import type { JsonValue } from '#core/json.ts'

function field(type: FieldType, more: Partial<Column> = {}): Field {
  const result = readPage({ column: [{ prop: 'x', label: 'X', type, ...more }] })
  const [only] = result.ok ? result.page.fields : []
  if (only === undefined) throw new Error('no field')
  return only
}

describe('canonical values', () => {
  it.each<[FieldType, Partial<Column>, unknown, JsonValue | null]>([
    ['input', {}, '', null],
    ['input', {}, 12, '12'],
    ['radio', {}, 1, '1'],
    ['number', {}, '1.50', 1.5],
    ['number', {}, '约3', '约3'],
    ['number', {}, undefined, null],
    ['checkbox', {}, '0,1', ['0', '1']],
    ['checkbox', {}, ['0', 1], ['0', '1']],
    ['checkbox', {}, [], null],
    ['checkbox', {}, '["0","1"]', ['0', '1']],
    ['select', { multiple: true }, 'a|b', ['a|b']],
    ['select', { multiple: true, separator: '|' }, 'a|b', ['a', 'b']],
    ['select', {}, 'a,b', 'a,b'],
    ['daterange', {}, '2024-05-06,2024-05-07', ['2024-05-06', '2024-05-07']],
    ['slider', {}, '4', 4],
    ['slider', { range: true }, '1,4', [1, 4]],
    ['slider', { range: true }, ['1', null], [1, '']],
    ['daterange', {}, ['2024-05-06', null], ['2024-05-06', '']],
    ['daterange', {}, ['', ''], null],
    ['timerange', {}, [null, null], null],
    ['array', {}, 'a,b', ['a', 'b']],
    ['array', {}, ['a', '', 'b'], ['a', 'b']],
    ['url', {}, '["https://a.cn"]', ['https://a.cn']],
    // A stock front end without a format stores midnight of the tablet's own clock: here in Shanghai, and in New York.
    ['week', {}, '2024-05-12T16:00:00.000Z', '2024-05-13'],
    ['week', {}, '2024-05-13T04:00:00.000Z', '2024-05-13'],
    ['week', {}, '2024-05-15', '2024-05-15'],
    ['month', {}, '2024-04-30T16:00:00.000Z', '2024-05'],
    ['month', { valueFormat: 'MM' }, '2024-04-30T16:00:00.000Z', '05'],
    ['year', {}, 2024, '2024'],
    ['cascader', {}, ['1', '11'], ['1', '11']],
    ['dynamic', {}, [{ _rid: 'r', _ord: 'a', $index: 0, c: 'v' }], [{ _rid: 'r', _ord: 'a', c: 'v' }]],
  ])('%s %j reads %j as %j', (type, more, raw, value) => {
    expect(canonicalValue(field(type, more), raw)).toEqual(value)
  })

  it('does not change what is canonical already', () => {
    const checkbox = field('checkbox')
    const once = canonicalValue(checkbox, 'b,a')
    expect(canonicalValue(checkbox, once)).toEqual(once)
  })
})

describe('typing', () => {
  it.each<[FieldType, string, JsonValue | null]>([
    ['date', '20240506', '2024-05-06'],
    ['date', '2024/5/6', '2024-05-06'],
    ['date', '２０２４年５月６日', '2024-05-06'],
    ['date', '20240231', '20240231'],
    ['time', '930', '09:30'],
    ['time', '09:30:15', '09:30:15'],
    ['year', '２０２４年', '2024'],
    ['year', '24', '24'],
    ['month', '202405', '2024-05'],
    ['month', '2024年5月', '2024-05'],
    ['month', '202413', '202413'],
    ['week', '2024W20', '2024-05-13'],
    ['week', '2024年第1周', '2024-01-01'],
    ['week', '20240519', '2024-05-13'],
    ['week', '2024W53', '2024W53'],
    ['array', '头痛\n\n 眩晕', ['头痛', ' 眩晕']],
    ['array', '甘草, 黄芪', ['甘草, 黄芪']],
    ['datetime', '202405060930', '2024-05-06 09:30'],
    ['datetime', '20240506093015', '2024-05-06 09:30:15'],
    ['datetime', '20240506 0930', '2024-05-06 09:30'],
    ['number', '１２．５', 12.5],
    ['number', ' ', null],
    ['number', '1e400', '1e400'],
    ['number', '12345678901234567', '12345678901234567'],
    ['number', '0.1000000000000000055', '0.1000000000000000055'],
    ['number', '-00123456789012345.60', -123456789012345.6],
    ['number', '9007199254740991', 9007199254740991],
    ['number', '1.50e-7', 1.5e-7],
    ['number', '100000000000000000000000', 1e23],
    ['textarea', ' 两行\n文字 ', ' 两行\n文字 '],
  ])('in a %s field, %j means %j', (type, typed, value) => {
    expect(valueFromTyping(field(type), typed)).toEqual(value)
  })
})

it('a time is stored to the minute unless its field asks for seconds, and what was stored with them stays', () => {
  const time = (more: Partial<Column>) => valueFromTyping(field('time', more), '0930')
  expect([
    time({ format: 'HH:mm:ss' }),
    time({ valueFormat: 'HH:mm:ss' }),
    time({ format: 'HH:mm', valueFormat: 'HH:mm:ss' }),
    time({}),
  ]).toEqual(['09:30:00', '09:30:00', '09:30', '09:30'])
  expect(canonicalValue(field('time'), '09:30:00')).toBe('09:30:00')
})

describe('what the definition has against a value', () => {
  it.each<[FieldType, Partial<Column>, JsonValue, string | undefined]>([
    ['number', { zl: { min: 130, max: 215 } }, 129, 'below'],
    ['number', { zl: { min: 130, max: 215 } }, 215, undefined],
    ['number', { zl: { precision: 0 } }, 1.5, 'not-integer'],
    ['number', { zl: { precision: 1 } }, 1.25, 'too-precise'],
    ['number', {}, '12a', 'not-number'],
    ['number', {}, '12345678901234567', 'too-many-digits'],
    ['date', { zl: { min: '2024-01-01' } }, '2023-12-31', 'below'],
    ['date', {}, '2023-02-29', 'not-date'],
    ['date', {}, '2024-02-29', undefined],
    ['input', { zl: { validation: 'email' } }, 'a@b', 'not-email'],
    ['input', { zl: { validation: 'email' } }, 'a@b.cn', undefined],
    ['input', { zl: { validation: 'phone' } }, '13800138000', undefined],
    ['input', { zl: { validation: 'phone' } }, '(405) 321-5555', undefined],
    ['input', { zl: { validation: 'phone' } }, 'none', 'not-phone'],
    ['input', { maxlength: 2 }, 'abc', 'too-long'],
    ['radio', { dicData: [{ label: 'A', value: 'a' }] }, 'b', 'not-choice'],
    ['checkbox', { dicData: [{ label: 'A', value: 'a' }] }, ['a'], undefined],
    ['daterange', {}, ['2024-05-07', '2024-05-06'], 'range-order'],
    ['daterange', {}, ['2024-05-07', ''], 'incomplete-range'],
    ['daterange', {}, ['', '2024-05-07'], 'incomplete-range'],
    ['daterange', {}, ['2024-05-07', 'soon'], 'not-date'],
    ['daterange', {}, ['2024-05-07', '2024-05-07'], undefined],
    // Sleep goes over midnight.
    ['timerange', {}, ['22:30:00', '06:15:00'], undefined],
    ['timerange', {}, ['22:30:00', '25:00'], 'not-time'],
    ['datetimerange', {}, ['2024-05-06 10:00:00', '2024-05-06 09:00:00'], 'range-order'],
    ['datetimerange', {}, ['2024-05-06', '2024-05-07'], 'not-datetime'],
    ['slider', { range: true }, [4, 1], 'range-order'],
    ['slider', { range: true }, [4, ''], 'incomplete-range'],
    ['slider', { range: true, min: 0, max: 10 }, [4, 11], 'above'],
    ['year', {}, '24', 'not-year'],
    ['year', { zl: { min: 1900, max: 2024 } }, '2025', 'above'],
    ['month', {}, '2024-13', 'not-month'],
    ['month', { zl: { min: '2024-05-15' } }, '2024-05', undefined],
    ['month', { valueFormat: 'MM' }, '05', undefined],
    ['month', { valueFormat: 'MM' }, '2024-05', 'not-month'],
    ['week', {}, '2024-W20', 'not-week'],
    ['url', {}, ['https://a.cn', 'javascript:alert(1)'], 'not-url'],
    ['url', {}, ['http://a.cn/x?y=1'], undefined],
    ['datetime', { zl: { max: '2024-05-06' } }, '2024-05-06 23:00:00', undefined],
  ])('%s %j with %j: %s', (type, more, value, code) => {
    const subject = field(type, more)
    expect((nonConformity(subject, value) ?? definitionIssue(subject, value))?.code).toBe(code)
  })
})

describe('structure, the only ground to refuse a save', () => {
  it.each<[FieldType, JsonValue, string | undefined]>([
    ['number', 5, undefined],
    ['number', '约5', undefined],
    ['number', ['5'], 'wrong-type'],
    ['input', { a: 1 }, 'wrong-type'],
    ['input', 'x\u0000', 'bad-text'],
    ['input', '\ud800', 'bad-text'],
    ['input', 'x'.repeat(4001), 'too-long'],
    ['textarea', 'x'.repeat(4001), undefined],
    ['checkbox', ['a'], undefined],
    ['checkbox', [['a']], 'wrong-type'],
    ['date', 'sometime', undefined],
  ])('%s %j: %s', (type, value, kind) => {
    expect(checkValueShape(field(type), value)?.kind).toBe(kind)
  })

  it('names what the page does not have, rows included', () => {
    const result = readPage({ column: [{ prop: 'drugs', type: 'dynamic', children: { column: [{ prop: 'name' }] } }] })
    if (!result.ok) throw new Error('no page')
    const row = { _rid: 'r1', _ord: 'a0', name: 'x', dose: 1 }
    expect(checkEntryShape(result.page, { values: { drugs: [row], ghost: 1 }, missing: {} })).toEqual([
      { kind: 'unknown-field', code: 'drugs.dose' },
      { kind: 'unknown-field', code: 'ghost' },
    ])
    expect(checkEntryShape(result.page, { values: { drugs: [{ name: 'x' }] }, missing: {} })).toEqual([
      { kind: 'wrong-type', code: 'drugs' },
    ])
  })
})
