import { describe, expect, test } from 'vitest'
import { featuresTakenOut } from './support/featuresTakenOut.ts'
import { testsThatNotice } from './support/guardedMistake.ts'

/** Features taken out one at a time: a test of `npm test` or `npm run test:all` must say that it is gone. */
const TIMEOUT_MS = 600_000

describe('its test fails without the feature that', () => {
  test.for(featuresTakenOut)('$name', { timeout: TIMEOUT_MS }, async (feature) => {
    expect(await testsThatNotice(feature)).not.toEqual([])
  })
})
