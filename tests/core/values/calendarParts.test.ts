import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { weekFromTyping, weekOf, weekText } from '#core/values/calendarParts.ts'
import { dayNumber, parseDate } from '#core/values/dates.ts'

const days = fc
  .date({ min: new Date('1583-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

function numbered(text: string): number {
  const date = parseDate(text)
  if (date === null) throw new Error(text)
  return dayNumber(date)
}

describe('weeks', () => {
  it.each([
    ['2024-05-15', 2024, 20, '2024-05-13', '2024-05-19'],
    ['2024-01-01', 2024, 1, '2024-01-01', '2024-01-07'],
    // The first days of a year may belong to the last week of the one before, and the other way round.
    ['2027-01-03', 2026, 53, '2026-12-28', '2027-01-03'],
    ['2024-12-30', 2025, 1, '2024-12-30', '2025-01-05'],
    ['1969-12-31', 1970, 1, '1969-12-29', '1970-01-04'],
  ])('%s lies in week %d/%d', (day, year, number, from, to) => {
    expect(weekOf(day)).toEqual({ year, number, from, to })
  })

  it('hold the day, have seven days from a Monday on, and are found again by their number', () => {
    fc.assert(
      fc.property(days, (day) => {
        const week = weekOf(day)
        if (week === null) throw new Error(day)
        expect(numbered(week.to) - numbered(week.from)).toBe(6)
        expect(new Date(`${week.from}T00:00:00Z`).getUTCDay()).toBe(1)
        expect(week.from <= day && day <= week.to).toBe(true)
        expect(weekFromTyping(weekText(week))).toBe(week.from)
      }),
    )
  })
})
