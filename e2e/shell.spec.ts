import { expect, test } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { axeViolations } from './support/accessible.ts'
import { signIn, startDemo } from './support/demo.ts'
import type { Demo } from './support/demo.ts'
import { DEMO_PASSWORD } from './support/demoData.ts'
import { startNetwork } from './support/network.ts'
import type { Network } from './support/network.ts'

/**
 * The bar, the menu and the way back of a project: beside the content on a desktop, over it on a tablet; with the
 * network and without it.
 */

/** Where the app asks who is signed in. */
const USER_INFO = '/api/blade-auth/oauth/user-info'

let demo: Demo
let network: Network

test.beforeAll(async () => {
  demo = await startDemo()
  network = await startNetwork(demo.server.port)
})

test.afterAll(async () => {
  await network.close()
  await demo.server.dispose()
})

test('on a desktop a manager finds projects, versions, centers, members and functions in the bar, and narrows the menu down', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await enter(page)
  await expect(page).toHaveTitle('受试者 · 证录')
  await expect(page.getByRole('navigation', { name: '当前位置' })).toContainText('受试者')

  const projects = await open(page, /选择项目/)
  await expect(projects.getByRole('listitem')).toHaveCount(1)
  await expect(projects.getByRole('listitem')).toContainText('进行中')
  await expectSound(page, 'projects')
  await page.keyboard.press('Escape')
  await expect(bar(page).getByRole('button', { name: /选择项目/ })).toBeFocused()

  const versions = await open(page, /正式版/)
  await expect(versions.getByRole('listitem')).toHaveCount(1)
  await expectSound(page, 'versions')
  await page.keyboard.press('Escape')

  const members = await open(page, '成员')
  await expect(members.getByRole('listitem').filter({ hasText: '林协调' })).toContainText('临床研究协调员（CRC）')
  await expect(members.getByRole('button', { name: '管理团队' })).toBeVisible()
  await expectSound(page, 'members')
  await page.keyboard.press('Escape')

  const centers = await open(page, '中心（3）')
  await centers.getByRole('button', { name: /云岭省中医医院/ }).click()
  await expect(page).toHaveURL(/\?center=/)
  await expect(page.getByRole('link', { name: /01-001/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /02-001/ })).toHaveCount(0)

  await page.getByRole('row').filter({ hasText: '01-001' }).getByRole('button').click()
  const panel = page.getByRole('complementary', { name: /01-001/ })
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    panel.getByRole('link', { name: '在新标签页打开' }).click(),
  ])
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(tab).toHaveURL(/\/eCRF\//)
  await tab.close()

  await page.getByRole('button', { name: '收起菜单' }).click()
  const menu = page.getByRole('navigation', { name: '导航' })
  await expect.poll(async () => (await menu.boundingBox())?.width).toBeLessThan(80)
  await menu.getByRole('link', { name: '设备' }).hover()
  await expect(page.getByRole('tooltip', { name: '设备' })).toBeVisible()
  await expectSound(page, 'narrow menu')
  await menu.getByRole('link', { name: '项目团队' }).click()
  await expect(page).toHaveTitle('项目团队 · 证录')
  await expect(page.locator('main')).toBeFocused()
  await page.getByRole('button', { name: '打开菜单' }).click()

  const more = await open(page, '更多')
  expect(await axeViolations(page, '[role=dialog]'), 'more').toEqual([])
  await more.getByRole('button', { name: '功能配置' }).click()
  const functions = page.getByRole('dialog', { name: '功能配置' })
  await expect(functions.getByRole('checkbox', { name: /^受试者/ })).toBeDisabled()
  await expectSound(page, 'functions')
  await functions.getByRole('checkbox', { name: /设备/ }).click()
  await functions.getByRole('button', { name: '保存' }).click()
  await expect(menu.getByRole('link', { name: '受试者' })).toBeVisible()
  await expect(menu.getByRole('link', { name: '设备' })).toHaveCount(0)

  const paused = page.getByText('当前项目已暂停，暂时无法操作!')
  await (await open(page, '更多')).getByRole('button', { name: '暂停项目' }).click()
  await page.getByRole('dialog', { name: '暂停项目？' }).getByRole('button', { name: '暂停项目' }).click()
  await expect(paused).toBeVisible()
  await (await open(page, '更多')).getByRole('button', { name: '恢复项目' }).click()
  await page.getByRole('dialog', { name: '恢复项目？' }).getByRole('button', { name: '恢复项目' }).click()
  await expect(paused).toHaveCount(0)
})

test('the user menu is reached, worked and left by keyboard alone, and the skip link comes first', async ({ page }) => {
  await signIn(page, network.address, '/projects')
  await expect(page.getByRole('heading', { name: '项目' })).toBeVisible()
  await page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined))
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: '跳到正文' })).toBeFocused()
  await expect(page.getByRole('link', { name: '跳到正文' })).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.locator('main')).toBeFocused()

  const menu = page.getByRole('button', { name: /用户菜单/ })
  await menu.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: '中文' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('heading', { name: 'Projects' })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('heading', { name: '项目' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '锁定' }).press('Enter')
  await expect(page.getByRole('textbox', { name: '锁屏密码' })).toBeFocused()
  await expectSound(page, 'lock password')
  await page.keyboard.type('2468')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '已锁定' })).toBeVisible()
  await expectSound(page, 'lock screen')
})

test('who is signed in and asks for nothing is let in again after a reload, also where the server takes long to say so', async ({
  page,
}) => {
  await enter(page)
  await page.route(
    (url) => url.pathname === USER_INFO,
    async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 7000))
      await route.fallback()
    },
  )
  const password = page.locator('input[type=password]')
  await page.reload()
  await expect(password).toBeVisible()
  await expect(page.getByRole('link', { name: /01-001/ })).toBeVisible()

  // Whoever has begun to type a password is not interrupted.
  await page.reload()
  await password.pressSequentially('half')
  await page.waitForResponse((response) => new URL(response.url()).pathname === USER_INFO)
  await page.waitForTimeout(500)
  await expect(password).toHaveValue('half')
})

test('on a tablet the menu lies over the content, nothing runs over the edge, and without the network it is said what needs it', async ({
  page,
}) => {
  await enter(page)
  for (const width of [820, 768]) {
    await page.setViewportSize({ width, height: 1180 })
    const widths = await bar(page).evaluate((element) => [
      element.scrollWidth - element.clientWidth,
      document.documentElement.scrollWidth - innerWidth,
    ])
    expect(widths, `${width} px`).toEqual([0, 0])
    await expect(page.getByRole('status').filter({ hasText: /已同步|已连接/ })).toBeInViewport({ ratio: 1 })
  }
  await page.getByRole('button', { name: '打开菜单' }).click()
  const drawer = page.getByRole('dialog', { name: '导航' })
  await expect(drawer.getByRole('link', { name: '受试者' })).toBeVisible()
  await expectSound(page, 'drawer')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: '打开菜单' })).toBeFocused()
  await page.getByRole('button', { name: '打开菜单' }).click()
  await drawer.getByRole('link', { name: '项目信息' }).click()
  await expect(drawer).toHaveCount(0)
  await expect(page.getByRole('heading', { name: '项目信息' })).toBeVisible()
  await expect(page.locator('main')).toBeFocused()

  await (await open(page, '更多')).getByRole('button', { name: '成员' }).click()
  await expect(page.getByRole('dialog', { name: '成员' }).getByText('林协调')).toBeVisible()
  await expectSound(page, 'members in a dialog')
  await page.keyboard.press('Escape')

  await network.cut()
  // Whoever asks the server for something learns that it is away.
  const projects = await open(page, /选择项目/)
  await projects.getByRole('textbox').fill('示例')
  await expect(page.getByRole('status').filter({ hasText: '离线' })).toBeVisible()
  await page.keyboard.press('Escape')
  const more = await open(page, '更多')
  const pause = more.getByRole('button', { name: '暂停项目' })
  await expect(pause).toHaveAttribute('aria-disabled', 'true')
  await expect(pause).toHaveAccessibleDescription('当前离线，联网后可用')
  await expectSound(page, 'offline')
  await pause.press('Enter')
  await expect(page.getByRole('dialog', { name: '暂停项目？' })).toHaveCount(0)
})

function bar(page: Page): Locator {
  return page.getByRole('banner')
}

async function open(page: Page, name: string | RegExp): Promise<Locator> {
  await bar(page).getByRole('button', { name }).click()
  const panel = page.getByRole('dialog', { name })
  await expect(panel).toBeVisible()
  return panel
}

async function expectSound(page: Page, screen: string): Promise<void> {
  expect(await axeViolations(page), screen).toEqual([])
}

/** The demo's manager signs in and lists the patients. */
async function enter(page: Page): Promise<void> {
  await page.goto(`${network.address}${demo.patients}`)
  await page.getByLabel('账号').fill('pm')
  await page.getByLabel('密码', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page.getByRole('link', { name: /01-001/ })).toBeVisible({ timeout: 20_000 })
}
