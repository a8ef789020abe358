import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Calculation } from '#core/rules/calculations.ts'
import { readCalculation, writeCalculation } from '#core/rules/calculations.ts'
import type { Condition, ConditionGroup, Operand, Subject } from '#core/rules/conditions.ts'
import { COMPARISONS, normalConditions, writeConditions } from '#core/rules/conditions.ts'
import { readConditions } from '#core/rules/readConditions.ts'
import { ruleCompiler } from '#core/rules/rule.ts'
import { namesRead, tryRule } from '#core/rules/tryRule.ts'
import type { CelValue } from '#core/rules/values.ts'

/**
 * Rules that are put together from pickers: what they say as CEL, that they come back as they were, and what they mean
 * on values.
 */

const name = fc.constantFrom(
  'page.pulse',
  'page.sex',
  'row.dose',
  'visit.labs.hb',
  'form.V1.labs.hb',
  'form.V1.labs.last.hb',
  'visits.labs.prev.hb',
)
const subject: fc.Arbitrary<Subject> = fc.oneof(
  name.map((one): Subject => ({ kind: 'field', name: one })),
  fc.record({
    kind: fc.constantFrom('days' as const, 'age' as const),
    from: name,
    to: fc.oneof(name, fc.constantFrom('today', 'now')),
  }),
)
const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const operand: fc.Arbitrary<Operand> = fc.oneof(
  text.map((one): Operand => ({ kind: 'text', text: one })),
  fc
    .oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer())
    .map((number): Operand => ({ kind: 'number', number: number === 0 ? 0 : number })),
  fc.oneof(name, fc.constantFrom('today', 'now')).map((one): Operand => ({ kind: 'field', name: one })),
)
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ kind: fc.constant('compare' as const), of: subject, by: fc.constantFrom(...COMPARISONS), to: operand }),
  fc.record({ kind: fc.constant('between' as const), of: subject, from: operand, to: operand }),
  fc.record({
    kind: fc.constantFrom('oneOf' as const, 'noneOf' as const),
    name,
    values: fc.array(text, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constantFrom('includes' as const, 'excludes' as const), name, value: text }),
  fc.record({ kind: fc.constantFrom('answered' as const, 'missing' as const), name }),
)
const group: fc.Arbitrary<ConditionGroup> = fc.letrec<{ group: ConditionGroup; item: Condition | ConditionGroup }>(
  (tie) => ({
    item: fc.oneof({ depthSize: 'small', withCrossShrink: true }, condition, tie('group')),
    group: fc.record({
      kind: fc.constant('group' as const),
      join: fc.constantFrom('all' as const, 'any' as const),
      items: fc.array(tie('item'), { minLength: 1, maxLength: 4 }),
    }),
  }),
).group

describe('conditions from pickers', () => {
  it('come back from their CEL as they were, whatever they are', () => {
    fc.assert(
      fc.property(group, (conditions) => {
        const source = writeConditions(conditions)
        const read = readConditions(source)
        expect(read).toEqual(normalConditions(conditions))
        expect(read === null ? null : writeConditions(normalConditions(conditions))).toBe(
          read === null ? '' : writeConditions(read),
        )
      }),
      { numRuns: 1000 },
    )
  })

  it('are written as a data manager would write them', () => {
    const says = (join: 'all' | 'any', ...items: ConditionGroup['items']): string =>
      writeConditions({ kind: 'group', join, items })
    const pulse: Subject = { kind: 'field', name: 'page.pulse' }
    expect(
      says(
        'all',
        { kind: 'between', of: pulse, from: { kind: 'number', number: 40 }, to: { kind: 'number', number: 180.5 } },
        { kind: 'missing', name: 'page.reason' },
      ),
    ).toBe('page.pulse >= 40 && page.pulse <= 180.5 && !has(page.reason)')
    expect(
      says(
        'any',
        { kind: 'oneOf', name: 'page.sex', values: ['1', '2'] },
        {
          kind: 'group',
          join: 'all',
          items: [
            { kind: 'answered', name: 'page.pulse' },
            { kind: 'includes', name: 'page.signs', value: '舌"红' },
          ],
        },
      ),
    ).toBe('page.sex in ["1", "2"] || (has(page.pulse) && "舌\\"红" in page.signs)')
    expect(says('all')).toBe('')
  })

  it('stay CEL where pickers cannot say them', () => {
    for (const source of [
      'page.a + 1 > 2',
      'size(page.text) > 3',
      'rcEq(rc.x, "1")',
      'page.a > page.b ? true : false',
      'true',
      'page.a ==',
      '!(page.a == 1)',
      'page["a"] == 1',
    ])
      expect({ source, read: readConditions(source) }).toEqual({ source, read: null })
    expect(readConditions(Array.from({ length: 101 }, (_, at) => `page.a == ${at}`).join(' || '))).toBeNull()
    expect(readConditions('  ')).toEqual({ kind: 'group', join: 'all', items: [] })
  })
})

const compiler = ruleCompiler(
  new Map([
    ['pulse', 'double'],
    ['sex', 'string'],
    ['signs', 'list<string>'],
    ['born', 'string'],
    ['seen', 'string'],
    ['weight', 'double'],
    ['height', 'double'],
  ] as const),
  { fieldsOf: (page) => (page === 'labs' ? new Map([['hb', 'double']] as const) : null), standsIn: () => true },
  ['form.V1.labs.last.hb visit.labs.hb'],
)
const MOMENT = { today: '2026-11-23', now: '2026-11-23 08:00:00' }
function outcome(
  source: string,
  values: Readonly<Record<string, CelValue>>,
  expected: 'bool' | 'value' = 'bool',
): unknown {
  const compiled = compiler.compile(source, expected)
  if (!compiled.ok) return compiled.problem
  const result = tryRule(compiled.rule, new Map(Object.entries(values)), MOMENT)
  return result.kind === 'value' ? result.value : result.kind === 'unknown' ? result.missing : result
}

describe('what conditions mean', () => {
  it('is true, false, or unknown because an input is missing', () => {
    const source = writeConditions({
      kind: 'group',
      join: 'all',
      items: [
        { kind: 'compare', of: { kind: 'field', name: 'page.pulse' }, by: '!=', to: { kind: 'number', number: 60 } },
        { kind: 'noneOf', name: 'page.sex', values: ['2'] },
      ],
    })
    expect([
      outcome(source, { 'page.pulse': 61, 'page.sex': '1' }),
      outcome(source, { 'page.pulse': 60, 'page.sex': '1' }),
      outcome(source, { 'page.pulse': 61 }),
    ]).toEqual([true, false, ['sex']])
    expect(outcome('!has(page.sex)', {})).toBe(true)
    expect(outcome('"2" in page.signs', { 'page.signs': ['1', '2'] })).toBe(true)
    expect(outcome('!("2" in page.signs)', {})).toEqual(['signs'])
    for (const by of COMPARISONS)
      expect([by, typeof outcome(`page.pulse ${by} 5`, { 'page.pulse': 4.5 })]).toEqual([by, 'boolean'])
    expect(outcome('days(page.born, today) >= 2 && page.born <= today', { 'page.born': '2026-11-21' })).toBe(true)
  })

  it('takes values of other pages by the names that the rule uses', () => {
    const compiled = compiler.compile('form.V1.labs.last.hb > visit.labs.hb && rcVisit.labs.hb != ""', 'bool')
    expect(compiled.ok ? namesRead(compiled.rule) : compiled).toEqual(['form.V1.labs.last.hb', 'visit.labs.hb'])
    expect(outcome('form.V1.labs.last.hb > visit.labs.hb', { 'form.V1.labs.last.hb': 2, 'visit.labs.hb': 1 })).toBe(
      true,
    )
    expect(outcome('form.V1.labs.last.hb > visit.labs.hb', { 'visit.labs.hb': 1 })).toEqual(['form.V1.labs.last.hb'])
    expect(outcome('rcEq(rcVisit.labs.hb, "")', {})).toBe(true)
  })

  it('is a fault where all is there and the rule fails', () => {
    expect(outcome('matches(page.sex, "(")', { 'page.sex': '1' })).toMatchObject({ kind: 'fault' })
  })
})

const calculation: fc.Arbitrary<Calculation> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('sum' as const, 'mean' as const, 'min' as const, 'max' as const),
    names: fc.array(name, { minLength: 1, maxLength: 5 }),
    digits: fc.option(fc.integer({ min: 0, max: 15 })),
  }),
  fc.record({
    kind: fc.constantFrom('difference' as const, 'ratio' as const, 'days' as const, 'age' as const, 'bmi' as const),
    first: name,
    second: name,
    digits: fc.option(fc.integer({ min: 0, max: 15 })),
  }),
)

describe('calculations from pickers', () => {
  it('come back from their CEL as they were', () => {
    fc.assert(
      fc.property(calculation, (one) => {
        expect(readCalculation(writeCalculation(one))).toEqual(one)
      }),
    )
  })

  it('give what a person expects', () => {
    const bmi = writeCalculation({ kind: 'bmi', first: 'page.weight', second: 'page.height', digits: 1 })
    expect(bmi).toBe('round(page.weight / pow(page.height / 100, 2), 1)')
    expect(outcome(bmi, { 'page.weight': 70, 'page.height': 175 }, 'value')).toBe(22.9)
    expect(outcome(bmi, { 'page.weight': 70 }, 'value')).toEqual(['height'])
    expect(
      outcome(
        writeCalculation({ kind: 'days', first: 'page.born', second: 'page.seen', digits: null }),
        { 'page.born': '2026-11-01', 'page.seen': '2026-11-23' },
        'value',
      ),
    ).toBe(22)
    expect(
      outcome(
        writeCalculation({ kind: 'mean', names: ['page.weight', 'page.height'], digits: null }),
        { 'page.weight': 1, 'page.height': 2 },
        'value',
      ),
    ).toBe(1.5)
    expect(readCalculation('page.weight * 2')).toBeNull()
  })
})
