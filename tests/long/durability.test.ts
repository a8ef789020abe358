import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { headers } from '#core/api/headers.ts'
import { locateBinaries } from '#server/database/binaries.ts'
import { clusterFolders } from '#server/database/cluster.ts'
import { readPostmasterPid } from '#server/database/postmaster.ts'
import { runKillRounds } from '#tests/long/support/killHarness.ts'
import type { StartedServer } from '#tests/long/support/killHarness.ts'
import { makeCoordinator, signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'

/** The real server enrols patients without pause while SIGKILL takes it, its database, or both. */

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? '20')
const ADMIN_PASSWORD = 'Kill-Rounds-1'

let workDir: string
/** What the first start set up: tokens and projects outlive every kill. */
let study: { readonly user: ApiUser; readonly projectId: string; readonly centerId: string } | null

beforeEach(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'zl-kill-'))
  study = null
})

afterEach(() => rm(workDir, { recursive: true, force: true, maxRetries: 5 }))

async function start(): Promise<StartedServer> {
  const dataDir = join(workDir, 'data')
  const server = await startServer({ adminPassword: ADMIN_PASSWORD, dataDir, env: { LOG_LEVEL: 'error' } })
  const address = `http://127.0.0.1:${server.port}`
  study ??= await setUp(address)
  const { user, projectId, centerId } = study
  const { cluster } = clusterFolders(dataDir, (await locateBinaries()).major)
  return {
    child: server.child,
    plan: {
      url: `${address}/api/edc/project/patient/save`,
      method: 'POST',
      headers: {
        ...user.headers,
        'content-type': 'application/json',
        [headers.projectId]: projectId,
        [headers.idempotencyKey]: '{{key}}',
      },
      // The key serves as the patient's id as well: both are UUIDv7, and what is missing can be told from the keys
      // alone.
      body: JSON.stringify({
        id: '{{key}}',
        projectId,
        centerId,
        no: null,
        mark: '7F3A',
        initials: 'KILL',
        sex: null,
        enrolledOn: null,
        identity: { name: null, mobile: null, email: null, birthDate: null },
      }),
    },
    databasePid: () => readPostmasterPid(cluster),
    missing: (keys) => withoutWholeEffect(dataDir, keys),
  }
}

async function setUp(address: string): Promise<NonNullable<typeof study>> {
  const admin = await signInByApi(address, 'admin', ADMIN_PASSWORD)
  const project = await admin.call<{ id: string }>('project.save', {
    body: { projectName: 'durability', minTesters: 0 },
  })
  const projectId = project.id
  const center = await admin.call<{ id: string }>('center.save', {
    body: { projectId, centerName: 'One', centerCode: 'C1' },
  })
  await admin.call('project.changeStatus', { query: { projectId, status: 'process' } })
  const user = await makeCoordinator(address, admin, projectId, center.id)
  return { user, projectId, centerId: center.id }
}

/**
 * The keys that lack anything of their effect: the booked operation, the patient, the audit row, the link of the chain.
 */
async function withoutWholeEffect(dataDir: string, keys: readonly string[]): Promise<readonly string[]> {
  const database = await openServerDatabase(dataDir)
  try {
    const { rows } = await database.query<{ key: string }>(
      `SELECT key::text FROM unnest($1::uuid[]) AS key EXCEPT
       SELECT o.key::text FROM operation o
       JOIN patient p ON p.id = o.entity_id
       JOIN audit a ON a.op_key = o.key AND a.patient_id = p.id
       JOIN audit_link l ON l.project_id = o.project_id AND l.seq = o.seq AND l.head = o.head`,
      [keys],
    )
    return rows.map(({ key }) => key)
  } finally {
    await database.end()
  }
}

test.each(['server', 'database', 'both'] as const)(
  `nothing acknowledged is lost when SIGKILL takes the %s, ${ROUNDS} times`,
  { timeout: ROUNDS * 30_000 },
  async (victim) => {
    const result = await runKillRounds({ victim, rounds: ROUNDS, start, workDir })
    expect(result.recoveryMs).toHaveLength(ROUNDS)
    expect(result.acknowledged).toBeGreaterThan(ROUNDS * 20)
    expect(result.missing).toEqual([])
  },
)
