import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyAll } from '#server/areas/audit/verifyAll.ts'
import { commitSystem } from '#server/database/commit.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import type { World } from '#tests/server/support/world.ts'
import { change, enrol, makeWorld, save, vitals } from '#tests/server/support/world.ts'

const COMMAND = join(import.meta.dirname, '../../../../scripts/auditVerify.ts')

let world: World
let folder: string
beforeAll(async () => {
  world = await makeWorld()
  await withTransaction(world.services.pool, (transaction) =>
    commitSystem(transaction, serverStamp(world.services), [{ action: 'user.login' }]),
  )
  folder = await mkdtemp(join(tmpdir(), 'zl-heads-'))
  for (let patients = 0; patients < 4; patients += 1)
    await save(world, world.people.lin, change(vitals(world, await enrol(world)), { height: 170 + patients }))
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

async function command(args: readonly string[] = []): Promise<{ readonly code: number | null; readonly said: string }> {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: world.database.url,
    APP_DATABASE_URL: world.database.appUrl,
    DATA_DIR: folder,
  }
  const child = spawn(process.execPath, [COMMAND, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}

it('an operator verifies all chains by a command, which says by its exit code whether they hold', async () => {
  const { projectId } = world.study
  const good = await command()
  expect(good).toMatchObject({ code: 0 })
  expect(good.said).toMatch(/system: holds, \d+ rows/)
  expect(good.said).toMatch(new RegExp(`project ${projectId}: holds, \\d+ rows`))
  await world.database.ownerPool.query(
    `CREATE TABLE kept AS SELECT id, user_name FROM audit WHERE project_id IS NULL ORDER BY seq DESC LIMIT 1; UPDATE audit SET user_name = 'nobody' WHERE id = (SELECT id FROM kept)`,
  )
  const bad = await command(['--json'])
  await world.database.ownerPool.query(
    'UPDATE audit a SET user_name = kept.user_name FROM kept WHERE kept.id = a.id; DROP TABLE kept',
  )
  expect(bad.code).toBe(2)
  const { chains } = JSON.parse(bad.said) as Awaited<ReturnType<typeof verifyAll>>
  expect(chains.filter(({ holds }) => !holds)).toMatchObject([{ projectId: null, problem: 'link' }])
})

it('heads that were noted elsewhere find even an end that was cut off everywhere', async () => {
  const { ownerPool } = world.database
  const { projectId } = world.study
  const headsFile = join(folder, 'heads.json')
  expect((await verifyAll(ownerPool, { headsFile })).holds).toBe(true)
  const noted = await readFile(headsFile, 'utf8')
  await ownerPool.query(`
    CREATE TABLE place AS SELECT id, seq - 2 AS seq FROM project WHERE id = '${projectId}';
    DELETE FROM audit_value WHERE audit_id IN (SELECT a.id FROM audit a JOIN place ON a.project_id = place.id AND a.seq > place.seq);
    DELETE FROM audit a USING place WHERE a.project_id = place.id AND a.seq > place.seq;
    DELETE FROM audit_link l USING place WHERE l.project_id = place.id AND l.seq > place.seq;
    DELETE FROM operation o USING place WHERE o.project_id = place.id AND o.seq > place.seq;
    UPDATE change c SET seq = place.seq FROM place WHERE c.project_id = place.id AND c.seq > place.seq;
    UPDATE project p SET seq = place.seq, head = (SELECT l.head FROM audit_link l WHERE l.project_id = p.id ORDER BY l.seq DESC LIMIT 1) FROM place WHERE p.id = place.id`)
  expect((await verifyAll(ownerPool, { headsFile: null })).holds).toBe(true)
  const found = await verifyAll(ownerPool, { headsFile })
  expect(found.chains.filter(({ holds }) => !holds)).toMatchObject([{ projectId, problem: 'noted' }])
  // What was noted stands until all holds again.
  expect(await readFile(headsFile, 'utf8')).toBe(noted)
})
