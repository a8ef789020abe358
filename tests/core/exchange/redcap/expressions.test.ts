import { describe, expect, it } from 'vitest'

import type { ReferenceScope } from '#core/exchange/redcap/translate.ts'
import {
  RECORD_NAME,
  translateCalcDate,
  translateCalculation,
  translateLogic,
} from '#core/exchange/redcap/translate.ts'
import type { JsonValue } from '#core/json.ts'
import type { CelType } from '#core/rules/problem.ts'
import { ruleCompiler } from '#core/rules/rule.ts'
import type { CelValue } from '#core/rules/values.ts'
import { PageValues, RedcapValues } from '#core/rules/values.ts'

/** Truth tables worked out by hand from REDCap's documented meaning. Absent fields are blank. */

const FIELDS = new Map<string, CelType>([
  ['x', 'string'],
  ['y', 'string'],
  ['n', 'double'],
  ['m', 'double'],
  ['d1', 'string'],
  ['d2', 'string'],
  ['box', 'list<string>'],
])
const SCOPE: ReferenceScope = {
  propOf: (name) => (name === RECORD_NAME ? 'x' : FIELDS.has(name) ? name : null),
  elsewhere: (name) => (name === 'far' ? { page: 'other', prop: 'far' } : null),
}
const compiler = ruleCompiler(FIELDS)

type Values = Readonly<Record<string, CelValue>>

function run(cel: string, values: Values): JsonValue | null {
  const compiled = compiler.compile(cel, 'value')
  if (!compiled.ok) throw new Error(`${cel}: ${JSON.stringify(compiled.problem)}`)
  const page = new PageValues(Object.entries(values))
  const outcome = compiled.rule.evaluate({
    page,
    rc: new RedcapValues(page),
    moment: { today: '2026-03-01', now: '2026-03-01 09:30:00' },
  })
  if (outcome.kind === 'fault') throw new Error(`${cel}: ${outcome.code}`)
  return outcome.kind === 'value' && outcome.value !== '' ? outcome.value : null
}

function logic(source: string, values: Values = {}) {
  const result = translateLogic(source, SCOPE)
  if (!result.ok) throw new Error(`${source}: ${result.why} ${result.detail}`)
  return run(result.cel, values)
}

function calculation(source: string, values: Values = {}) {
  const result = translateCalculation(source, SCOPE)
  if (!result.ok) throw new Error(`${source}: ${result.why} ${result.detail}`)
  return run(result.cel, values)
}

describe('branching logic', () => {
  it.each<[string, Values, boolean]>([
    ["[x] = '1'", { x: '1' }, true],
    ["[x] = '1'", { x: '2' }, false],
    ["[x] = '1'", {}, false],
    ["[x] <> '1'", {}, true],
    ["[x] != '1'", { x: '1' }, false],
    ["[x] = ''", {}, true],
    ['[x] <> ""', { x: 'a' }, true],
    ['[x] = 1', { x: '01' }, true],
    ["[n] = '1.0'", { n: 1 }, true],
    ["[x] = 'A'", { x: 'a' }, false],
    ['[n] > 10', { n: 9 }, false],
    ["[n] >= '9'", { n: 9 }, true],
    ['[n] < 10', {}, false],
    ['[x] < 10', { x: '9' }, true],
    ["[d1] > '2024-01-01'", { d1: '2024-01-02' }, true],
    ["[box(1)] = '1'", { box: ['1', '2'] }, true],
    ["[box(3)] = '1'", { box: ['1', '2'] }, false],
    ["[box(3)] = '0'", {}, true],
    ['[box(1)]', { box: ['1'] }, true],
    ["[x]='1' and [y]='2'", { x: '1', y: '2' }, true],
    ["[x]='1' AND [y]='2'", { x: '1' }, false],
    ["[x]='1' or [y]='2' and [n]=3", { x: '1' }, true],
    ["([x]='1' or [y]='2') and [n]=3", { x: '1' }, false],
    ["[x]='1' && ([y]='2' || [n]=3)", { x: '1', n: 3 }, true],
    ["not([x] = '1')", {}, true],
    ["!([x] = '1')", { x: '1' }, false],
    ["contains([x], 'AB')", { x: 'cabd' }, true],
    ["not_contain([x], 'z')", {}, true],
    ['isnumber([x])', { x: '4.5' }, true],
    ['isinteger([x])', { x: '4.5' }, false],
    ["if([x]='1', [y]='2', [y]='3')", { y: '3' }, true],
    ['[n] + [m] > 3', { n: 2, m: 2 }, true],
    ['[n] + [m] > 3', { n: 4 }, false],
    ["[n]+[m] = ''", { n: 4 }, true],
    ['[x] = “1”', { x: '1' }, true],
    ["// why\n[x] = '1' /* so */", { x: '1' }, true],
    ["starts_with([x], 'ab')", { x: 'ABC' }, true],
    ["ends_with([x], 'bc')", { x: 'ABC' }, true],
    ["ends_with([x], 'bc')", {}, false],
    ['isblankormissingcode([x])', {}, true],
    ['!isblanknotmissingcode([x])', { x: 'a' }, true],
    ["upper([x]) = 'AB'", { x: 'ab' }, true],
    ['length(trim([x])) > 2', { x: ' abc ' }, true],
    ["find('y', [x]) = 2", { x: 'My other car' }, true],
    ["find('z', [x])", { x: 'abc' }, false],
    ['year([d1]) >= 2024 and month([d1]) = 3', { d1: '2024-03-09' }, true],
    ['year([d1]) < 2024', {}, false],
    ["[event-name][x] = '1'", { x: '1' }, true],
    ["[x][current-instance] = '1'", { x: '1' }, true],
    ["[x:value] = '1'", { x: '1' }, true],
    ["[record-name] = 'S-1'", { x: 'S-1' }, true],
    ["([x] = '1') = 1", { x: '1' }, true],
  ])('%s with %j is %s', (source, values, value) => {
    expect(logic(source, values)).toBe(value)
  })
})

describe('calculations', () => {
  it.each<[string, Values, JsonValue | null]>([
    ['3+4', {}, 7],
    ['7/2', {}, 3.5],
    ['2+3*4', {}, 14],
    ['-[n]^2', { n: 3 }, -9],
    ['2^3^2', {}, 512],
    ['10-4-3', {}, 3],
    ['mod(10, 4)', {}, 2],
    ['round(([n]*10000)/(([m])^(2)),1)', { n: 65, m: 170 }, 22.5],
    ['round(([n]*10000)/(([m])^(2)),1)', { n: 65 }, null],
    ['round(2.345, 2)', {}, 2.35],
    ['round(-0.5)', {}, -1],
    ['roundup([n], 1)', { n: 1.01 }, 1.1],
    ['rounddown([n], 1)', { n: 1.09 }, 1],
    ['[n] + [m]', { n: 1 }, null],
    ['[n] / [m]', { n: 1, m: 0 }, null],
    ['sum([n], [m])', { n: 1 }, 1],
    ['sum([n], [m], 2)', {}, 2],
    ['sum([n], [m])', {}, null],
    ['mean([n], [m])', { n: 4 }, 4],
    ['median([n], [m], 3)', { n: 1, m: 2 }, 2],
    ['min([n], [m])', { m: 2 }, 2],
    ['max([n], 5)', { n: 7 }, 7],
    ['stdev(2, 4, 4, 4, 5, 5, 7, 9)', {}, 2.138089935299395],
    ['sqrt([n])', { n: 9 }, 3],
    ['sqrt(0-1)', {}, null],
    ['abs(0-[n])', { n: 3 }, 3],
    ['round(log(100, 10), 6)', {}, 2],
    ['sum([box(1)], [box(2)])', { box: ['2'] }, 1],
    ["if([x]='1', 10, 20)", {}, 20],
    ["if([x]='1', 10, '')", {}, null],
    ["if([x]='1', 10, '') + 1", {}, null],
    ["if([x]='1', 10, '') + 1", { x: '1' }, 11],
    ["[n] * ([x] = '1')", { n: 5, x: '1' }, 5],
    ["datediff([d1], [d2], 'd')", { d1: '2024-03-01', d2: '2024-02-28' }, 2],
    ["datediff([d1], [d2], 'd', 'ymd', true)", { d1: '2024-03-01', d2: '2024-02-28' }, -2],
    ["datediff([d1], [d2], 'd', true)", { d1: '2024-03-01', d2: '2024-02-28' }, -2],
    ["datediff([d1], 'today', 'd')", { d1: '2026-02-27' }, 2],
    ["datediff([d1], [d2], 'd')", { d1: '2024-03-01' }, null],
    ["rounddown(datediff([d1], 'today', 'y'))", { d1: '2000-02-28' }, 26],
    ["datediff('01-02-2024', [d2], 'd', 'dmy')", { d2: '2024-02-03' }, 2],
    ["datediff('02/01/2024', [d2], 'd', 'mdy', 1)", { d2: '2024-01-31' }, -1],
    ["datediff([d1], [d2], 'y')", { d1: '2024-01-01', d2: '2024-12-31' }, 365 / 365.2425],
    ["round(datediff([d1], [d2], 'M'), 6)", { d1: '2024-01-01', d2: '2024-01-31' }, 0.985545],
    ["concat([x], '-', [n])", { x: 'A', n: 5 }, 'A-5'],
    ['concat([x], [y])', {}, null],
    ["concat_ws(' ', [x], [y])", { x: 'A', y: 'B' }, 'A B'],
    ['left([x], 2)', { x: '张三丰' }, '张三'],
    ['right([x], 2)', { x: 'abc' }, 'bc'],
    ['right([x], 9)', { x: 'abc' }, 'abc'],
    ['mid([x], 2, 3)', { x: 'abcdef' }, 'bcd'],
    ['mid([x], 9, 3)', { x: 'abc' }, null],
    ["replace_text([x], 'a', 'o')", { x: 'banAna' }, 'bonAno'],
    ['lower([x])', { x: 'AB' }, 'ab'],
    ['length([x])', {}, 0],
    ['left([x], 4) + 1', { x: '2024-05' }, 2025],
    ['day([d1])', { d1: '2024-03-09' }, 9],
    ['hour([d1]) * 60 + minute([d1])', { d1: '2024-03-09 10:30:15' }, 630],
    ['second([x])', { x: '10:30:15' }, 15],
    ['year([d1])', {}, null],
    ["[x] = '1'", { x: '1' }, 1],
    ["if([x] = '1', [n] > 3, '')", { x: '1', n: 2 }, 0],
    ['exponential(0)', {}, 1],
    ["datediff([d1], [d2], 'h')", { d1: '2024-03-01 10:00', d2: '2024-03-01 12:30' }, 2.5],
  ])('%s with %j is %j', (source, values, value) => {
    expect(calculation(source, values)).toEqual(value)
  })
})

describe('a calculated date', () => {
  it.each<[string, 'date' | 'datetime', Values, string | null]>([
    ["[d1], 7, 'd'", 'date', { d1: '2024-02-25' }, '2024-03-03'],
    ["[d1], -1, 'd'", 'date', { d1: '2024-03-01' }, '2024-02-29'],
    ["[d1], [n], 'h'", 'datetime', { d1: '2024-03-01 23:30:00', n: 1 }, '2024-03-02 00:30:00'],
    ["[d1], [n], 'd'", 'date', { d1: '2024-03-01' }, null],
    ["[d1], 1, 'd'", 'date', {}, null],
    ["'today', 1, 'd'", 'date', {}, '2026-03-02'],
  ])('%s in a %s with %j is %j', (args, kind, values, value) => {
    const result = translateCalcDate(args, kind, SCOPE)
    if (!result.ok) throw new Error(`${result.why} ${result.detail}`)
    expect(run(result.cel, values)).toEqual(value)
  })
})

describe('what cannot be translated', () => {
  it.each([
    ["[ghost] = '1'", 'unknown-field'],
    ["[event_1_arm_1][x] = '1'", 'field-of-other-event'],
    ["[event-name] = 'a'", 'smart-variable'],
    ["[x:label] = 'a'", 'smart-variable'],
    ["[previous-event-name][x] = 'a'", 'field-of-other-event'],
    ["[x][first-instance] = 'a'", 'field-of-other-event'],
    ["[user-name] = 'a'", 'smart-variable'],
    ["datediff([d1], [d2], 'weeks') > 1", 'expression-syntax'],
    ["left([x]) = 'a'", 'expression-syntax'],
    ['frobnicate([x])', 'unknown-function'],
    ["[x] = '1", 'expression-syntax'],
    ["[x] = '1')", 'expression-syntax'],
    ["[x] = '1' [y] = '2'", 'expression-syntax'],
    ['and', 'expression-syntax'],
    ['', 'expression-syntax'],
  ])('%s is reported as %s', (source, why) => {
    expect(translateLogic(source, SCOPE)).toMatchObject({ ok: false, why })
  })

  it('is reported when it is longer or deeper than any that a person wrote', () => {
    const deep = `${'('.repeat(5_000)}1${')'.repeat(5_000)}`
    const long = `[x] = '${'a'.repeat(20_000)}'`
    expect(translateLogic(deep, SCOPE)).toMatchObject({ ok: false, why: 'expression-too-complex' })
    expect(translateLogic(long, SCOPE)).toMatchObject({ ok: false, why: 'expression-too-complex' })
  })

  it('cannot smuggle CEL in through its texts', () => {
    expect(logic(`[x] = '" || true || "'`, { x: 'a' })).toBe(false)
    expect(logic(`[box(1" == "1)] = '1'`, { box: ['2'] })).toBe(false)
  })
})
