import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { DURABLE_SEQ } from '#server/backup/durable.ts'
import { beginNewTime } from '#server/backup/newTime.ts'
import { createSchedule } from '#server/backup/schedule.ts'
import type { BackupSchedule } from '#server/backup/schedule.ts'
import { withTransaction } from '#server/database/transaction.ts'
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

async function aProject(): Promise<string> {
  const [userId, projectId] = [newId(), newId()]
  await database.ownerPool.query(
    `INSERT INTO app_user (id, account, account_key, real_name, password_hash) VALUES ($1, 'pm', 'pm', '项目经理', 'none')`,
    [userId],
  )
  await database.ownerPool.query(
    `INSERT INTO project (id, name, status, scope_code, config, created_by) VALUES ($1, '心绞痛研究', 'process', 'areamultiple', '{}', $2)`,
    [projectId, userId],
  )
  return projectId
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
      expect.arrayContaining([
        'backup_failing 0',
        'backup_failures_total 1',
        `backup_last_success_timestamp_seconds ${now / 1000}`,
      ]),
    )
  })

  it('say up to which change no restore can forget anything: what the oldest one that is kept holds', async () => {
    const projectId = await aProject()
    const durable = async (): Promise<number> => {
      const { rows } = await database.ownerPool.query<{ durable: number }>(`SELECT ${DURABLE_SEQ} AS durable`, [
        projectId,
      ])
      return Number(rows[0]?.durable)
    }
    const backUpAt = async (seq: number): Promise<void> => {
      await database.ownerPool.query('UPDATE project SET seq = $2 WHERE id = $1', [projectId, seq])
      await server(folder, 2).runIfDue()
      now += 24 * HOUR
    }
    expect(await durable()).toBe(0)
    // Somebody has put a backup there of which nobody knows what it holds.
    await writeFile(join(folder, 'zhenglu-20261101T000000000Z.backup'), 'from elsewhere')
    await backUpAt(10)
    expect(await durable()).toBe(0)
    await backUpAt(20)
    expect(await durable()).toBe(10)
    await backUpAt(30)
    expect(await durable()).toBe(20)
    await withTransaction(database.ownerPool, (transaction) => beginNewTime(transaction, 'backup.recovered', null))
    expect(await durable()).toBe(0)
    await backUpAt(40)
    // The backup before it is of a time that was given up.
    expect(await durable()).toBe(0)
    await backUpAt(50)
    expect(await durable()).toBe(40)
  })

  it('begin with the server and end with it', async () => {
    const schedule = server()
    schedule.start()
    await expect.poll(() => readdir(folder)).toEqual(['zhenglu-20261120T020000000Z.backup'])
    await schedule.stop()
  })
})
