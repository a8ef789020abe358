import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { headers } from '#core/api/headers.ts'
import { newId } from '#core/ids.ts'
import { root } from '#scripts/lib/run.ts'
import { makeCoordinator, signInByApi, signInCoordinator } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'

/** The drill of docs/operations.md: the commands as an operator gives them, on the real server. */

const ADMIN_PASSWORD = 'Restore-Drill-1'
const PASSPHRASE = 'drill passphrase'

const run = promisify(execFile)

let folder: string
let server: RunningServer | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zl-drill-'))
})
afterEach(async () => {
  await server?.dispose()
  server = undefined
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function start(): Promise<{ readonly address: string; readonly user: ApiUser }> {
  server = await startServer({
    adminPassword: ADMIN_PASSWORD,
    dataDir: join(folder, 'data'),
    env: { LOG_LEVEL: 'error' },
  })
  const address = `http://127.0.0.1:${server.port}`
  return { address, user: await signInByApi(address, 'admin', ADMIN_PASSWORD) }
}

/** `npm run backup` or `npm run restore`, as npm runs it. Gives what it printed. */
async function operator(
  script: 'backup' | 'restore',
  args: readonly string[],
  passphrase = PASSPHRASE,
): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    DATA_DIR: join(folder, 'data'),
    BACKUP_PASSPHRASE: passphrase,
  }
  const { stdout } = await run(process.execPath, ['scripts/guard.js', `scripts/${script}.ts`, ...args], {
    cwd: root,
    env,
  })
  return stdout
}

/** What the operator is told when the command refuses. */
async function refusal(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => '',
    (error: unknown) => (error instanceof Error && 'stderr' in error ? String(error.stderr) : Promise.reject(error)),
  )
}

interface Enrolment {
  readonly key: string
  readonly body: object
}

/** Three tablets, each with patients of its own. The same enrolment can be sent again, as a tablet does. */
function enrolments(projectId: string, centerId: string): readonly Enrolment[] {
  return Array.from({ length: 12 }, () => {
    const id = newId()
    const identity = { name: null, mobile: null, email: null, birthDate: null }
    const body = {
      id,
      projectId,
      centerId,
      no: null,
      mark: '7F3A',
      initials: 'DR',
      sex: null,
      enrolledOn: null,
      identity,
    }
    return { key: newId(), body }
  })
}

/** Sends enrolments from three tablets at once. Gives how each was answered. */
async function send(
  address: string,
  user: ApiUser,
  projectId: string,
  all: readonly Enrolment[],
): Promise<readonly number[]> {
  const tablets = [0, 1, 2].map(async (tablet) => {
    const statuses: number[] = []
    for (const { key, body } of all.filter((_enrolment, index) => index % 3 === tablet)) {
      const response = await fetch(`${address}/api/edc/project/patient/save`, {
        method: 'POST',
        headers: {
          ...user.headers,
          'content-type': 'application/json',
          [headers.projectId]: projectId,
          [headers.idempotencyKey]: key,
        },
        body: JSON.stringify(body),
      })
      await response.arrayBuffer()
      statuses.push(response.status)
    }
    return statuses
  })
  return (await Promise.all(tablets)).flat()
}

test('after a restore, what three tablets send again is there once, and whoever was signed in must sign in anew', async () => {
  const { address, user: admin } = await start()
  const { id: projectId } = await admin.call<{ id: string }>('project.save', {
    body: { projectName: 'drill', minTesters: 0 },
  })
  const center = await admin.call<{ id: string }>('center.save', {
    body: { projectId, centerName: 'One', centerCode: 'C1' },
  })
  await admin.call('project.changeStatus', { query: { projectId, status: 'process' } })
  const user = await makeCoordinator(address, admin, projectId, center.id)
  const early = enrolments(projectId, center.id)
  expect(new Set(await send(address, user, projectId, early))).toEqual(new Set([200]))

  const said = await operator('backup', ['--to', join(folder, 'backups'), '--encrypt'])
  const file = /\S+\.backup/.exec(said)?.[0] ?? ''
  const late = enrolments(projectId, center.id)
  expect(new Set(await send(address, user, projectId, late))).toEqual(new Set([200]))

  expect(await refusal(operator('restore', [file, '--replace']))).toContain('another server')
  await server?.stop()
  expect(await refusal(operator('restore', [file]))).toContain('--replace')
  expect(await refusal(operator('restore', [file, '--replace'], 'wrong'))).toContain('passphrase')
  expect(await operator('restore', [file, '--replace'])).toMatch(/2 audit chains .* hold/)

  const again = await start()
  expect(new Set(await send(again.address, user, projectId, late))).toEqual(new Set([401]))
  const anew = await signInCoordinator(again.address)
  for (let contact = 0; contact < 2; contact += 1) {
    expect(new Set(await send(again.address, anew, projectId, [...early, ...late]))).toEqual(new Set([200]))
  }
  const keys = [...early, ...late].map(({ key }) => key)
  const database = await openServerDatabase(join(folder, 'data'))
  try {
    const { rows } = await database.query(
      `SELECT count(DISTINCT o.key) AS booked, count(DISTINCT p.id) AS patients, count(*) AS audited
       FROM operation o JOIN patient p ON p.id = o.entity_id
       JOIN (SELECT DISTINCT op_key, seq FROM audit) a ON a.op_key = o.key
       WHERE o.key = ANY ($1)`,
      [keys],
    )
    expect(rows).toEqual([{ booked: keys.length, patients: keys.length, audited: keys.length }])
    const { rows: all } = await database.query('SELECT count(*) AS patients FROM patient')
    expect(all).toEqual([{ patients: keys.length }])
  } finally {
    await database.end()
  }
  const chain = await again.user.call<{ holds: boolean }>('audit.verify', { query: { projectId } })
  expect(chain).toMatchObject({ holds: true })
})
