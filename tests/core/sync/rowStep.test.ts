import { describe, expect, it } from 'vitest'
import { ROW_STEP, rowChangesOf, rowStep } from '#core/sync/rowStep.ts'

const RID = '0190a000-0000-7000-8000-000000000001'
const at = '2026-03-01T09:00:00.000Z'
const place = { table: 'drugs', rid: RID }
const there = { deleted: false, order: 'a' }

describe('what the journal says of rows', () => {
  it('is one change from what was before the first step to what is after the last', () => {
    const steps = [
      { ...rowStep({ ...place, from: null, to: there, seen: null }), at },
      { ...rowStep({ ...place, from: there, to: { deleted: false, order: 'b' }, seen: null }), at },
    ]
    expect(rowChangesOf(steps)).toEqual([
      { ...place, base: null, to: { deleted: false, order: 'b' }, seen: null, reason: null },
    ])
  })

  it('says what a deleted row held as the person saw it', () => {
    const deleted = {
      ...rowStep({ ...place, from: there, to: { ...there, deleted: true }, seen: { drug: '丹参' } }),
      at,
    }
    expect(rowChangesOf([deleted])).toEqual([
      { ...place, base: there, to: { deleted: true, order: 'a' }, seen: { drug: '丹参' }, reason: null },
    ])
  })

  it('is nothing where a row is in the end as it was, or where the steps are of fields', () => {
    const moved = { ...rowStep({ ...place, from: there, to: { deleted: false, order: 'b' }, seen: null }), at }
    const back = { ...rowStep({ ...place, from: { deleted: false, order: 'b' }, to: there, seen: null }), at }
    const typed = {
      ...place,
      code: 'drug',
      from: { value: null, missing: null },
      to: { value: '丹参', missing: null },
      at,
    }
    expect(rowChangesOf([moved, back, typed])).toEqual([])
    expect(rowChangesOf([{ ...moved, to: { value: 'nonsense', missing: null } }])).toEqual([])
    expect(typed.code).not.toBe(ROW_STEP)
  })
})
