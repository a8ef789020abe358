import { describe, expect, test } from 'vitest'
import { firstKind, kinds, neighbour, urgencyOf } from '#src/screens/workspace/workKinds.ts'
import type { Kind } from '#src/screens/workspace/workKinds.ts'

/** How soon a visit has to take place, and what a person begins with. */

const TODAY = '2026-11-27'

describe('a visit in its window', () => {
  test.each([
    ['closes today', { from: '2026-11-20', to: TODAY }, '2026-11-24', 'today', 0],
    ['is planned for today', { from: '2026-11-25', to: '2026-11-29' }, TODAY, 'today', 2],
    ['closes in six days', { from: '2026-11-20', to: '2026-12-03' }, '2026-11-24', 'week', 6],
    ['closes in seven days', { from: '2026-11-20', to: '2026-12-04' }, '2026-11-24', 'window', 7],
    ['closed yesterday', { from: '2026-11-20', to: '2026-11-26' }, '2026-11-24', 'overdue', -1],
  ] as const)('%s', (_, window, plannedDate, kind, left) => {
    expect(urgencyOf({ window, plannedDate }, TODAY)).toEqual({ kind, left })
  })

  test('has a window without an end: it is in its window', () => {
    expect(urgencyOf({ window: null, plannedDate: null }, TODAY).kind).toBe('window')
  })
})

describe('what is open at first', () => {
  const counts = (some: Partial<Record<Kind, number>>) => (kind: Kind) => some[kind] ?? 0

  test('for who enters data: the visits of the day, then what is late', () => {
    expect(firstKind(true, kinds, counts({ today: 1, overdue: 2, attention: 3 }))).toBe('today')
    expect(firstKind(true, kinds, counts({ overdue: 2, week: 4, attention: 3 }))).toBe('overdue')
  })

  test('for who checks them: what is answered, then what is contested', () => {
    expect(firstKind(false, kinds, counts({ queries: 1, attention: 3 }))).toBe('queries')
    expect(firstKind(false, kinds, counts({ today: 1, overdue: 2, attention: 3 }))).toBe('attention')
  })

  test('never a kind that is not shown', () => {
    const own = kinds.filter((kind) => kind !== 'queries')
    expect(firstKind(false, own, counts({ queries: 1, missing: 3 }))).toBe('missing')
    expect(neighbour(own, 'window', 'ArrowRight')).toBe('missing')
  })

  test('nothing, until what comes before is known; today where nothing waits', () => {
    expect(firstKind(true, kinds, (kind) => (kind === 'today' ? null : 1))).toBeNull()
    expect(firstKind(true, kinds, counts({}))).toBe('today')
  })
})

test('arrow keys go round', () => {
  expect(neighbour(kinds, 'today', 'ArrowLeft')).toBe('unsent')
  expect(neighbour(kinds, 'unsent', 'ArrowRight')).toBe('today')
  expect(neighbour(kinds, 'today', 'a')).toBeNull()
})
