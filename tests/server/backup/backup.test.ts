import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyChain } from '#server/areas/audit/chain.ts'
import { BackupError } from '#server/backup/backupError.ts'
import type { BackupErrorReason } from '#server/backup/backupError.ts'
import { inspectBackup } from '#server/backup/read.ts'
import type { Contents } from '#server/backup/read.ts'
import { restore } from '#server/backup/restore.ts'
import { writeBackup } from '#server/backup/write.ts'
import { commitSystem } from '#server/database/commit.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import { ensureSecrets } from '#server/secrets.ts'
import { createEmptyDatabase, createTestDatabase } from '#tests/server/support/database.ts'
import type { TestDatabase } from '#tests/server/support/database.ts'
import { call, change, enrol, operationOf, push, vitals } from '#tests/server/support/world.ts'
import type { World } from '#tests/server/support/world.ts'
import { entryId } from '#core/derivedIds.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

const PASSPHRASE = '正确的 passphrase'

const world = worldForAllTests()
let folder: string
let target: TestDatabase

beforeAll(async () => {
  await ensureSecrets(world.services.pool)
  await save(await enrol(world), { height: 170.5, note: '换行\n"引号"\\ 與 {花括号}', contact: null })
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zl-backup-'))
  target = await createEmptyDatabase()
})
afterEach(async () => {
  await target.drop()
  await rm(folder, { recursive: true, force: true })
})

async function save(patientId: string, items: Parameters<typeof change>[1]): Promise<void> {
  const page = vitals(world, patientId)
  await call(world, world.people.lin, 'entry.save', { id: entryId(page), body: change(page, items) })
}

function backUp(passphrase: string | null = null): Promise<string> {
  return writeBackup(world.database.ownerPool, { folder, passphrase }).then(({ file }) => file)
}

function restoreInto(into: TestDatabase, file: string, passphrase: string | null = null): ReturnType<typeof restore> {
  return restore({
    file,
    passphrase,
    databaseUrl: into.url,
    appDatabaseUrl: into.appUrl,
    dataDir: folder,
    replace: false,
  })
}

/** Counts and hashes of all tables, as a backup of the database tells them. */
async function contentOf(database: TestDatabase): Promise<Contents['tables']> {
  const { file } = await writeBackup(database.ownerPool, { folder: join(folder, 'again'), passphrase: null })
  return (await inspectBackup(file, null)).tables
}

async function refusal(attempt: Promise<unknown>): Promise<BackupErrorReason | null> {
  return attempt.then(
    () => null,
    (error: unknown) => {
      if (error instanceof BackupError) return error.reason
      throw error
    },
  )
}

/** Tables that a restore itself writes to, so that it can be seen. */
const TOUCHED = ['center', 'setting', 'session', 'system_chain', 'audit', 'audit_link', 'audit_value']

describe('a backup', () => {
  it('that is restored holds the same rows in every table', async () => {
    const file = await backUp()
    const report = await restoreInto(target, file)
    const { tables, end } = await inspectBackup(file, null)
    expect(report).toMatchObject({ tables: tables.length, rows: end.rows, migrated: [], kept: null })
    const untouched = (all: Contents['tables']): Contents['tables'] => all.filter(({ name }) => !TOUCHED.includes(name))
    const before = untouched(tables)
    expect(before.filter(({ rows }) => rows > 0).length).toBeGreaterThan(8)
    expect(untouched(await contentOf(target))).toEqual(before)
    const { rows } = await target.pool.query(
      'SELECT action FROM audit WHERE project_id IS NULL ORDER BY seq DESC LIMIT 1',
    )
    expect(rows).toEqual([{ action: 'backup.restore' }])
    expect(await verifyChain(target.pool, world.study.projectId)).toMatchObject({ holds: true })
    expect(await verifyChain(target.pool, null)).toMatchObject({ holds: true })
  })

  it('keeps a JSON null apart from no value at all', async () => {
    await world.services.pool.query(
      `INSERT INTO setting (key, value) VALUES ('nothing', 'null') ON CONFLICT DO NOTHING`,
    )
    await restoreInto(target, await backUp())
    const { rows } = await target.pool.query(
      `SELECT value IS NULL AS missing, value::text FROM setting WHERE key = 'nothing'`,
    )
    expect(rows).toEqual([{ missing: false, value: 'null' }])
  })

  it('brings the secrets back, with another epoch, and nobody signed in', async () => {
    await world.services.pool.query(
      `INSERT INTO session (id, family, user_id, client_id, access_hash, access_expires_at, refresh_hash, refresh_expires_at)
       VALUES (gen_random_uuid(), gen_random_uuid(), $1, 'zhenglu', gen_random_uuid()::text, now() + interval '1 day', gen_random_uuid()::text, now() + interval '1 day')`,
      [world.people.lin.userId],
    )
    await withTransaction(world.services.pool, (transaction) =>
      commitSystem(transaction, serverStamp(world.services), [{ action: 'user.login' }]),
    )
    const before = await ensureSecrets(world.services.pool)
    const report = await restoreInto(target, await backUp())
    const after = await ensureSecrets(target.pool)
    expect(after).toEqual({ ...before, epoch: report.epoch })
    expect(report.epoch).not.toBe(before.epoch)
    expect(report.endedSessions).toBeGreaterThan(0)
    const { rows } = await target.pool.query('SELECT count(*) AS open FROM session WHERE ended_at IS NULL')
    expect(rows).toEqual([{ open: 0 }])
  })

  it('holds one instant, while others write', async () => {
    const patients = await Promise.all([enrol(world), enrol(world), enrol(world), enrol(world)])
    let writing = true
    let saves = 0
    const writers = patients.map(async (patient) => {
      for (let round = 0; writing; round += 1) {
        await save(patient, { packs: round })
        saves += 1
      }
    })
    const files: string[] = []
    while (files.length < 3 || saves < 20) files.push(await backUp())
    writing = false
    await Promise.all(writers)
    for (const [index, file] of [files[0], files.at(-1)].entries()) {
      const into = index === 0 ? target : await createEmptyDatabase()
      const report = await restoreInto(into, file ?? '')
      expect(report.chains).toBe(2)
      // A receipt and its audit row belong together: neither is there without the other.
      const { rows } = await into.pool.query(
        `SELECT count(*) AS torn FROM operation o WHERE NOT EXISTS (SELECT 1 FROM audit_link l WHERE l.project_id = o.project_id AND l.seq = o.seq AND l.head = o.head)`,
      )
      expect(rows).toEqual([{ torn: 0 }])
      if (into !== target) await into.drop()
    }
  })

  it('of an empty database is refused', async () => {
    expect(await refusal(writeBackup(target.ownerPool, { folder, passphrase: null }))).toBe('nothing_there')
  })
})

describe('an encrypted backup', () => {
  it('comes back under its passphrase, and shows nothing without it', async () => {
    const file = await backUp(PASSPHRASE)
    expect(await refusal(restoreInto(target, file))).toBe('passphrase_missing')
    expect(await refusal(restoreInto(target, file, 'wrong'))).toBe('passphrase_wrong')
    expect(await restoreInto(target, file, PASSPHRASE)).toMatchObject({ chains: 2 })
    const bytes = await readFile(file)
    expect(bytes.includes('app_user')).toBe(false)
  })

  it('that was changed, cut off, or put together from pieces is refused', async () => {
    const file = await backUp(PASSPHRASE)
    const whole = await readFile(file)
    const body = whole.indexOf('\n') + 1
    const changed = Buffer.from(whole)
    changed.writeUInt8(changed.readUInt8(whole.length - 40) ^ 1, whole.length - 40)
    const variants = [
      changed,
      whole.subarray(0, -1),
      whole.subarray(0, body),
      Buffer.concat([whole, whole.subarray(body)]),
    ]
    for (const variant of variants) {
      await writeFile(file, variant)
      expect(await refusal(restoreInto(target, file, PASSPHRASE))).toBe('damaged')
    }
  })
})

describe('what cannot be restored', () => {
  it('is a file of something else, or damaged anywhere: nothing is written', async () => {
    const file = await backUp()
    const whole = await readFile(file)
    for (const part of [0.1, 0.5, 0.9]) {
      const changed = Buffer.from(whole)
      const at = Math.floor(whole.length * part)
      changed.writeUInt8(changed.readUInt8(at) ^ 0x10, at)
      await writeFile(file, changed)
      expect(await refusal(restoreInto(target, file))).toMatch(/^(damaged|not_a_backup)$/)
    }
    await writeFile(file, whole)
    await truncate(file, whole.length - 20)
    expect(await refusal(restoreInto(target, file))).toBe('damaged')
    await writeFile(file, 'a diary\n')
    expect(await refusal(restoreInto(target, file))).toBe('not_a_backup')
    const { rows } = await target.ownerPool.query(
      `SELECT count(*) AS tables FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
    )
    expect(rows).toEqual([{ tables: 0 }])
  })

  it('is one of a schema that this version does not know', async () => {
    const other = await createTestDatabase()
    await other.ownerPool.query(`UPDATE schema_migration SET checksum = repeat('0', 64) WHERE number = 1`)
    const { file } = await writeBackup(other.ownerPool, { folder, passphrase: null })
    await other.drop()
    expect(await refusal(restoreInto(target, file))).toBe('schema_unknown')
  })

  it('is what would lie over data', async () => {
    const file = await backUp()
    await restoreInto(target, file)
    const before = await contentOf(target)
    expect(await refusal(restoreInto(target, file))).toBe('not_empty')
    expect(await contentOf(target)).toEqual(before)
  })

  it('is what would lie in the database of something else', async () => {
    await target.ownerPool.query('CREATE TABLE invoices (id int)')
    expect(await refusal(restoreInto(target, await backUp()))).toBe('not_empty')
  })
})

describe('a restore drill', () => {
  it('tablets send again what they sent after the backup, and everything is there once', async () => {
    const { lin, wu } = world.people
    const operation = (who: typeof lin, patient: string, height: number): ReturnType<typeof operationOf> => {
      const page = vitals(world, patient)
      return operationOf(world, who, {
        call: 'entry.save',
        entityId: entryId(page),
        body: change(page, { height }),
      })
    }
    const [first, second] = [await enrol(world), await enrol(world)]
    const early = operation(lin, first, 160)
    await push(world, lin, [early])
    const file = await backUp()
    const late = operation(wu, second, 170)
    await push(world, wu, [late])

    const { epoch } = await restoreInto(target, file)
    const restored: World = {
      ...world,
      services: { ...world.services, pool: target.pool, secrets: { ...world.services.secrets, epoch } },
    }
    for (let contact = 0; contact < 2; contact += 1) {
      expect((await push(restored, lin, [early])).get(early.key)).toMatchObject({
        t: 'taken',
        receipt: { key: early.key },
      })
      expect((await push(restored, wu, [late])).get(late.key)).toMatchObject({ t: 'taken', receipt: { key: late.key } })
    }
    const { rows } = await target.pool.query(
      `SELECT patient_id, "values" ->> 'height' AS height FROM entry WHERE patient_id = ANY ($1)`,
      [[first, second]],
    )
    expect(rows).toHaveLength(2)
    expect(rows).toEqual(
      expect.arrayContaining([
        { patient_id: first, height: '160' },
        { patient_id: second, height: '170' },
      ]),
    )
    const { rows: booked } = await target.pool.query(
      `SELECT op_key, count(*) AS links FROM (SELECT DISTINCT op_key, seq FROM audit WHERE op_key = ANY ($1)) AS audited GROUP BY op_key`,
      [[early.key, late.key]],
    )
    expect(booked).toEqual(
      expect.arrayContaining([
        { op_key: early.key, links: 1 },
        { op_key: late.key, links: 1 },
      ]),
    )
    expect(await verifyChain(target.pool, world.study.projectId)).toMatchObject({ holds: true })
  })
})
