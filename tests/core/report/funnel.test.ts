import { describe, expect, it } from 'vitest'
import { funnelOf } from '#core/report/funnel.ts'
import { REPORTS, measureCodes, reportKinds, shareOf } from '#core/report/kinds.ts'
import type { Share } from '#core/report/kinds.ts'

/** Shares of centers, and how far from all centers they may be by chance. */

const OVERDUE: Share = { code: 'overdueOf', of: 'overdue', among: 'past', kind: 'percent' }
const QUERIES: Share = { code: 'askedOf', of: 'asked', among: 'submitted', kind: 'rate' }
const ALL = { overdue: 100, past: 1000, asked: 500, submitted: 1000 }

describe('a center beside all centers', () => {
  it('is usual within the limits of 95 %', () => {
    // sqrt(0.1 * 0.9 / 100) = 0.03, so that the limits are 10 % and 1.96 times 3 %.
    const point = funnelOf(OVERDUE, { overdue: 15, past: 100 }, ALL)
    expect(point).toMatchObject({ share: 15, standing: 'usual' })
    expect(point?.high).toBeCloseTo(15.88, 2)
    expect(point?.low).toBeCloseTo(4.12, 2)
  })

  it('is high outside of 95 %, and very high outside of 99.8 %', () => {
    expect(funnelOf(OVERDUE, { overdue: 16, past: 100 }, ALL)?.standing).toBe('warning')
    expect(funnelOf(OVERDUE, { overdue: 20, past: 100 }, ALL)?.standing).toBe('alarm')
  })

  it('with few cases may be far from the others', () => {
    expect(funnelOf(OVERDUE, { overdue: 1, past: 4 }, ALL)?.standing).toBe('usual')
  })

  it('is never told for a share that is low, as these are shares of what should be rare', () => {
    expect(funnelOf(OVERDUE, { overdue: 0, past: 300 }, ALL)?.standing).toBe('usual')
  })

  it('may have a rate above 100, with limits that follow a Poisson law', () => {
    const point = funnelOf(QUERIES, { asked: 150, submitted: 100 }, ALL)
    expect(point?.share).toBe(150)
    expect(point?.high).toBeCloseTo(50 + 1.96 * 100 * Math.sqrt(0.5 / 100), 2)
    expect(point?.standing).toBe('alarm')
  })

  it('without cases, or alone, is compared with nobody', () => {
    expect(funnelOf(OVERDUE, { overdue: 0, past: 0 }, ALL)).toBeNull()
    expect(funnelOf(OVERDUE, ALL, ALL)).toBeNull()
  })
})

describe('the reports', () => {
  it('call each figure by one code, and none twice in one report', () => {
    for (const kind of reportKinds) {
      const codes = REPORTS[kind].measures.map(({ code }) => code)
      expect(new Set(codes).size).toBe(codes.length)
      for (const code of codes) expect(measureCodes).toContain(code)
    }
  })

  it('have no share of nothing', () => {
    expect(shareOf(OVERDUE, { overdue: 0, past: 0 })).toBeNull()
    expect(shareOf(OVERDUE, {})).toBeNull()
    expect(shareOf(OVERDUE, { past: 10 })).toBe(0)
  })
})
