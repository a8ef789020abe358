import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import { readTable } from '#core/exchange/redcap/table.ts'
import type { CompiledCell } from '#core/form/compiled/compile.ts'
import type { Field } from '#core/form/definition/page.ts'
import type { RuleOutcome } from '#core/rules/rule.ts'
import type { CelValue } from '#core/rules/values.ts'
import { PageValues, RedcapValues } from '#core/rules/values.ts'

import { MOMENT, compiledVisit } from '../../form/filling.ts'
import { DICTIONARIES, samplePath } from '../samples.ts'
import type { OracleValue, Stored } from './oracle.ts'
import { evaluateRedcap, isTruthy } from './oracle.ts'

/**
 * The translated rules and an independent reading of REDCap's logic say the same of 1,000 generated records, blanks
 * included.
 */

const RECORDS = 1_000

/**
 * A dictionary with every function and operator, so that the agreement covers more than what eight studies happened to
 * use.
 */
const EVERYTHING = [
  'field_name,form_name,field_type,field_label,select_choices_or_calculations,text_validation_type_or_show_slider_number,branching_logic',
  ...['t1', 't2'].map((name) => `${name},f,text,T,,,`),
  ...['n1', 'n2', 'n3'].map((name) => `${name},f,text,N,,number,`),
  ...['d1', 'd2'].map((name) => `${name},f,text,D,,date_dmy,`),
  'r1,f,radio,R,"0, No | 1, Yes | 2, Maybe",,',
  'c1,f,checkbox,C,"1, One | 2, Two | -9, Unknown",,',
  ...[
    '[n1] + [n2] * [n3] - 2',
    '-[n1] / ([n2] - 3)',
    'round([n1] / [n2], 2)',
    'roundup([n1] * 1.234, 1)',
    'rounddown([n1] / 3, 1)',
    'round([n1] * 10, 0 - 1)',
    'sqrt([n1]) + abs([n2] - 50)',
    'exponential([n1] / 100)',
    'mod([n1], 7)',
    'sum([n1], [n2], [n3], [c1(1)])',
    'mean([n1], [n2], [n3])',
    'median([n1], [n2], [n3])',
    'stdev([n1], [n2], [n3])',
    'min([n1], [n2]) + max([n2], [n3], 5)',
    '([n1])^2 + 2^3^2',
    "if([r1] = '1', [n1], if([r1] = '2', [n2], ''))",
    "if([t1] <> '', 1, 0) * ([n1] > 3)",
    "datediff([d1], [d2], 'd', 'dmy', true)",
    "datediff([d1], [d2], 'y')",
    "round(datediff([d1], 'today', 'M'), 1)",
    'year([d1]) * 10000 + month([d1]) * 100 + day([d1])',
    "length([t1]) + find('b', [t1])",
    'age_at_date([d1], [d2])',
    "age_at_date([d1], 'today') * 10 + dayoftheweek([d2])",
    "dayoftheweek('now') + year('today')",
    "if([n1] = 'NaN', 'NaN', log([n1], 10) + log([n2]))",
    '[n1] + [n2] - [n3] + [n1] - 4 * [n2] / [n3] * 2 - (1 + [n1])',
    "if([n1] < 20, 1, if([n1] < 40, 2, if([n2] < 60, 3, if([n3] < 80, 4, ''))))",
    'mod([n1] + 0.5, 7) / 2 + mod(mod([n2], 50), 7)',
  ].map((formula, at) => `k${at},f,calc,K,"${formula}",,`),
  ...[
    "contains([t1], 'AB') or starts_with([t2], 'a') and ends_with([t1], 'C')",
    "not_contain([t1], 'b') && !([r1] = '0')",
    'isnumber([t1]) or isinteger([t2])',
    'isblankormissingcode([n1]) or [n2] >= 50',
    "[c1(-9)] = '1' and [c1(1)] = '0' || [c1(2)]",
    '[t1] = [t2] or [n1] <> [n2]',
    '[d1] < [d2]',
    '[t1] = 1 or [t1] > 5',
    "upper([t1]) = 'ABC' or lower(trim([t2])) = 'x y'",
    "left([t1], 2) = 'ab' or right([t2], 1) = 'y' or mid([t1], 2, 1) = 'b'",
    "concat([t1], '-', [r1]) = 'abc-1'",
    "replace_text([t1], 'b', '') = 'ac'",
    '[r1] and ([n1] - [n2])',
    "concat_ws('-', [t1], [r1], [t2]) = 'abc-1' or concat_ws(', ', [t1], [t2]) <> 'x y'",
    "[r1] = '1' or [r1] = '2' and [t1] <> '' or [n1] > 3 and [n2] > 3 and ([n3] > 3 or [t2] = '')",
    "[t1] <> 'NaN' and ([t2] = 'NaN' or [n1] >= [n2])",
    "([n1] + [n2]) = '' or not([t1] <> '')",
  ].map((logic, at) => `b${at},f,text,B,,,"${logic}"`),
].join('\n')

/** Rules that are not carried over, each with its reason. */
function untranslated(text: string): readonly string[] {
  const result = readRedcapDictionary(text)
  if (!result.ok) throw new Error('no dictionary')
  const rules = result.definition.notCarried.filter(({ what }) => what === 'branching' || what === 'calculation')
  return rules.map(({ field, what, why }) => `${field}: ${what}, ${why}`)
}

interface Judged {
  readonly name: string
  readonly source: string
  readonly logic: boolean
  readonly cell: CompiledCell
}

function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A value of a field and how REDCap would store it; a blank in a quarter of the cases. */
function draw(field: Field, next: () => number): { readonly value: CelValue | null; readonly stored: Stored } {
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(next() * items.length)]
  if (field.type === 'checkbox') {
    const codes = next() < 0.25 ? [] : field.choices.map((choice) => choice.value).filter(() => next() < 0.4)
    return { value: codes.length === 0 ? null : codes, stored: new Set(codes) }
  }
  if (next() < 0.25) return { value: null, stored: '' }
  if (field.choices.length > 0) {
    const code = pick(field.choices)?.value ?? '0'
    return { value: code, stored: code }
  }
  if (field.type === 'number' || field.type === 'slider') {
    const value =
      pick([0, 1, 45, 46, 50, 51, 60, 61, 365, 364, Math.round(next() * 200), Math.round(next() * 2_000) / 10]) ?? 0
    return { value, stored: String(value) }
  }
  if (field.type === 'date' || field.type === 'datetime') {
    const day = new Date(Date.UTC(1995, 0, 1) + Math.floor(next() * 13_000) * 86_400_000).toISOString().slice(0, 10)
    const text = field.type === 'date' ? day : `${day} 10:${String(10 + Math.floor(next() * 49))}:00`
    return { value: text, stored: text }
  }
  const text = pick(['abc', 'ABC', 'x y', '1', '01', '1.0', '7', 'b', '0']) ?? ''
  return { value: text, stored: text }
}

interface Form {
  readonly code: string
  readonly fields: readonly Field[]
  readonly rules: readonly Judged[]
}

/** Every rule of a dictionary that was carried over, by form, with the source's own text. */
function formsOf(text: string): readonly Form[] {
  const result = readRedcapDictionary(text)
  const table = readTable(text)
  if (!result.ok || !table.ok) throw new Error('no dictionary')
  const cells = new Map(table.rows.map((row) => [row.cells.field_name, row.cells]))
  const visit = compiledVisit(result.definition.pages)
  return Array.from(visit, ([code, model]) => {
    const rules = [...model.cells.values()].flatMap((cell): Judged[] => {
      const row = cells.get(cell.field.code)
      const judged = { name: cell.field.code, cell }
      return [
        ...(cell.show === null ? [] : [{ ...judged, logic: true, source: row?.branching_logic ?? '' }]),
        ...(cell.calculate === null
          ? []
          : [{ ...judged, logic: false, source: row?.select_choices_or_calculations ?? '' }]),
      ]
    })
    return { code, fields: model.page.fields, rules }
  })
}

function agrees(outcome: RuleOutcome | undefined, expected: OracleValue, logic: boolean): boolean {
  if (outcome === undefined || outcome.kind === 'fault') return false
  const value = outcome.kind === 'value' ? outcome.value : ''
  if (logic) return value === isTruthy(expected)
  if (typeof value === 'number' && typeof expected === 'number') {
    return Math.abs(value - expected) <= 1e-9 * Math.max(1, Math.abs(expected))
  }
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text === String(typeof expected === 'boolean' ? Number(expected) : expected)
}

/** Disagreements over the generated records, and how many judgements there were. */
function judge(text: string): {
  readonly judgements: number
  readonly rules: number
  readonly disagreements: readonly string[]
} {
  const disagreements: string[] = []
  const all = formsOf(text)
  const forms = all.filter((form) => form.rules.length > 0)
  let judgements = 0
  for (const { code, rules } of forms) {
    const next = random(20_260_301)
    const read = new Set(
      rules
        .flatMap(({ cell }) => [cell.show, cell.calculate])
        .flatMap((rule) => [
          ...(rule?.reads.map((prop) => `${code}.${prop}`) ?? []),
          ...(rule?.readsOtherPages.map(({ page, code }) => `${page}.${code}`) ?? []),
        ]),
    )
    const needed = all
      .flatMap((form) => form.fields.map((field) => ({ field, form: form.code })))
      .filter(({ field, form }) => read.has(`${form}.${field.code}`))
    for (let at = 0; at < RECORDS; at += 1) {
      const page = new PageValues()
      const rcVisit = new Map(all.map((form) => [form.code, new Map<string, CelValue>()]))
      const record = new Map<string, Stored>()
      for (const { field, form } of needed) {
        const { value, stored } = draw(field, next)
        record.set(field.code.toLowerCase(), stored)
        if (form !== code) rcVisit.get(form)?.set(field.code, value ?? '')
        else if (value !== null) page.set(field.code, value)
      }
      const scope = {
        page,
        rc: new RedcapValues(page),
        moment: MOMENT,
        otherPages: { rcVisit, visit: rcVisit, form: new Map(), visits: new Map() },
      }
      for (const { name, source, logic, cell } of rules) {
        const outcome = (logic ? cell.show : cell.calculate)?.evaluate(scope)
        const expected = evaluateRedcap(source, { record, ...MOMENT })
        judgements += 1
        if (agrees(outcome, expected, logic) || disagreements.length > 20) continue
        disagreements.push(
          `${name}: ${source} of ${JSON.stringify([...record])} is ${JSON.stringify(outcome)}, not ${String(expected)}`,
        )
      }
    }
  }
  return { judgements, rules: forms.reduce((total, form) => total + form.rules.length, 0), disagreements }
}

describe('translated rules agree with an independent evaluation', () => {
  it('of a dictionary with every function', { timeout: 120_000 }, () => {
    const { rules, judgements, disagreements } = judge(EVERYTHING)
    expect(disagreements).toEqual([])
    expect({ rules, judgements }).toEqual({ rules: 46, judgements: 46_000 })
  })

  for (const name of DICTIONARIES) {
    const file = samplePath('redcap', name)
    it(`of ${name}`, { timeout: 120_000 }, () => {
      const text = readFileSync(file, 'utf8')
      const { rules, judgements, disagreements } = judge(text)
      expect(disagreements).toEqual([])
      expect(judgements).toBe(rules * RECORDS)
      expect(untranslated(text)).toEqual([])
    })
  }
})
