// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Vault } from '#offline/vault/vault.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { Browser, tellTeam } from '#tests/scenarios/support/browser.ts'
import type { Tab } from '#tests/scenarios/support/browser.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { PASSWORD, onServer } from '#tests/scenarios/support/ward.ts'
import { enrol } from '#tests/server/support/world.ts'

/** Starting the app, with and without a network; signing in, unlocking, leaving. */

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
})
afterEach(() => {
  vi.restoreAllMocks()
  tablet.close()
})

describe('starting', () => {
  test('on a new tablet: nobody is known', () => {
    expect(tab.current).toEqual({ state: 'signed_out', knownUsers: [], error: null })
    expect(tab.isClosed).toBe(true)
  })

  test('without a network, after work: the password opens the tablet with all that is on it, and nothing else does', async () => {
    await tab.signIn('lin')
    await tab.keepNorth()
    tablet.goOffline()
    await tab.enter(patient, 'height', '170')
    await tab.reload()
    expect(tab.current).toMatchObject({ state: 'locked', user: { account: 'lin' }, triesLeft: null })
    expect(tab.isClosed).toBe(true)
    expect(await tab.session.unlock('wrong')).toEqual({ ok: false, error: { code: 'password_wrong' } })
    valueOf(await tab.session.unlock(PASSWORD))
    expect(tab.current).toMatchObject({ state: 'open', vault: true })
    expect((await tab.see(patient)).data.values).toMatchObject({ height: 170 })
    expect(await tab.unsent()).toBe(1)
  })

  test('with a network: a desktop that keeps nothing goes on reading, a tablet that keeps something asks for the password', async () => {
    await tab.signIn('lin')
    await tab.reload()
    expect(tab.who).toBe('lin')
    // Without the password there are no keys, so nothing can be kept.
    expect(tab.current).toMatchObject({ vault: false })
    await tab.signIn('lin')
    await tab.keepNorth()
    await tab.reload()
    expect(tab.current.state).toBe('locked')
  })

  test('after a pulled battery that left an older refresh cookie than the token: the password brings a session that goes on, and nobody is asked again', async () => {
    await tab.signIn('lin')
    await tab.keepNorth()
    await tablet.ageTokens()
    // Refused for the token, which is renewed; then it goes.
    await tab.device.syncNow()
    await tab.sync()
    tablet.loseNewestCookie()
    await tab.reload()
    valueOf(await tab.session.unlock(PASSWORD))
    await tab.enter(patient, 'height', '170')
    await tab.sync()
    await tablet.ageTokens()
    await tab.enter(patient, 'weight', '65')
    await vi.waitFor(async () => {
      await tab.device.syncNow()
      expect(await onServer(server, patient)).toMatchObject({ height: 170, weight: 65 })
    }, 10_000)
    expect(tab.current).toMatchObject({ state: 'open', online: true })
  })

  test('an account that was never here cannot open it without a network', async () => {
    await tab.signIn('lin')
    await tab.session.signOut({ force: true })
    tablet.goOffline()
    expect(await tab.session.signIn({ account: 'wu', password: PASSWORD, captcha: null })).toMatchObject({
      ok: false,
      error: { code: 'offline' },
    })
    expect(await tab.session.signIn({ account: 'lin', password: PASSWORD, captcha: null })).toEqual({
      ok: true,
      value: 'offline',
    })
  })

  test('opened without a network, the session gets its token when the network returns, and what waited goes', async () => {
    await tab.signIn('lin')
    await tab.keepNorth()
    tablet.goOffline()
    tablet.forgetSessionCookies()
    await tab.reload()
    valueOf(await tab.session.unlock(PASSWORD))
    expect(tab.current).toMatchObject({ state: 'open', online: false })
    await tab.enter(patient, 'weight', '65')
    tablet.comeBack()
    await tab.until((state) => state.state === 'open' && state.online)
    await tab.sync()
    expect(await onServer(server, patient)).toMatchObject({ weight: 65 })
  })
})

describe('locked while the password is being checked at the server', () => {
  test('a tablet that is at work already stays locked: the keys that come behind open nothing', async () => {
    await tab.signIn('lin')
    await tab.keepNorth()
    await tab.reload()
    const enrol = vi.spyOn(Vault.prototype, 'enrol')
    const keys = slow('/edc/sync/keys')
    valueOf(await tab.session.unlock(PASSWORD))
    await keys.asked
    valueOf(await tab.session.lock())
    keys.answer()
    await vi.waitFor(() => expect(enrol).toHaveBeenCalled(), 10_000)
    await enrol.mock.results[0]?.value
    expect(enrol.mock.contexts[0]).toMatchObject({ state: { state: 'locked' } })
    expect([tab.current.state, tab.isClosed]).toEqual(['locked', true])
    valueOf(await tab.session.unlock(PASSWORD))
    expect(tab.current).toMatchObject({ state: 'open', vault: true })
  })

  test.each(['/token', '/edc/sync/keys'])('a sign-in over the page opens nothing any more (%s)', async (path) => {
    await tab.signIn('lin')
    await tab.keepNorth()
    const answer = slow(path)
    const signingIn = tab.session.signIn({ account: 'lin', password: PASSWORD, captcha: null })
    await answer.asked
    valueOf(await tab.session.lock())
    answer.answer()
    expect(await signingIn).toEqual({ ok: false, error: { code: 'vault_locked' } })
    expect([tab.current.state, tab.isClosed]).toEqual(['locked', true])
    await tab.signIn('lin')
    expect(tab.current).toMatchObject({ state: 'open', vault: true, online: true })
  })

  test('so it does where the tablet itself checks it', async () => {
    await tab.signIn('lin')
    await tab.keepNorth()
    tablet.goOffline()
    const checking = vi.spyOn(Vault.prototype, 'try')
    const signingIn = tab.session.signIn({ account: 'lin', password: PASSWORD, captcha: null })
    await vi.waitFor(() => expect(checking).toHaveBeenCalled())
    valueOf(await tab.session.lock())
    expect(await signingIn).toEqual({ ok: false, error: { code: 'vault_locked' } })
    expect(tab.current.state).toBe('locked')
  })

  /** The first answer to a call waits until it is let go. */
  function slow(path: string): { readonly asked: Promise<void>; readonly answer: () => void } {
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const before = globalThis.fetch
    let isFirst = true
    vi.stubGlobal('fetch', (async (input, init) => {
      const url = input instanceof Request ? input.url : String(input)
      const answer = await before(input, init)
      if (isFirst && new URL(url, server.address).pathname.endsWith(path)) {
        isFirst = false
        asked.resolve()
        await answered.promise
      }
      return answer
    }) satisfies typeof fetch)
    return { asked: asked.promise, answer: answered.resolve }
  }
})

describe('a 401 in the middle of work', () => {
  test('entry goes on; signing in again over the page sends everything, and the page was never closed', async () => {
    await tab.signIn('lin')
    await tab.keepNorth()
    const { device } = tab
    const page = await tab.open(patient)
    page.type('height', '170')
    await page.flush()
    await tablet.expireSessions()
    page.type('weight', '65')
    await page.flush()
    await tab.until((state) => state.state === 'open' && !state.online)
    page.type('note', '继续录入')
    await page.flush()
    expect(await tab.unsent()).toBeGreaterThan(0)

    await tab.signIn('lin')
    expect(tab.device).toBe(device)
    expect(tab.current).toMatchObject({ state: 'open', online: true, vault: true })
    await tab.sync()
    expect(await onServer(server, patient)).toMatchObject({ height: 170, weight: 65, note: '继续录入' })
    expect(await tab.unsent()).toBe(0)
  })

  test('somebody else who signs in over the page closes it first: what was typed is the first one’s, and arrives as theirs', async () => {
    await tab.signIn('lin')
    await tab.keepNorth()
    const page = await tab.open(patient)
    await tablet.expireSessions()
    page.type('weight', '65')
    await tab.signIn('wu')
    expect(tab.who).toBe('wu')
    expect((await tab.see(patient)).data.values).toMatchObject({ weight: 65 })
    await tab.sync()
    const { lin, wu } = server.world.people
    const operations = await server.rows(
      'SELECT author, carried_by FROM operation WHERE entity_id IN (SELECT id FROM entry WHERE patient_id = $1)',
      [patient],
    )
    expect(operations).toEqual([{ author: lin.userId, carried_by: wu.userId }])
  })

  test('a colleague who takes over while the server is silent closes the page first: what was typed is saved, and is the first one’s', async () => {
    await bothKeep()
    const page = await tab.open(patient)
    tablet.goOffline()
    page.type('weight', '65')
    expect(await tab.session.signIn({ account: 'wu', password: 'wrong', captcha: null })).toEqual({
      ok: false,
      error: { code: 'password_wrong' },
    })
    expect(tab.current).toMatchObject({ state: 'open', user: { account: 'lin' }, vault: true })
    expect(await tab.session.signIn({ account: 'wu', password: PASSWORD, captcha: null })).toEqual({
      ok: true,
      value: 'offline',
    })
    expect(tab.who).toBe('wu')
    const seen = await tab.see(patient)
    expect([seen.data.values, seen.colleagues.typing]).toMatchObject([{ weight: 65 }, []])
    expect(await tab.unsent()).toBe(1)
    tablet.comeBack()
    await tab.signIn('wu')
    await tab.sync()
    const { lin, wu } = server.world.people
    const operations = await server.rows(
      'SELECT author, carried_by FROM operation WHERE entity_id IN (SELECT id FROM entry WHERE patient_id = $1)',
      [patient],
    )
    expect(operations).toEqual([{ author: lin.userId, carried_by: wu.userId }])
  })

  test('nobody takes over while what is on the page cannot be brought to the disk', async () => {
    await bothKeep()
    const page = await tab.open(patient)
    tablet.goOffline()
    const refuse = (): never => {
      throw new DOMException('no room', 'QuotaExceededError')
    }
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(refuse)
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(refuse)
    page.type('weight', '65')
    expect(await tab.session.signIn({ account: 'wu', password: PASSWORD, captcha: null })).toEqual({
      ok: false,
      error: { code: 'storage_full' },
    })
    vi.restoreAllMocks()
    expect(tab.current).toMatchObject({ state: 'open', user: { account: 'lin' }, vault: true })
    await page.flush()
    expect((await tab.see(patient)).data.values).toMatchObject({ weight: 65 })
  })

  /** Both coordinators have worked at this tablet; lin is at work now. */
  async function bothKeep(): Promise<void> {
    await tab.signIn('lin')
    await tab.keepNorth()
    await tab.signIn('wu')
    await tab.sync()
    await tab.signIn('lin')
  }
})

describe('leaving', () => {
  test('with unsent work it says how much; forced, the work stays sealed and the session is over at the server', async () => {
    await tab.signIn('lin')
    await tab.keepNorth()
    tablet.goOffline()
    await tab.enter(patient, 'weight', '65')
    expect(await tab.session.signOut()).toEqual({ done: false, unsent: 1 })
    expect(tab.who).toBe('lin')
    const sessions = () =>
      server.rows('SELECT 1 FROM session WHERE user_id = $1 AND ended_at IS NULL', [server.world.people.lin.userId])
    const before = await sessions()
    tablet.comeBack()
    expect(await tab.session.signOut({ force: true })).toEqual({ done: true })
    expect(tab.current).toMatchObject({ state: 'signed_out', knownUsers: [{ account: 'lin' }] })
    expect(document.cookie).not.toContain('edc-access-token=')
    await expect.poll(sessions).toHaveLength(before.length - 1)
  })

  test('the next shift carries what was left, in the name of who left it', async () => {
    await tab.signIn('lin')
    await tab.keepNorth()
    await tab.signIn('wu')
    await tab.sync()
    await tab.signIn('lin')
    tablet.goOffline()
    await tab.enter(patient, 'weight', '65')
    await tab.session.signOut({ force: true })
    valueOf(await tab.session.unlock(PASSWORD, 'wu'))
    const seen = await tab.see(patient)
    expect(seen.data.values).toMatchObject({ weight: 65 })
    expect(seen.colleagues).toEqual({ unsent: [server.world.people.lin.realName], typing: [] })
    tablet.comeBack()
    await tab.signIn('wu')
    await tab.enter(patient, 'height', '170')
    await tab.sync()
    expect(await onServer(server, patient)).toMatchObject({ weight: 65, height: 170 })
    const trail = await server.rows(
      'SELECT DISTINCT prop, user_id FROM audit WHERE patient_id = $1 AND prop IN ($2, $3) ORDER BY prop',
      [patient, 'height', 'weight'],
    )
    expect(trail).toEqual([
      { prop: 'height', user_id: server.world.people.wu.userId },
      { prop: 'weight', user_id: server.world.people.lin.userId },
    ])
  })
})
