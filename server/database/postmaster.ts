import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { LauncherError } from '#server/database/launcherError.ts'

const run = promisify(execFile)

/** The process id in `postmaster.pid`; null when no database has run here, or when the last one stopped cleanly. */
export async function readPostmasterPid(clusterDir: string): Promise<number | null> {
  return readPid(join(clusterDir, 'postmaster.pid'))
}

async function readPid(file: string): Promise<number | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
  const pid = Number(text.split('\n', 1)[0])
  return Number.isSafeInteger(pid) && pid > 1 ? pid : null
}

/**
 * Stops a database that an earlier server left running on this cluster. The caller holds the data folder's lock, so
 * nobody else can be using it. A database that is already stopping is waited for. One that goes on is asked to stop,
 * as its own server would ask. The database is never killed, and its pid file is never removed while it runs.
 *
 * @returns whether a database was running
 * @throws LauncherError `not_stopped` when it still runs after `timeoutMs`
 */
export async function stopOrphans(clusterDir: string, socketDir: string, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  let found = false
  let asked: number | null = null
  for (;;) {
    const postmaster = await readPostmasterPid(clusterDir)
    const running = await processesOn(clusterDir, postmaster)
    if (running.length === 0) {
      await dropForeignLock(join(clusterDir, 'postmaster.pid'))
      await dropForeignLock(join(socketDir, '.s.PGSQL.5432.lock'))
      return found
    }
    found = true
    if (postmaster !== null && running.includes(postmaster)) {
      // "Fast": sessions are cut and rolled back, and everything is written out.
      if (asked !== postmaster) signal(postmaster, 'SIGINT')
      asked = postmaster
    } else {
      // Sessions that outlived a killed postmaster end by themselves when they next check for it. Busy ones are told to
      // end.
      for (const pid of running) signal(pid, 'SIGTERM')
    }
    if (Date.now() > deadline) {
      throw new LauncherError(
        'not_stopped',
        `an earlier database (process ${running.join(', ')}) does not stop: stop it by hand, then start again`,
      )
    }
    await sleep(50)
  }
}

/**
 * PostgreSQL's processes have the cluster's folder as their working folder. That tells them from other processes that
 * reuse a process id.
 */
async function processesOn(clusterDir: string, postmaster: number | null): Promise<readonly number[]> {
  if (process.platform === 'linux') {
    const cluster = await realpath(clusterDir)
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
    const folders = await Promise.all(pids.map(workingFolder))
    return pids.filter((_, index) => folders[index] === cluster)
  }
  return postmaster !== null && (await isPostgres(postmaster)) ? [postmaster] : []
}

async function workingFolder(pid: number): Promise<string | null> {
  try {
    return await readlink(`/proc/${pid}/cwd`)
  } catch {
    // The process has ended meanwhile, or it is another user's and so not ours.
    return null
  }
}

async function isPostgres(pid: number): Promise<boolean> {
  try {
    return (await run('ps', ['-p', String(pid), '-o', 'comm='])).stdout.includes('postgres')
  } catch {
    // `ps` fails when there is no such process.
    return false
  }
}

/**
 * Removes a lock file of PostgreSQL that names a process which exists but is not PostgreSQL on this cluster. After a
 * restart of the machine the process id may belong to another program, and a killed process keeps its id until its
 * parent has read its end. PostgreSQL would refuse to start. A stale file whose process id is free is left to
 * PostgreSQL. Only called when nothing runs here.
 */
async function dropForeignLock(file: string): Promise<void> {
  const pid = await readPid(file)
  if (pid !== null && signal(pid, 0)) await rm(file, { force: true })
}

/**
 * Whether such a process exists and may be signalled. One that may not be signalled is another user's and so not
 * ours.
 */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM')) return false
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
