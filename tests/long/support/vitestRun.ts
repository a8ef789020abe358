import { spawn } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..')

interface Ran {
  /** Titles of the tests that failed. A file that could not be loaded has none: such a change proves nothing. */
  readonly failed: readonly string[]
  readonly output: string
}

/** Runs a file of tests in a process of its own over our source with a mistake in it, which is named. */
export function testsWith(plantedBug: string, file: string): Promise<Ran> {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', '--reporter', 'verbose', '--no-color', file], {
    cwd: ROOT,
    env: { ...process.env, PLANTED_BUG: plantedBug },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => {
      const titles = Array.from(
        output.matchAll(/^ *[×✗] .*?(?:test\.tsx? > )?([^>\n]+?)(?: \d+ms)?$/gm),
        ([, title = '']) => title.trim(),
      )
      resolve({ failed: [...new Set(titles)], output })
    })
  })
}
