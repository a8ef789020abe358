import { Environment } from '@marcbachmann/cel-js'
import { describe, expect, it } from 'vitest'
import { compilePage } from '#core/form/compiled/compile.ts'
import { parsePage } from '#core/form/definition/page.ts'
import { evaluateEntry } from '#core/form/engine/evaluate.ts'
import { registerFunctions } from '#core/rules/functions.ts'
import type { CelType } from '#core/rules/problem.ts'
import { registerRedcapFunctions } from '#core/rules/redcap/redcap.ts'
import type { RuleOutcome } from '#core/rules/rule.ts'
import { TOO_MUCH_WORK, ruleCompiler } from '#core/rules/rule.ts'
import type { CelValue } from '#core/rules/values.ts'
import { PageValues, RedcapValues } from '#core/rules/values.ts'
import { registerXPathFunctions } from '#core/rules/xpath/xpath.ts'

import { HOSTILE_RULES, nested } from './support/hostileRules.ts'

const MOMENT = { today: '2026-03-01', now: '2026-03-01 09:30:00' }
const SPENT: RuleOutcome = { kind: 'fault', code: TOO_MUCH_WORK }
const compiler = ruleCompiler(
  new Map<string, CelType>([
    ['text', 'string'],
    ['list', 'list<string>'],
    ['number', 'double'],
    ['missing', 'double'],
  ]),
)

function compile(source: string) {
  const result = compiler.compile(source, 'value')
  if (!result.ok) throw new Error(`${source}: ${JSON.stringify(result.problem)}`)
  return result.rule
}

function evaluate(source: string, values: Readonly<Record<string, CelValue>> = {}): RuleOutcome {
  const page = new PageValues(Object.entries(values))
  return compile(source).evaluate({ page, rc: new RedcapValues(page), moment: MOMENT })
}

describe('a rule that asks for too much work', () => {
  it.each(HOSTILE_RULES)('stops: %s', (_name, source) => {
    const started = performance.now()
    expect(evaluate(source)).toEqual(SPENT)
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  it('stops where a page reads it that shows its field then, and goes on with the rest', () => {
    const option = JSON.stringify({
      column: [
        { prop: 'heavy', label: 'Heavy', type: 'input', zl: { show: nested(5) } },
        { prop: 'sum', label: 'Sum', type: 'number', zl: { calculate: '1.0 + 1.0' } },
      ],
    })
    const parsed = parsePage(option)
    const compiled = parsed.ok ? compilePage(parsed.page) : null
    if (compiled?.ok !== true) throw new Error('the page is none')
    const entry = evaluateEntry(compiled.compiled, { values: {}, missing: {} }, MOMENT)
    expect(entry.faults).toMatchObject([{ code: 'heavy', role: 'show', failure: TOO_MUCH_WORK }])
    expect(entry.hidden).toEqual([])
    expect(entry.calculated).toMatchObject([{ code: 'sum', value: 2 }])
  })

  it('is not taken for unknown because another value is missing', () => {
    expect(evaluate(`${nested(5)} && page.missing > 1.0`)).toEqual(SPENT)
  })

  it('is not saved by an "or"', () => {
    expect(evaluate(`${nested(5)} || true`)).toEqual(SPENT)
    expect(evaluate(`[1].exists(x, ${nested(5)}) || true`)).toEqual(SPENT)
  })

  it('is not written where the type of a value would double with each loop', () => {
    let rule = 'v24.size() > 0'
    for (let level = 24; level > 0; level--) rule = `[{v${level - 1}: v${level - 1}}].all(v${level}, ${rule})`
    expect(compiler.compile(`[{"a": 1}].all(v0, ${rule})`, 'bool')).toMatchObject({
      ok: false,
      problem: { kind: 'not-allowed' },
    })
    expect(evaluate('{page.text: 1}.size() == 1', { text: 'a' })).toEqual({ kind: 'value', value: true })
  })

  it('gives no result that is larger than any field', () => {
    // Nineteen levels are small in memory, and half a million elements as they are written out.
    let rule = 'v19'
    for (let level = 19; level > 0; level--) rule = `[[v${level - 1}, v${level - 1}]].map(v${level}, ${rule})[0]`
    expect(evaluate(`[["aa"]].map(v0, ${rule}) == dyn([]) ? dyn([]) : dyn([["aa"]].map(v0, ${rule}))`)).toEqual(SPENT)
  })
})

describe('all rules of a form together', () => {
  it('stop when they have spent what a form may, and begin anew with the next edit', () => {
    const column = Array.from({ length: 200 }, (_, at) => ({
      prop: `f${at}`,
      label: `F${at}`,
      type: 'number',
      zl: { calculate: `${nested(2, 'v0 + v1 >= 0 && v1 + v0 >= 0')} ? 1.0 : 2.0` },
    }))
    const parsed = parsePage(JSON.stringify({ column }))
    const compiled = parsed.ok ? compilePage(parsed.page) : null
    if (compiled?.ok !== true) throw new Error('the page is none')
    for (let turn = 0; turn < 2; turn++) {
      const started = performance.now()
      const { faults, calculated } = evaluateEntry(compiled.compiled, { values: {}, missing: {} }, MOMENT)
      expect(performance.now() - started).toBeLessThan(2_000)
      expect(faults.length).toBeGreaterThan(100)
      expect(new Set(faults.map(({ failure }) => failure))).toEqual(new Set([TOO_MUCH_WORK]))
      expect(calculated.filter(({ value }) => value === 1).length).toBe(200 - faults.length)
      expect(faults.length).toBeLessThan(200)
    }
  })
})

describe('ordinary rules', () => {
  it('of a long table and of long texts stay within the budget', () => {
    const list = Array.from({ length: 1_000 }, (_, at) => `code${at}`)
    const text = '一'.repeat(100_000)
    expect(evaluate('page.list.all(a, a.startsWith("code") && a.size() < 10)', { list })).toEqual({
      kind: 'value',
      value: true,
    })
    expect(evaluate('page.list.filter(a, a != "code7").map(a, a + "x").join(",").size() > 100', { list })).toEqual({
      kind: 'value',
      value: true,
    })
    expect(evaluate('page.list.exists_one(a, a == "code999") && "code5" in page.list', { list })).toEqual({
      kind: 'value',
      value: true,
    })
    expect(evaluate('page.text.contains("二") || page.text.trim().size() == 100000', { text })).toEqual({
      kind: 'value',
      value: true,
    })
    expect(evaluate('page.list[0] == "code0" ? rcConcat(page.list) : ""', { list })).toMatchObject({ kind: 'value' })
  })
})

/** All that rules can call: what the language has, and what is ours. */
const environment = new Environment({ homogeneousAggregateLiterals: false })
registerFunctions(environment)
registerRedcapFunctions(environment)
registerXPathFunctions(environment)
const { functions } = environment.getDefinitions()

/** Texts that a budget does not reach to the end of, by the type that a function asks for. */
const LONG: Readonly<Record<string, string>> = {
  string: 'page.text',
  dyn: 'page.text',
  list: 'page.list',
  'list<string>': 'page.list',
  'list<dyn>': 'page.list',
  map: 'dyn({"a": page.text})',
  'map<dyn, dyn>': 'dyn({"a": page.text})',
}
const SMALL: Readonly<Record<string, string>> = {
  int: '1',
  double: '1.0',
  bool: 'true',
  uint: '1u',
  null: 'null',
  type: 'int',
  bytes: 'b"a"',
}
/** Not to be called, or of values that no rule has. */
const UNREACHABLE = /^(?:timestamp|duration|bytes|bind)\(|\.(?:matches|bind)\(|google\.protobuf|optional|Namespace|ast/

describe('every function', () => {
  const read = functions.filter(
    ({ signature, receiverType, params }) =>
      !UNREACHABLE.test(signature) &&
      [receiverType, ...params.map(({ type }) => type)].some((type) => type !== null && type in LONG),
  )

  it('that reads a text, a list or anything is looked at', () => {
    expect(read.length).toBeGreaterThan(60)
    const reachable = functions.filter(({ signature }) => !UNREACHABLE.test(signature))
    const unknown = reachable
      .flatMap(({ receiverType, params }) => [receiverType, ...params.map(({ type }) => type)])
      .filter((type) => type !== null && !(type in LONG) && !(type in SMALL))
    expect(unknown).toEqual([])
  })

  it.each(read.map((one): [string, typeof one] => [one.signature, one]))(
    'counts what it reads: %s',
    (_signature, { name, receiverType, params }) => {
      const argument = (type: string) => LONG[type] ?? SMALL[type] ?? ''
      const call = `${receiverType === null ? '' : `${argument(receiverType)}.`}${name}(${params.map(({ type }) => argument(type)).join(', ')})`
      expect(
        evaluate(`dyn([${call}].size() == 1)`, {
          text: 'a'.repeat(3_000_000),
          list: Array.from({ length: 400_000 }, () => 'a'),
        }),
      ).toEqual(SPENT)
    },
  )
})

describe('every operator of texts and lists', () => {
  it.each([
    'page.text + page.text',
    'page.list + page.list',
    'page.list == ["a"]',
    'page.list != ["a"]',
    '"b" in page.list',
    'page.text + "a" == page.text + "b"',
    'page.text < page.text + "b"',
  ])('counts: %s', (source) => {
    expect(
      evaluate(`dyn([${source}].size() == 1)`, {
        text: 'a'.repeat(5_000_000),
        list: Array.from({ length: 400_000 }, () => 'a'),
      }),
    ).toEqual(SPENT)
  })
})

describe('every loop', () => {
  it.each([
    'all(a, a != "b")',
    'exists(a, a == "b")',
    'exists_one(a, a == "b")',
    'map(a, a).size() > 0',
    'map(a, a != "b", a).size() > 0',
    'filter(a, a != "b").size() > 0',
  ])('counts its turns: %s', (loop) => {
    const list = Array.from({ length: 100_000 }, () => 'a')
    expect(evaluate(`page.list.${loop}`, { list })).toEqual(SPENT)
    expect(evaluate(`page.list.${loop}`, { list: ['a'] })).toMatchObject({ kind: 'value' })
  })
})
