import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'

import { PASSWORD, startRightsWard } from './support/rightsWard.ts'
import type { RightsWard } from './support/rightsWard.ts'
import { unlock } from './support/session.ts'

/** Lists that are drawn before anybody asks for them (docs/adr/0041-prepared-screens.md). */

let ward: RightsWard
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  test.setTimeout(120_000)
  ward = await startRightsWard()
})
test.afterAll(() => ward.dispose())

/** Subjects of the ward's lists, seen or not. */
const subjects = (page: Page) => page.locator('main a[href^="/eCRF/"]')
const matrix = (page: Page) => page.locator('[role=grid] [role=rowheader] a[data-cell]')

test('on a tablet the lists of the ward are there before they are asked for, without a network too, and a lock leaves nothing of them', async ({
  browser,
}) => {
  test.setTimeout(240_000)
  const { page, network } = await ward.begin(browser, 'ahead', { opens: false })
  await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
  await page.goto(`${network.address}/device`)
  await unlock(page, PASSWORD)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(matrix(page)).toBeAttached({ timeout: 60_000 })
  await expect(matrix(page)).toBeHidden()
  await expect(subjects(page)).toHaveCount(2, { timeout: 60_000 })
  // They are no part of what is on the screen: neither for a reader of it nor for the keyboard.
  await expect(page.getByRole('grid')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)

  await network.cut()
  await page.goto(`${network.address}/wel/index`)
  await unlock(page, PASSWORD)
  await expect(matrix(page)).toBeAttached({ timeout: 60_000 })
  const before = await matrix(page).elementHandle()
  await page
    .getByRole('link', { name: /权限试验/ })
    .first()
    .click()
  await expect(page.getByRole('grid')).toBeVisible()
  // It is the very one that was drawn.
  expect(await before?.evaluate((link) => link.isConnected && link.checkVisibility())).toBe(true)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)

  await page.goto(`${network.address}/device`)
  await unlock(page, PASSWORD)
  await expect(matrix(page)).toBeAttached({ timeout: 60_000 })
  await page.getByRole('button', { name: /用户菜单/ }).click()
  await page.getByRole('button', { name: '锁定', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '设置锁屏密码' })
  await page.getByRole('textbox', { name: '锁屏密码' }).fill('2468')
  await dialog.getByRole('button', { name: '锁定' }).click()
  await expect(page.getByRole('heading', { name: '已锁定' })).toBeVisible()
  await expect(subjects(page)).toHaveCount(0)
  expect(await page.content()).not.toContain('AHEA')
})

test('a right that ends takes what was drawn ahead with it', async ({ browser }) => {
  test.setTimeout(180_000)
  const { page, network, member, memberId } = await ward.begin(browser, 'gone', { opens: false })
  await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
  await page.goto(`${network.address}/device`)
  await unlock(page, PASSWORD)
  await expect(matrix(page).first()).toBeAttached({ timeout: 60_000 })
  await ward.admin.call('member.update', { body: { id: memberId, ...member, status: 'pause' } })
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(subjects(page)).toHaveCount(0, { timeout: 30_000 })
})
