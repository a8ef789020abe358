import { describe, expect, it } from 'vitest'

import type { CelType, RuleExpectation } from '#core/rules/problem.ts'
import type { RuleOutcome } from '#core/rules/rule.ts'
import { TOO_MUCH_WORK, ruleCompiler } from '#core/rules/rule.ts'
import type { CelValue } from '#core/rules/values.ts'
import { PageValues, RedcapValues } from '#core/rules/values.ts'

const FIELDS = new Map<string, CelType>([
  ['weight', 'double'],
  ['height', 'double'],
  ['sex', 'string'],
  ['dob', 'string'],
  ['meds', 'list<string>'],
])
const MOMENT = { today: '2026-03-01', now: '2026-03-01 09:30:00' }
const compiler = ruleCompiler(FIELDS)

function evaluate(
  source: string,
  values: Readonly<Record<string, CelValue>> = {},
  expected: RuleExpectation = 'value',
): RuleOutcome {
  const result = compiler.compile(source, expected)
  if (!result.ok) throw new Error(JSON.stringify(result.problem))
  const page = new PageValues(Object.entries(values))
  return result.rule.evaluate({ page, rc: new RedcapValues(page), moment: MOMENT })
}

function problem(source: string, expected: RuleExpectation = 'value') {
  const result = compiler.compile(source, expected)
  return result.ok ? null : result.problem
}

describe('three truth values', () => {
  const heavy = 'page.weight > 90'
  const female = 'page.sex == "0"'
  it.each<[string, Readonly<Record<string, CelValue>>, RuleOutcome]>([
    [`${heavy} || ${female}`, { sex: '0' }, { kind: 'value', value: true }],
    [`${female} || ${heavy}`, { sex: '0' }, { kind: 'value', value: true }],
    [`${heavy} || ${female}`, { sex: '1' }, { kind: 'unknown', missing: ['weight'] }],
    [`${heavy} && ${female}`, { sex: '1' }, { kind: 'value', value: false }],
    [`${female} && ${heavy}`, { sex: '1' }, { kind: 'value', value: false }],
    [`${heavy} && ${female}`, { sex: '0' }, { kind: 'unknown', missing: ['weight'] }],
    [`!(${heavy})`, {}, { kind: 'unknown', missing: ['weight'] }],
    ['page.sex != "1"', {}, { kind: 'unknown', missing: ['sex'] }],
    ['has(page.weight)', {}, { kind: 'value', value: false }],
    ['has(page.weight) ? page.weight : 0.0', {}, { kind: 'value', value: 0 }],
    [`${heavy} || ${female}`, {}, { kind: 'unknown', missing: ['weight', 'sex'] }],
  ])('%s with %j', (source, values, outcome) => {
    expect(evaluate(source, values)).toEqual(outcome)
  })
})

describe('numbers as a data manager writes them', () => {
  it.each<[string, Readonly<Record<string, CelValue>>, number]>([
    ['page.weight / (page.height / 100)', { weight: 60, height: 150 }, 40],
    ['2 * page.weight - 1', { weight: 60 }, 119],
    ['page.weight % 7', { weight: 60 }, 4],
    ['round(2.5)', {}, 3],
    ['round(-2.5)', {}, -3],
    ['round(1.005, 2)', {}, 1.01],
    ['round(1234.5, -2)', {}, 1200],
    ['roundUp(1.21, 1)', {}, 1.3],
    ['roundDown(-1.29, 1)', {}, -1.2],
    ['sum([page.weight, 1, 2.5])', { weight: 60 }, 63.5],
    ['mean([1, 2, 6])', {}, 3],
    ['median([5, 1, 3, 2])', {}, 2.5],
    ['max([1, page.weight])', { weight: 60 }, 60],
    ['pow(page.height / 100, 2)', { height: 200 }, 4],
    ['page.meds.size()', { meds: ['a', 'b'] }, 2],
  ])('%s with %j is %d', (source, values, value) => {
    expect(evaluate(source, values)).toEqual({ kind: 'value', value })
  })

  it('compares form numbers with whole numbers', () => {
    expect(evaluate('page.weight == 60 && 60 == page.weight && page.weight != 61', { weight: 60 })).toMatchObject({
      value: true,
    })
  })

  it('has no answer for a division by zero', () => {
    expect(evaluate('page.weight / page.height', { weight: 60, height: 0 })).toEqual({ kind: 'unknown', missing: [] })
  })
})

describe('dates', () => {
  it.each<[string, Readonly<Record<string, CelValue>>, number]>([
    ['age(page.dob, today)', { dob: '2000-03-01' }, 26],
    ['age(page.dob, today)', { dob: '2000-03-02' }, 25],
    ['age("2004-02-29", "2005-02-28")', {}, 0],
    ['age("2004-02-29", "2005-03-01")', {}, 1],
    ['days("2024-02-28", "2024-03-01")', {}, 2],
    ['days(today, "2026-02-27")', {}, -2],
    ['datediff("2026-03-01 09:00:00", now, "m")', {}, 30],
  ])('%s with %j is %d', (source, values, value) => {
    expect(evaluate(source, values)).toEqual({ kind: 'value', value })
  })

  it('has no answer for a day that no calendar has', () => {
    expect(evaluate('days("2023-02-29", today)').kind).toBe('unknown')
  })
})

describe('a rule that is wrong is refused when it is written', () => {
  it.each([
    ['page.nope > 1', { kind: 'unknown-field', code: 'nope', start: 0, end: 9 }],
    ['rc.nope', { kind: 'unknown-field', code: 'nope' }],
    ['page.sex > 3', { kind: 'type', start: 0, end: 12 }],
    ['page.sex ==', { kind: 'syntax' }],
    ['page["sex"] == "0"', { kind: 'not-allowed', name: 'page' }],
    ['page.sex.matches("^a")', { kind: 'not-allowed', name: 'matches' }],
    [
      'timestamp("2024-01-01T00:00:00Z") == timestamp("2024-01-01T00:00:00Z")',
      { kind: 'not-allowed', name: 'timestamp' },
    ],
  ])('%s', (source, expected) => {
    expect(problem(source)).toMatchObject(expected)
  })

  it('has limits of length, depth and size', () => {
    expect(problem('1'.repeat(64_001))).toEqual({ kind: 'too-long' })
    expect(problem(`${'('.repeat(260)}1${')'.repeat(260)}`)).toMatchObject({ kind: 'syntax' })
    expect(problem(`[${'1,'.repeat(1_000)}1].size()`)).toMatchObject({ kind: 'syntax' })
  })

  it('must give what its place asks for', () => {
    expect(problem('page.weight', 'bool')).toEqual({ kind: 'wrong-result', expected: 'bool', found: 'double' })
    expect(problem('page.sex', 'number')).toMatchObject({ kind: 'wrong-result' })
    expect(problem('page.weight + 1', 'number')).toBeNull()
  })
})

describe('what a rule reads', () => {
  it('comes from its syntax, also inside of functions and branches', () => {
    const result = compiler.compile('has(page.dob) ? page.weight : max([page.height, rcNum(rc.sex)])', 'value')
    expect(result.ok && result.rule.reads.toSorted()).toEqual(['dob', 'height', 'sex', 'weight'])
  })
})

describe('regular expressions', () => {
  it('find text', () => {
    expect(evaluate('matches(page.sex, "^[0-9]+$")', { sex: '12' })).toMatchObject({ value: true })
  })

  it('take linear time on a pattern that blows up a backtracking engine', () => {
    const started = performance.now()
    expect(evaluate('matches(page.sex, "^(a+)+$")', { sex: `${'a'.repeat(5_000)}!` })).toMatchObject({ value: false })
    // Linear is still long where the pattern counts to a thousand and the text is ten thousand long.
    const start = performance.now()
    expect(evaluate('matches(page.sex, "(?:.?){1000}[^x]{1000}")', { sex: 'xy'.repeat(5_000) })).toEqual({
      kind: 'fault',
      code: TOO_MUCH_WORK,
    })
    expect(performance.now() - start).toBeLessThan(250)
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  it('that are none are a fault of the rule', () => {
    expect(evaluate('matches(page.sex, "(")', { sex: 'a' })).toEqual({ kind: 'fault', code: 'function' })
  })
})
