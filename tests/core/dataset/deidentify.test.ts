import { describe, expect, it } from 'vitest'
import { judgeField, pseudonymOf, ruleOf, scrubValue, shiftDate, smallGroups } from '#core/dataset/deidentify.ts'
import type { Treatment } from '#core/dataset/deidentify.ts'
import type { PlacedField } from '#core/dataset/definition.ts'
import type { JsonValue } from '#core/json.ts'

import { PAGE, model } from './fixtures.ts'

/** What leaves of a value when nobody is to be recognised. */

const HERE: PlacedField = { pageId: PAGE, table: null, code: 'x' }
const CHOICE = { type: 'radio', dicData: [{ label: '是', value: '1' }] }

function field(facts: object) {
  const [first] = model([{ prop: 'x', label: '甲', ...facts }]).fields
  if (first === undefined) throw new Error('no field')
  return first
}

function judged(facts: object, keepText: readonly PlacedField[] = [], masked: readonly string[] = []) {
  const deidentify = { on: true, keepText: [...keepText], ages: [] }
  return judgeField(field(facts), { pageId: PAGE, table: null }, { deidentify, masked: new Set(masked) })
}

describe('a field', () => {
  it('that identifies is left out, in whichever version it did', () => {
    expect(judged({ type: 'number', zl: { identifier: true } })).toEqual({ out: 'identifier' })
    expect(judged({ type: 'number' }, [], ['x'])).toEqual({ out: 'identifier' })
  })

  it('of free text is left out unless somebody keeps it; what identifies cannot be kept', () => {
    expect(judged({ type: 'textarea' })).toEqual({ out: 'text' })
    expect(judged({ type: 'textarea' }, [HERE])).toEqual({ keep: 'plain' })
    expect(judged({ type: 'textarea' }, [HERE], ['x'])).toEqual({ out: 'identifier' })
    expect(judged({ type: 'select' })).toEqual({ out: 'text' })
  })

  it('of files is left out', () => {
    expect(judged({ type: 'upload' }, [HERE])).toEqual({ out: 'file' })
  })
})

describe('a value', () => {
  it.each([
    [{ type: 'number' }, 'number', 70.5, 70.5],
    [{ type: 'number' }, 'number', '约70', null],
    [{ type: 'number' }, 'age', 93, 90],
    [{ type: 'number' }, 'age', 89, 89],
    [{ type: 'date' }, 'date', '2026-01-05', '2025-12-26'],
    [{ type: 'date' }, 'date', '昨天', null],
    [{ type: 'date' }, 'partial', '2024-05', '2024'],
    [{ type: 'date' }, 'partial', '2024-01-05', '2023-12-26'],
    [{ type: 'datetime' }, 'date', '2026-01-11 08:30:00', '2026-01-01 08:30:00'],
    [{ type: 'daterange' }, 'date', ['2026-01-11', '不详'], ['2026-01-01', null]],
    [{ type: 'month' }, 'year', '2024-05', '2024'],
    [{ type: 'time' }, 'time', '08:30', '08:30'],
    [{ type: 'time' }, 'time', '早上', null],
    [CHOICE, 'listed', '1', '1'],
    [CHOICE, 'listed', '王五', null],
    [{ ...CHOICE, type: 'checkbox' }, 'listed', ['1', '王五'], ['1']],
  ] as readonly (readonly [object, Treatment, JsonValue, JsonValue])[])(
    '%o as %s: %j leaves as %j',
    (facts, treatment, value, expected) => {
      expect(scrubValue(value, ruleOf(field(facts), treatment), 10)).toEqual(expected)
    },
  )
})

describe('a pseudonym', () => {
  it('is of the hash alone, with a shift of less than a year', () => {
    const one = pseudonymOf(new Uint8Array(32).fill(7))
    expect(one).toEqual(pseudonymOf(new Uint8Array(32).fill(7)))
    expect(one.subject).toBe('S07070707070707070707')
    expect(one.shiftDays).toBeLessThan(365)
    expect(pseudonymOf(new Uint8Array(32).fill(8))).not.toEqual(one)
  })

  it('keeps the distance between two dates', () => {
    expect([shiftDate('2026-03-01', 364), shiftDate('2026-03-08', 364)]).toEqual(['2025-03-02', '2025-03-09'])
  })
})

it('groups of one to four subjects are named', () => {
  const groups = [0, 1, 4, 5].map((subjects) => ({ center: 'N01', sex: 'F' as const, subjects }))
  expect(smallGroups(groups).map(({ subjects }) => subjects)).toEqual([1, 4])
})
