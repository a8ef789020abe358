import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TaskResult } from '#core/api/calls/sync.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { startMigrationThread } from '#server/threads/migrations.ts'
import { releaseTested, testedVersion, vitalsColumns } from '#tests/server/support/release.ts'
import { call, change, enrol, makeWorld, save, vitals } from '#tests/server/support/world.ts'
import type { World } from '#tests/server/support/world.ts'

/**
 * A migration that ends the process that runs it: it is not begun for ever, those who release read why, and begin it
 * again by hand.
 */

let world: World
let crfId: string
let task: string
beforeEach(async () => {
  world = await makeWorld()
  await save(world, world.people.lin, change(vitals(world, await enrol(world)), { height: 170 }))
  crfId = await testedVersion(world, { no: 2, columns: vitalsColumns })
  task = (await releaseTested(world, crfId)) ?? ''
}, 60_000)
afterEach(() => world.close())

const result = (): Promise<TaskResult> =>
  call(world, world.people.manager, 'task.result', { params: { id: task }, query: { taskType: 'migration' } })
const tries = async (): Promise<number | undefined> =>
  (await world.services.pool.query<{ tries: number }>('SELECT tries FROM job WHERE id = $1', [task])).rows[0]?.tries

/** What a process leaves that ends as soon as it has begun. */
async function dies(): Promise<void> {
  await world.services.pool.query('UPDATE job SET tries = tries + 1 WHERE id = $1', [task])
}

describe('a migration whose process dies as it begins', () => {
  it('is begun again once, and set aside after that; the reason is in its log and in the trail', async () => {
    await dies()
    await dies()
    await runMigrations(world.services)
    const told = await result()
    expect(told).toMatchObject({ status: 2, finishedCount: 0, totalCount: 1 })
    expect(told.log).toContain('迁移已中止：连续两次使处理进程中断')
    const { rows } = await world.services.pool.query<{ new: unknown }>(
      `SELECT v.new_value AS new FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.action = 'version.migrationAside'`,
    )
    expect(rows).toEqual([{ new: { task, why: 'died' } }])
    expect(
      await call(world, world.people.manager, 'version.migrationTask', { query: { projectId: world.study.projectId } }),
    ).toMatchObject({ taskId: task, status: 2, left: 1 })
    // It is in no round any more.
    await runMigrations(world.services)
    expect(await result()).toMatchObject({ status: 2, finishedCount: 0 })
  })

  it('goes on where the second beginning holds, and its count begins anew', async () => {
    await dies()
    await runMigrations(world.services)
    expect(await result()).toMatchObject({ status: 1, finishedCount: 1 })
    expect(await tries()).toBe(0)
  })

  it('is begun again by a person, and then brings everybody', async () => {
    await dies()
    await dies()
    await runMigrations(world.services)
    const again = await call(world, world.people.manager, 'version.migrationAgain', { query: { crfId } })
    await runMigrations(world.services)
    task = again.taskId
    expect(await result()).toMatchObject({ status: 1, finishedCount: 1 })
  })

  it('is not begun by two at a time', async () => {
    await Promise.all([
      runMigrations(world.services),
      runMigrations(world.services),
      runMigrations(world.services),
      runMigrations(world.services),
    ])
    await runMigrations(world.services)
    expect(await result()).toMatchObject({ status: 1 })
  })
})

describe('migrations in a thread', () => {
  it('bring patients along, and stop when they are told to', async () => {
    const thread = startMigrationThread(world.services)
    while ((await result()).status === 0) await new Promise((resolve) => setTimeout(resolve, 50))
    await thread.stop()
    expect(await result()).toMatchObject({ status: 1, finishedCount: 1 })
  }, 60_000)

  it('are replaced where one patient takes too long, and set aside where that happens again', async () => {
    // The patient's turn waits for somebody who never lets go.
    const blocker = await world.database.ownerPool.connect()
    await blocker.query('BEGIN; LOCK TABLE entry IN ACCESS EXCLUSIVE MODE')
    const thread = startMigrationThread(world.services, { turnMs: 300, memoryMb: 256, againMs: 10 })
    try {
      while ((await result()).status === 0) await new Promise((resolve) => setTimeout(resolve, 100))
    } finally {
      await blocker.query('ROLLBACK')
      blocker.release()
      await thread.stop()
    }
    const told = await result()
    expect(told.status).toBe(2)
    expect(told.log).toContain('中止')
  }, 120_000)
})
