import { expect, test } from '@playwright/test'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'

/** What stands on the screen while the scripts have not come yet, as on a slow network or a tired tablet. */

let server: RunningServer
let address: string

test.beforeAll(async () => {
  server = await startServer({ adminPassword: 'Admin-First-8412' })
  address = `http://127.0.0.1:${server.port}`
})
test.afterAll(() => server.dispose())

test('sign-in says what this is before any script or style sheet has come, and goes on in the same place', async ({
  page,
}) => {
  let letCome = (): void => undefined
  const held = new Promise<void>((resolve) => (letCome = resolve))
  await page.route('**/assets/**', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${address}/login`, { waitUntil: 'commit' })
  const headline = page.locator('.zl-headline').getByText('床旁录入，断网照常录入').filter({ visible: true })
  await expect(headline).toBeVisible()
  await expect(page.getByText('Entry at the bedside')).toBeHidden()
  // Not only laid out: on the screen.
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  const before = await page.locator('.zl-headline').filter({ visible: true }).boundingBox()
  letCome()
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeEnabled()
  await expect(headline).toHaveCount(1)
  // The style sheet has kept its place: before those of the screens.
  expect(await page.locator('head link[rel=stylesheet]').first().getAttribute('data-sheet')).not.toBeNull()
  expect(await page.locator('.zl-headline').filter({ visible: true }).boundingBox()).toEqual(before)
})

test('who chose English and the dark theme is met by them', async ({ page }) => {
  await page.goto(`${address}/login`)
  await page.evaluate(() => localStorage.setItem('zhenglu.preferences', '{"theme":"theme-vip","language":"en"}'))
  await page.route('**/assets/**', (route) => route.abort())
  await page.goto(`${address}/login`, { waitUntil: 'commit' })
  await expect(page.getByText('Entry at the bedside')).toBeVisible()
  await expect(page.locator('.zl-frame-first').getByText('床旁录入')).toBeHidden()
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe('rgb(21, 24, 28)')
})

test('other addresses do not begin with the words of sign-in', async ({ page }) => {
  await page.route('**/assets/**', (route) => route.abort())
  await page.goto(`${address}/projects`, { waitUntil: 'commit' })
  await expect(page.locator('#root')).toBeAttached()
  await expect(page.locator('.zl-frame-first')).toBeHidden()
})

test('a dialog whose code cannot be had says so at sign-in, and opens once it can be', async ({ page }) => {
  await page.route('**/assets/LookDialog*', (route) => route.abort())
  await page.goto(`${address}/login`)
  const look = page.getByRole('button', { name: '主题与颜色' })
  await look.click()
  await expect(page.getByRole('status').filter({ hasText: '此功能尚未下载到本机' })).toBeVisible()
  await page.unrouteAll()
  await look.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.getByText('此功能尚未下载到本机')).toHaveCount(0)
})
