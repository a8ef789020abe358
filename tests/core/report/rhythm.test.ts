import { describe, expect, it } from 'vitest'
import { firstFrom, lastUntil, periodOf, weekdayOf } from '#core/report/rhythm.ts'
import type { Rhythm } from '#core/report/rhythm.ts'

/** On which days reports are sent by e-mail, and which days they are about. */

const DAILY: Rhythm = { every: 'day' }
const ON_MONDAY: Rhythm = { every: 'week', weekday: 1 }
const ON_FIRST: Rhythm = { every: 'month', day: 1 }

describe('the days of a rhythm', () => {
  it('are counted from Monday', () => {
    expect(['2026-11-30', '2026-12-06'].map(weekdayOf)).toEqual([1, 7])
  })

  it('are found forwards and backwards, over the ends of months and years', () => {
    expect(firstFrom(DAILY, '2026-12-01')).toBe('2026-12-01')
    expect(firstFrom(ON_MONDAY, '2026-12-29')).toBe('2027-01-04')
    expect(lastUntil(ON_MONDAY, '2026-12-06')).toBe('2026-11-30')
    expect(firstFrom(ON_FIRST, '2026-12-02')).toBe('2027-01-01')
    expect(firstFrom({ every: 'month', day: 28 }, '2027-01-29')).toBe('2027-02-28')
  })
})

describe('the period of a report', () => {
  it('is of the days since the day of the rhythm before', () => {
    expect(periodOf('activity', DAILY, '2026-12-01')).toEqual({ from: '2026-11-30', to: '2026-11-30' })
    expect(periodOf('activity', ON_MONDAY, '2026-12-07')).toEqual({ from: '2026-11-30', to: '2026-12-06' })
    expect(periodOf('timeliness', ON_FIRST, '2026-12-01')).toEqual({ from: '2026-11-01', to: '2026-11-30' })
  })

  it('stays that of its day where it is sent days later', () => {
    expect(periodOf('activity', ON_MONDAY, '2026-12-09')).toEqual({ from: '2026-11-30', to: '2026-12-06' })
  })

  it('is none where a report tells how things stand, or what waits however old it is', () => {
    expect(periodOf('enrolment', DAILY, '2026-12-01')).toBeNull()
    expect(periodOf('queries', DAILY, '2026-12-01')).toBeNull()
  })
})
