import { expect as quickly, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { atTheBedside, field, openVitals, startDemo, unlock } from './support/demo.ts'
import type { Demo } from './support/demo.ts'
import { startReleases } from './support/releases.ts'
import type { Releases } from './support/releases.ts'

/** A new release meets open pages that are being filled in; and a broken one is taken off the tablets. */

/** Several tabs unlock and load at once, which a small machine takes its time for. */
const expect = quickly.configure({ timeout: 40_000 })

let demo: Demo
let releases: Releases

test.describe.configure({ timeout: 240_000 })
test.beforeAll(async () => {
  demo = await startDemo()
})
test.beforeEach(async () => {
  releases = await startReleases(demo.server.port)
})
test.afterEach(() => releases.close())
test.afterAll(() => demo.server.dispose())

test('two tabs with typing of a moment ago: one agrees, both are new afterwards, and every value is there', async ({
  page,
  context,
}) => {
  const { first, second } = await twoTabs(page, () => context.newPage())
  releases.deploy(2)
  await comeToTheFront(first)
  await expect(first.getByText('已打开 2 个窗口')).toBeVisible()
  // Requests that come while the browser changes the workers must not keep the old one.
  for (const tab of [first, second]) await askAllTheTime(tab)

  await field(second, 'height').fill('166.5')
  await field(first, 'weight').fill('58.5')
  // Neither has been saved yet: a save is made half a second after the hand rests.
  await first.getByRole('button', { name: '立即更新' }).click()
  for (const [tab, prop, value] of [
    [first, 'weight', '58.5'],
    [second, 'height', '166.5'],
  ] as const) {
    await expect(tab.locator('html')).toHaveAttribute('data-release', '2')
    await unlock(tab)
    await expect(field(tab, prop)).toHaveValue(value)
  }
})

test('a tab that stands still keeps no other tab from the new release, and has it with its value when it wakes', async ({
  page,
  context,
}) => {
  const { first, second } = await twoTabs(page, () => context.newPage())
  await field(second, 'height').fill('168')
  releases.deploy(2)
  await comeToTheFront(first)
  await field(first, 'weight').fill('60.5')
  await expect(first.getByText('有新版本')).toBeVisible()
  const wake = await standStill(second)
  await first.getByRole('button', { name: '立即更新' }).click()
  // Where the old worker was just asked for something, Chromium waits until it has been idle for half a minute.
  await expect(first.locator('html')).toHaveAttribute('data-release', '2', { timeout: 90_000 })

  await wake()
  await comeToTheFront(second)
  await expect(second.locator('html')).toHaveAttribute('data-release', '2')
  await unlock(second)
  await expect(field(second, 'height')).toHaveValue('168')
  await unlock(first)
  await expect(field(first, 'weight')).toHaveValue('60.5')
})

test('a release that waits when the app starts in its only tab is in force at once, and nobody is asked', async ({
  page,
}) => {
  await atTheBedside(page, releases.address, demo)
  await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
  await page.reload()
  await unlock(page)
  releases.deploy(2)
  await comeToTheFront(page)
  await expect(page.getByText('有新版本')).toBeVisible()
  await page.getByRole('button', { name: '稍后' }).click()
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-release', '2')
  await unlock(page)
  await expect(field(page, 'weight')).toBeEditable()
})

test('a release that comes on the first visit is offered too, and takes nothing from under the hand', async ({
  page,
}) => {
  await atTheBedside(page, releases.address, demo)
  await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
  await field(page, 'weight').fill('62.5')
  releases.deploy(2)
  await comeToTheFront(page)
  await expect(page.getByText('有新版本')).toBeVisible()
  await expect(field(page, 'weight')).toHaveValue('62.5')
  await page.getByRole('button', { name: '立即更新' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-release', '2')
  await unlock(page)
  await expect(field(page, 'weight')).toHaveValue('62.5')
})

test('a tab that cannot save is not reloaded away: it says so, keeps what is on it, and updates once it can', async ({
  page,
  context,
}) => {
  const { first, second } = await twoTabs(page, () => context.newPage())
  releases.deploy(2)
  await comeToTheFront(first)
  await expect(first.getByText('有新版本')).toBeVisible()
  await diskFails(second)
  await field(second, 'height').fill('171')
  await first.getByRole('button', { name: '立即更新' }).click()
  await expect(first.locator('html')).toHaveAttribute('data-release', '2')

  await expect(second.getByText('此窗口尚未更新')).toBeVisible()
  await expect(second.locator('html')).toHaveAttribute('data-release', '1')
  await expect(field(second, 'height')).toHaveValue('171')
  await diskWorks(second)
  await expect(second.locator('html')).toHaveAttribute('data-release', '2')
  await unlock(second)
  await expect(field(second, 'height')).toHaveValue('171')
})

test('a tab that asks for the update and cannot save keeps the old release in all tabs', async ({ page, context }) => {
  const { first, second } = await twoTabs(page, () => context.newPage())
  releases.deploy(2)
  await comeToTheFront(first)
  await diskFails(first)
  await field(first, 'weight').fill('59')
  await first.getByRole('button', { name: '立即更新' }).click()
  await expect(first.getByText('此窗口尚未更新')).toBeVisible()
  for (const tab of [first, second]) await expect(tab.locator('html')).toHaveAttribute('data-release', '1')
  await diskWorks(first)
  await expect(second.locator('html')).toHaveAttribute('data-release', '2')
  await unlock(first)
  await expect(field(first, 'weight')).toHaveValue('59')
})

test('the kill switch takes worker and copies of the app away, and nothing of what was entered', async ({
  page,
  context,
}) => {
  await atTheBedside(page, releases.address, demo)
  await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
  await context.setOffline(true)
  await field(page, 'weight').fill('61.5')
  await expect(page.getByText(/已保存在本机/).first()).toBeVisible()
  await context.setOffline(false)

  // The broken release is found out about, and the server started again with the switch on.
  await demo.server.stop()
  demo = await startDemo({ SW_KILL: '1' }, demo.server.dataDir)
  releases.leadTo(demo.server.port)
  await page.reload()
  await expect.poll(() => page.evaluate(async () => (await caches.keys()).length)).toBe(0)
  await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)

  await page.reload()
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()
  await unlock(page)
  await expect(field(page, 'weight')).toHaveValue('61.5')
  await expect(page.getByText(/已同步/).first()).toBeVisible({ timeout: 30_000 })
  // While the switch is on, no worker comes back.
  await page.reload()
  await expect(page.getByRole('button', { name: '解锁' })).toBeVisible()
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
})

/** Two tabs of one tablet, each under the same worker, with a page open in each. */
async function twoTabs(
  first: Page,
  open: () => Promise<Page>,
): Promise<{ readonly first: Page; readonly second: Page }> {
  await atTheBedside(first, releases.address, demo)
  await first.evaluate(async () => (await navigator.serviceWorker.ready).scope)
  // The first page of a device is older than its worker; from here on both stand under it.
  await first.reload()
  await unlock(first)
  await expect(field(first, 'weight')).toBeEditable()
  const second = await open()
  await second.goto(`${releases.address}${demo.patients}`)
  await unlock(second)
  await openVitals(second, 1)
  for (const tab of [first, second]) await expect(tab.locator('html')).toHaveAttribute('data-release', '1')
  return { first, second }
}

/** What a browser tells a page that comes back to the front; there and then it looks for a new release. */
async function comeToTheFront(page: Page): Promise<void> {
  await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')))
}

/** As an app does in which much goes on at once. */
async function askAllTheTime(page: Page): Promise<void> {
  await page.evaluate(() => {
    setInterval(() => void fetch('/api/edc/none').catch(() => undefined), 5)
  })
}

/**
 * From now on nothing runs in a tab, as in one that the system has frozen. (The browser freezes no tab that it holds to
 * be in front, which all tabs of a test are; so its scripts are stopped as a debugger does it.)
 *
 * @returns what wakes it
 */
async function standStill(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  const paused = new Promise<void>((resolve) => session.once('Debugger.paused', () => resolve()))
  await session.send('Debugger.enable')
  await session.send('Debugger.pause')
  await paused
  return async () => {
    await session.send('Debugger.resume')
    await session.detach()
  }
}

/** From now on the browser refuses every write of this page, as on a full disk. */
async function diskFails(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { put, add } = IDBObjectStore.prototype
    const refuse = (): never => {
      throw new DOMException('no room', 'QuotaExceededError')
    }
    IDBObjectStore.prototype.put = refuse
    IDBObjectStore.prototype.add = refuse
    Object.assign(window, {
      diskWorks: () => {
        IDBObjectStore.prototype.put = put
        IDBObjectStore.prototype.add = add
      },
    })
  })
}

async function diskWorks(page: Page): Promise<void> {
  await page.evaluate(() => (window as unknown as { diskWorks: () => void }).diskWorks())
}
