import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { translateTest, translateValue } from '#core/exchange/xpath/translate.ts'
import type { XPathScope } from '#core/exchange/xpath/translate.ts'
import { ruleCompiler } from '#core/rules/rule.ts'
import type { CelType } from '#core/rules/problem.ts'
import type { CelValue } from '#core/rules/values.ts'
import { PageValues, RedcapValues } from '#core/rules/values.ts'

import { MOMENT } from '../../form/filling.ts'
import { HAS_SAMPLES, SAMPLES } from '../samples.ts'
import type { OracleValue } from './oracle.ts'
import { evaluateXPath, text, truth } from './oracle.ts'

/** The translated expressions and an independent reading of XPath say the same of many records, blanks included. */

const RECORDS = 400

const TYPES: ReadonlyMap<string, CelType> = new Map([
  ['t1', 'string'], ['t2', 'string'], ['n1', 'double'], ['n2', 'double'], ['d1', 'string'], ['d2', 'string'], ['m1', 'string'], ['s1', 'string'], ['c1', 'list<string>'], ['rows', 'list<dyn>'],
] as const)

const scope: XPathScope = {
  named: (name) => target(name),
  at: (steps) => target(steps.at(-1) ?? 'n1'),
}

function target(name: string): ReturnType<XPathScope['named']> {
  if (name === 'rows') return { kind: 'table', cel: 'rc.rows' }
  if (name === 'x') return { kind: 'column', cel: 'rc.rows', prop: 'x' }
  return TYPES.has(name) ? { kind: 'field', cel: `rc.${name}` } : null
}

const TESTS = [
  '${n1} = 1', '${n1} != 1', '${n1} > ${n2}', '. >= 1 and . <= 3', '${t1} = ""', "${t1} != ''", "${n1} = ''", "${n1} != ''", "${n1} = '2'", "${t1} = '2'", '${t1} = 2', '${t1} > 1', '${t1} = ${t2}', '${n1} = ${n2}', '${n1} = ${t1}',
  "selected(${c1}, 'a')", "not(selected(${c1}, 'a') and selected(${c1}, 'b'))", 'count-selected(${c1}) <= 1', "${c1} = 'a b'", "selected(${s1}, 'a') or ${s1} = 'b'",
  '${d1} > today()', 'today() - ${d1} >= 98', '${d1} < ${d2}', '${d1} = today()', '${d1} + 7 > ${d2}', "${d1} >= date('2026-02-27')", '${m1} <= now()', 'decimal-date-time(${d1}) > 20500',
  "regex(${t1}, '[a-c]+')", "contains(${t1}, 'b') or starts-with(${t2}, 'a')", 'string-length(${t1}) > 1', '${t1}', '${n1}', 'not(${n1})', 'boolean(${t1}) = true()', '${n1} = 1 = true()', "(${s1} = 'a') != (${n1} > 1)",
  '${n1} mod 2 = 1 or ${n1} div 2 > 1', '${n1} * 2 - 1 > ${n2}', '-${n1} < 0', '1 + 2 * 3 = 7 and 7 - 2 - 1 = 4', 'FALSE', 'True', 'count(${rows}) > 1', 'sum(${x}) > 3', 'max(${x}) = 3 or count-non-empty(${x}) = 1', '../../form/n1 > 1', '/data/n1 >= /data/g/n2',
  "coalesce(${t1}, 'abc') = 'abc'", 'if(${n1} > 1, ${n2}, ${t1}) = 2', "true() and (${t1} = 'abc' or ${t1} = '2')",
]

const VALUES = [
  '${n1} + ${n2}', '${n1} div ${n2}', 'round(${n1} div 3, 2)', 'round(-2.5)', 'int(${n1} div 2)', "if(${n1} > 1, 'big', if(${n1} = 1, 'one', ''))", "concat(${t1}, '-', ${n1}, '-', ${c1})", 'today() - ${d1}', 'number(${t1}) + 1', "if(number(${n1}) < 10, concat('0', ${n1}), ${n1})",
  'pow(${n1}, 2) + abs(-${n2})', 'min(${n1}, ${n2}, 5)', 'sum(${x})', 'min(${x})', "join(', ', ${x})", 'count(${rows})', "selected-at(${c1}, 1)", 'coalesce(${n1}, ${n2})', "format-date(${d1}, '%d/%m/%Y')", 'substr(${t1}, 1)', 'substr(${t1}, 0, 1)', "if(${d1} != '', date(${d1}), '')", 'string(${n1})', '${n1} > 1', '1', "'text'", 'not(${n1} = 1)',
]

function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

const CANDIDATES: Readonly<Record<string, readonly CelValue[]>> = {
  t1: ['abc', 'b', '2', '02', 'a b'], t2: ['abc', 'a', '2'], n1: [0, 1, 2, 3, 2.5, -1], n2: [0, 1, 2, 7], d1: ['2026-03-01', '2025-11-01', '2026-02-27'], d2: ['2026-03-01', '2026-03-02'], m1: ['2026-03-01 09:30:00', '2026-03-01 10:00:00'], s1: ['a', 'b'], c1: [['a'], ['a', 'b'], ['b', 'c']],
}

interface Drawn {
  readonly page: PageValues
  readonly record: ReadonlyMap<string, string | number>
  readonly column: readonly (string | number)[]
}

function draw(next: (below: number) => number): Drawn {
  const page = new PageValues()
  const record = new Map<string, string | number>()
  for (const [name, values] of Object.entries(CANDIDATES)) {
    const value = next(4) === 0 ? undefined : values[next(values.length)]
    if (value === undefined) continue
    page.set(name, value)
    record.set(name, typeof value === 'number' || typeof value === 'string' ? value : Array.isArray(value) ? value.join(' ') : '')
  }
  const column = Array.from({ length: next(4) }, () => (next(4) === 0 ? '' : next(4)))
  if (column.length > 0) page.set('rows', column.map((x) => (x === '' ? {} : { x })))
  return { page, record, column }
}

function oracle(source: string, { record, column }: Drawn): OracleValue {
  return evaluateXPath(source, { record, self: 'n1', columns: new Map([['x', column]]), rows: new Map([['rows', column.length]]), ...MOMENT })
}

/** What a translated expression gives; '' for no answer. */
function given(cel: string, expected: 'bool' | 'value', page: PageValues): unknown {
  const compiled = ruleCompiler(TYPES).compile(cel, expected)
  if (!compiled.ok) throw new Error(`${cel}: ${JSON.stringify(compiled.problem)}`)
  const outcome = compiled.rule.evaluate({ page, rc: new RedcapValues(page), moment: MOMENT })
  if (outcome.kind === 'fault') throw new Error(`${cel}: ${outcome.code}`)
  return outcome.kind === 'value' ? outcome.value : ''
}

describe('translated XPath says what XPath says', () => {
  it.each(TESTS)('as a test: %s', (source) => {
    const result = translateTest(source, scope)
    if (!result.ok) throw new Error(`${result.why}: ${result.detail}`)
    const next = random(source.length)
    for (let at = 0; at < RECORDS; at += 1) {
      const drawn = draw(next)
      expect({ record: Object.fromEntries(drawn.record), column: drawn.column, value: given(result.cel, 'bool', drawn.page) }).toEqual({ record: Object.fromEntries(drawn.record), column: drawn.column, value: truth(oracle(source, drawn)) })
    }
  })

  it.each(VALUES)('as a value: %s', (source) => {
    const result = translateValue(source, scope)
    if (!result.ok) throw new Error(`${result.why}: ${result.detail}`)
    const next = random(source.length)
    for (let at = 0; at < RECORDS; at += 1) {
      const drawn = draw(next)
      const expected = oracle(source, drawn)
      const value = typeof expected === 'number' && !Number.isFinite(expected) ? '' : text(expected)
      const found = given(result.cel, 'value', drawn.page)
      expect({ record: Object.fromEntries(drawn.record), column: drawn.column, value: String(found) }).toEqual({ record: Object.fromEntries(drawn.record), column: drawn.column, value })
    }
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
    expect(result.ok && given(result.cel, 'bool', page)).toBe(false)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})

describe('the expressions of the samples', () => {
  const lines = HAS_SAMPLES ? readFileSync(join(SAMPLES, 'expressions.txt'), 'utf8').split('\n') : []
  const own = lines.map((line) => line.split('\t')).filter(([, kind]) => kind?.startsWith('xlsform-') === true || kind?.startsWith('xform-') === true)
  const any: XPathScope = {
    named: (name) => ({ kind: 'field', cel: `rc.${name.replaceAll(/\W/g, '_')}` }),
    at: (steps) => ({ kind: steps.at(-1) === 'household' ? 'table' : 'field', cel: `rc.${steps.at(-1)?.replaceAll(/\W/g, '_') ?? 'self'}` }),
  }
  const UNTRANSLATED: Readonly<Record<string, string>> = { '49': 'list-elsewhere', '50': 'unknown-function', '55': 'unknown-function' }

  it.runIf(HAS_SAMPLES)('are thirty', () => {
    expect(own).toHaveLength(30)
  })

  it.each(own)('%s %s %s %s %s %s', (no, kind, _split, _file, _field, quoted) => {
    const source = String(JSON.parse(quoted ?? '""'))
    const result = kind === 'xlsform-choice_filter' ? { ok: source === 'region=${region}', why: 'another filter' } : kind?.includes('calculat') === true ? translateValue(source, any) : translateTest(source, any)
    expect(result.ok || !('why' in result) ? 'translated' : result.why).toBe(UNTRANSLATED[no ?? ''] ?? 'translated')
  })
})
