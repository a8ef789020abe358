import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '#server/configError.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Settings of the backups that the server makes by itself. */
export interface ScheduleSettings {
  readonly everyMs: number
  readonly folder: string
  /** How many backups are kept; older ones are removed when a new one is there. */
  readonly keep: number
  /** Null leaves them unencrypted. Secret. */
  readonly passphrase: string | null
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
/** Timers cannot wait longer, and backups rarer than monthly are no use. */
const MAX_EVERY_MS = 24 * 86_400_000

/**
 * The settings in `BACKUP_EVERY`, `BACKUP_DIR` and `BACKUP_KEEP`; null when the server makes no backups by itself.
 *
 * @throws ConfigError
 */
export function readSchedule(env: Environment): ScheduleSettings | null {
  const every = env['BACKUP_EVERY'] ?? ''
  const folder = env['BACKUP_DIR'] ?? ''
  if (every === '') {
    if (folder !== '') throw new ConfigError('invalid_backup', 'BACKUP_EVERY', 'goes with BACKUP_DIR, such as 24h')
    return null
  }
  if (folder === '') throw new ConfigError('invalid_backup', 'BACKUP_DIR', 'the folder for the backups of BACKUP_EVERY')
  return {
    everyMs: readEvery(every),
    folder: resolve(folder),
    keep: readKeep(env['BACKUP_KEEP'] ?? ''),
    passphrase: readPassphrase(env),
  }
}

/**
 * The passphrase of backups, from `BACKUP_PASSPHRASE` or the file that `BACKUP_PASSPHRASE_FILE` names; null when
 * neither is set.
 *
 * @throws ConfigError
 */
export function readPassphrase(env: Environment): string | null {
  const given = env['BACKUP_PASSPHRASE'] ?? ''
  const file = env['BACKUP_PASSPHRASE_FILE'] ?? ''
  if (given !== '' && file !== '')
    throw new ConfigError('invalid_backup', 'BACKUP_PASSPHRASE', 'not together with BACKUP_PASSPHRASE_FILE')
  if (given !== '') return given
  if (file === '') return null
  const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  if (text === '') throw new ConfigError('invalid_backup', 'BACKUP_PASSPHRASE_FILE', 'a file that holds the passphrase')
  return text
}

function readEvery(text: string): number {
  const [, figure = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const ms = Number(figure) * (UNITS[unit] ?? 0)
  if (!(ms > 0 && ms <= MAX_EVERY_MS))
    throw new ConfigError('invalid_backup', 'BACKUP_EVERY', 'a time from 1m to 24d, such as 30m, 24h or 7d')
  return ms
}

function readKeep(text: string): number {
  if (text === '') return 14
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new ConfigError('invalid_backup', 'BACKUP_KEEP', 'how many backups are kept, 1 or more')
  return Number(text)
}
