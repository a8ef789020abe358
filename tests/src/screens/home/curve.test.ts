import { describe, expect, test } from 'vitest'
import { MARGIN, layOutCurve, sumUp } from '#src/screens/home/curve.ts'

/** The enrolment curve: patients by day, summed up. */

const days = [
  { day: '2026-01-10', count: 2 },
  { day: '2026-01-12', count: 1 },
]
const SIZE = { width: 600, height: 220 }

test('sums up what each day adds', () => {
  expect(sumUp({ days }).map(({ sum }) => sum)).toEqual([2, 3])
})

describe('where it lies', () => {
  const points = sumUp({ days })

  test('from nobody on the day before to all of them today', () => {
    const curve = layOutCurve(points, { planned: null, today: '2026-01-20' }, SIZE)
    expect(curve.line.startsWith(`M${MARGIN.left},${SIZE.height - MARGIN.bottom}`)).toBe(true)
    expect(curve.end.x).toBe(SIZE.width - MARGIN.right)
    expect(curve.end.y).toBe(curve.figures.find(({ label }) => label === '3')?.y)
    expect(curve.plan).toBeNull()
  })

  test('below the plan, which is never cut off', () => {
    const curve = layOutCurve(points, { planned: 60, today: '2026-01-20' }, SIZE)
    expect(curve.plan).toBeGreaterThanOrEqual(MARGIN.top)
    expect(curve.end.y).toBeGreaterThan(curve.plan ?? 0)
  })

  test('figures are whole patients', () => {
    const { figures } = layOutCurve(points, { planned: null, today: '2026-01-20' }, SIZE)
    expect(figures.every(({ label }) => /^\d+$/.test(label))).toBe(true)
  })

  test('a place across it is about the day before it', () => {
    const curve = layOutCurve(points, { planned: null, today: '2026-01-20' }, SIZE)
    expect(curve.pointAt(MARGIN.left)).toBeNull()
    expect(curve.pointAt(SIZE.width)?.day).toBe('2026-01-12')
  })
})
