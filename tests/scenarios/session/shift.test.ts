// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hashPassword } from '#server/areas/auth/password.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { Browser, tellTeam } from '#tests/scenarios/support/browser.ts'
import type { Tab } from '#tests/scenarios/support/browser.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { changeMember } from '#tests/scenarios/support/study.ts'
import { PASSWORD, onServer } from '#tests/scenarios/support/ward.ts'
import { enrol, vitals } from '#tests/server/support/world.ts'

/** One tablet, several people: locking, handing over, withdrawn rights, forgotten passwords. */

const NEW_PASSWORD = 'New-Password-9'

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
  // Both have signed in on this tablet before; Lin is at work now.
  await tab.signIn('lin')
  await tab.keepNorth()
  await tab.signIn('wu')
  await tab.sync()
  await tab.signIn('lin')
})
afterEach(async () => {
  vi.restoreAllMocks()
  tablet.close()
  await setPassword('lin', PASSWORD)
})

test('what waits for its author is not sent under the sign-in of a colleague', async () => {
  const { current } = tab
  const authorId = current.state === 'open' ? current.user.userId : ''
  const ask = () => tab.session.call('auth.userInfo', { authorId })
  expect(await ask()).toMatchObject({ ok: true, value: { account: 'lin' } })
  await tab.signIn('wu')
  expect(await ask()).toEqual({ ok: false, error: { code: 'unauthenticated' } })
  await tab.signIn('lin')
  expect((await ask()).ok).toBe(true)
})

describe('the lock password', () => {
  test('brings the page back with what was being typed; the next lock needs no new one', async () => {
    const page = await tab.open(patient)
    await tab.session.setLockPassword('2468')
    expect(tab.current).toMatchObject({ lockPassword: true })
    page.type('weight', '65')
    valueOf(await tab.session.lock())
    expect(tab.current).toMatchObject({ state: 'locked', user: { account: 'lin' }, triesLeft: 5 })
    expect([tab.isClosed, document.cookie.includes('edc-access-token=')]).toEqual([true, false])

    expect(await tab.session.openLock('1357')).toEqual({ ok: false, error: { code: 'password_wrong' } })
    expect(tab.current).toMatchObject({ triesLeft: 4 })
    valueOf(await tab.session.openLock('2468'))
    expect(tab.current).toMatchObject({ state: 'open', online: true, vault: true, lockPassword: true })
    expect((await tab.see(patient)).data.values).toMatchObject({ weight: 65 })
    await tab.enter(patient, 'height', '170')
    await tab.sync()
    expect(await onServer(server, patient)).toMatchObject({ weight: 65, height: 170 })

    valueOf(await tab.session.lock())
    expect(tab.current).toMatchObject({ state: 'locked', triesLeft: 5 })
    valueOf(await tab.session.openLock('2468'))
    expect(tab.who).toBe('lin')
  })

  test('serves without a network too', async () => {
    tablet.goOffline()
    await tab.session.setLockPassword('2468')
    valueOf(await tab.session.lock())
    valueOf(await tab.session.openLock('2468'))
    await tab.enter(patient, 'weight', '66')
    expect(await tab.unsent()).toBe(1)
  })

  test('tried wrongly five times opens nothing any more, also when it is right; the sign-in password does', async () => {
    await tab.session.setLockPassword('2468')
    valueOf(await tab.session.lock())
    for (const left of [4, 3, 2, 1, null]) {
      expect((await tab.session.openLock('wrong')).ok).toBe(false)
      expect(tab.current).toMatchObject({ state: 'locked', triesLeft: left })
    }
    expect(await tab.session.openLock('2468')).toEqual({ ok: false, error: { code: 'password_wrong' } })
    expect(tab.current.state).toBe('locked')
    valueOf(await tab.session.unlock(PASSWORD))
    expect(tab.current).toMatchObject({ state: 'open', lockPassword: false })
  })

  test('lives in memory only: a reload asks for the sign-in password', async () => {
    await tab.session.setLockPassword('2468')
    valueOf(await tab.session.lock())
    await tab.reload()
    expect(tab.current).toMatchObject({ state: 'locked', triesLeft: null })
    expect((await tab.session.openLock('2468')).ok).toBe(false)
    valueOf(await tab.session.unlock(PASSWORD))
    expect(tab.who).toBe('lin')
  })

  test('is not for the next person: a colleague who unlocks chooses their own', async () => {
    await tab.session.setLockPassword('2468')
    valueOf(await tab.session.lock())
    valueOf(await tab.session.unlock(PASSWORD, 'wu'))
    expect(tab.current).toMatchObject({ user: { account: 'wu' }, lockPassword: false })
    valueOf(await tab.session.lock())
    expect((await tab.session.openLock('2468')).ok).toBe(false)
  })

  test('does not lock what cannot be brought to the disk: the value stays on the screen, and is said', async () => {
    const page = await tab.open(patient)
    await tab.session.setLockPassword('2468')
    const refuse = (): never => {
      throw new DOMException('no room', 'QuotaExceededError')
    }
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(refuse)
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(refuse)
    page.type('weight', '65')
    expect(await tab.session.lock()).toEqual({ ok: false, error: { code: 'storage_full' } })
    expect(await tab.session.signOut({ force: true })).toEqual({ done: false, error: { code: 'storage_full' } })
    expect(tab.current).toMatchObject({ state: 'open', lockPassword: true })

    vi.restoreAllMocks()
    valueOf(await tab.session.lock())
    valueOf(await tab.session.openLock('2468'))
    expect((await tab.see(patient)).data.values).toMatchObject({ weight: 65 })
  })
})

describe('the next shift', () => {
  test('hears nothing of what a colleague typed and took back wholly before they left the page, and neither do they themselves', async () => {
    tablet.goOffline()
    const page = await tab.open(patient)
    page.type('note', '误')
    const rid = page.addRow('drugs')
    page.type(`drugs.${rid}.drug`, '误')
    expect(await tab.device.flushJournal()).toMatchObject({ ok: true })
    page.type('note', '')
    page.setRowDeleted('drugs', rid, true)
    await page.leave()

    valueOf(await tab.session.unlock(PASSWORD, 'wu'))
    expect((await tab.see(patient)).colleagues).toEqual({ unsent: [], typing: [] })
    valueOf(await tab.session.unlock(PASSWORD, 'lin'))
    expect(await tab.see(patient)).toMatchObject({ recovered: 0, status: 'init', mark: null })
  })

  test('hears nothing of it either where the app died with the page open, and its author’s unlock does not begin the page', async () => {
    tablet.goOffline()
    const page = await tab.open(patient)
    page.type('note', '误')
    expect(await tab.device.flushJournal()).toMatchObject({ ok: true })
    page.type('note', '')
    expect(await tab.device.flushJournal()).toMatchObject({ ok: true })
    await tab.reload()

    valueOf(await tab.session.unlock(PASSWORD, 'wu'))
    expect((await tab.see(patient)).colleagues).toEqual({ unsent: [], typing: [] })
    valueOf(await tab.session.unlock(PASSWORD, 'lin'))
    expect(await tab.see(patient)).toMatchObject({ recovered: 0, status: 'init', mark: null })
    expect(await tab.unsent()).toBe(0)
  })

  test('hears of what was typed in an opening before, though the page was taken back in one after that', async () => {
    tablet.goOffline()
    const [first, second] = await Promise.all([tab.open(patient), tab.open(patient)])
    first.type('note', '未存')
    second.type('note', '误')
    second.type('note', '')
    expect(await tab.device.flushJournal()).toMatchObject({ ok: true })
    await tab.reload()

    valueOf(await tab.session.unlock(PASSWORD, 'wu'))
    expect((await tab.see(patient)).colleagues.typing).toHaveLength(1)
    valueOf(await tab.session.unlock(PASSWORD, 'lin'))
    const seen = await tab.see(patient)
    expect([seen.recovered > 0, seen.data.values]).toEqual([true, { note: '未存' }])
  })

  test('finds nothing of what was discarded on a full disk, and what was entered after that stands', async () => {
    tablet.goOffline()
    const page = await tab.open(patient)
    page.type('note', '误')
    expect(await tab.device.flushJournal()).toMatchObject({ ok: true })
    const refuse = (): never => {
      throw new DOMException('no room', 'QuotaExceededError')
    }
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(refuse)
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(refuse)
    vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementationOnce(refuse)
    page.type('note', '误记')
    await expect(page.flush()).rejects.toThrow('could not be saved')
    await page.discard()
    vi.restoreAllMocks()
    const again = await tab.open(patient)
    again.type('note', '正')
    await again.flush()
    // Long enough for what would be tried again, here and in the journal.
    await new Promise((resolve) => {
      setTimeout(resolve, 2500)
    })
    expect(await tab.see(patient)).toMatchObject({ data: { values: { note: '正' } }, conflicts: [] })
    expect(await tab.unsent()).toBe(1)

    await tab.reload()
    valueOf(await tab.session.unlock(PASSWORD, 'wu'))
    expect((await tab.see(patient)).colleagues.typing).toEqual([])
    valueOf(await tab.session.unlock(PASSWORD, 'lin'))
    expect(await tab.see(patient)).toMatchObject({ recovered: 0, data: { values: { note: '正' } } })
    expect(await tab.unsent()).toBe(1)
  })

  test('sees the saved draft with its author, and that a colleague’s typing is not saved yet; only the author brings that back', async () => {
    tablet.goOffline()
    await tab.enter(patient, 'height', '170')
    const page = await tab.open(patient)
    page.type('note', '未及保存')
    expect(await tab.device.flushJournal()).toMatchObject({ ok: true })
    await tab.reload()
    valueOf(await tab.session.unlock(PASSWORD))
    // Lin is back at once: it is theirs, and is saved. Then they type again, and the battery goes.
    expect((await tab.see(patient)).recovered).toBeGreaterThan(0)
    const again = await tab.open(patient)
    again.type('note', '第二次')
    await tab.device.flushJournal()
    await tab.reload()

    tablet.comeBack()
    valueOf(await tab.session.unlock(PASSWORD, 'wu'))
    await tab.until((state) => state.state === 'open' && state.online)
    const { lin, wu } = server.world.people
    const seen = await tab.see(patient)
    expect(seen.colleagues.typing).toMatchObject([{ name: lin.realName }])
    expect(seen.data.values['note']).not.toBe('第二次')
    await tab.enter(patient, 'weight', '65')
    await tab.sync()
    expect(await onServer(server, patient)).toMatchObject({ height: 170, note: '未及保存', weight: 65 })

    valueOf(await tab.session.lock())
    valueOf(await tab.session.unlock(PASSWORD, 'lin'))
    await tab.until((state) => state.state === 'open' && state.online)
    expect((await tab.see(patient)).data.values).toMatchObject({ note: '第二次' })
    await tab.sync()
    const trail = await server.rows(
      'SELECT DISTINCT prop, user_id, carried_by FROM audit WHERE patient_id = $1 AND prop IN ($2, $3, $4) ORDER BY prop, carried_by',
      [patient, 'height', 'note', 'weight'],
    )
    expect(trail).toEqual([
      { prop: 'height', user_id: lin.userId, carried_by: wu.userId },
      { prop: 'note', user_id: lin.userId, carried_by: wu.userId },
      { prop: 'note', user_id: lin.userId, carried_by: null },
      { prop: 'weight', user_id: wu.userId, carried_by: null },
    ])
  })
})

describe('a right that was withdrawn', () => {
  afterEach(() => changeMember(server.world, server.world.people.lin, {}))

  test('takes the scope from the tablet at the next contact, after what was unsent in it went to the inbox', async () => {
    tablet.goOffline()
    await tab.enter(patient, 'weight', '65')
    await changeMember(server.world, server.world.people.lin, { centerIds: [server.world.study.south] })
    tablet.comeBack()
    await tab.sync()
    expect(await inbox(patient)).toEqual([{ account: 'lin', reason: 'center_changed', carried: false }])
    expect(await tab.unsent()).toBe(0)
    await expect
      .poll(async () => (await tab.device.entry(server.world.study.projectId, vitals(server.world, patient))).ok)
      .toBe(false)
    tablet.goOffline()
    await tab.reload()
    valueOf(await tab.session.unlock(PASSWORD))
    expect((await tab.device.entry(server.world.study.projectId, vitals(server.world, patient))).ok).toBe(false)
  })

  test('hides names at the next contact where it was the right to see them, and shows them again when it is given back', async () => {
    const nameRead = async (): Promise<string | null> => {
      const { patients } = valueOf(await tab.device.patients(server.world.study.projectId, { size: 500 }))
      return patients.find(({ id }) => id === patient)?.identity?.name ?? null
    }
    expect(await nameRead()).toBe('张三')
    await changeMember(server.world, server.world.people.lin, { userRole: 'CRA' })
    await tab.sync()
    await expect.poll(nameRead, { timeout: 20_000 }).toBeNull()
    await changeMember(server.world, server.world.people.lin, {})
    await tab.sync()
    await expect.poll(nameRead, { timeout: 20_000 }).toBe('张三')
  })

  test('leaves its author what waits for a decision, also after they have signed in anew', async () => {
    tablet.goOffline()
    await tab.enter(patient, 'weight', '65')
    await changeMember(server.world, server.world.people.lin, { userRole: 'CRA' })
    tablet.comeBack()
    await tab.sync()
    const opKey =
      valueOf(await tab.device.attention()).find(({ kind, patientId }) => kind === 'inbox' && patientId === patient)
        ?.opKey ?? ''
    await tab.session.signOut({ force: true })
    await tab.signIn('lin')
    expect(valueOf(await tab.device.entered(opKey)).items).toMatchObject([{ code: 'weight', to: { value: 65 } }])
  })

  test('what is being typed on an open page goes to the inbox too, before the keys go', async () => {
    const page = await tab.open(patient)
    await changeMember(server.world, server.world.people.lin, { centerIds: [server.world.study.south] })
    page.type('note', '正在录入')
    await tab.sync()
    await expect
      .poll(() => inbox(patient), { timeout: 10_000 })
      .toEqual([{ account: 'lin', reason: 'center_changed', carried: false }])
  })

  test('typing that was not saved when the battery went is brought back by its author, and goes to the inbox', async () => {
    const page = await tab.open(patient)
    page.type('note', '电池没电')
    expect(await tab.device.flushJournal()).toMatchObject({ ok: true })
    await tab.reload()
    await changeMember(server.world, server.world.people.lin, { centerIds: [server.world.study.south] })
    valueOf(await tab.session.unlock(PASSWORD))
    await tab.sync()
    await expect
      .poll(() => inbox(patient), { timeout: 10_000 })
      .toEqual([{ account: 'lin', reason: 'center_changed', carried: false }])
  })

  test('with a forgotten password: the work stays sealed, and goes when the old password is remembered', async () => {
    await leaveForgotten()
    expect(tab.current).toMatchObject({ state: 'open', olderKeys: true })
    await tab.sync()
    expect([await tab.unsent(), await inbox(patient)]).toEqual([1, []])
    expect(await tab.session.recoverKeys('a guess')).toEqual({ ok: false, error: { code: 'password_wrong' } })
    valueOf(await tab.session.recoverKeys(PASSWORD))
    expect(tab.current).toMatchObject({ olderKeys: false })
    await tab.sync()
    expect(await inbox(patient)).toEqual([{ account: 'lin', reason: 'center_changed', carried: false }])
  })

  test('with a forgotten password: a colleague with the right carries it, and then nothing is asked for any more', async () => {
    await leaveForgotten()
    await tab.session.signOut({ force: true })
    await tab.signIn('wu')
    await tab.sync()
    expect(await inbox(patient)).toEqual([{ account: 'lin', reason: 'center_changed', carried: true }])
    await tab.session.signOut({ force: true })
    await tab.signIn('lin', NEW_PASSWORD)
    expect(tab.current).toMatchObject({ olderKeys: false })
  })

  /**
   * Lin has unsent work in a center that is theirs no more, and signs in with a password that this tablet does not
   * know.
   */
  async function leaveForgotten(): Promise<void> {
    tablet.goOffline()
    await tab.enter(patient, 'weight', '65')
    await tab.reload()
    await changeMember(server.world, server.world.people.lin, { centerIds: [server.world.study.south] })
    await setPassword('lin', NEW_PASSWORD)
    tablet.comeBack()
    valueOf(await tab.session.unlock(NEW_PASSWORD))
  }
})

describe('a forgotten password', () => {
  test('signing in with the new one, on the unlock screen itself, loses nothing', async () => {
    tablet.goOffline()
    await tab.enter(patient, 'weight', '65')
    await tab.reload()
    await setPassword('lin', NEW_PASSWORD)
    tablet.comeBack()
    expect((await tab.session.unlock('wrong again')).ok).toBe(false)
    valueOf(await tab.session.unlock(NEW_PASSWORD))
    await tab.sync()
    expect(await onServer(server, patient)).toMatchObject({ weight: 65 })
    tablet.goOffline()
    await tab.reload()
    expect((await tab.session.unlock(PASSWORD)).ok).toBe(false)
    valueOf(await tab.session.unlock(NEW_PASSWORD))
  })
})

async function setPassword(account: string, password: string): Promise<void> {
  await server.rows('UPDATE app_user SET password_hash = $1 WHERE account = $2 RETURNING 1', [
    await hashPassword(password),
    account,
  ])
}

/** What the server took in of a patient for a decision: whose it is, why, and whether somebody else brought it. */
function inbox(patientId: string) {
  return server.rows(
    `SELECT DISTINCT u.account, o.reason, o.carried_by IS NOT NULL AS carried
     FROM operation o JOIN app_user u ON u.id = o.author JOIN inbox i ON i.op_key = o.key
     WHERE o.body->'target'->>'patientId' = $1`,
    [patientId],
  )
}
