import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { crash } from '#tests/server/support/processes.ts'

/**
 * Kills a server in the middle of writing, again and again, and compares what it acknowledged with what it kept. The
 * acknowledgements are logged by a process of their own that survives, so that a lost one cannot be forgotten with the
 * rest.
 */

/** Which processes get SIGKILL: none of them can say anything more. */
export type Victim = 'server' | 'database' | 'both'

/** One write, as the recorder sends it: `{{key}}` stands for a new UUIDv7 everywhere. */
export interface WritePlan {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface StartedServer {
  readonly child: ChildProcess
  readonly plan: WritePlan
  /** Process id of the database's postmaster at this moment; null while there is none. */
  databasePid(): Promise<number | null>
  /** Those of `keys` of which the server has no effect. */
  missing(keys: readonly string[]): Promise<readonly string[]>
}

export interface KillRounds {
  readonly victim: Victim
  readonly rounds: number
  /** Starts the server on the same data each time. */
  readonly start: () => Promise<StartedServer>
  /** A folder for the plan and the log of acknowledgements. */
  readonly workDir: string
}

export interface KillResult {
  readonly acknowledged: number
  readonly missing: readonly string[]
  /** Milliseconds from each kill to the next acknowledgement. */
  readonly recoveryMs: readonly number[]
}

/** Writes that must be acknowledged between one kill and the next. */
const WRITES_BEFORE_KILL = 20
const PATIENCE_MS = 60_000

export async function runKillRounds(options: KillRounds): Promise<KillResult> {
  const logFile = join(options.workDir, 'acknowledged.txt')
  await writeFile(logFile, '')
  const recoveryMs: number[] = []
  let server = await options.start()
  const recorder = await startRecorder(options.workDir, logFile, server.plan)
  try {
    for (let round = 0; round < options.rounds; round += 1) {
      await waitForMore(logFile, WRITES_BEFORE_KILL)
      await sleep(Math.random() * 200)
      const killedAt = Date.now()
      server = await kill(options, server)
      await writePlan(options.workDir, server.plan)
      await waitForMore(logFile, 1)
      recoveryMs.push(Date.now() - killedAt)
    }
    await crash(recorder)
    const keys = await acknowledgements(logFile)
    return { acknowledged: keys.length, missing: await server.missing(keys), recoveryMs }
  } finally {
    await crash(recorder)
    await stop(server.child)
  }
}

async function kill(options: KillRounds, server: StartedServer): Promise<StartedServer> {
  const postmaster = await server.databasePid()
  if (postmaster === null) throw new Error('there is no database to kill')
  if (options.victim !== 'server') process.kill(postmaster, 'SIGKILL')
  if (options.victim !== 'database') {
    await crash(server.child)
    return options.start()
  }
  await until('a new database', async () => {
    const pid = await server.databasePid()
    return pid !== null && pid !== postmaster
  })
  return server
}

async function startRecorder(workDir: string, logFile: string, plan: WritePlan): Promise<ChildProcess> {
  await writePlan(workDir, plan)
  const program = join(import.meta.dirname, 'acknowledgementRecorder.ts')
  return spawn(process.execPath, [program, planFile(workDir), logFile], { stdio: ['ignore', 'ignore', 'inherit'] })
}

const planFile = (workDir: string): string => join(workDir, 'plan.json')

const writePlan = (workDir: string, plan: WritePlan): Promise<void> =>
  writeFile(planFile(workDir), JSON.stringify(plan))

async function acknowledgements(logFile: string): Promise<readonly string[]> {
  return (await readFile(logFile, 'utf8')).split('\n').filter((line) => line !== '')
}

async function waitForMore(logFile: string, count: number): Promise<void> {
  const goal = (await acknowledgements(logFile)).length + count
  await until('an acknowledgement', async () => (await acknowledgements(logFile)).length >= goal)
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`${what} was waited for in vain for ${PATIENCE_MS / 1000} s`)
    await sleep(20)
  }
}

/** The clean end after the last round, so that nothing is left running. */
async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await until('a clean stop', async () => child.exitCode !== null || child.signalCode !== null)
}
