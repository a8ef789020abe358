import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { withClient } from '#server/database/health.ts'
import { startPostgres } from '#server/database/launcher.ts'
import { migrate } from '#server/database/migrate.ts'
import { createPool, OWNER_LIMITS } from '#server/database/pool.ts'
import type { Connection } from '#server/database/pool.ts'
import { APP_ROLE, closeDatabase, CONSOLE_ROLE, ensureRole, OWNER_ROLE } from '#server/database/roles.ts'
import { databaseUrl, TEST_PASSWORD } from '#tests/server/support/urls.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL that all server tests share. */
    readonly testPostgres: TestPostgres
  }
}

export interface TestPostgres {
  /** Superuser, on the maintenance database. */
  readonly adminUrl: string
  /** A database with the schema in it, to be copied for each test. */
  readonly template: string
}

/**
 * Starts one PostgreSQL for all server tests, by the same launcher as the server's, or takes that of
 * `TEST_DATABASE_URL` (a superuser of any PostgreSQL ≥ 15; the tests make and drop their own databases and the roles of
 * the server in it).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL']
  const { adminUrl, stop } =
    given === undefined || given === '' ? await startOwn() : { adminUrl: given, stop: async () => undefined }
  const template = `zhenglu_template_${process.pid}`
  try {
    await makeTemplate(adminUrl, template)
  } catch (error) {
    await stop()
    throw error
  }
  project.provide('testPostgres', { adminUrl, template })
  return async () => {
    await withClient(adminUrl, (client) => client.query(`DROP DATABASE ${template} WITH (FORCE)`))
    await stop()
  }
}

function socketUrl(connection: Connection): string {
  const { host, port, user, password, database } = connection
  return `postgresql://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`
}

async function startOwn(): Promise<{ readonly adminUrl: string; readonly stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zl-tests-'))
  const postgres = await startPostgres({ dataDir, onLog: () => undefined })
  return {
    adminUrl: socketUrl(postgres.superuser),
    stop: async () => {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function makeTemplate(adminUrl: string, template: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    for (const role of [OWNER_ROLE, APP_ROLE, CONSOLE_ROLE]) {
      const made = await ensureRole(client, role, TEST_PASSWORD)
      // On a shared PostgreSQL an earlier run of these tests, or of others, may have left them.
      if (!made) await client.query(`ALTER ROLE ${role} LOGIN PASSWORD '${TEST_PASSWORD}'`)
    }
    await client.query(`CREATE DATABASE ${template} OWNER ${OWNER_ROLE} TEMPLATE template0 ENCODING 'UTF8'`)
  })
  await withClient(databaseUrl(adminUrl, template, OWNER_ROLE), (client) => closeDatabase(client, template))
  const owner = createPool(databaseUrl(adminUrl, template, OWNER_ROLE), OWNER_LIMITS, () => undefined)
  try {
    await migrate(owner)
  } finally {
    await owner.end()
  }
}
