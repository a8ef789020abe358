import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { locateBinaries } from '#server/database/binaries.ts'
import { clusterFolders } from '#server/database/cluster.ts'
import { readPostmasterPid } from '#server/database/postmaster.ts'
import { runKillRounds } from '#tests/long/support/killHarness.ts'
import type { StartedServer } from '#tests/long/support/killHarness.ts'
import { startProgram } from '#tests/server/support/processes.ts'

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? '20')
const PROGRAM = join(import.meta.dirname, 'support/commitServer.ts')

let workDir: string

beforeEach(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'zl-kill-'))
})

afterEach(() => rm(workDir, { recursive: true, force: true, maxRetries: 5 }))

const isReady = (value: unknown): value is { port: number } =>
  typeof value === 'object' && value !== null && 'port' in value && typeof value.port === 'number'

async function start(): Promise<StartedServer> {
  const dataDir = join(workDir, 'data')
  const { cluster } = clusterFolders(dataDir, (await locateBinaries()).major)
  const { child, ready } = await startProgram(PROGRAM, [dataDir], isReady)
  const url = `http://127.0.0.1:${ready.port}`
  return {
    child,
    plan: { url, method: 'POST', headers: {}, body: '{{key}}' },
    databasePid: () => readPostmasterPid(cluster),
    missing: async (keys) => {
      const response = await fetch(`${url}/missing`, { method: 'POST', body: JSON.stringify(keys) })
      return ((await response.json()) as { data: readonly string[] }).data
    },
  }
}

test.each(['server', 'database', 'both'] as const)(
  `nothing acknowledged is lost when SIGKILL takes the %s, ${ROUNDS} times`,
  { timeout: ROUNDS * 30_000 },
  async (victim) => {
    const result = await runKillRounds({ victim, rounds: ROUNDS, start, workDir })
    expect(result.recoveryMs).toHaveLength(ROUNDS)
    expect(result.acknowledged).toBeGreaterThan(ROUNDS * 20)
    expect(result.missing).toEqual([])
  },
)
