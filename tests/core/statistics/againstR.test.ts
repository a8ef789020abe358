import { beforeAll, describe, expect, it } from 'vitest'

import { prepareJudges } from '#scripts/lib/judges.ts'
import { askStatisticsOracle } from '#scripts/lib/statisticsOracle.ts'

import { compareWithOracle } from './oracleComparison.ts'
import { fixtureSets, oracleText, randomSets } from './oracleData.ts'

/** R itself, on data that nobody has seen. */

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000)

beforeAll(async () => {
  const problem = await prepareJudges()
  if (problem !== undefined) throw new Error(problem)
}, 300_000)

describe('R on this machine', () => {
  const cases = [
    { name: 'says of the kept data what we say', sets: fixtureSets() },
    // The seed first: long names are cut where they are printed.
    ...[seed, seed + 1].map((one) => ({ name: `SEED=${one}: says of new data what we say`, sets: randomSets(one) })),
  ]

  it.each(cases)('$name', { timeout: 300_000 }, async ({ sets }) => {
    const results = await askStatisticsOracle(oracleText(sets))
    const { compared, differences } = compareWithOracle(sets, results)
    expect(differences).toEqual([])
    expect(compared).toBeGreaterThanOrEqual(sets.length * 10)
  })
})
