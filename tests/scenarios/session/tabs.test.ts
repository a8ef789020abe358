// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { Browser, tellTeam } from '#tests/scenarios/support/browser.ts'
import type { Tab } from '#tests/scenarios/support/browser.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { PASSWORD, onServer } from '#tests/scenarios/support/ward.ts'
import { enrol } from '#tests/server/support/world.ts'

/** Two tabs of one tablet, clearing it, and being blocked. One person at a time is at work on a device. */

const server = serverForAllTests()
let patient: string
let tablet: Browser
let tab: Tab
beforeAll(async () => {
  await tellTeam(server)
})
beforeEach(async () => {
  patient = await enrol(server.world)
  tablet = new Browser(server)
  tab = await tablet.openTab()
  await tab.signIn('lin')
  await tab.keepNorth()
})
afterEach(() => {
  tablet.close()
})

const authors = () =>
  server.rows<{ account: string; carriedBy: string | null }>(
    `SELECT DISTINCT u.account, c.account AS "carriedBy" FROM operation o JOIN app_user u ON u.id = o.author LEFT JOIN app_user c ON c.id = o.carried_by
     WHERE o.body->'target'->>'patientId' = $1 ORDER BY 1, 2`,
    [patient],
  )

/** A second tab where Lin is at work too. */
async function besideTab(): Promise<Tab> {
  const beside = await tablet.openTab()
  valueOf(await beside.session.unlock(PASSWORD))
  return beside
}

describe.each(['with word between the tabs', 'without'])('two tabs, %s', (way) => {
  beforeEach(async () => {
    if (way !== 'without') return
    // A browser that has no such thing: each tab finds out by itself, at its next look.
    tab.close()
    vi.stubGlobal('BroadcastChannel', undefined)
    await tab.load()
    valueOf(await tab.session.unlock(PASSWORD))
  })
  const looked = async (one: Tab): Promise<void> => {
    window.dispatchEvent(new Event('online'))
    await one.until((state) => state.state !== 'open')
  }

  test('signing out in one ends the other, after what was being typed there is on the disk', async () => {
    const beside = await besideTab()
    tablet.goOffline()
    const page = await beside.open(patient)
    page.type('weight', '65')
    await tab.session.signOut({ force: true })
    await looked(beside)
    expect([beside.current.state, beside.isClosed]).toEqual(['signed_out', true])
    tablet.comeBack()
    await tab.signIn('wu')
    await tab.sync()
    expect(await onServer(server, patient)).toMatchObject({ weight: 65 })
    expect((await authors()).map(({ account }) => account)).toEqual(['lin'])
  })

  test('somebody else who signs in on one ends the other: nothing goes in the wrong name', async () => {
    const beside = await besideTab()
    await tab.signIn('wu')
    await looked(beside)
    expect(tab.who).toBe('wu')
    await tab.enter(patient, 'height', '170')
    await tab.sync()
    expect(await authors()).toEqual([{ account: 'wu', carriedBy: null }])
    // And back again.
    await beside.signIn('lin')
    await looked(tab)
    expect([tab.who, beside.who]).toEqual([null, 'lin'])
  })
})

describe('locking one of two tabs', () => {
  test('locks the other under the same password, with what was being typed there', async () => {
    const beside = await besideTab()
    const page = await beside.open(patient)
    page.type('weight', '65')
    await tab.session.setLockPassword('2468')
    valueOf(await tab.session.lock())
    await beside.until((state) => state.state === 'locked')
    expect([beside.isClosed, document.cookie.includes('edc-access-token=')]).toEqual([true, false])
    valueOf(await beside.session.openLock('2468'))
    expect((await beside.see(patient)).data.values).toMatchObject({ weight: 65 })
    expect(tab.current).toMatchObject({ state: 'locked', triesLeft: 5 })
    valueOf(await tab.session.openLock('2468'))
    expect([tab.who, beside.who]).toEqual(['lin', 'lin'])
  })

  test('tried too often in one, the lock password opens neither', async () => {
    const beside = await besideTab()
    await tab.session.setLockPassword('2468')
    valueOf(await tab.session.lock())
    await beside.until((state) => state.state === 'locked')
    for (let tried = 0; tried < 5; tried += 1) await tab.session.openLock('wrong')
    await beside.until((state) => state.state === 'locked' && state.triesLeft === null)
    expect((await beside.session.openLock('2468')).ok).toBe(false)
    valueOf(await beside.session.unlock(PASSWORD))
    expect(beside.who).toBe('lin')
  })
})

describe('clearing the tablet', () => {
  test('is refused while something is unsent; once it is sent, nothing is left to open, in no tab', async () => {
    const beside = await besideTab()
    tablet.goOffline()
    await tab.enter(patient, 'weight', '65')
    expect(await tab.session.wipe('mine')).toEqual({ ok: true, value: { done: false, unsent: 1, typed: 0 } })
    expect(tab.who).toBe('lin')
    tablet.comeBack()
    await tab.sync()
    expect(await tab.session.wipe('mine')).toEqual({ ok: true, value: { done: true } })
    expect(tab.current).toEqual({ state: 'signed_out', knownUsers: [], error: null })
    await beside.until((state) => state.state === 'signed_out')
    expect(await onServer(server, patient)).toMatchObject({ weight: 65 })
    tablet.goOffline()
    expect((await tab.session.unlock(PASSWORD, 'lin')).ok).toBe(false)
    tablet.comeBack()
    await tab.signIn('lin')
    await tab.keepNorth()
    expect((await tab.see(patient)).data.values).toMatchObject({ weight: 65 })
  })

  test('for everybody leaves nobody who could open it', async () => {
    await tab.signIn('wu')
    await tab.sync()
    expect(await tab.session.wipe('everybody')).toEqual({ ok: true, value: { done: true } })
    await tab.reload()
    expect(tab.current).toEqual({ state: 'signed_out', knownUsers: [], error: null })
  })
})

test('a tablet that the server has blocked still opens what it holds, and what was unsent goes for a decision', async () => {
  tablet.goOffline()
  await tab.enter(patient, 'weight', '65')
  await tab.session.signOut({ force: true })
  await server.rows('UPDATE device SET blocked = true WHERE name <> $1 RETURNING 1', ['-'])
  tablet.comeBack()
  await tab.signIn('lin')
  expect(tab.current).toMatchObject({ state: 'open', vault: true, blocked: true })
  await tab.device.syncNow()
  expect(await server.rows(`SELECT reason FROM operation WHERE body->'target'->>'patientId' = $1`, [patient])).toEqual([
    { reason: 'device_blocked' },
  ])
  expect(await tab.session.wipe('mine')).toEqual({ ok: true, value: { done: true } })
})
