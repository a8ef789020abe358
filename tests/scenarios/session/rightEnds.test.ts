// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { hashPassword } from '#server/areas/auth/password.ts'
import { endedIn } from '#src/session/endedRights.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { Browser } from '#tests/scenarios/support/browser.ts'
import type { Tab } from '#tests/scenarios/support/browser.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { changeMember } from '#tests/scenarios/support/study.ts'
import { PASSWORD, onServer } from '#tests/scenarios/support/ward.ts'
import { enrol } from '#tests/server/support/world.ts'

/** A right ends under an open page: it is closed to typing before any key goes, and nothing that was typed is lost. */

const NEW_PASSWORD = 'New-Password-9'

const server = serverForAllTests()
let patient: string
let north: string
let tablet: Browser
let tab: Tab
beforeAll(async () => {
  const { projectId, north: centerId } = server.world.study
  north = scopeText({ kind: 'center', projectId, centerId, pass: 1 })
})
beforeEach(async () => {
  patient = await enrol(server.world)
  tablet = new Browser(server)
  tab = await tablet.openTab()
  await tab.signIn('lin')
  await tab.keepNorth()
})
afterEach(async () => {
  await changeMember(server.world, server.world.people.lin, {})
  await setPassword(PASSWORD)
  tablet.close()
})

test.for([
  { name: 'a membership that is paused', change: { status: 'pause' }, why: 'membership_ended' },
  { name: 'a center that is withdrawn', change: { centerIds: [] as string[] }, why: 'center_withdrawn' },
] as const)(
  '$name closes the page, and what was typed before, without a network and after it goes to the inbox',
  async ({ change, why }) => {
    const page = await tab.open(patient)
    page.type('weight', '65')
    tablet.goOffline()
    page.type('height', '170')
    await changeMember(
      server.world,
      server.world.people.lin,
      'centerIds' in change ? { centerIds: [server.world.study.south] } : change,
    )
    tablet.comeBack()
    page.type('note', '正在录入')
    await tab.sync()
    await expect.poll(() => endedIn(north), { timeout: 10_000 }).toBe(why)
    await expect
      .poll(() => typedOnServer(), { timeout: 10_000 })
      .toMatchObject({ weight: 65, height: 170, note: '正在录入' })
    expect(await onServer(server, patient)).toEqual({})
    // The author still finds what it is about, where the keys are gone.
    await expect
      .poll(async () => valueOf(await tab.device.attention()).filter(({ kind }) => kind === 'inbox').length, {
        timeout: 10_000,
      })
      .toBeGreaterThan(0)
  },
)

test('a right that is given back opens the page again', async () => {
  await tab.open(patient)
  // Something unsent keeps the keys here meanwhile.
  await changeMember(server.world, server.world.people.lin, { status: 'pause' })
  const page = await tab.open(patient)
  page.type('weight', '65')
  await tab.sync()
  await expect.poll(() => endedIn(north), { timeout: 10_000 }).toBe('membership_ended')
  await changeMember(server.world, server.world.people.lin, {})
  await tab.keepNorth()
  await expect.poll(() => endedIn(north), { timeout: 10_000 }).toBeNull()
})

test('a password that was changed elsewhere closes the page, says so, and opens this tablet no more; the new one goes on where it was', async () => {
  const page = await tab.open(patient)
  page.type('weight', '65')
  await page.flush()
  await tab.reload()
  await setPassword(NEW_PASSWORD)
  await tablet.expireSessions()
  valueOf(await tab.session.unlock(PASSWORD))
  await tab.until((state) => state.state === 'open' && state.ended === 'password_changed')
  expect(endedIn(north)).toBe('password_changed')
  tablet.goOffline()
  valueOf(await tab.session.lock())
  expect(await tab.session.unlock(PASSWORD)).toEqual({ ok: false, error: { code: 'password_changed' } })
  tablet.comeBack()
  valueOf(await tab.session.unlock(NEW_PASSWORD))
  expect([endedIn(north), tab.current]).toMatchObject([null, { state: 'open', ended: null }])
  await tab.sync()
  expect(await onServer(server, patient)).toMatchObject({ weight: 65 })
})

/** The last word on each item, in whatever came to the server of the patient. */
async function typedOnServer(): Promise<Readonly<Record<string, unknown>>> {
  const rows = await server.rows<{ items: readonly { code: string; to: { value: unknown } }[] }>(
    `SELECT body->'items' AS items FROM operation WHERE body->'target'->>'patientId' = $1 ORDER BY seq`,
    [patient],
  )
  return Object.fromEntries(rows.flatMap(({ items }) => items.map(({ code, to }) => [code, to.value])))
}

async function setPassword(password: string): Promise<void> {
  await server.rows(`UPDATE app_user SET password_hash = $1 WHERE account = 'lin' RETURNING 1`, [
    await hashPassword(password),
  ])
}
