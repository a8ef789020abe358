import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSchedule } from '#server/backup/schedule.ts'
import type { BackupSchedule } from '#server/backup/schedule.ts'
import { createLog } from '#server/log.ts'
import { createTestDatabase } from '#tests/server/support/database.ts'
import type { TestDatabase } from '#tests/server/support/database.ts'

const HOUR = 3_600_000

let database: TestDatabase
let folder: string
let log: string[]
let now: number

beforeEach(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'zl-schedule-'))
  log = []
  now = Date.parse('2026-11-20T02:00:00.000Z')
})
afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** A server of its own on the same database. */
function server(into: string = folder, keep = 3): BackupSchedule {
  return createSchedule({
    everyMs: 24 * HOUR,
    folder: into,
    keep,
    passphrase: null,
    owner: database.ownerPool,
    log: createLog({ level: 'info', write: (line) => log.push(line) }),
    now: () => now,
  })
}

describe('scheduled backups', () => {
  it('are made when they are due, once for all servers, and known after a restart', async () => {
    const one = server()
    const other = server()
    await Promise.all([one.runIfDue(), other.runIfDue()])
    expect(await readdir(folder)).toEqual(['zhenglu-20261120T020000000Z.backup'])
    now += 23 * HOUR
    await server().runIfDue()
    expect(await readdir(folder)).toHaveLength(1)
    now += HOUR
    await other.runIfDue()
    expect(await readdir(folder)).toHaveLength(2)
  })

  it('keep the newest, and leave alone what is not theirs', async () => {
    await writeFile(join(folder, 'notes.txt'), 'mine')
    await writeFile(join(folder, 'zhenglu-20261101T000000000Z.backup.part'), 'left by a server that was killed')
    const schedule = server(folder, 2)
    for (let day = 0; day < 4; day += 1) {
      await schedule.runIfDue()
      now += 24 * HOUR
    }
    expect((await readdir(folder)).toSorted()).toEqual([
      'notes.txt',
      'zhenglu-20261122T020000000Z.backup',
      'zhenglu-20261123T020000000Z.backup',
    ])
  })

  it('that fail are logged and counted, and tried again', async () => {
    const blocked = join(folder, 'blocked')
    await writeFile(blocked, 'a file where the folder should be')
    const schedule = server(blocked)
    await schedule.runIfDue()
    expect(log.join('')).toContain('a scheduled backup failed')
    expect(schedule.metrics()).toEqual(expect.arrayContaining(['backup_failing 1', 'backup_failures_total 1']))
    await rm(blocked)
    await schedule.runIfDue()
    expect(await readdir(blocked)).toHaveLength(1)
    expect(schedule.metrics()).toEqual(
      expect.arrayContaining(['backup_failing 0', 'backup_failures_total 1', `backup_last_success_timestamp_seconds ${now / 1000}`]),
    )
  })

  it('begin with the server and end with it', async () => {
    const schedule = server()
    schedule.start()
    await expect.poll(() => readdir(folder)).toEqual(['zhenglu-20261120T020000000Z.backup'])
    await schedule.stop()
  })
})
