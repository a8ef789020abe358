import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { locateBinaries } from '#server/database/binaries.ts'
import type { PostgresBinaries } from '#server/database/binaries.ts'
import {
  clusterFolders,
  ensureCluster,
  postgresEnvironment,
  prepareFolders,
  socketFolder,
  SUPERUSER,
} from '#server/database/cluster.ts'
import { lockDataDir } from '#server/database/dataDirLock.ts'
import { assertDurable, waitUntilReady } from '#server/database/health.ts'
import { LauncherError } from '#server/database/launcherError.ts'
import type { Connection } from '#server/database/pool.ts'
import { stopOrphans } from '#server/database/postmaster.ts'
import { chooseDeathNotice, choosePrivileges, endingWithUs, withPrivileges } from '#server/database/privileges.ts'
import type { DeathNotice, Privileges } from '#server/database/privileges.ts'
import type { ClusterSecrets } from '#server/database/secrets.ts'
import { hasRoom } from '#server/storage/room.ts'

export interface LaunchOptions {
  readonly dataDir: string
  /** PostgreSQL's own log, line by line. It holds no values: see `SETTINGS`. */
  readonly onLog: (line: string) => void
  /** Called when the database died and could not be brought back; the server cannot go on. */
  readonly onLost?: (error: LauncherError) => void
  /**
   * Called when the disk has no room for the database to run, and again when it has room. Until then the launcher
   * waits.
   */
  readonly onRoom?: (hasRoom: boolean) => void
  /** Overrides what is otherwise chosen by looking at the machine. */
  readonly privileges?: Privileges
  readonly deathNotice?: DeathNotice
}

/** Our own PostgreSQL, running. */
export interface RunningPostgres {
  /** The superuser on the database `postgres`, over the unix socket. It only makes roles and databases. */
  readonly superuser: Connection
  readonly secrets: ClusterSecrets
  /** Process id of the postmaster; changes when a killed one was replaced. */
  pid(): number
  /** Cuts all sessions, writes everything out, stops the database and releases the data folder. May be called again. */
  stop(): Promise<void>
}

/** Settings on the command line: neither a file in the data folder nor ALTER SYSTEM can change them. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: '60',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // No statement, parameter or key value reaches the log. Errors go to the server, which logs only what may be known.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
}

/** A large write-ahead log takes long to replay after a crash. That is work, not a hang. */
const START_TIMEOUT_MS = 600_000
const STOP_TIMEOUT_MS = 60_000

/**
 * Limits for restarting a database that died: at most one start in this time, and an end after so many failures. A
 * full disk is no failure: the launcher waits, however long an operator needs to make room.
 */
const RESTART_PAUSE_MS = 1_000
const MAX_FAILED_STARTS = 5
/** The room that a start needs at least: a segment of the write-ahead log, and some more. */
const ROOM_TO_START = 24 * 1024 * 1024
const LONGEST_WAIT_FOR_ROOM_MS = 15_000

/**
 * Starts PostgreSQL on the data folder, which is made at the first start, and keeps PostgreSQL running until `stop`.
 * It has no TCP port. It ends when this process ends, however that happens.
 *
 * @throws LauncherError
 */
export async function startPostgres(options: LaunchOptions): Promise<RunningPostgres> {
  const dataDir = resolve(options.dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = lockDataDir(dataDir)
  try {
    const postgres = await launch(dataDir, options)
    let stopped: Promise<void> | undefined
    return { ...postgres, stop: () => (stopped ??= postgres.stop().finally(() => lock.release())) }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function launch(dataDir: string, options: LaunchOptions): Promise<RunningPostgres> {
  const binaries = await locateBinaries()
  const privileges = options.privileges ?? (await choosePrivileges(binaries.postgres))
  const deathNotice = options.deathNotice ?? (await chooseDeathNotice())
  const folders = clusterFolders(dataDir, binaries.major)
  await prepareFolders(dataDir, folders, privileges)
  const secrets = await ensureCluster(folders, binaries, privileges)
  const socket = await socketFolder(folders, privileges)
  const superuser = {
    host: socket.path,
    port: 5432,
    database: 'postgres',
    user: SUPERUSER,
    password: secrets.superuser,
  }

  const start = async (): Promise<Postmaster> => {
    await stopOrphans(folders.cluster, socket.path, STOP_TIMEOUT_MS)
    const postmaster = spawnPostmaster({
      binaries,
      privileges,
      deathNotice,
      cluster: folders.cluster,
      socket: socket.path,
      onLog: options.onLog,
    })
    try {
      await waitUntilReady(superuser, postmaster.exited, START_TIMEOUT_MS)
      await assertDurable(superuser)
      return postmaster
    } catch (error) {
      await postmaster.stop()
      throw error
    }
  }
  const supervised = await supervise(start, folders.cluster, options)
  return {
    superuser,
    secrets,
    pid: supervised.pid,
    stop: async () => {
      await supervised.stop()
      if (socket.temporary) await rm(socket.path, { recursive: true, force: true })
    },
  }
}

/** Starts the database again when it dies by itself. Sessions break, and the pools open new ones on the same socket. */
async function supervise(
  start: () => Promise<Postmaster>,
  folder: string,
  options: LaunchOptions,
): Promise<{ pid(): number; stop(): Promise<void> }> {
  const stopping = new AbortController()
  const { signal } = stopping
  const pause = (milliseconds: number): Promise<unknown> =>
    sleep(milliseconds, undefined, { signal }).catch(() => undefined)
  /**
   * Waits until there is room.
   *
   * @returns whether room was missing
   */
  const waitForRoom = async (): Promise<boolean> => {
    if (await hasRoom(folder, ROOM_TO_START)) return false
    options.onRoom?.(false)
    for (let waitMs = RESTART_PAUSE_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_FOR_ROOM_MS)) {
      await pause(waitMs)
      if (await hasRoom(folder, ROOM_TO_START)) break
    }
    if (!signal.aborted) options.onRoom?.(true)
    return true
  }
  const startPatiently = async (most: number): Promise<Postmaster> => {
    for (let failures = 0; ;) {
      await waitForRoom()
      try {
        return await start()
      } catch (error) {
        if (signal.aborted) throw error
        if (await waitForRoom()) continue
        failures += 1
        if (failures >= most) throw error
        await pause(RESTART_PAUSE_MS)
      }
    }
  }
  let current = await startPatiently(1)
  const keepRunning = async (): Promise<void> => {
    for (;;) {
      const startedAt = performance.now()
      await current.exited
      if (signal.aborted) return
      options.onLog('the database died and is started again')
      await pause(Math.max(0, RESTART_PAUSE_MS - (performance.now() - startedAt)))
      if (signal.aborted) return
      current = await startPatiently(MAX_FAILED_STARTS)
      if (signal.aborted) await current.stop()
    }
  }
  const supervision = keepRunning().catch((error: unknown) => {
    const lost =
      error instanceof LauncherError ? error : new LauncherError('not_started', 'the database died', { cause: error })
    // If a start fails because the server is stopping, nothing is lost.
    if (!signal.aborted) options.onLost?.(lost)
  })
  return {
    pid: () => current.pid,
    stop: async () => {
      stopping.abort()
      await current.stop()
      await supervision
    },
  }
}

interface Postmaster {
  readonly pid: number
  /** Settles with the last lines of the database's log when the database has ended, for any reason. */
  readonly exited: Promise<string>
  stop(): Promise<void>
}

interface PostmasterPlace {
  readonly binaries: PostgresBinaries
  readonly privileges: Privileges
  readonly deathNotice: DeathNotice
  readonly cluster: string
  readonly socket: string
  readonly onLog: (line: string) => void
}

function spawnPostmaster(place: PostmasterPlace): Postmaster {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const bare = {
    file: place.binaries.postgres,
    args: ['-D', place.cluster, '-k', place.socket, '-p', '5432', ...settings],
  }
  const wrap = place.deathNotice === 'signal' ? endingWithUs : withPrivileges
  const { file, args } = wrap(place.privileges, bare)
  // A process group of its own: Ctrl-C in a terminal is for the server, which drains before it stops the database.
  const child = spawn(file, [...args], {
    cwd: place.cluster,
    env: postgresEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  const watchdog = place.deathNotice === 'watchdog' && child.pid !== undefined ? spawnWatchdog(child.pid) : null
  const exited = followLog(child, place.onLog).finally(() => watchdog?.kill('SIGKILL'))
  return {
    // Every wrapper replaces itself by the next program, so this is PostgreSQL's own process id.
    pid: child.pid ?? 0,
    exited,
    stop: async () => {
      child.kill('SIGINT')
      const patience = new AbortController()
      const late = sleep(STOP_TIMEOUT_MS, true, { signal: patience.signal }).catch(() => false)
      if (await Promise.race([late, exited.then(() => false)])) child.kill('SIGQUIT')
      patience.abort()
      await exited
    },
  }
}

/** Waits for the end of our pipe, which comes when this process ends, and then stops the database. */
function spawnWatchdog(postmaster: number): ChildProcess {
  const script = 'read -r _; kill -INT "$1"'
  return spawn('sh', ['-c', script, 'sh', String(postmaster)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
}

async function followLog(child: ChildProcess, onLog: (line: string) => void): Promise<string> {
  const last: string[] = []
  const remember = (line: string): void => {
    last.push(line)
    if (last.length > 5) last.shift()
  }
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      remember(line)
      onLog(line)
    })
  }
  try {
    await once(child, 'close')
  } catch (error) {
    // The program could not even be started.
    remember(error instanceof Error ? error.message : String(error))
  }
  return last.join('\n')
}
