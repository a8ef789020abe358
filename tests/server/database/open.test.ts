import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { withClient } from '#server/database/health.ts'
import { openDatabase } from '#server/database/open.ts'
import type { Database } from '#server/database/open.ts'
import { CONSOLE_ROLE, OWNER_ROLE } from '#server/database/roles.ts'
import { createEmptyDatabase } from '#tests/server/support/database.ts'
import type { TestDatabase } from '#tests/server/support/database.ts'
import { databaseUrl } from '#tests/server/support/urls.ts'

const open = (options: {
  readonly databaseUrl: string | null
  readonly appDatabaseUrl?: string
  readonly dataDir?: string
}): Promise<Database> => openDatabase({ appDatabaseUrl: null, dataDir: 'not used', onLog: () => undefined, ...options })

async function whoami(pool: Database['console']): Promise<string | undefined> {
  return (await pool?.query<{ name: string }>('SELECT current_user AS name'))?.rows[0]?.name
}

test('our own database has its three roles, and none is a superuser', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'zl-open-'))
  const database = await open({ databaseUrl: null, dataDir })
  try {
    expect([await whoami(database.owner), await whoami(database.app), await whoami(database.console)]).toEqual([
      'zhenglu_owner',
      'zhenglu_app',
      'zhenglu_console',
    ])
    const { rows } = await database.app.query(`SELECT rolname FROM pg_roles WHERE rolname LIKE 'zhenglu%' AND rolsuper`)
    expect(rows).toEqual([])
    await expect(database.app.query('CREATE TABLE mine (a int)')).rejects.toMatchObject({ code: '42501' })
    await expect(database.console?.query('CREATE TEMP TABLE mine (a int)')).rejects.toMatchObject({ code: '25006' })
  } finally {
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})

describe('the operator’s database', () => {
  let operators: TestDatabase

  beforeEach(async () => {
    operators = await createEmptyDatabase()
  })

  afterEach(() => operators.drop())

  test('is used with the login that the operator made for the app', async () => {
    const database = await open({ databaseUrl: operators.url, appDatabaseUrl: operators.appUrl })
    expect([await whoami(database.owner), await whoami(database.app)]).toEqual(['zhenglu_owner', 'zhenglu_app'])
    await database.close()
  })

  test('is opened by several processes at once', async () => {
    const opened = await Promise.all(
      [1, 2, 3].map(() => open({ databaseUrl: operators.url, appDatabaseUrl: operators.appUrl })),
    )
    expect(await Promise.all(opened.map((database) => whoami(database.app)))).toEqual([
      'zhenglu_app',
      'zhenglu_app',
      'zhenglu_app',
    ])
    await Promise.all(opened.map((database) => database.close()))
  })

  test('is refused when the app role has a password that nobody told us', async () => {
    await expect(open({ databaseUrl: operators.url })).rejects.toMatchObject({ reason: 'wrong_password' })
  })

  test('is refused when requests would be served with the rights of the owner, or with another role', async () => {
    const consoleUrl = databaseUrl(operators.url, new URL(operators.url).pathname.slice(1), CONSOLE_ROLE)
    for (const appDatabaseUrl of [operators.url, consoleUrl]) {
      await expect(open({ databaseUrl: operators.url, appDatabaseUrl })).rejects.toMatchObject({
        reason: 'app_not_separate',
      })
    }
  })

  test('is refused when it would forget what it confirmed', async () => {
    const { adminUrl } = inject('testPostgres')
    const name = new URL(operators.url).pathname.slice(1)
    await withClient(adminUrl, (client) => client.query(`ALTER DATABASE ${name} SET synchronous_commit = off`))
    await expect(open({ databaseUrl: operators.url, appDatabaseUrl: operators.appUrl })).rejects.toMatchObject({
      reason: 'not_durable',
    })
  })

  test('is refused when it cannot hold every character', async () => {
    const { adminUrl } = inject('testPostgres')
    const name = `zhenglu_latin_${randomBytes(4).toString('hex')}`
    await withClient(adminUrl, (client) =>
      client.query(
        `CREATE DATABASE ${name} OWNER ${OWNER_ROLE} TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' LOCALE_PROVIDER libc`,
      ),
    )
    await expect(open({ databaseUrl: databaseUrl(adminUrl, name, OWNER_ROLE) })).rejects.toMatchObject({
      reason: 'not_utf8',
    })
    await withClient(adminUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
  })
})
