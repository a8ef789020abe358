import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Pool } from 'pg'
import { noteBackup } from '#server/backup/durable.ts'
import { UNFINISHED } from '#server/backup/file.ts'
import { copyFiles } from '#server/backup/files.ts'
import type { ScheduleSettings } from '#server/backup/settings.ts'
import { BACKUP_NAME, writeBackup } from '#server/backup/write.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Log } from '#server/log.ts'
import type { FileStore } from '#server/storage/fileStore.ts'

/** Any constant will do, as long as every version of the server uses the same one. */
const BACKUP_LOCK = 9_436_461

/** After a failure the next try comes this soon, unless the next backup is due sooner. */
const RETRY_MS = 15 * 60_000

/** The setting that remembers the last backup, for all processes and across restarts. */
const SETTING = 'last_backup'

export interface BackupSchedule {
  start(): void
  /**
   * Makes a backup if one is due and no other server is making it. Never throws: a failure is logged, counted and
   * tried again.
   */
  runIfDue(): Promise<void>
  /** Lines for `/metrics`. */
  metrics(): readonly string[]
  /** Stops a backup that is under way; it is due again after the next start. */
  stop(): Promise<void>
}

export interface ScheduleOptions extends ScheduleSettings {
  readonly owner: Pool
  readonly log: Log
  /** The store with the contents of attachments. */
  readonly files?: FileStore
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** Makes backups from `start` to `stop`. If several servers use one database, one of them makes each backup. */
export function createSchedule(options: ScheduleOptions): BackupSchedule {
  const now = options.now ?? Date.now
  const state = { succeededAt: 0, bytes: 0, failures: 0, failing: false }
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  const attempt = async (): Promise<void> => {
    try {
      const result = await backUpIfDue(options, now, stopping.signal)
      Object.assign(state, { failing: false, succeededAt: result.lastAt, bytes: result.bytes })
    } catch (error) {
      if (stopping.signal.aborted) return
      state.failures += 1
      state.failing = true
      options.log.error({ error }, 'a scheduled backup failed')
    }
  }
  const runIfDue = (): Promise<void> => (running ??= attempt().finally(() => (running = undefined)))
  const plan = (waitMs: number): void => {
    if (stopping.signal.aborted) return
    timer = setTimeout(() => {
      void runIfDue().then(() => plan(nextWait()))
    }, waitMs)
    timer.unref()
  }
  const nextWait = (): number => {
    if (state.failing) return Math.min(RETRY_MS, options.everyMs)
    return Math.max(1000, state.succeededAt + options.everyMs - now())
  }
  return {
    start: () => plan(0),
    runIfDue,
    metrics: () => [
      '# TYPE backup_last_success_timestamp_seconds gauge',
      `backup_last_success_timestamp_seconds ${Math.floor(state.succeededAt / 1000)}`,
      '# TYPE backup_last_size_bytes gauge',
      `backup_last_size_bytes ${state.bytes}`,
      '# TYPE backup_failing gauge',
      `backup_failing ${state.failing ? 1 : 0}`,
      '# TYPE backup_failures_total counter',
      `backup_failures_total ${state.failures}`,
    ],
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}

interface LastBackup {
  /** When the backup was made, in milliseconds since 1970. */
  readonly lastAt: number
  readonly bytes: number
}

async function backUpIfDue(options: ScheduleOptions, now: () => number, signal: AbortSignal): Promise<LastBackup> {
  return withConnection(options.owner, async (connection) => {
    const { rows } = await connection.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      BACKUP_LOCK,
    ])
    const last = await readLast(connection)
    // Another server is making it. Its result is checked when it must be there.
    if (rows[0]?.taken !== true) return { ...last, lastAt: Math.max(last.lastAt, now() - options.everyMs + 60_000) }
    try {
      if (last.lastAt + options.everyMs > now()) return last
      const { owner, folder, keep, passphrase, log } = options
      await removeUnfinished(folder)
      const written = await writeBackup(owner, { folder, passphrase, now: () => new Date(now()), signal })
      const files = options.files === undefined ? null : await copyFiles(owner, options.files, folder, signal)
      if (files !== null && files.missing > 0)
        log.error({ missing: files.missing }, 'attachments that the data name are not there')
      const made = { lastAt: Date.parse(written.createdAt), bytes: written.bytes }
      await writeLast(connection, made)
      log.info({ rows: written.rows, bytes: written.bytes }, 'backup written')
      await removeOld(folder, keep)
      await noteBackup(connection, { file: basename(written.file), seqs: written.seqs }, await backupsIn(folder))
      return made
    } finally {
      await connection.query('SELECT pg_advisory_unlock($1)', [BACKUP_LOCK])
    }
  })
}

async function readLast(connection: Queryable): Promise<LastBackup> {
  const { rows } = await connection.query<LastBackup>(
    `SELECT (value ->> 'at')::bigint AS "lastAt", (value ->> 'bytes')::bigint AS bytes FROM setting WHERE key = $1`,
    [SETTING],
  )
  return rows[0] ?? { lastAt: 0, bytes: 0 }
}

async function writeLast(connection: Queryable, { lastAt, bytes }: LastBackup): Promise<void> {
  await connection.query(
    'INSERT INTO setting (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    [SETTING, JSON.stringify({ at: lastAt, bytes })],
  )
}

/** Removes files that a killed server has left. Only the holder of the lock writes here. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (name.endsWith(UNFINISHED) && BACKUP_NAME.test(name.slice(0, -UNFINISHED.length))) await rm(join(folder, name))
  }
}

async function removeOld(folder: string, keep: number): Promise<void> {
  for (const name of (await backupsIn(folder)).slice(0, -keep)) await rm(join(folder, name))
}

/** Oldest first. */
async function backupsIn(folder: string): Promise<readonly string[]> {
  return (await namesIn(folder)).filter((name) => BACKUP_NAME.test(name)).toSorted()
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
