import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepHouse, startHousekeeping } from '#server/jobs/housekeeping.ts'
import { createTestServer, PASSWORD } from '#tests/server/support/app.ts'
import type { TestServer } from '#tests/server/support/app.ts'

let server: TestServer
beforeEach(async () => {
  server = await createTestServer()
  await server.makeUser('person')
})
afterEach(() => server.close())

const HOUR = 3_600_000

async function kept(): Promise<readonly number[]> {
  const { rows } = await server.database.ownerPool.query<{ sessions: number; captchas: number; failures: number }>(
    `SELECT (SELECT count(*) FROM session) AS sessions, (SELECT count(*) FROM captcha) AS captchas, (SELECT count(*) FROM login_failure) AS failures`,
  )
  return rows.flatMap(({ sessions, captchas, failures }) => [sessions, captchas, failures])
}

async function fill(): Promise<void> {
  await server.signIn('person')
  await server.visitor().enter('person', 'wrong password')
  await server.visitor().call('auth.captcha')
}

describe('housekeeping', () => {
  it('removes what counts no more, and nothing else', async () => {
    await fill()
    await keepHouse(server.services)
    expect(await kept()).toEqual([1, 1, 1])
    server.pass(HOUR)
    await keepHouse(server.services)
    expect(await kept()).toEqual([1, 0, 1])
    // A failed attempt counts for two hours.
    server.pass(HOUR + 1)
    await keepHouse(server.services)
    expect(await kept()).toEqual([1, 0, 0])
    server.pass(7 * 24 * HOUR)
    await keepHouse(server.services)
    expect(await kept()).toEqual([0, 0, 0])
    expect((await server.visitor().enter('person', PASSWORD)).status).toBe(200)
  })

  it('goes on by itself, after a failed round too, until it is stopped', async () => {
    await fill()
    const broken = { ...server.services, now: () => 'no time' }
    const failing = startHousekeeping(broken, 5)
    while (!server.log.join('').includes('housekeeping failed')) await new Promise((resolve) => setTimeout(resolve, 5))
    await failing.stop()
    server.pass(8 * 24 * HOUR)
    const housekeeping = startHousekeeping(server.services, 5)
    while ((await kept()).some((count) => count > 0)) await new Promise((resolve) => setTimeout(resolve, 5))
    await housekeeping.stop()
    expect(await kept()).toEqual([0, 0, 0])
  })
})
