import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { inject } from 'vitest'
import { withClient } from '#server/database/health.ts'
import { APP_LIMITS, CONSOLE_LIMITS, createPool, OWNER_LIMITS } from '#server/database/pool.ts'
import { APP_ROLE, CONSOLE_ROLE, OWNER_ROLE } from '#server/database/roles.ts'
import { databaseUrl } from '#tests/server/support/urls.ts'

/** A database of a test's own, with the schema and nothing in it. */
export interface TestDatabase {
  /** As the running server: role `zhenglu_app`. */
  readonly pool: Pool
  /** As the migrations: the role that owns the schema. */
  readonly ownerPool: Pool
  readonly consolePool: Pool
  /** What a server takes as DATABASE_URL and APP_DATABASE_URL to work on it. */
  readonly url: string
  readonly appUrl: string
  drop(): Promise<void>
}

/** Copies the migrated template, which takes some tens of milliseconds. Drop it in `afterAll` or `afterEach`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { adminUrl, template } = inject('testPostgres')
  return copyDatabase(adminUrl, template)
}

/** The same without a schema, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return copyDatabase(inject('testPostgres').adminUrl, 'template0')
}

async function copyDatabase(adminUrl: string, template: string): Promise<TestDatabase> {
  const name = `zhenglu_test_${randomBytes(6).toString('hex')}`
  await withClient(adminUrl, (client) =>
    client.query(`CREATE DATABASE ${name} OWNER ${OWNER_ROLE} TEMPLATE ${template} ENCODING 'UTF8'`),
  )
  const url = databaseUrl(adminUrl, name, OWNER_ROLE)
  const appUrl = databaseUrl(adminUrl, name, APP_ROLE)
  // Dropping the database cuts whatever connections a test forgot; that is not an error of the test.
  const ignore = (): void => undefined
  const ownerPool = createPool(url, OWNER_LIMITS, ignore)
  const pool = createPool(appUrl, APP_LIMITS, ignore)
  const consolePool = createPool(databaseUrl(adminUrl, name, CONSOLE_ROLE), CONSOLE_LIMITS, ignore)
  return {
    pool,
    ownerPool,
    consolePool,
    url,
    appUrl,
    drop: async () => {
      await Promise.all([pool.end(), ownerPool.end(), consolePool.end()])
      await withClient(adminUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
    },
  }
}
