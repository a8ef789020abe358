import { expect, test } from 'vitest'
import { runHistories } from './support/histories.ts'

/**
 * Many more histories than `npm test` has time for, on both cores: consecutive seeds after those of the short run.
 * `LONG_HISTORIES` asks for fewer, where the time is short.
 */

const FIRST = 10_001
const COUNT = Number(process.env['LONG_HISTORIES'] ?? 5000)
/** A process and a database for so many. */
const AT_ONCE = 250
const LANES = 2
const TIMEOUT_MS = 4 * 3_600_000

test(
  `a ward keeps every promise in the histories ${FIRST} to ${FIRST + COUNT - 1}`,
  { timeout: TIMEOUT_MS },
  async () => {
    const firsts = Array.from({ length: Math.ceil(COUNT / AT_ONCE) }, (_, at) => FIRST + at * AT_ONCE)
    const broken: string[] = []
    const lane = async (): Promise<void> => {
      for (let first = firsts.shift(); first !== undefined; first = firsts.shift()) {
        const came = await runHistories({ first, count: Math.min(AT_ONCE, FIRST + COUNT - first) })
        if (!came.ran) throw new Error(came.output)
        process.stdout.write(
          `histories from ${first}: ${came.broken === null ? 'every promise kept' : `${came.broken} breaks one`}\n`,
        )
        if (came.broken !== null) broken.push(came.output)
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    expect(broken.join('\n')).toBe('')
  },
)
