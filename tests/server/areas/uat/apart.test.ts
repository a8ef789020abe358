import { beforeEach, expect, it } from 'vitest'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { releaseTested, testedVersion, vitalsColumns } from '#tests/server/support/release.ts'
import { call, change, countRows, enrol, pull, save, vitals } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/**
 * UAT data are never counted, exported or migrated: a version is tried out, released, and none of it is anywhere
 * else.
 */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
  await save(world, world.people.lin, change(vitals(world, patient), { note: '真实数据' }))
})

const MARK = '试填标记四十二'

async function tryOut(crfId: string): Promise<void> {
  const { folderId, vitalsId, eventId } = world.study
  const place = { folderId, folderRepeat: '0', pageRepeat: '0' } as const
  for (const subject of [1, 2]) {
    await call(world, world.people.lin, 'trial.submit', {
      query: { crfId },
      body: {
        subject,
        ...place,
        pageId: vitalsId,
        rev: 0,
        values: { note: `${MARK}${subject}`, weight: 65 },
        missing: {},
      },
    })
    await call(world, world.people.lin, 'trial.save', {
      query: { crfId },
      body: { subject, ...place, pageId: eventId, rev: 0, values: {}, missing: {} },
    })
  }
}

/** The tables that hold the mark anywhere in a row. */
async function tablesWith(mark: string): Promise<readonly string[]> {
  const { rows } = await world.database.ownerPool.query<{ name: string }>(
    `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const { rowCount } = await world.database.ownerPool.query(
      `SELECT FROM ${name} t WHERE strpos(t::text, $1) > 0 LIMIT 1`,
      [mark],
    )
    if (rowCount !== null && rowCount > 0) found.push(name.replace('public.', ''))
  }
  return found
}

const counted = async (): Promise<readonly number[]> =>
  Promise.all((['patient', 'visit', 'entry', 'conflict', 'inbox'] as const).map((table) => countRows(world, table)))

it('a release finds none of it: not among patients, entries and marks, not in a pull, not in the migration', async () => {
  const { lin, admin, manager } = world.people
  const id = await testedVersion(world, { no: 2, columns: vitalsColumns })
  const before = await counted()
  const work = await call(world, lin, 'project.aboutme', {})
  await tryOut(id)
  // Where it is kept, what its calls were, and the trail of who wrote it: nowhere else.
  expect(await tablesWith(MARK)).toEqual(['audit_value', 'operation', 'trial_entry'])
  expect(await tablesWith('真实数据')).toContain('entry')
  expect(await counted()).toEqual(before)

  const task = await releaseTested(world, id)
  await runMigrations(world.services)
  expect(await call(world, admin, 'task.result', { id: task ?? '', query: {} })).toMatchObject({
    status: 1,
    finishedCount: 1,
    totalCount: 1,
  })
  expect(await counted()).toEqual(before)
  expect(await tablesWith(MARK)).toEqual(['audit_value', 'operation', 'trial_entry'])

  const { projectId, north } = world.study
  const pulled = [
    ...(await pull(world, lin, scopeText({ kind: 'center', projectId, centerId: north, pass: 1 }))),
    ...(await pull(world, lin, scopeText({ kind: 'project', projectId }))),
  ]
  expect(JSON.stringify(pulled)).toContain('真实数据')
  expect(JSON.stringify(pulled)).not.toContain(MARK)
  expect((await call(world, manager, 'patient.list', { query: { projectId, current: 1, size: 50 } })).total).toBe(1)
  expect(await call(world, lin, 'project.aboutme', {})).toEqual(work)
  // It stays, and can be read by who may.
  expect(await call(world, manager, 'trial.read', { id, query: { testerId: lin.userId, subject: 2 } })).toMatchObject([
    { values: { note: `${MARK}2` } },
    { values: {} },
  ])
})

it('a tester reads of other testers nothing, however the version stands', async () => {
  const id = await testedVersion(world, { no: 2, columns: vitalsColumns })
  await tryOut(id)
  await world.services.pool.query('UPDATE member SET crf_approve = 1 WHERE user_id = $1', [world.people.wu.userId])
  expect(await call(world, world.people.wu, 'trial.list', { id })).toEqual({ mayWrite: true, lines: [] })
  await expect(
    call(world, world.people.wu, 'trial.read', { id, query: { testerId: world.people.lin.userId, subject: 1 } }),
  ).rejects.toMatchObject({ error: { code: 'forbidden' } })
})
