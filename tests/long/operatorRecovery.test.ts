import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { headers } from '#core/api/headers.ts'
import { newId } from '#core/ids.ts'
import { startDebianPostgres } from '#scripts/lib/debianPostgres.ts'
import type { Cluster } from '#scripts/lib/debianPostgres.ts'
import { root } from '#scripts/lib/run.ts'
import { makeCoordinator, signInByApi, signInCoordinator } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'

/** The drill of docs/operations.md on an operator's PostgreSQL, with the operator's own tools. */

const ADMIN_PASSWORD = 'Operator-Drill-1'
const run = promisify(execFile)

let cluster: Cluster
let folder: string
let server: RunningServer | undefined

beforeAll(async () => {
  cluster = await startDebianPostgres()
  folder = await mkdtemp(join(tmpdir(), 'zl-operator-'))
})
afterAll(async () => {
  await server?.dispose()
  await cluster.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const urlOf = (database: string): string => cluster.url.replace(/\/postgres$/, `/${database}`)

async function tool(name: string, args: readonly string[]): Promise<void> {
  const [version] = (await readdir('/usr/lib/postgresql')).toSorted((a, b) => Number(b) - Number(a))
  await run(join('/usr/lib/postgresql', version ?? '', 'bin', name), args)
}

async function sql<Row extends object>(database: string, text: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: urlOf(database) })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

async function start(database: string): Promise<string> {
  const env = { DATABASE_URL: urlOf(database), LOG_LEVEL: 'error' }
  server = await startServer({ adminPassword: ADMIN_PASSWORD, dataDir: join(folder, 'data'), env })
  return `http://127.0.0.1:${server.port}`
}

interface Enrolment {
  readonly key: string
  readonly body: { readonly id: string }
}

function enrolments(projectId: string, centerId: string): readonly Enrolment[] {
  return Array.from({ length: 6 }, () => {
    const identity = { name: null, mobile: null, email: null, birthDate: null }
    const body = {
      id: newId(),
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

async function send(
  address: string,
  user: ApiUser,
  projectId: string,
  all: readonly Enrolment[],
): Promise<readonly number[]> {
  const statuses: number[] = []
  for (const { key, body } of all) {
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
}

function markRecovered(database: string): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATABASE_URL: urlOf(database) }
  return run(process.execPath, ['scripts/guard.js', 'scripts/restore.ts', '--recovered'], { cwd: root, env }).then(
    ({ stdout }) => stdout,
  )
}

test('a database that its operator brought back by their own means: what was sent since comes again and is there once', async () => {
  await sql('postgres', 'CREATE DATABASE edc')
  const address = await start('edc')
  const admin = await signInByApi(address, 'admin', ADMIN_PASSWORD)
  const { id: projectId } = await admin.call<{ id: string }>('project.save', {
    body: { projectName: 'drill', minTesters: 0 },
  })
  const center = await admin.call<{ id: string }>('center.save', {
    body: { projectId, centerName: 'One', centerCode: 'C1' },
  })
  await admin.call('project.changeStatus', { query: { projectId, status: 'process' } })
  const user = await makeCoordinator(address, admin, projectId, center.id)
  const [early, late] = [enrolments(projectId, center.id), enrolments(projectId, center.id)]
  expect(new Set(await send(address, user, projectId, early))).toEqual(new Set([200]))
  const dump = join(folder, 'edc.dump')
  await tool('pg_dump', ['--format=custom', `--file=${dump}`, urlOf('edc')])
  expect(new Set(await send(address, user, projectId, late))).toEqual(new Set([200]))
  const epochOf = async (): Promise<string> =>
    (
      await user.call<{ epoch: string }>('sync.device', {
        body: { deviceId: newId(), name: 't', userAgent: '', appVersion: '1', persisted: false },
      })
    ).epoch
  const before = await epochOf()
  await server?.stop()

  await sql('postgres', 'CREATE DATABASE recovered')
  await tool('pg_restore', ['--exit-on-error', `--dbname=${urlOf('recovered')}`, dump])
  expect(await markRecovered('recovered')).toMatch(/2 audit chains .* hold/)

  const again = await start('recovered')
  expect(new Set(await send(again, user, projectId, late))).toEqual(new Set([401]))
  const anew = await signInCoordinator(again)
  for (let contact = 0; contact < 2; contact += 1) {
    expect(new Set(await send(again, anew, projectId, [...early, ...late]))).toEqual(new Set([200]))
  }
  expect(
    await sql('recovered', 'SELECT count(*)::int AS patients, count(DISTINCT no)::int AS numbers FROM patient'),
  ).toEqual([{ patients: 12, numbers: 12 }])
  const admins = await signInByApi(again, 'admin', ADMIN_PASSWORD)
  expect(await admins.call('audit.verify', { query: { projectId } })).toMatchObject({ holds: true })
  const now = (
    await anew.call<{ epoch: string }>('sync.device', {
      body: { deviceId: newId(), name: 't', userAgent: '', appVersion: '1', persisted: false },
    })
  ).epoch
  expect(now).not.toBe(before)
})

test('a database whose audit trail was touched is not marked', async () => {
  await sql('postgres', 'CREATE DATABASE touched TEMPLATE edc')
  await sql(
    'touched',
    `UPDATE audit_value SET new_value = '"changed"' WHERE audit_id = (SELECT id FROM audit WHERE project_id IS NOT NULL LIMIT 1)`,
  )
  const before = await sql('touched', 'SELECT seq FROM system_chain')
  const refused = await markRecovered('touched').then(
    () => '',
    (error: unknown) => (error instanceof Error && 'stderr' in error ? String(error.stderr) : Promise.reject(error)),
  )
  expect(refused).toContain('does not hold')
  expect(await sql('touched', 'SELECT seq FROM system_chain')).toEqual(before)
})
