import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { casebookOf } from '#server/demo/course/casebook.ts'
import { studyDay } from '#server/demo/course/days.ts'
import { unplannedPagesOf, visitFactsOf } from '#server/demo/course/visitFacts.ts'
import { roster } from '#server/demo/course/roster.ts'
import { registryFacts, registryPages } from '#server/demo/registry/course/casebook.ts'
import { participants } from '#server/demo/registry/course/roster.ts'
import { ensureDemo, prepareDemo, startDemo } from '#server/demo/demo.ts'
import { ensureAdministrator, passwordFile } from '#server/firstRun.ts'
import { createTestServer, PASSWORD } from '#tests/server/support/app.ts'
import type { TestServer } from '#tests/server/support/app.ts'

/** How the demo comes to be: behind a server that answers, and however often that is stopped. */

let server: TestServer

beforeEach(async () => {
  server = await createTestServer()
})
afterEach(() => server.close())

async function counted(table: string): Promise<number> {
  const { rows } = await server.database.pool.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM ${table}`,
  )
  return rows[0]?.count ?? 0
}

async function isWhole(): Promise<boolean> {
  return (await server.database.pool.query(`SELECT FROM setting WHERE key = 'demo'`)).rowCount === 1
}

/** Lets the making go on until so many entries are there, and stops it. */
async function makeUntil(entries: number): Promise<void> {
  const making = startDemo(server.services)
  try {
    await expect.poll(() => counted('entry'), { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(entries)
  } finally {
    await making.stop()
  }
}

describe('making the demo', () => {
  it('goes on where a stop interrupted it, also on a later day, and ends whole with nothing made twice', async () => {
    await ensureAdministrator(server.services)
    await prepareDemo(server.services)
    await makeUntil(1)
    const madeOn = studyDay(server.services.now())
    expect(await isWhole()).toBe(false)
    // The server answers its people meanwhile.
    expect((await server.visitor().enter('crc', PASSWORD)).status).toBe(200)
    const atStop = await counted('entry')
    await sleep(200)
    expect(await counted('entry')).toBe(atStop)

    server.pass(3 * 86_400_000)
    await makeUntil(200)
    await ensureDemo(server.services)
    expect(await isWhole()).toBe(true)
    const pages = [
      ...roster.flatMap((subject) => [...casebookOf(subject, madeOn), ...unplannedPagesOf(subject, madeOn)]),
      ...participants.flatMap((one) => registryPages(one, madeOn)),
    ]
    expect([await counted('patient'), await counted('entry')]).toEqual([60 + participants.length, pages.length])
    const facts = [
      ...roster.flatMap((subject) => visitFactsOf(subject, madeOn)),
      ...participants.flatMap((one) => registryFacts(one, madeOn)),
    ]
    expect(await counted('visit')).toBe(facts.length)
    const saves = pages.reduce((sum, page) => sum + 1 + page.corrections.length, 0)
    expect(await counted(`operation WHERE call LIKE 'entry.%'`)).toBe(saves)
    // What somebody entered without having seen a colleague's value is the only one that waits for a decision.
    const unseen = participants
      .flatMap((one) => registryPages(one, madeOn))
      .flatMap(({ corrections }) => corrections.filter((one) => one.unseen === true))
    expect(await counted(`operation WHERE outcome <> 'applied'`)).toBe(unseen.length)
    expect(await counted('project')).toBe(2)
  }, 240_000)

  it('makes none where one of its names is somebody’s', async () => {
    await server.makeUser('crc3')
    await ensureDemo(server.services)
    expect([await counted('project'), await isWhole()]).toEqual([0, false])
  })
})

describe('generated passwords', () => {
  it('lie in a file that only its owner can read, and open the accounts before the study is there', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'zl-first-'))
    try {
      const services = {
        ...server.services,
        config: { ...server.services.config, dataDir, adminPassword: null, demoPassword: null },
      }
      expect(passwordFile(dataDir)).toBeNull()
      await ensureAdministrator(services)
      await prepareDemo(services)
      const file = passwordFile(dataDir) ?? ''
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      const passwords = new Map(
        (await readFile(file, 'utf8'))
          .trimEnd()
          .split('\n')
          .map((line) => line.split('\t') as [string, string]),
      )
      expect([...passwords.keys()].toSorted()).toEqual([
        'admin',
        'cra',
        'cra2',
        'crc',
        'crc2',
        'crc3',
        'dbd',
        'pi',
        'pm',
        'tcmcrc',
        'tcmcrc2',
        'tcmpi',
        'tester',
      ])
      expect((await server.visitor().enter('admin', passwords.get('admin') ?? '')).json).toMatchObject({
        must_change_password: true,
      })
      expect((await server.visitor().enter('crc', passwords.get('crc') ?? '')).json).toMatchObject({
        must_change_password: false,
      })
      await ensureAdministrator(services)
      await prepareDemo(services)
      expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(14)
    } finally {
      await rm(dataDir, { recursive: true })
    }
  })

  it('are not made where the operator gave one, and then it need not be changed', async () => {
    await ensureAdministrator(server.services)
    expect(passwordFile(server.services.config.dataDir)).toBeNull()
    expect((await server.visitor().enter('admin', PASSWORD)).json).toMatchObject({
      must_change_password: false,
      role_name: 'administrator',
    })
  })
})
