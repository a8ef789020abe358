import { describe, expect, it } from 'vitest'
import { readSchedule } from '#server/backup/settings.ts'
import { ConfigError } from '#server/configError.ts'

const HOUR = 3_600_000

describe('the settings of scheduled backups', () => {
  it('are off unless asked for', () => {
    expect(readSchedule({})).toBeNull()
    expect(readSchedule({ BACKUP_EVERY: '', BACKUP_DIR: '' })).toBeNull()
  })

  it('are a time, a folder and how many are kept', () => {
    expect(readSchedule({ BACKUP_EVERY: '24h', BACKUP_DIR: '/backups' })).toEqual({
      everyMs: 24 * HOUR,
      folder: '/backups',
      keep: 14,
      passphrase: null,
    })
    expect(
      readSchedule({ BACKUP_EVERY: '30m', BACKUP_DIR: '/backups', BACKUP_KEEP: '100', BACKUP_PASSPHRASE: 'x' }),
    ).toEqual({
      everyMs: HOUR / 2,
      folder: '/backups',
      keep: 100,
      passphrase: 'x',
    })
  })

  it.each([
    ['BACKUP_EVERY', { BACKUP_EVERY: 'daily', BACKUP_DIR: '/b' }],
    ['BACKUP_EVERY', { BACKUP_EVERY: '0h', BACKUP_DIR: '/b' }],
    ['BACKUP_EVERY', { BACKUP_EVERY: '90d', BACKUP_DIR: '/b' }],
    ['BACKUP_EVERY', { BACKUP_DIR: '/b' }],
    ['BACKUP_DIR', { BACKUP_EVERY: '24h' }],
    ['BACKUP_KEEP', { BACKUP_EVERY: '24h', BACKUP_DIR: '/b', BACKUP_KEEP: '0' }],
    [
      'BACKUP_PASSPHRASE',
      { BACKUP_EVERY: '24h', BACKUP_DIR: '/b', BACKUP_PASSPHRASE: 'secret', BACKUP_PASSPHRASE_FILE: '/f' },
    ],
  ])('that make no sense name %s and never a secret', (variable, env) => {
    const refused = (): unknown => readSchedule(env)
    expect(refused).toThrow(ConfigError)
    expect(refused).toThrow(variable)
    expect(refused).not.toThrow('secret')
  })
})
