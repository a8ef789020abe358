import { expect, test } from 'vitest'
import { byteSize, clockTime, dayOf, fullTime, timeAgo } from '#src/ui/words/format.ts'

test('a time of today is a clock time, one of another day carries its date', () => {
  const now = new Date(2026, 10, 21, 16, 0)
  expect(clockTime(new Date(2026, 10, 21, 9, 5).toISOString(), now)).toBe('09:05')
  expect(clockTime(new Date(2026, 10, 20, 9, 5).toISOString(), now)).toBe('2026-11-20 09:05')
})

test('days and full times are written as yyyy-MM-dd and to the second', () => {
  const at = new Date(2026, 0, 3, 4, 5, 6)
  expect(dayOf(at)).toBe('2026-01-03')
  expect(fullTime(at.toISOString())).toBe('2026-01-03 04:05:06')
})

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KB'],
  [2_300_000_000, '2.1 GB'],
])('%i bytes are said as %s', (bytes, text) => {
  expect(byteSize(bytes)).toBe(text)
})

test('how long ago is told in the unit that fits, in the reader’s language', () => {
  const now = new Date('2026-11-21T08:00:00.000Z')
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString()
  expect([1, 100, 3 * 24 * 60].map((minutes) => timeAgo(ago(minutes), 'zh', now))).toEqual([
    '1分钟前',
    '2小时前',
    '3天前',
  ])
  expect(timeAgo(ago(45), 'en', now)).toBe('45 minutes ago')
})
