import { describe, expect, it } from 'vitest'

import { translateTest, translateValue } from '#core/exchange/xpath/translate.ts'
import { PageValues } from '#core/rules/values.ts'

import type { Fields } from './records.ts'
import { given, scopeOf, verdicts } from './records.ts'

/** The translated expressions and an independent reading of XPath say the same of many records, blanks included. */

const RECORDS = 400

const FIELDS: Fields = {
  types: new Map([
    ['t1', 'string'],
    ['t2', 'string'],
    ['n1', 'double'],
    ['n2', 'double'],
    ['d1', 'string'],
    ['d2', 'string'],
    ['m1', 'string'],
    ['s1', 'string'],
    ['c1', 'list<string>'],
    ['rows', 'list<dyn>'],
  ] as const),
  candidates: {
    t1: ['abc', 'b', '2', '02', 'a b'],
    t2: ['abc', 'a', '2'],
    n1: [0, 1, 2, 3, 2.5, -1],
    n2: [0, 1, 2, 7],
    d1: ['2026-03-01', '2025-11-01', '2026-02-27'],
    d2: ['2026-03-01', '2026-03-02'],
    m1: ['2026-03-01 09:30:00', '2026-03-01 10:00:00'],
    s1: ['a', 'b'],
    c1: [['a'], ['a', 'b'], ['b', 'c']],
  },
}
const SELF = 'n1'

const scope = scopeOf(FIELDS, SELF)

const TESTS = [
  '${n1} = 1',
  '${n1} != 1',
  '${n1} > ${n2}',
  '. >= 1 and . <= 3',
  '${t1} = ""',
  "${t1} != ''",
  "${n1} = ''",
  "${n1} != ''",
  "${n1} = '2'",
  "${t1} = '2'",
  '${t1} = 2',
  '${t1} > 1',
  '${t1} = ${t2}',
  '${n1} = ${n2}',
  '${n1} = ${t1}',
  "selected(${c1}, 'a')",
  "not(selected(${c1}, 'a') and selected(${c1}, 'b'))",
  'count-selected(${c1}) <= 1',
  "selected(${c1}, 'a b')",
  "selected(${c1}, 'b a')",
  "selected(${c1}, '')",
  "selected(${s1}, '')",
  "${c1} = 'a b'",
  "selected(${s1}, 'a') or ${s1} = 'b'",
  '${d1} > today()',
  'today() - ${d1} >= 98',
  '${d1} < ${d2}',
  '${d1} = today()',
  '${d1} + 7 > ${d2}',
  "${d1} >= date('2026-02-27')",
  '${m1} <= now()',
  'decimal-date-time(${d1}) > 20500',
  "regex(${t1}, '[a-c]+')",
  "contains(${t1}, 'b') or starts-with(${t2}, 'a')",
  'string-length(${t1}) > 1',
  '${t1}',
  '${n1}',
  'not(${n1})',
  'boolean(${t1}) = true()',
  '${n1} = 1 = true()',
  "(${s1} = 'a') != (${n1} > 1)",
  '${n1} mod 2 = 1 or ${n1} div 2 > 1',
  '${n1} * 2 - 1 > ${n2}',
  '-${n1} < 0',
  '1 + 2 * 3 = 7 and 7 - 2 - 1 = 4',
  'FALSE',
  'True',
  'count(${rows}) > 1',
  'sum(${x}) > 3',
  'max(${x}) = 3 or count-non-empty(${x}) = 1',
  '../../form/n1 > 1',
  '/data/n1 >= /data/g/n2',
  "coalesce(${t1}, 'abc') = 'abc'",
  'if(${n1} > 1, ${n2}, ${t1}) = 2',
  "true() and (${t1} = 'abc' or ${t1} = '2')",
]

const VALUES = [
  '${n1} + ${n2}',
  '${n1} div ${n2}',
  'round(${n1} div 3, 2)',
  'round(-2.5)',
  'int(${n1} div 2)',
  "if(${n1} > 1, 'big', if(${n1} = 1, 'one', ''))",
  "concat(${t1}, '-', ${n1}, '-', ${c1})",
  'today() - ${d1}',
  'number(${t1}) + 1',
  "if(number(${n1}) < 10, concat('0', ${n1}), ${n1})",
  'pow(${n1}, 2) + abs(-${n2})',
  'min(${n1}, ${n2}, 5)',
  'sum(${x})',
  'min(${x})',
  "join(', ', ${x})",
  'count(${rows})',
  'selected-at(${c1}, 1)',
  'coalesce(${n1}, ${n2})',
  "format-date(${d1}, '%d/%m/%Y')",
  'substr(${t1}, 1)',
  'substr(${t1}, 0, 1)',
  "if(${d1} != '', date(${d1}), '')",
  'string(${n1})',
  '${n1} > 1',
  '1',
  "'text'",
  'not(${n1} = 1)',
]

describe('translated XPath says what XPath says', () => {
  it.each(TESTS)('as a test: %s', (source) => {
    const result = translateTest(source, scope)
    if (!result.ok) throw new Error(`${result.why}: ${result.detail}`)
    for (const { ours, theirs } of verdicts(FIELDS, SELF, source, result.cel, 'bool', RECORDS))
      expect(ours).toEqual(theirs)
  })

  it.each(VALUES)('as a value: %s', (source) => {
    const result = translateValue(source, scope)
    if (!result.ok) throw new Error(`${result.why}: ${result.detail}`)
    for (const { ours, theirs } of verdicts(FIELDS, SELF, source, result.cel, 'value', RECORDS))
      expect(ours).toEqual(theirs)
  })
})

describe('what has no translation says why', () => {
  it.each([
    ["instance('seclass')/root/item[name = ${t1}]/label", 'list-elsewhere'],
    ["jr:itext(instance('x')/root/item)", 'list-elsewhere'],
    ['indexed-repeat(${x}, ${rows}, 1)', 'unknown-function'],
    ['position(..)', 'unknown-function'],
    ['${x} > 1', 'rows-of-table'],
    ['${nobody} = 1', 'unknown-field'],
    ['//n1 = 1', 'path-not-supported'],
    ['/data/g[1]/n1', 'path-not-supported'],
    ["regex(${t1}, '(a)\\1')", 'pattern-not-supported'],
    ['regex(${t1}, ${t2})', 'pattern-not-supported'],
    ['${n1} = ', 'expression-syntax'],
    ['${n1} 5', 'expression-syntax'],
    ['if(${n1}, 1)', 'expression-syntax'],
    ['${', 'expression-syntax'],
    ['('.repeat(5_000), 'expression-too-complex'],
    ['1'.repeat(30_000), 'expression-too-complex'],
  ])('%s', (source, why) => {
    expect(translateTest(source, scope)).toMatchObject({ ok: false, why })
  })

  it('asks a pattern that would keep another engine busy in linear time', () => {
    const result = translateTest("regex(${t1}, '(a+)+$')", scope)
    const page = new PageValues([['t1', `${'a'.repeat(9_000)}!`]])
    const start = performance.now()
    expect(result.ok && given(FIELDS, result.cel, 'bool', page)).toBe(false)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})

describe('where ODK’s own clients differ, it is decided (ADR 27)', () => {
  const say = (source: string, values: Readonly<Record<string, string | number>>, as: 'bool' | 'value') => {
    const result = as === 'bool' ? translateTest(source, scope) : translateValue(source, scope)
    if (!result.ok) throw new Error(result.why)
    return given(FIELDS, result.cel, as, new PageValues(Object.entries(values)))
  }

  it('a text with the form of a date is a date wherever there is an order', () => {
    expect(say("${d1} > '2026-02-28'", { d1: '2026-03-01' }, 'bool')).toBe(true)
    expect(say("${d1} > '2026-02-28'", { d1: '2026-02-27' }, 'bool')).toBe(false)
    expect(say("${d1} > '2026-02-28'", {}, 'bool')).toBe(false)
  })

  it('what has no number is a blank within a text, and no word', () => {
    expect(say("concat(round(${n1}, 2), '')", {}, 'value')).toBe('')
    expect(say("concat('x', round(${n1}, 2))", {}, 'value')).toBe('x')
  })
})
