import { describe, expect, test } from 'vitest'
import { testsThatNotice } from './support/guardedMistake.ts'
import { undoneFindings } from './support/undoneFindings.ts'

/** Findings undone one at a time: the test that guards each must say so. */
const TIMEOUT_MS = 600_000

describe('its test fails when', () => {
  test.for(undoneFindings)('$name', { timeout: TIMEOUT_MS }, async (finding) => {
    expect(await testsThatNotice(finding)).not.toEqual([])
  })
})
