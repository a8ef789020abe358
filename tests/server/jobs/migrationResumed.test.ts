import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { TaskResult } from '#core/api/calls/sync.ts'
import { newId } from '#core/ids.ts'
import { restore } from '#server/backup/restore.ts'
import { writeBackup } from '#server/backup/write.ts'
import { MIGRATIONS_FOLDER, migrate } from '#server/database/migrate.ts'
import { APP_LIMITS, createPool } from '#server/database/pool.ts'
import { withConnection } from '#server/database/transaction.ts'
import { migrationWork, runMigrations } from '#server/jobs/migration.ts'
import { readProgress } from '#server/jobs/queue.ts'
import { runDueJobs } from '#server/jobs/runner.ts'
import { ensureSecrets } from '#server/secrets.ts'
import { createEmptyDatabase } from '#tests/server/support/database.ts'
import { releaseTested, testedVersion, vitalsColumns } from '#tests/server/support/release.ts'
import { call, change, enrol, makeWorld, save, vitals } from '#tests/server/support/world.ts'
import type { World } from '#tests/server/support/world.ts'

/** A migration that ends in the middle, with its server, its database or its version of the program, and goes on. */

const PATIENTS = 4
const LEASE_MS = 500

let world: World
let task: string
let folder: string
beforeEach(async () => {
  world = await makeWorld()
  await ensureSecrets(world.services.pool)
  for (let count = 0; count < PATIENTS; count += 1)
    await save(world, world.people.lin, change(vitals(world, await enrol(world)), { height: 170 }))
  task = (await releaseTested(world, await testedVersion(world, { no: 2, columns: vitalsColumns }))) ?? ''
  folder = await mkdtemp(join(tmpdir(), 'zl-resumed-'))
}, 60_000)
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
  await world.close()
})

const result = (): Promise<TaskResult> =>
  call(world, world.people.manager, 'task.result', { params: { id: task }, query: { taskType: 'migration' } })

/** How many turns each patient had, as the trail tells. */
async function turns(pool: Pool): Promise<readonly number[]> {
  const { rows } = await pool.query<{ turns: number }>(
    `SELECT count(*) AS turns FROM audit WHERE action = 'patient.migrate' GROUP BY patient_id`,
  )
  return rows.map((row) => row.turns)
}

/** A server that is cut off from its database, without a word, as the third patient's turn begins. */
async function cutOff(): Promise<void> {
  const pool = createPool(world.database.appUrl, APP_LIMITS, () => undefined)
  let begun = 0
  await new Promise<void>((resolve) => {
    const dying = { ...world.services, pool }
    const work = migrationWork(dying, (at) => {
      if (at === 'ends' || (begun += 1) < 3) return
      void world.database.ownerPool
        .query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'zhenglu_app'`)
        .catch(() => undefined)
        .finally(resolve)
      void pool.end()
    })
    // Whatever it still tries comes to nothing.
    runDueJobs(dying, [work], { leaseMs: LEASE_MS }).catch(() => undefined)
  })
}

it('its server dies: another goes on when nothing was heard of that one, and nobody has two turns', async () => {
  await cutOff()
  const had = (await result()).finishedCount
  expect(had).toBeGreaterThan(0)
  expect(had).toBeLessThan(PATIENTS)
  await sleep(LEASE_MS)
  await runMigrations(world.services)
  expect(await result()).toMatchObject({ status: 1, finishedCount: PATIENTS, totalCount: PATIENTS })
  expect(await turns(world.services.pool)).toEqual(Array.from({ length: PATIENTS }, () => 1))
})

it('its database comes back from a backup: the job is in it, as far as the patients are', async () => {
  const stop = new AbortController()
  let begun = 0
  const work = migrationWork(world.services, (at) => {
    if (at === 'ends' && (begun += 1) === 2) stop.abort()
  })
  await runDueJobs(world.services, [work], { stopped: stop.signal })
  const { file } = await writeBackup(world.database.ownerPool, { folder, passphrase: null })
  const restored = await createEmptyDatabase()
  try {
    await restore({
      file,
      passphrase: null,
      databaseUrl: restored.url,
      appDatabaseUrl: restored.appUrl,
      dataDir: folder,
      replace: false,
    })
    const progress = () => withConnection(restored.pool, (connection) => readProgress(connection, task))
    expect(await progress()).toEqual({ state: 'open', finished: 2, total: PATIENTS })
    await runMigrations({ ...world.services, pool: restored.pool })
    expect(await progress()).toEqual({ state: 'done', finished: PATIENTS, total: PATIENTS })
    expect(await turns(restored.pool)).toEqual(Array.from({ length: PATIENTS }, () => 1))
  } finally {
    await restored.drop()
  }
})

it('its server is of before there were jobs: what ran has one, and its progress is known as it was', async () => {
  const old = await createEmptyDatabase()
  try {
    await migrate(old.ownerPool, MIGRATIONS_FOLDER, 35)
    const [user, project, center, version, patient] = [newId(), newId(), newId(), newId(), newId()]
    const tasks = { running: newId(), done: newId(), aside: newId() }
    const write = (text: string, values: readonly unknown[]) => old.ownerPool.query(text, [...values])
    await write(
      `INSERT INTO app_user (id, account, account_key, real_name, password_hash) VALUES ($1, 'a', 'a', 'a', 'a')`,
      [user],
    )
    await write(
      `INSERT INTO project (id, name, status, scope_code, config, created_by) VALUES ($1, 'p', 'process', 'area', '{}', $2)`,
      [project, user],
    )
    await write(`INSERT INTO center (id, project_id, name, code) VALUES ($1, $2, 'c', 'c')`, [center, project])
    await write(
      `INSERT INTO crf_version (id, project_id, version_no, profile, created_by) VALUES ($1, $2, 1, 'formal', $3)`,
      [version, project, user],
    )
    await write(`INSERT INTO patient (id, project_id, center_id, mark, created_by) VALUES ($1, $2, $3, 'm', $4)`, [
      patient,
      project,
      center,
      user,
    ])
    await write(
      `INSERT INTO migration_task (id, project_id, version_id, state, total, attempts, aside, started_by, started_by_name, language, started_at)
       SELECT t.id, $1, $2, t.state, 3, t.attempts, t.aside, $3, 'a', 'zh', now()
       FROM (VALUES ($4::uuid, 'running', 1, NULL), ($5, 'done', 0, NULL), ($6, 'failed', 3, 'died')) t (id, state, attempts, aside)`,
      [project, version, user, tasks.running, tasks.done, tasks.aside],
    )
    await write(
      `INSERT INTO migration_patient (task_id, patient_id, state, log, at) VALUES ($1, $2, 'done', '', now())`,
      [tasks.running, patient],
    )
    await migrate(old.ownerPool)
    const found = await withConnection(old.pool, async (connection) => [
      await readProgress(connection, tasks.running),
      await readProgress(connection, tasks.done),
      await readProgress(connection, tasks.aside),
    ])
    expect(found).toEqual([
      { state: 'open', finished: 1, total: 3 },
      { state: 'done', finished: 0, total: 3 },
      { state: 'failed', finished: 0, total: 3 },
    ])
    const { rows } = await old.pool.query('SELECT kind, payload, tries FROM job WHERE id = $1', [tasks.running])
    expect(rows).toEqual([{ kind: 'migration', payload: { taskId: tasks.running }, tries: 1 }])
  } finally {
    await old.drop()
  }
})
