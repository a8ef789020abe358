import path from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import { startDemo } from './support/demo.ts'
import type { Demo } from './support/demo.ts'
import { DEMO_PASSWORD } from './support/demoData.ts'
import { nameAccount } from './support/session.ts'
import { startNetwork } from './support/network.ts'
import type { Network } from './support/network.ts'
import { newTablet } from './support/tablet.ts'
import type { Tablet } from './support/tablet.ts'

/**
 * One tablet, two coordinators: locking in the middle of a page, handing over without a network, a session that ends
 * while typing.
 */

const LOCK_PASSWORD = '2468'
/** Where screenshots go when somebody wants to look at them. */
const SHOTS = process.env['SHOTS_DIR']

let demo: Demo
let network: Network
let tablet: Tablet
let patients: string

test.describe.configure({ mode: 'serial', timeout: 240_000 })

test.beforeAll(async () => {
  demo = await startDemo()
  patients = demo.patients
  network = await startNetwork(demo.server.port)
  tablet = await newTablet()
})

test.afterAll(async () => {
  await tablet.dispose()
  await network.close()
  await demo.server.dispose()
})

test('a lock in the middle of a page, and back to where it was', async () => {
  const { page } = tablet
  await signIn(page, 'crc')
  await page.getByRole('button', { name: '下载到本设备，离线可用' }).click()
  await expect(page.getByRole('button', { name: '下载到本设备，离线可用' })).toHaveCount(0, { timeout: 60_000 })
  await page.getByRole('link', { name: /01-002/ }).click()
  await page
    .getByRole('link', { name: /生命体征/ })
    .first()
    .click()
  await weight(page).fill('61.5')
  // Less of a screen, as with the keyboard open: the page is longer than it.
  await page.setViewportSize({ width: 820, height: 620 })
  await page.evaluate(() => window.scrollTo({ top: 200 }))
  const scrolled = await page.evaluate(() => window.scrollY)
  expect(scrolled).toBe(200)
  const address = page.url()

  // A click by Playwright scrolls a sticky header to the top first; a finger does not.
  await userMenu(page).dispatchEvent('click')
  await page.getByRole('button', { name: '锁定', exact: true }).click()
  await page.getByRole('dialog', { name: '设置锁屏密码' }).getByRole('button', { name: '锁定' }).click()
  await expect(page.getByText('锁屏密码不能为空')).toBeVisible()
  await shot(page, 'lock-dialog')
  await lockField(page).fill(LOCK_PASSWORD)
  await page.getByRole('dialog', { name: '设置锁屏密码' }).getByRole('button', { name: '锁定' }).click()
  await page.waitForURL('**/lock?to=*')
  await expect(page.getByRole('heading', { name: '已锁定' })).toBeVisible()
  // Nothing of the page is there any more, neither drawn nor hidden.
  for (const value of ['61.5', '01-002', '生命体征']) expect(await page.content()).not.toContain(value)
  await shot(page, 'locked')

  await lockField(page).fill('1111')
  await page.getByRole('button', { name: '解锁' }).click()
  await expect(page.getByRole('alert')).toContainText('还可以再试 4 次')
  await lockField(page).fill(LOCK_PASSWORD)
  await page.getByRole('button', { name: '解锁' }).click()
  await page.waitForURL(address)
  await expect(weight(page)).toHaveValue('61.5')
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrolled)
  await page.setViewportSize({ width: 820, height: 1180 })
})

test('five wrong tries: only the sign-in password opens', async () => {
  const { page } = tablet
  await userMenu(page).click()
  // The lock password was chosen for this session: no dialog this time.
  await page.getByRole('button', { name: '锁定', exact: true }).click()
  for (const said of ['再试 4 次', '再试 3 次', '再试 2 次', '再试 1 次', '请用登录密码解锁']) {
    await lockField(page).fill('wrong')
    await page.getByRole('button', { name: '解锁' }).click()
    await expect(page.getByRole('alert')).toContainText(said)
  }
  await expect(lockField(page)).toHaveCount(0)
  await shot(page, 'lock-spent')
  await unlock(page, DEMO_PASSWORD)
  await expect(weight(page)).toHaveValue('61.5')
})

test('a hand-over without a network: the next shift sees what was saved, and whose it is', async () => {
  const { page } = tablet
  const address = page.url()
  // The colleague has been at work on this tablet before.
  await signOut(page)
  await signIn(page, 'tester')
  await expect(page.getByRole('link', { name: /01-002/ })).toBeVisible({ timeout: 60_000 })
  await signOut(page)
  await signIn(page, 'crc')
  await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
  await network.cut()
  await page.goto(address)
  await unlock(page, DEMO_PASSWORD)
  await weight(page).fill('62.5')
  await expect(page.getByText(/已保存在本机/).first()).toBeVisible()

  await userMenu(page).click()
  await page.getByRole('button', { name: '锁定', exact: true }).click()
  await lockField(page).fill(LOCK_PASSWORD)
  await page.getByRole('dialog', { name: '设置锁屏密码' }).getByRole('button', { name: '锁定' }).click()
  await expect(page.getByRole('heading', { name: '已锁定' })).toBeVisible()
  await page.getByRole('group', { name: '本机用户' }).getByRole('button', { name: 'tester' }).click()
  await shot(page, 'hand-over')
  await unlock(page, DEMO_PASSWORD)
  await expect(weight(page)).toHaveValue('62.5')
  await expect(page.getByText(/此页含 林协调 在本机录入/)).toBeVisible()
  await shot(page, 'next-shift')
  await weight(page).fill('63.5')
  await expect(page.getByText(/已保存在本机/).first()).toBeVisible()

  await network.restore()
  // The sign-in of the shift before is not theirs: they give their own password once the server is there.
  await signInAgain(page, 'tester')
  await expect(page.getByText(/已同步/).first()).toBeVisible({ timeout: 60_000 })
  expect(await lastValues(2)).toEqual([
    { account: 'crc', carried: 'tester' },
    { account: 'tester', carried: null },
  ])
})

test('a session that ends while somebody types: a sheet over the page, entry goes on, and all of it arrives', async () => {
  const { page } = tablet
  const database = await openServerDatabase(demo.server.dataDir)
  await database.query('UPDATE session SET ended_at = now() WHERE ended_at IS NULL')
  await database.end()
  await weight(page).fill('64.5')
  const again = page.getByRole('button', { name: '重新登录' })
  await expect(again).toBeVisible({ timeout: 60_000 })
  await weight(page).fill('65.5')
  await expect(page.getByText(/已保存在本机/).first()).toBeVisible()
  await shot(page, 'sign-in-again')
  await signInAgain(page, 'tester')
  await expect(weight(page)).toHaveValue('65.5')
  await expect(page.getByText(/已同步/).first()).toBeVisible({ timeout: 60_000 })
})

test('clearing the tablet: refused with unsent work, done without, and nobody is known after it', async () => {
  const { page } = tablet
  await network.cut()
  await weight(page).fill('66.5')
  await expect(page.getByText(/已保存在本机/).first()).toBeVisible()
  await page.goto(`${network.address}/device`)
  await unlock(page, DEMO_PASSWORD)
  await clear(page, '清除我的数据并退出')
  await expect(page.getByText(/还不能清除：本机有 1 项未同步/)).toBeVisible()
  await shot(page, 'wipe-refused')
  await network.restore()
  await expect(page.getByText('没有未同步的内容')).toBeVisible({ timeout: 60_000 })
  await clear(page, '清除所有人的数据并退出')
  await page.waitForURL('**/login*')
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible()
  await expect(page.getByRole('group', { name: '本机用户' })).toHaveCount(0)
})

function weight(page: Page) {
  return page.getByLabel('体重', { exact: true })
}

function lockField(page: Page) {
  return page.getByRole('textbox', { name: '锁屏密码' })
}

function userMenu(page: Page) {
  return page.getByRole('button', { name: /用户菜单/ })
}

async function clear(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('dialog').getByRole('button', { name: '清除', exact: true }).click()
}

async function signIn(page: Page, account: string): Promise<void> {
  await page.goto(`${network.address}${patients}`)
  await nameAccount(page, account)
  await page.getByLabel('密码', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForURL(`**${patients}`)
}

/** The sheet that lies over the page while the server is there and the sign-in is not. */
async function signInAgain(page: Page, account: string): Promise<void> {
  const again = page.getByRole('button', { name: '重新登录' })
  await expect(again).toBeVisible({ timeout: 60_000 })
  await page.getByLabel(`密码 (${account})`).fill(DEMO_PASSWORD)
  await again.click()
  // The password is tried at the server, and opens what this tablet keeps: both take their time by design.
  await expect(again).toHaveCount(0, { timeout: 30_000 })
}

async function signOut(page: Page): Promise<void> {
  await userMenu(page).click()
  await page.getByRole('button', { name: '退出登录' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '退出', exact: true }).click()
  await page.waitForURL('**/login*')
}

async function unlock(page: Page, password: string): Promise<void> {
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '解锁' }).click()
  await expect(page.getByRole('heading', { name: '已锁定' })).toHaveCount(0)
}

/** Whose the last operations on pages are, oldest first, and who brought them. */
async function lastValues(count: number): Promise<unknown[]> {
  const database = await openServerDatabase(demo.server.dataDir)
  const { rows } = await database.query<Record<string, unknown>>(
    `SELECT account, carried FROM (
       SELECT u.account, c.account AS carried, o.seq FROM operation o JOIN app_user u ON u.id = o.author LEFT JOIN app_user c ON c.id = o.carried_by
       WHERE o.call = 'entry.save' AND o.device_seq IS NOT NULL ORDER BY o.seq DESC LIMIT ${count}) last ORDER BY seq`,
  )
  await database.end()
  return rows
}

async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS !== undefined) await page.screenshot({ path: path.join(SHOTS, `${name}.png`) })
}
