import { describe, expect, test } from 'vitest'
import { plantedBugs } from '#tests/scenarios/simulator/plantedBugs.ts'
import { runHistories } from './support/histories.ts'

/**
 * Mistakes that lose, double or silently change data: each is found by the histories that `npm test` runs, of which
 * there are so many.
 */
const WITHIN = 200
const TIMEOUT_MS = 1_800_000

describe.concurrent('the histories find it when', { timeout: TIMEOUT_MS }, () => {
  test.for(plantedBugs)('$name', async ({ name, restores = false }) => {
    const came = await runHistories({ first: 1, count: WITHIN, plantedBug: name, restores })
    if (!came.ran) throw new Error(came.output)
    process.stdout.write(`${name}: found by history ${came.broken ?? 'none'}\n`)
    expect(came.broken).not.toBeNull()
  })
})
