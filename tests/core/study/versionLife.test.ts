import { describe, expect, it } from 'vitest'
import { DEFAULT_MIN_TESTERS, approvalsComplete } from '#core/study/versionLife.ts'
import type { Approval } from '#core/study/versionLife.ts'

/** When a test version may be released (specification §4, §5). */

const passed: Approval = { userId: 'a', result: 1, isSign: true, isTester: true }

describe('a test version may be released', () => {
  it('once as many testers as the project asks for have passed and signed it, two by default', () => {
    expect(approvalsComplete([passed], DEFAULT_MIN_TESTERS)).toBe(false)
    expect(approvalsComplete([passed, { ...passed, userId: 'b' }], DEFAULT_MIN_TESTERS)).toBe(true)
    expect(approvalsComplete([], 0)).toBe(true)
  })

  it('not while one tester of today has not passed or not signed', () => {
    for (const open of [{ result: 2 as const }, { result: null }, { isSign: false }]) {
      expect(approvalsComplete([passed, { ...passed, ...open, userId: 'b' }], 1)).toBe(false)
    }
  })

  it('whatever somebody has found who is no tester any more, which counts for nothing', () => {
    expect(approvalsComplete([passed, { ...passed, userId: 'b', result: 2, isTester: false }], 1)).toBe(true)
    expect(approvalsComplete([passed, { ...passed, userId: 'b', isTester: false }], 2)).toBe(false)
  })
})
