import { expect, test } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import { axeViolations, poorContrasts } from './support/accessible.ts'
import { signIn, startDemo } from './support/demo.ts'
import type { Demo } from './support/demo.ts'
import { ADMIN_PASSWORD } from './support/demoData.ts'
import { FaultProxy } from './support/faultProxy.ts'

/**
 * How the app looks on a device and what a device says of itself: themes, colour, language, error log, self-check,
 * installing.
 */

const themes = ['theme-starwrap', 'theme-bule', 'theme-vip'] as const

let demo: Demo
let proxy: FaultProxy
test.beforeAll(async () => {
  demo = await startDemo()
  proxy = await FaultProxy.start({ serverPort: demo.server.port })
})
test.afterAll(async () => {
  await proxy.close()
  await demo.server.dispose()
})

/** Looks at what is on the screen in every theme and both languages: all rules in both, contrast in every theme. */
async function expectReadable(page: Page, words: { readonly zh: string; readonly en: string }): Promise<void> {
  for (const language of ['zh', 'en'] as const) {
    await prefer(page, { language })
    await expect(page.getByText(words[language]).first()).toBeVisible()
    expect(await axeViolations(page), `${words.en}, ${language}`).toEqual([])
    for (const theme of themes.slice(1)) {
      await prefer(page, { theme })
      expect(await poorContrasts(page), `${words.en}, ${theme}, ${language}`).toEqual([])
    }
    await prefer(page, { theme: 'theme-starwrap' })
  }
  await prefer(page, { language: 'zh' })
}

/** Changes preferences as another tab of the same device would. */
async function prefer(page: Page, change: Readonly<Record<string, unknown>>): Promise<void> {
  await page.evaluate((changed) => {
    const key = 'zhenglu.preferences'
    const before = JSON.parse(localStorage.getItem(key) ?? '{}') as object
    localStorage.setItem(key, JSON.stringify({ ...before, ...changed }))
    window.dispatchEvent(new StorageEvent('storage', { key }))
  }, change)
  if (typeof change.theme === 'string') await expect(page.locator(`html[data-theme="${change.theme}"]`)).toBeAttached()
}

/** A part of the app that fails, as one that was badly built would. */
async function fail(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.setTimeout(() => {
      throw new TypeError(`Cannot read properties of undefined (reading '张三 13800001111')`)
    })
  })
}

test('sign-in and self-check read well in three themes and two languages; the self-check finds this browser fit', async ({
  page,
}) => {
  await page.goto(`${proxy.address}/login`)
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeEnabled()
  await expectReadable(page, { zh: '登录', en: 'Sign in' })

  await page.getByRole('link', { name: '设备自检' }).click()
  await expect(page.getByText(/^可以使用|这台设备可以使用/)).toBeVisible()
  const line = (title: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) })
  for (const title of ['浏览器', '安全连接', '本机存储', '加密', '网络', '时钟'])
    await expect(line(title)).toContainText('通过')
  await expectReadable(page, { zh: '设备自检', en: 'Device check' })

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: '复制结果' }).click()
  await expect(page.getByText('已复制')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain('[通过] 浏览器: Chrome')
  expect(copied).toContain('[通过] 本机存储')
  expect(
    await page.evaluate(async () => (await indexedDB.databases()).filter(({ name }) => name?.includes('selfcheck'))),
  ).toEqual([])

  await proxy.cut()
  await page.getByRole('button', { name: '重新检测' }).click()
  await expect(line('网络')).toContainText('离线：未能连接服务器')
  await expect(line('时钟')).toContainText('未检测')
  await expect(line('本机存储')).toContainText('通过')
  await proxy.restore()
})

test('theme and colour are chosen by keyboard, seen at once, keep their contrast, and are there before the first paint', async ({
  page,
  browser,
}) => {
  await page.goto(`${proxy.address}/login`)
  const opener = page.getByRole('button', { name: '主题与颜色' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: /默认/ }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('html[data-theme="theme-bule"]')).toBeAttached()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('html[data-theme="theme-vip"]')).toBeAttached()
  expect(await axeViolations(page)).toEqual([])

  const button = page.getByRole('dialog').getByRole('button', { name: '完成' })
  const blue = await button.evaluate((one) => getComputedStyle(one).backgroundColor)
  await page.getByRole('radio', { name: '湛蓝' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(button).not.toHaveCSS('background-color', blue)
  for (const [color, theme] of [
    ['#FFFF00', 'theme-starwrap'],
    ['#FFFF00', 'theme-vip'],
    ['#FFFFFF', 'theme-bule'],
  ] as const) {
    await prefer(page, { theme })
    await page.getByLabel('自选颜色').fill(color.toLowerCase())
    await expect(page.getByText(color)).toBeVisible()
    expect(await poorContrasts(page), `${color}, ${theme}`).toEqual([])
  }
  await prefer(page, { theme: 'theme-vip' })
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()

  expect(await groundBeforeTheApp(browser, page)).toBe('rgb(21, 24, 28)')
  await opener.click()
  await page.getByRole('button', { name: '恢复默认' }).click()
  await expect(page.locator('html[data-theme="theme-starwrap"]')).toBeAttached()
})

/** The page's ground in a browser that keeps the same preferences, while the app's own scripts never come. */
async function groundBeforeTheApp(browser: Browser, page: Page): Promise<string> {
  const context = await browser.newContext({
    storageState: await page.context().storageState(),
    serviceWorkers: 'block',
  })
  const early = await context.newPage()
  await early.route('**/assets/*.js', (route) => route.abort())
  await early.goto(`${proxy.address}/login`)
  const ground = await early.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await context.close()
  return ground
}

test('an error is counted on the bar, read in the log, sent to the server and gone from here; what it quoted never was in it', async ({
  page,
}) => {
  await signIn(page, proxy.address, '/projects')
  await expect(page.getByRole('heading', { name: '项目' })).toBeVisible()
  const badge = page.getByRole('button', { name: /本地错误日志/ })
  await expect(badge).toHaveCount(0)
  await fail(page)
  await expect(badge).toHaveText('1')
  await expectReadable(page, { zh: '项目', en: 'Projects' })

  await badge.click()
  const log = page.getByRole('dialog', { name: '本地错误日志' })
  await expect(log.getByRole('row').nth(1)).toContainText('/projects')
  await expect(log.getByRole('row').nth(1)).toContainText('TypeError: cannot read a property of undefined')
  expect(await axeViolations(page), 'log').toEqual([])
  await prefer(page, { theme: 'theme-vip' })
  expect(await poorContrasts(page), 'log, dark').toEqual([])
  await prefer(page, { theme: 'theme-starwrap' })

  await log.getByRole('button', { name: '关闭' }).click()
  await expect(badge).toBeFocused()
  await proxy.cut()
  await badge.click()
  await expect(log.getByText('当前离线，不能上传')).toBeVisible()
  await expect(log.getByRole('button', { name: '上传到服务器' })).toBeDisabled()
  await proxy.restore()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(log.getByRole('button', { name: '上传到服务器' })).toBeEnabled()

  await log.getByRole('button', { name: '上传到服务器' }).click()
  await expect(page.getByText('确定上传本地日志到服务器?')).toBeVisible()
  await page.getByRole('button', { name: '上传', exact: true }).click()
  await expect(log.getByText('发送成功!')).toBeVisible()
  await expect(log.getByText('没有错误日志')).toBeVisible()
  await log.getByRole('button', { name: '关闭' }).click()
  await expect(badge).toHaveCount(0)

  const admin = await signInByApi(proxy.address, 'admin', ADMIN_PASSWORD)
  const { records } = await admin.call<{ records: { requestUri: string; message: string }[] }>('log.errorList')
  expect(records).toMatchObject([
    { requestUri: '/projects', message: 'TypeError: cannot read a property of undefined' },
  ])
  expect(JSON.stringify(records)).not.toMatch(/张三|13800001111/)

  await fail(page)
  await badge.click()
  await log.getByRole('button', { name: '清空本地日志' }).click()
  await expect(page.getByText('确定清空本地日志记录?')).toBeVisible()
  await page.getByRole('button', { name: '清空', exact: true }).click()
  await expect(log.getByText('清空成功!')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('zhenglu.log'))).toBeNull()
})

test('a tablet that can install the app is told so once, and finds it with its data later', async ({ page }) => {
  await signIn(page, proxy.address, '/projects')
  await page.evaluate(() => {
    const offer = new Event('beforeinstallprompt', { cancelable: true })
    window.dispatchEvent(Object.assign(offer, { prompt: async () => ({ outcome: 'dismissed' }) }))
  })
  await expect(page.getByRole('button', { name: '安装到桌面' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '以后再说' }).click()
  await expect(page.getByText('安装到桌面')).toHaveCount(0)
  await page.locator('a[href="/device"]').first().click()
  await page.getByRole('button', { name: '安装到桌面' }).click()
  await expect(page.getByRole('button', { name: '安装到桌面' })).toHaveCount(0)
})
