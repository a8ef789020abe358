import { describe, expect, test } from 'vitest'
import { undoneFindings } from './support/undoneFindings.ts'
import { testsWith } from './support/vitestRun.ts'

/** Findings undone one at a time: the test that guards each must say so. */
const TIMEOUT_MS = 600_000

describe('its test fails when', () => {
  test.for(undoneFindings)('$name', { timeout: TIMEOUT_MS }, async ({ name, test: file }) => {
    const { failed, output } = await testsWith(name, file)
    if (failed.length === 0) throw new Error(output)
    process.stdout.write(`${name}: found by “${failed.join('”, “')}”\n`)
    expect(failed).not.toEqual([])
  })
})
