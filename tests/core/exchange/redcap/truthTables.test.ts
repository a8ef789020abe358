import { describe, expect, it } from 'vitest'

import { translateCalculation, translateLogic } from '#core/exchange/redcap/translate.ts'
import type { JsonValue } from '#core/json.ts'
import type { CelType } from '#core/rules/problem.ts'
import { ruleCompiler } from '#core/rules/rule.ts'
import type { CelValue } from '#core/rules/values.ts'
import { PageValues, RedcapValues } from '#core/rules/values.ts'

/**
 * Whole expressions with answers worked out by hand: twenty of real studies, and the shapes that real projects use
 * most. Absent fields are blank, an array is what is ticked, null is a blank result. Today is Sunday 2026-03-01, now
 * 09:30.
 *
 * Sources of the meaning, named by letter below: A REDCap's special functions as the public REDCap knowledge base of B.
 * de Veer describes them (article RC-CALC-01, REDCap 16.1). B "Calculated Fields: REDCap How-To Guide" (2017): a blank
 * is written "" or "NaN"; arithmetic with a blank is blank. C "Branching Logic: How-To Guide" (2017): codes in quotes,
 * `<>` for "not", dates as year-month-day; check boxes as [name(code)]. D "REDCap Reference Page" (roscoelai/reference,
 * public): operators have names (eq, ne, lt …); nested `if`s end at about 80. E Our own choice where no source speaks
 * (docs/adr/0007): an order with a blank is false, as it is with B's NaN.
 */

type Values = Readonly<Record<string, CelValue>>
type Table = readonly (readonly [Values, JsonValue | null])[]

const MOMENT = { today: '2026-03-01', now: '2026-03-01 09:30:00' }

function answer(kind: 'logic' | 'calculation', source: string, values: Values): JsonValue | null {
  const names = new Set(Array.from(source.matchAll(/\[(\w+)/g), (match) => match[1] ?? ''))
  const scope = { propOf: (name: string) => (names.has(name) ? name : null), elsewhere: () => null }
  const result = kind === 'logic' ? translateLogic(source, scope) : translateCalculation(source, scope)
  if (!result.ok) throw new Error(`${source}: ${result.why} ${result.detail}`)
  const compiled = ruleCompiler(new Map(Array.from(names, (name): [string, CelType] => [name, 'string']))).compile(
    result.cel,
    'value',
  )
  if (!compiled.ok) throw new Error(`${result.cel}: ${JSON.stringify(compiled.problem)}`)
  const page = new PageValues(Object.entries(values))
  const outcome = compiled.rule.evaluate({ page, rc: new RedcapValues(page), moment: MOMENT })
  if (outcome.kind === 'fault') throw new Error(`${result.cel}: ${outcome.code}`)
  return outcome.kind === 'value' && outcome.value !== '' ? outcome.value : null
}

/** What the rule answers for each row of a table, in the table's own form. */
function answers(kind: 'logic' | 'calculation', source: string, table: Table): Table {
  return table.map(([values]) => {
    const found = answer(kind, source, values)
    return [values, typeof found === 'number' ? Number(found.toPrecision(12)) : found]
  })
}

const ROUTES = ['8', '10', '3', '1', '7', '13']
const MEDI_ROUTE = [
  ...ROUTES.map((code) => `[medi_medtype]='${code}'`),
  ...ROUTES.map((code) => `[medi_medtype_otherl2]='${code}'`),
].join(' or  ')

describe('branching of real studies', () => {
  it.each<[string, Table]>([
    [
      Array.from({ length: 8 }, (_, at) => `[social(${at + 1})] = "1"`).join(' or '),
      [
        [{}, false],
        [{ social: ['0'] }, false],
        [{ social: ['3'] }, true],
        [{ social: ['0', '8'] }, true],
      ],
    ],
    [
      '[social(0)] = "1"',
      [
        [{}, false],
        [{ social: ['0'] }, true],
        [{ social: ['1'] }, false],
      ],
    ],
    [
      '[sex] = "0"',
      [
        [{}, false],
        [{ sex: '0' }, true],
        [{ sex: '1' }, false],
      ],
    ],
    [
      '[sex] = "0" and [given_birth] = "1"',
      [
        [{}, false],
        [{ sex: '0' }, false],
        [{ given_birth: '1' }, false],
        [{ sex: '0', given_birth: '1' }, true],
      ],
    ],
    [
      "[expo14_yn]='1'",
      [
        [{}, false],
        [{ expo14_yn: '1' }, true],
        [{ expo14_yn: '99' }, false],
      ],
    ],
    [
      "[ecg]='1' or [ecg]='2'",
      [
        [{}, false],
        [{ ecg: '1' }, true],
        [{ ecg: '2' }, true],
        [{ ecg: '3' }, false],
      ],
    ],
    [
      "[disease(88)] = '1'",
      [
        [{}, false],
        [{ disease: ['88'] }, true],
        [{ disease: ['8', '1'] }, false],
      ],
    ],
    // E: an age that is not known is not "at most 60".
    [
      "[age] <= 60 and [male_breast] = '0'",
      [
        [{}, false],
        [{ age: 60, male_breast: '0' }, true],
        [{ age: 61, male_breast: '0' }, false],
        [{ male_breast: '0' }, false],
        [{ age: 60 }, false],
      ],
    ],
    [
      '[age] <= 50 and [age] > 45',
      [
        [{}, false],
        [{ age: 45 }, false],
        [{ age: 46 }, true],
        [{ age: 50 }, true],
        [{ age: 50.1 }, false],
      ],
    ],
    [
      "[corona] = '1' OR [other] = '1'",
      [
        [{}, false],
        [{ corona: '1' }, true],
        [{ other: '1' }, true],
        [{ corona: '0', other: '0' }, false],
      ],
    ],
    [
      "[postpartum] = '1' or [days]<365",
      [
        [{}, false],
        [{ days: 364 }, true],
        [{ days: 365 }, false],
        [{ postpartum: '1' }, true],
        [{ postpartum: '0', days: 0 }, true],
      ],
    ],
    [
      "[yn] = '1' or [yn] = '2' or [yn] = '3'",
      [
        [{}, false],
        [{ yn: '3' }, true],
        [{ yn: '4' }, false],
      ],
    ],
    [
      MEDI_ROUTE,
      [
        [{}, false],
        [{ medi_medtype: '13' }, true],
        [{ medi_medtype_otherl2: '8' }, true],
        [{ medi_medtype: '2', medi_medtype_otherl2: '88' }, false],
      ],
    ],
    [
      "[result]='1' and [method]='1'",
      [
        [{}, false],
        [{ result: '1' }, false],
        [{ result: '1', method: '1' }, true],
      ],
    ],
    [
      '[thrombemb]=1',
      [
        [{}, false],
        [{ thrombemb: '1' }, true],
        [{ thrombemb: '2' }, false],
        [{ thrombemb: '11' }, false],
      ],
    ],
  ])('%s', (source, table) => {
    expect(answers('logic', source, table)).toEqual(table)
  })
})

describe('calculations of real studies', () => {
  it.each<[string, Table]>([
    [
      `if([known]='1',datediff([birth],[pres],"d"),if([units]='1',[age]*365,if([units]='2',round([age]*365/12,0),if([units]='3',[age],''))))`,
      [
        [{}, null],
        [{ known: '1', birth: '2024-01-01', pres: '2024-01-31' }, 30],
        [{ known: '1', pres: '2024-01-31' }, null],
        [{ known: '0', units: '1', age: 2 }, 730],
        [{ units: '2', age: 5 }, 152],
        [{ units: '3', age: 10 }, 10],
        [{ units: '1' }, null],
        [{ age: 10 }, null],
      ],
    ],
    [
      'round(([weight]*10000)/(([height])^(2)),1)',
      [
        [{}, null],
        [{ weight: 70, height: 175 }, 22.9],
        [{ weight: 70 }, null],
        [{ weight: 70, height: 0 }, null],
      ],
    ],
    // A: unsigned unless asked otherwise; the format names how the dates are shown, not how they are stored.
    [
      'datediff([dx],[lfu],"d","dmy")',
      [
        [{}, null],
        [{ dx: '2024-02-28', lfu: '2024-03-01' }, 2],
        [{ dx: '2024-03-01', lfu: '2024-02-28' }, 2],
        [{ dx: '2024-03-01' }, null],
      ],
    ],
    [
      'datediff([dx],[seen],"d","dmy","true")',
      [
        [{ dx: '2023-12-31', seen: '2024-12-31' }, 366],
        [{ dx: '2024-12-31', seen: '2023-12-31' }, -366],
      ],
    ],
    ['3+4', [[{}, 7]]],
  ])('%s', (source, table) => {
    expect(answers('calculation', source, table)).toEqual(table)
  })
})

describe('branching as projects write it', () => {
  it.each<[string, Table]>([
    // C
    [
      "[sym(1)] = '1' and [sym(2)] = '0'",
      [
        [{}, false],
        [{ sym: ['1'] }, true],
        [{ sym: ['1', '2'] }, false],
      ],
    ],
    [
      "[sym(-9)] = '1'",
      [
        [{ sym: ['9'] }, false],
        [{ sym: ['-9'] }, true],
      ],
    ],
    [
      'sum([sym(1)],[sym(2)],[sym(3)]) >= 2',
      [
        [{}, false],
        [{ sym: ['1'] }, false],
        [{ sym: ['1', '3'] }, true],
      ],
    ],
    [
      "[x] <> ''",
      [
        [{}, false],
        [{ x: '0' }, true],
      ],
    ],
    [
      "[x] != '1'",
      [
        [{}, true],
        [{ x: '1' }, false],
        [{ x: '2' }, true],
      ],
    ],
    [
      '[x] = ""',
      [
        [{}, true],
        [{ x: '0' }, false],
      ],
    ],
    // B
    [
      '[x] = "NaN"',
      [
        [{}, true],
        [{ x: '1' }, false],
      ],
    ],
    // D
    [
      "[x] eq '1' and [n] ge 3 and [y] ne '2'",
      [
        [{}, false],
        [{ x: '1', n: 3 }, true],
        [{ x: '1', n: 3, y: '2' }, false],
        [{ x: '1', n: 2 }, false],
      ],
    ],
    [
      "[a] = '1' or [b] = '1' and [c] = '1'",
      [
        [{ a: '1' }, true],
        [{ b: '1' }, false],
        [{ b: '1', c: '1' }, true],
      ],
    ],
    [
      "([a] = '1' or [b] = '1') && [c] = '1'",
      [
        [{ a: '1' }, false],
        [{ a: '1', c: '1' }, true],
        [{ b: '1', c: '1' }, true],
      ],
    ],
    [
      "not([a] = '1') and !([b] = '1')",
      [
        [{}, true],
        [{ a: '1' }, false],
        [{ b: '1' }, false],
        [{ a: '0', b: '0' }, true],
      ],
    ],
    [
      "[n] > '9'",
      [
        [{ n: 10 }, true],
        [{ n: 9 }, false],
        [{ n: 8.9 }, false],
        [{}, false],
      ],
    ],
    [
      "[x] = 1 || [x] = '02'",
      [
        [{ x: '1.0' }, true],
        [{ x: '2' }, true],
        [{ x: 'one' }, false],
        [{}, false],
      ],
    ],
    [
      "[visit] >= '2024-01-01' and [visit] < '2025-01-01'",
      [
        [{}, false],
        [{ visit: '2024-12-31' }, true],
        [{ visit: '2025-01-01' }, false],
      ],
    ],
    [
      '[a] > [b]',
      [
        [{ a: 10, b: 9 }, true],
        [{ a: '10', b: '9' }, true],
        [{ a: 10 }, false],
        [{ b: 9 }, false],
      ],
    ],
    [
      "datediff([d], 'today', 'd', true) > 30",
      [
        [{ d: '2026-01-29' }, true],
        [{ d: '2026-01-30' }, false],
        [{ d: '2027-01-01' }, false],
        [{}, false],
      ],
    ],
    [
      "datediff([t], 'now', 'h') <= 2.5",
      [
        [{ t: '2026-03-01 07:00' }, true],
        [{ t: '2026-03-01 06:59' }, false],
        [{}, false],
      ],
    ],
    // A: searching ignores case, comparing does not.
    [
      "contains([name], 'TAYLOR')",
      [
        [{ name: 'Rob Taylor' }, true],
        [{ name: 'Tailor' }, false],
        [{}, false],
      ],
    ],
    [
      "not_contain([name], 'smith')",
      [
        [{ name: 'SMITHERS' }, false],
        [{ name: 'Taylor' }, true],
        [{}, true],
      ],
    ],
    [
      "starts_with([name], 'rob') and ends_with([name], 'LOR')",
      [
        [{ name: 'Rob Taylor' }, true],
        [{ name: 'rob' }, false],
        [{}, false],
      ],
    ],
    [
      "left([id], 3) = 'ABC'",
      [
        [{ id: 'ABC-1' }, true],
        [{ id: 'abc-1' }, false],
        [{}, false],
      ],
    ],
    [
      'isnumber([x]) and !isinteger([x])',
      [
        [{ x: '3.5' }, true],
        [{ x: '3' }, false],
        [{ x: 'abc' }, false],
        [{}, false],
      ],
    ],
    [
      "isblankormissingcode([x]) or [x] = '99'",
      [
        [{}, true],
        [{ x: '99' }, true],
        [{ x: '1' }, false],
      ],
    ],
    [
      "month('today') = 3 and year([d]) = 2025",
      [
        [{ d: '2025-07-01' }, true],
        [{ d: '2024-07-01' }, false],
        [{}, false],
      ],
    ],
    [
      'mod([n], 2) = 0',
      [
        [{ n: 4 }, true],
        [{ n: 5 }, false],
        [{}, false],
      ],
    ],
  ])('%s', (source, table) => {
    expect(answers('logic', source, table)).toEqual(table)
  })
})

describe('calculations as projects write them', () => {
  it.each<[string, Table]>([
    // A: a year is 365.2425 days, so somebody who turns 25 today is not yet 25 by `datediff`; `age_at_date` counts
    // birthdays.
    [
      "rounddown(datediff([dob], 'today', 'y'), 0)",
      [
        [{ dob: '2001-03-01' }, 24],
        [{ dob: '2001-02-27' }, 25],
        [{}, null],
      ],
    ],
    [
      'age_at_date([dob], [visit])',
      [
        [{ dob: '2001-03-01', visit: '2026-03-01' }, 25],
        [{ dob: '2001-03-02', visit: '2026-03-01 23:59' }, 24],
        [{ dob: '2001-03-02' }, null],
      ],
    ],
    [
      "age_at_date([dob], 'today')",
      [
        [{ dob: '2000-02-29' }, 26],
        [{}, null],
      ],
    ],
    // A: a month is 30.44 days.
    [
      "datediff([a], [b], 'M')",
      [
        [{ a: '2024-01-01', b: '2024-03-01' }, 1.97109067017],
        [{ a: '2024-01-01', b: '2024-01-01' }, 0],
      ],
    ],
    ["datediff([a], [b], 'm')", [[{ a: '2024-01-01 10:00', b: '2024-01-01 11:30' }, 90]]],
    ["datediff([a], [b], 's')", [[{ a: '2024-01-01 10:00:00', b: '2024-01-01 10:00:05' }, 5]]],
    [
      "if([age] < 18, 'child', if([age] < 65, 'adult', 'senior'))",
      [
        [{ age: 17 }, 'child'],
        [{ age: 18 }, 'adult'],
        [{ age: 65 }, 'senior'],
        [{}, 'senior'],
      ],
    ],
    [
      "if([age] = '', '', if([age] >= 18, 1, 0))",
      [
        [{}, null],
        [{ age: 18 }, 1],
        [{ age: 17 }, 0],
      ],
    ],
    [
      "if([q1] = '' or [q2] = '', 'NaN', [q1] + [q2])",
      [
        [{ q1: 1 }, null],
        [{ q1: 1, q2: 2 }, 3],
      ],
    ],
    // A: blanks are left out; with + one blank makes the whole blank.
    [
      'sum([q1], [q2], [q3])',
      [
        [{ q1: 1, q3: 2 }, 3],
        [{ q1: 0 }, 0],
        [{ q1: 'x', q2: 4 }, 4],
      ],
    ],
    [
      '[q1] + [q2] + [q3]',
      [
        [{ q1: 1, q3: 2 }, null],
        [{ q1: '1', q2: '2', q3: '3' }, 6],
      ],
    ],
    [
      'round(mean([q1], [q2], [q3]), 2)',
      [
        [{ q1: 1, q2: 2 }, 1.5],
        [{ q1: 1, q2: 1, q3: 2 }, 1.33],
        [{}, null],
      ],
    ],
    [
      'median([q1], [q2], [q3])',
      [
        [{ q1: 1, q2: 9 }, 5],
        [{ q1: 3, q2: 1, q3: 2 }, 2],
        [{}, null],
      ],
    ],
    [
      'stdev([q1], [q2], [q3])',
      [
        [{ q1: 2, q2: 4, q3: 4 }, 1.15470053838],
        [{ q1: 2 }, null],
        [{}, null],
      ],
    ],
    [
      'max([q1], [q2]) - min([q1], [q2])',
      [
        [{ q1: 5, q2: 2 }, 3],
        [{ q1: 5 }, 0],
        [{}, null],
      ],
    ],
    // A gives 14.384 as the example of all three.
    [
      'round([n], 1)',
      [
        [{ n: 14.384 }, 14.4],
        [{ n: 14.35 }, 14.4],
        [{ n: -2.25 }, -2.3],
        [{}, null],
      ],
    ],
    [
      'round([n])',
      [
        [{ n: 2.5 }, 3],
        [{ n: -2.5 }, -3],
        [{ n: 0.49999 }, 0],
      ],
    ],
    [
      'roundup([n], 1)',
      [
        [{ n: 14.384 }, 14.4],
        [{ n: 14.3 }, 14.3],
        [{}, null],
      ],
    ],
    [
      'rounddown([n], 1)',
      [
        [{ n: 14.384 }, 14.3],
        [{ n: 14.3 }, 14.3],
        [{}, null],
      ],
    ],
    [
      'abs([n])',
      [
        [{ n: -7.1 }, 7.1],
        [{}, null],
      ],
    ],
    [
      'sqrt(([n]*34)/98.3)',
      [
        [{ n: 98.3 }, 5.83095189485],
        [{ n: -1 }, null],
        [{}, null],
      ],
    ],
    [
      'log([n], 10) + exponential(0)',
      [
        [{ n: 100 }, 3],
        [{ n: 0 }, null],
        [{}, null],
      ],
    ],
    [
      '(4)^(3) + ([n]+43)^(2)',
      [
        [{ n: 2 }, 2_089],
        [{}, null],
      ],
    ],
    [
      "find('y', [name])",
      [
        [{ name: 'Taylor' }, 3],
        [{ name: 'Smith' }, 0],
        [{}, 0],
      ],
    ],
    [
      'mid([name], 2, 3)',
      [
        [{ name: 'Taylor' }, 'ayl'],
        [{}, null],
      ],
    ],
    [
      'right([name], 4)',
      [
        [{ name: 'Taylor' }, 'ylor'],
        [{ name: 'lor' }, 'lor'],
      ],
    ],
    [
      "lower(concat(trim([first]), '_', trim([last])))",
      [
        [{ first: ' John', last: 'Doe ' }, 'john_doe'],
        [{}, '_'],
      ],
    ],
    [
      "right(concat('00', [n]), 3)",
      [
        [{ n: 7 }, '007'],
        [{ n: 1234 }, '234'],
      ],
    ],
    [
      "mid([id], find('-', [id])+1, length([id])-find('-', [id])+1)",
      [
        [{ id: '4890-2318' }, '2318'],
        [{}, null],
      ],
    ],
    [
      'concat_ws(" and ", [v1], [v2], "Tomatoes")',
      [
        [{ v1: 'Peas', v2: 'Carrots' }, 'Peas and Carrots and Tomatoes'],
        [{ v1: 'Peas' }, 'Peas and Tomatoes'],
        [{}, 'Tomatoes'],
      ],
    ],
    [
      'replace_text([x], "Taylor", "Harris")',
      [
        [{ x: 'Taylor taylor Taylor' }, 'Harris taylor Harris'],
        [{}, null],
      ],
    ],
    [
      'upper([name])',
      [
        [{ name: 'John Doe' }, 'JOHN DOE'],
        [{}, null],
      ],
    ],
    [
      'length([name])',
      [
        [{ name: 'Taylor' }, 6],
        [{ name: '张三' }, 2],
        [{}, 0],
      ],
    ],
    // A: Monday is 1, Sunday is 7.
    [
      "dayoftheweek([d]) * 10 + dayoftheweek('today')",
      [
        [{ d: '2026-03-02' }, 17],
        [{ d: '1969-12-28 12:00' }, 77],
        [{}, null],
      ],
    ],
    [
      "if([x(1)] = '1', 2, 0) + if([x(2)] = '1', 3, 0)",
      [
        [{}, 0],
        [{ x: ['1', '2'] }, 5],
        [{ x: ['2'] }, 3],
      ],
    ],
    [
      '(([q1] + [q2]) / 2) * 100',
      [
        [{ q1: 1, q2: 2 }, 150],
        [{ q1: 1 }, null],
      ],
    ],
    [
      "round(datediff([a], [b], 'd', true) / 7, 1)",
      [
        [{ a: '2024-01-01', b: '2024-01-15' }, 2],
        [{ a: '2024-01-15', b: '2024-01-01' }, -2],
        [{}, null],
      ],
    ],
  ])('%s', (source, table) => {
    expect(answers('calculation', source, table)).toEqual(table)
  })
})

describe('what only REDCap can answer is reported, never guessed', () => {
  it.each([
    '[baseline_arm_1][weight] > 50',
    "[previous-event-name][weight] = ''",
    '[weight][last-instance] > 50',
    "[event-name] = 'baseline_arm_1'",
    "[user-role-name] = 'monitor'",
    "[record-dag-name] = 'site_a'",
    "[arm-number] = '1'",
    "[sex:label] = 'Male'",
    'ismissingcode([weight])',
    "hasmissingcode([weight], 'UNK,NI')",
    "age_at_date([weight], 'today', true) < 0.5",
  ])('%s', (source) => {
    const scope = {
      propOf: (name: string) => (name === 'weight' || name === 'sex' ? name : null),
      elsewhere: () => null,
    }
    expect(translateLogic(source, scope).ok).toBe(false)
  })
})
