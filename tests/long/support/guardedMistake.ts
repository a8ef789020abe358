import type { PlantedBug } from '#tests/scenarios/simulator/plantedBugs.ts'
import { testsWith } from './vitestRun.ts'

/** A mistake that one file of tests must notice. */
export interface GuardedMistake extends PlantedBug {
  /** The file of tests that must fail. */
  readonly test: string
}

/**
 * Makes the mistake and asks its tests. Gives the titles of those that failed, and prints them.
 *
 * @throws Error with all that they said where none failed
 */
export async function testsThatNotice({ name, test: file }: GuardedMistake): Promise<readonly string[]> {
  const { failed, output } = await testsWith(name, file)
  if (failed.length === 0) throw new Error(output)
  process.stdout.write(`${name}: found by “${failed.join('”, “')}”\n`)
  return failed
}
