import 'fake-indexeddb/auto'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Pool } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from '#scripts/lib/run.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import type { Ask, Staffed } from '#tests/scenarios/support/drill.ts'
import { comeBack, dayBefore, dayLost, doubled, shownAt, standing } from '#tests/scenarios/support/drill.ts'
import { PASSWORD, Tablet } from '#tests/scenarios/support/ward.ts'
import type { Site } from '#tests/scenarios/support/ward.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { VITALS } from '#tests/server/support/world.ts'
import type { Study } from '#tests/server/support/world.ts'

/**
 * The drill of docs/operations.md with three tablets as they are in use: the server as a process, the commands as an
 * operator gives them.
 */

const [ADMIN_PASSWORD, FIRST_PASSWORD, PASSPHRASE] = ['Restore-Drill-1', 'First-Word-4417', 'drill passphrase']
const STAFF = ['crc-one', 'crc-two', 'crc-three']

const run = promisify(execFile)

let folder: string
let server: RunningServer | undefined
let site: { address: string; world: { readonly study: Study } }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zl-ward-'))
})
afterEach(async () => {
  await server?.dispose()
  server = undefined
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function start(): Promise<string> {
  server = await startServer({
    adminPassword: ADMIN_PASSWORD,
    dataDir: join(folder, 'data'),
    env: { LOG_LEVEL: 'error' },
  })
  return `http://127.0.0.1:${server.port}`
}

async function operator(script: 'backup' | 'restore', args: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    DATA_DIR: join(folder, 'data'),
    BACKUP_PASSPHRASE: PASSPHRASE,
  }
  const { stdout } = await run(process.execPath, ['scripts/guard.js', `scripts/${script}.ts`, ...args], {
    cwd: root,
    env,
  })
  return stdout
}

/** Looks into the server's database for as long as it lasts. */
async function looking<Value>(look: (ask: Ask) => Promise<Value>): Promise<Value> {
  const pool: Pool = await openServerDatabase(join(folder, 'data'))
  try {
    return await look(
      async <Row extends object>(text: string, values: readonly unknown[] = []) =>
        (await pool.query<Row>(text, [...values])).rows,
    )
  } finally {
    await pool.end()
  }
}

/** A study as administrators make it, with three coordinators. */
async function makeStudy(address: string, admin: ApiUser): Promise<Study> {
  const { id: projectId } = await admin.call<{ id: string }>('project.save', {
    body: { projectName: 'drill', minTesters: 0 },
  })
  const center = (code: string) =>
    admin.call<{ id: string }>('center.save', { body: { projectId, centerName: code, centerCode: code } })
  const [north, south] = [await center('N01'), await center('S02')]
  const { id: crfId } = await admin.call<{ id: string }>('version.save', { body: { projectId, remark: 'first' } })
  const event = JSON.stringify({ column: [{ prop: 'term', label: '不良事件', type: 'input' }] })
  const pages = [
    { pageName: '生命体征', pageCode: 'VS', repeatable: false, option: VITALS },
    { pageName: '不良事件', pageCode: 'AE', repeatable: true, option: event },
  ]
  const definition = { folders: [{ folderName: '基线', folderCode: 'V1', pages }] }
  await admin.call('version.import', { query: { crfId }, body: { definition, sourceName: 'form.csv', source: 'a,b' } })
  await admin.call('version.releaseTest', { query: { crfId } })
  await admin.call('version.release', { query: { crfId } })
  await admin.call('project.changeStatus', { query: { projectId, status: 'process' } })
  for (const account of STAFF) await makeCoordinator(address, admin, projectId, north.id, account)
  const places = await looking((ask) =>
    ask<{ folder_id: string; page_id: string; code: string }>(
      'SELECT folder_id, page_id, code FROM crf_page WHERE version_id = $1',
      [crfId],
    ),
  )
  const page = (code: string) => places.find((place) => place.code === code)
  const [vitals, events] = [page('VS'), page('AE')]
  if (vitals === undefined || events === undefined) throw new Error('the casebook has not the pages that were imported')
  return {
    projectId,
    versionId: crfId,
    folderId: vitals.folder_id,
    vitalsId: vitals.page_id,
    eventId: events.page_id,
    north: north.id,
    south: south.id,
  }
}

async function makeCoordinator(
  address: string,
  admin: ApiUser,
  projectId: string,
  centerId: string,
  account: string,
): Promise<void> {
  const user = await admin.call<{ id: string }>('user.save', {
    body: { account, realName: account, password: FIRST_PASSWORD },
  })
  await admin.call('member.save', {
    body: {
      projectId,
      userId: user.id,
      userRole: 'CRC',
      type: 'center',
      dataScope: 'center',
      centerIds: [centerId],
      status: 'active',
    },
  })
  const first = await signInByApi(address, account, FIRST_PASSWORD)
  await first.call('auth.changePassword', { body: { oldPassword: FIRST_PASSWORD, newPassword: PASSWORD } })
}

test('three tablets work on after a backup, the server is lost and restored: nothing is missing, nothing doubled, every number as it was shown', async () => {
  const address = await start()
  const admin = await signInByApi(address, 'admin', ADMIN_PASSWORD)
  site = { address, world: { study: await makeStudy(address, admin) } }
  const here: Site = {
    world: site.world,
    get address() {
      return site.address
    },
  }
  const tablets: Staffed[] = []
  for (const account of STAFF) {
    const tablet = await Tablet.unpacked(here)
    await tablet.signIn(account)
    tablets.push({ tablet, account })
  }
  const devices = tablets.map(({ tablet }) => tablet.deviceId)

  const days = await dayBefore(site.world, tablets)
  const said = await operator('backup', ['--to', join(folder, 'backups'), '--encrypt'])
  const file = /\S+\.backup/.exec(said)?.[0] ?? ''
  await looking((ask) => dayLost(site.world, tablets, ask, days))
  await looking((ask) => dayLost(site.world, tablets, ask, { ...days, shared: days.patients[1] ?? '' }))
  const lost = await looking((ask) => standing(ask, devices))
  const shown = await Promise.all(tablets.map(({ tablet }) => shownAt(site.world, tablet)))

  await server?.stop()
  expect(await operator('restore', [file, '--replace'])).toMatch(/2 audit chains .* hold/)
  site = { ...site, address: await start() }
  await comeBack(tablets)
  await comeBack(tablets)

  const back = await looking((ask) => standing(ask, devices))
  expect(back).toEqual(lost)
  expect(await looking(doubled)).toEqual([])
  for (const [place, { tablet }] of tablets.entries()) {
    expect(await tablet.unsent()).toBe(0)
    expect(await shownAt(site.world, tablet)).toEqual(shown[place])
    expect(valueOf(await tablet.device.attention())).toEqual([])
  }
  const again = await signInByApi(site.address, 'admin', ADMIN_PASSWORD)
  expect(
    await again.call<{ holds: boolean }>('audit.verify', { query: { projectId: site.world.study.projectId } }),
  ).toMatchObject({ holds: true })
})
