import { describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { JournalStep, RowState } from '#core/sync/entryChange.ts'
import { rowStep } from '#core/sync/rowStep.ts'
import { isTakenBack, isUnbroken } from '#core/sync/takenBack.ts'

const at = '2026-11-21T08:00:00.000Z'
const there: RowState = { deleted: false, order: 'V' }
const gone: RowState = { deleted: true, order: 'V' }

function step(code: string, from: JsonValue, to: JsonValue, rid: string | null = null): JournalStep {
  return {
    table: rid === null ? null : 'drugs',
    rid,
    code,
    from: { value: from, missing: null },
    to: { value: to, missing: null },
    at,
  }
}

function row(rid: string, from: RowState | null, to: RowState): JournalStep {
  return { ...rowStep({ table: 'drugs', rid, from, to, seen: null }), at }
}

describe('typing is taken back wholly', () => {
  const rid = newId()
  it.each<readonly [string, readonly JournalStep[]]>([
    [
      'where each field is as it was',
      [step('weight', 70, '7'), step('note', null, 'a'), step('note', 'a', ''), step('weight', 7, 70)],
    ],
    [
      'where a row was added and deleted again, whatever was typed in it',
      [row(rid, null, there), step('drug', null, '甘草', rid), row(rid, there, gone)],
    ],
    ['where a row was deleted and brought back', [row(rid, there, gone), row(rid, gone, there)]],
  ])('%s', (_where, steps) => {
    expect(isTakenBack(steps)).toBe(true)
  })
})

describe('typing is not taken back wholly', () => {
  const rid = newId()
  it.each<readonly [string, readonly JournalStep[]]>([
    ['where one field is another', [step('weight', 70, '7'), step('weight', 7, 70), step('note', null, 'a')]],
    ['where the text says more than the value did', [step('weight', 70, '70.0')]],
    ['where a row was added', [row(rid, null, there)]],
    ['where a row that was there is deleted', [row(rid, there, gone)]],
    ['where a row was moved', [row(rid, there, { deleted: false, order: 'k' })]],
    [
      'where a field of a row that stays is another',
      [row(rid, there, gone), row(rid, gone, there), step('drug', null, '甘草', rid)],
    ],
  ])('%s', (_where, steps) => {
    expect(isTakenBack(steps)).toBe(false)
  })
})

describe('steps of typing', () => {
  const rid = newId()
  it.each<readonly [string, readonly JournalStep[], boolean]>([
    [
      'are unbroken where each goes on from the one before, as text or as what it means',
      [
        step('weight', null, '7'),
        step('weight', 7, '7.'),
        step('note', null, 'a'),
        step('weight', 7, ''),
        step('note', 'a', ''),
      ],
      true,
    ],
    [
      'are broken where a nought came in between',
      [step('weight', null, '7'), step('weight', 7, ''), step('weight', 0, '')],
      false,
    ],
    ['likewise of rows', [row(rid, null, there), row(rid, there, gone), row(rid, gone, there)], true],
    [
      'are broken where a value came in between',
      [step('note', null, 'a'), step('note', 'a', ''), step('note', '甲', '')],
      false,
    ],
    [
      'are broken where a row was brought back in between',
      [row(rid, there, gone), row(rid, there, gone), row(rid, gone, there)],
      false,
    ],
  ])('%s', (_what, steps, expected) => {
    expect(isUnbroken(steps)).toBe(expected)
  })
})
