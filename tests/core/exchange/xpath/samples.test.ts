import { describe, expect, it } from 'vitest'
import { translateTest, translateValue } from '#core/exchange/xpath/translate.ts'

import { HAS_SAMPLES, sampleExpressions } from '../samples.ts'
import type { Fields } from './records.ts'
import { scopeOf, verdicts } from './records.ts'

/**
 * The expressions of real forms, as they stand in the samples: translated, and then the same as XPath on many records;
 * or told of with the reason.
 */

const RECORDS = 400

/** The fields that the expressions name, with the types that they have in their forms. */
const FIELDS: Fields = {
  types: new Map([
    ['skip_to_end', 'string'],
    ['address', 'string'],
    ['age_months', 'double'],
    ['dob', 'string'],
    ['under2', 'double'],
    ['penta1', 'string'],
    ['internetHH', 'string'],
    ['building_type', 'string'],
    ['rounded_accuracy', 'double'],
    ['inHome', 'string'],
    ['dobknown', 'string'],
    ['dob_month', 'string'],
    ['my_select', 'list<string>'],
    ['healthFacility', 'list<string>'],
    ['my_date', 'string'],
    ['a_decimal', 'double'],
    ['a_integer', 'double'],
    ['my_int', 'double'],
    ['my_decimal', 'double'],
    ['childNum', 'double'],
    ['dob_day', 'string'],
    ['dob_year', 'string'],
    ['dob_month_fix', 'string'],
    ['dob_day_fix', 'string'],
    ['gps', 'list<string>'],
    ['accuracy', 'double'],
    ['childName', 'string'],
    ['health_card', 'string'],
    ['mcv1', 'string'],
    ['rows', 'list<dyn>'],
    ['water', 'string'],
    ['people', 'double'],
    ['children', 'double'],
  ] as const),
  candidates: {
    skip_to_end: ['yes', 'no'],
    address: ['li@example.com', 'nobody', 'a.b+c@d.org'],
    age_months: [2, 4, 9],
    dob: ['2026-03-01', '2025-11-01', '2025-01-15'],
    under2: [0, 1],
    penta1: ['yes', 'no'],
    internetHH: ['1', '2'],
    building_type: ['single', 'multi', 'other'],
    rounded_accuracy: [0, 3, 5, 7.5],
    inHome: ['yes', 'no'],
    dobknown: ['yes', 'no'],
    dob_month: ['1', '2', '7', '12'],
    my_select: [['a'], ['c'], ['c', 'd']],
    healthFacility: [['a'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd']],
    my_date: ['2026-03-01', '2026-03-02', '2025-12-31'],
    a_decimal: [1.5, 3, 8],
    a_integer: [1, 3, 9],
    my_int: [9, 10, -3],
    my_decimal: [10.51, 11, 18.39],
    childNum: [0, 10, 11],
    dob_day: ['3', '9', '10', '28'],
    dob_year: ['2024', '2025'],
    dob_month_fix: ['01', '11'],
    dob_day_fix: ['05', '28'],
    gps: [
      ['30.1', '120.2', '10', '4.86'],
      ['31', '121'],
    ],
    accuracy: [4.567, 4.861, 2],
    water: ['well', 'river', 'tap'],
    people: [1, 3, 30],
    children: [0, 2],
    childName: ['小明'],
    health_card: ['yes', 'no'],
    mcv1: ['yes', 'no'],
  },
}

/** What has no translation, with the reason: of our own forms, and of real ones. */
const UNTRANSLATED: Readonly<Record<string, string>> = {
  t10: 'list-elsewhere',
  t11: 'unknown-function',
  t12: 'unknown-function',
  '49': 'list-elsewhere',
  '50': 'unknown-function',
  '55': 'unknown-function',
}

const expressions = sampleExpressions('xlsform-', 'xform-').map(
  ({ no, kind, field, source }): [string, string, string, string] => [no, kind, field, source],
)
/** A table has another name in its form. */
const named = (source: string): string => source.replaceAll('/data/household', '/data/rows')

describe('the expressions of real forms', () => {
  it('are thirty beside our six', () => {
    expect(expressions).toHaveLength(HAS_SAMPLES ? 36 : 6)
  })

  it.each(expressions.filter(([no]) => no in UNTRANSLATED))(
    '%s %s of %s is told of: %s',
    (no, _kind, field, source) => {
      const result = translateValue(
        named(source),
        scopeOf(
          {
            ...FIELDS,
            types: new Map([
              ...FIELDS.types,
              ['householdIncome', 'string'],
              ['flatcount', 'double'],
              ['finalflat', 'string'],
              ['street', 'string'],
              ['floor', 'double'],
              ['last_called', 'string'],
              ['person_no', 'double'],
            ]),
          },
          field,
        ),
      )
      expect(result).toMatchObject({ ok: false, why: UNTRANSLATED[no] })
    },
  )

  it.each(expressions.filter(([no, kind]) => !(no in UNTRANSLATED) && kind !== 'xlsform-choice_filter'))(
    '%s %s of %s says what XPath says: %s',
    (_no, kind, field, source) => {
      const as = kind.includes('calculat') ? 'value' : 'bool'
      const result = (as === 'value' ? translateValue : translateTest)(named(source), scopeOf(FIELDS, field))
      if (!result.ok) throw new Error(`${result.why}: ${result.detail}`)
      for (const { ours, theirs } of verdicts(FIELDS, field, named(source), result.cel, as, RECORDS))
        expect(ours).toEqual(theirs)
    },
  )
})
