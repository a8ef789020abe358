import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Runs histories in a process of their own (tests/scenarios/histories.test.ts). */

const ROOT = join(import.meta.dirname, '..', '..', '..')

export interface Asked {
  readonly first: number
  readonly count: number
  /** Name of a mistake that is planted before. */
  readonly plantedBug?: string
  /** The server is put back to a backup in all of them. */
  readonly restores?: boolean
}

export interface Came {
  /** The first history that broke a promise; null where none did. */
  readonly broken: number | null
  /** Whether the histories ran at all. */
  readonly ran: boolean
  readonly output: string
}

/** Stops at the first history that breaks a promise. */
export function runHistories({ first, count, plantedBug, restores = false }: Asked): Promise<Came> {
  const env = {
    ...process.env,
    SEED: String(first),
    HISTORIES: String(count),
    ...(plantedBug === undefined ? {} : { PLANTED_BUG: plantedBug }),
    ...(restores ? { RESTORES: '1' } : {}),
  }
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const child = spawn(
    process.execPath,
    [
      vitest,
      'run',
      '--project',
      'scenarios',
      '--bail',
      '1',
      '--reporter',
      'verbose',
      '--no-color',
      'tests/scenarios/histories.test.ts',
    ],
    { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      const broken = /[×✗].*history (\d+) keeps every promise/.exec(output)?.[1]
      resolve({
        broken: code === 0 || broken === undefined ? null : Number(broken),
        ran: /history \d+ keeps every promise/.test(output),
        output,
      })
    })
  })
}
