import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { expectAccessible } from './support/accessible.ts'
import { untilDemoIsWhole } from './support/demo.ts'

/** Every screen of the ward's day holds WCAG 2.2 AA as far as a machine can tell, in the light theme and in the dark one. */

const ADMIN_PASSWORD = 'Admin-Access-8412'
const DEMO_PASSWORD = 'Demo-Access-5521'

let server: RunningServer
let address: string
let projectId: string
let patients: string

test.beforeAll(async () => {
  test.setTimeout(240_000)
  server = await startServer({ adminPassword: ADMIN_PASSWORD, env: { DEMO: '1', DEMO_PASSWORD } })
  await untilDemoIsWhole(server)
  address = `http://127.0.0.1:${server.port}`
  const admin = await signInByApi(address, 'admin', ADMIN_PASSWORD)
  const projects = await admin.call<{ records: { id: string }[] }>('project.list')
  projectId = projects.records[0]?.id ?? ''
  const versions = await admin.call<{ records: { id: string }[] }>('version.list', { query: { projectId } })
  patients = `/p/${projectId}/v/${versions.records[0]?.id ?? ''}/patients`
})

test.afterAll(() => server.dispose())

test('the screens of a coordinator', async ({ page }) => {
  test.setTimeout(240_000)
  await page.goto(`${address}/login`)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page.getByText('请输入账号')).toBeVisible()
  await expectAccessible(page, 'sign-in with errors')

  await signIn(page, '/projects', 'crc', DEMO_PASSWORD)
  await expect(page.getByRole('heading', { name: '项目' })).toBeVisible()
  await expectAccessible(page, 'projects')
  await page.getByRole('button', { name: /用户菜单/ }).click()
  await expect(page.getByRole('button', { name: '退出登录' })).toBeVisible()
  await expectAccessible(page, 'user menu')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: /示例/ }).last().click()
  await page.waitForURL('**/workspace')
  await expect(page.getByRole('grid')).toBeVisible()
  await expectAccessible(page, 'workspace with the offer to keep the center')
  await page.getByRole('button', { name: '打开菜单' }).click()
  await page.getByRole('navigation', { name: '导航' }).getByRole('link', { name: '受试者' }).click()
  await page.waitForURL(`**${patients}`)
  const keep = page.getByRole('button', { name: '保存到此平板' })
  await expect(keep).toBeVisible()
  await expectAccessible(page, 'patients with the offer to keep them')
  await keep.click()
  await expect(keep).toHaveCount(0)

  await page.getByRole('button', { name: '入组' }).first().click()
  await page.getByRole('dialog').getByLabel('手机号').fill('12')
  await page.keyboard.press('Tab')
  await expectAccessible(page, 'enrolment')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.getByRole('link', { name: /01-024/ }).click()
  await expect(page.getByRole('link', { name: /人口学/ }).first()).toBeVisible()
  await expectAccessible(page, 'casebook')
  await page.getByRole('link', { name: /不良事件/ }).first().click()
  await page.getByRole('button', { name: '提交' }).click()
  await expectAccessible(page, 'page')

  await page.locator('a[href="/device"]').click()
  await expect(page.getByRole('heading', { name: '保存在本机的范围' })).toBeVisible()
  await expectAccessible(page, 'data on this tablet')
  await page.goto(`${address}/attention`)
  await expect(page.getByRole('heading', { name: '已锁定' })).toBeVisible()
  await expectAccessible(page, 'unlock')
  await page.getByLabel('密码', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: '解锁' }).click()
  await expect(page.getByRole('heading', { name: '需处理', level: 1 })).toBeVisible()
  await expectAccessible(page, 'needs attention')
})

test('the screens of an administrator', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, `/p/${projectId}/admin/crfHistory`, 'admin', ADMIN_PASSWORD)
  await expect(page.getByRole('heading', { name: '表单版本' })).toBeVisible()
  await expect(page.getByRole('table')).toBeVisible()
  await expectAccessible(page, 'versions')
  await page.getByRole('link', { name: '项目团队' }).click()
  await expect(page.getByRole('heading', { name: '项目团队' })).toBeVisible()
  await expect(page.getByRole('table')).toBeVisible()
  await expectAccessible(page, 'team')
})

test('the screens of a data manager', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, `/p/${projectId}/inbox`, 'dbd', DEMO_PASSWORD)
  await expect(page.getByText('没有待处理的修改')).toBeVisible()
  await expectAccessible(page, 'empty inbox')
  await page.getByRole('link', { name: '设备' }).click()
  await page.getByRole('button', { name: '导入救援文件' }).click()
  await page.locator('input[type=file]').setInputFiles({ name: 'notes.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
  await expect(page.getByText('文件无法读取，请确认选对了文件。')).toBeVisible()
  await expectAccessible(page, 'rescue file that cannot be read')
})

test('the user menu is reached, worked and left by keyboard alone, and the skip link comes first', async ({ page }) => {
  await signIn(page, '/projects', 'crc', DEMO_PASSWORD)
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
  await expectAccessible(page, 'lock password')
  await page.keyboard.type('2468')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '已锁定' })).toBeVisible()
  await expectAccessible(page, 'lock screen')
})

async function signIn(page: Page, to: string, account: string, password: string): Promise<void> {
  await page.goto(`${address}${to}`)
  await page.getByLabel('账号').fill(account)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForURL(`**${to}`)
}
