import { expect, test } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { expectAccessible } from './support/accessible.ts'
import { untilDemoIsWhole } from './support/demo.ts'
import { startNetwork } from './support/network.ts'
import type { Network } from './support/network.ts'

/** What a person has to decide: between two tablets' values, and about what the server could not book by itself. */

const ADMIN_PASSWORD = 'Admin-Decides-8412'
const DEMO_PASSWORD = 'Demo-Decides-5521'

/** A tablet with a network of its own. */
interface Ward {
  readonly page: Page
  readonly network: Network
}

let server: RunningServer
let admin: ApiUser
let projectId: string
let patients: string
let one: Ward
let two: Ward

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  server = await startServer({ adminPassword: ADMIN_PASSWORD, env: { DEMO: '1', DEMO_PASSWORD } })
  await untilDemoIsWhole(server)
  admin = await signInByApi(`http://127.0.0.1:${server.port}`, 'admin', ADMIN_PASSWORD)
  const projects = await admin.call<{ records: { id: string }[] }>('project.list')
  projectId = projects.records[0]?.id ?? ''
  const versions = await admin.call<{ records: { id: string }[] }>('version.list', { query: { projectId } })
  patients = `/p/${projectId}/v/${versions.records[0]?.id ?? ''}/patients`
  one = await unpack(browser)
  two = await unpack(browser)
})

test.afterAll(async () => {
  for (const { page, network } of [one, two]) {
    await page.context().close()
    await network.close()
  }
  await server.dispose()
})

test('two tablets without a network give one field two values; one of them decides, still without a network, and the other sees it', async () => {
  test.setTimeout(240_000)
  await takeToTheWard(one, 'crc')
  await takeToTheWard(two, 'tester')
  for (const { network } of [one, two]) await network.cut()
  await enter(one, 'pulse', '71')
  await enter(two, 'pulse', '77')

  await one.network.restore()
  await received(one)
  await two.network.restore()
  await received(two)
  await received(one)

  // Both tablets list it, and the field of the page leads there.
  await two.page.locator('a[href="/attention"]').first().click()
  await expect(two.page.getByRole('listitem').filter({ hasText: '脉搏' })).toContainText('有冲突')
  await expectAccessible(two.page, 'conflicts under attention')
  await one.network.cut()
  await openVitals(one)
  await expectAccessible(one.page, 'page in conflict')
  await one.page.getByRole('link', { name: '脉搏：查看两个值并决定' }).click()
  await expect(one.page.getByRole('heading', { name: '脉搏' })).toBeVisible()
  await expect(one.page.getByText('双方修改前')).toContainText('70')

  await one.page.getByRole('button', { name: '保存决定' }).click()
  await expect(one.page.getByText('请选择用哪一个值')).toBeVisible()
  await one.page.getByRole('radio', { name: '输入其他值' }).check()
  await expectAccessible(one.page, 'conflict with what is missing')
  await one.page.getByRole('radio', { name: /采用另一值/ }).check()
  await one.page.getByText('核对源数据后裁定').click()
  await one.page.getByLabel('说明').fill('护理记录为 77')
  await one.page.getByRole('button', { name: '保存决定' }).click()
  await expect(one.page.getByText('决定已保存在本机')).toBeVisible()
  await expectAccessible(one.page, 'decided conflict')
  await one.page.getByRole('link', { name: '打开页面' }).click()
  await expect(one.page.locator('[data-row="pulse"] input')).toHaveValue('77')
  await expect(one.page.getByRole('link', { name: '脉搏：查看两个值并决定' })).toHaveCount(0)

  await one.network.restore()
  await received(one)
  await received(two)
  await expect(two.page.locator('a[href="/attention"]').filter({ hasText: /\d/ })).toHaveCount(0)
  await openVitals(two)
  await expect(two.page.locator('[data-row="pulse"] input')).toHaveValue('77')

  const decided = await admin.call<{ records: { state: string; resolution: { byName: string; reason: { text: string } } }[] }>('conflict.list', { query: { projectId } })
  expect(decided.records).toMatchObject([{ state: 'resolved', resolution: { choice: 'mine', byName: '林协调', reason: { code: 'adjudication', text: '护理记录为 77' } } }])
})

test('what a coordinator enters after the right was withdrawn waits for the data manager, who releases it in their name', async ({ browser }) => {
  test.setTimeout(240_000)
  await two.network.cut()
  await enter(two, 'temperature', '36.6')
  await withdrawEntry('tester')
  await two.network.restore()
  await received(two)
  await reopen(two, '/attention')
  await expect(two.page.getByText('等待决定：许数据')).toBeVisible()
  await two.page.getByRole('button', { name: /当时录入的内容/ }).click()
  await expect(two.page.getByText('36.6')).toBeVisible()

  const { page, close } = await dataManager(browser, '/inbox')
  await expect(page.getByRole('row').filter({ hasText: '高测试' })).toContainText('录入者的权限已被收回')
  await expectAccessible(page, 'inbox')
  await page.getByRole('button', { name: /查看 高测试 的修改/ }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('row').filter({ hasText: '体温' })).toContainText('36.6')
  await drawer.getByRole('button', { name: '放行' }).click()
  await expect(drawer.getByText('请填写理由')).toBeVisible()
  await expectAccessible(page, 'operation in the inbox')
  await drawer.getByLabel('理由').fill('已与中心核实')
  await drawer.getByRole('button', { name: '放行' }).click()
  await expect(page.getByText('已放行，修改已以录入者的名义入库。')).toBeVisible()
  await expect(page.getByText('没有待处理的修改')).toBeVisible()
  await page.getByText('已放行', { exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: '高测试' })).toContainText('已与中心核实')

  await page.getByRole('link', { name: '设备' }).click()
  await expect(page.getByRole('row').filter({ hasText: '高测试' })).toBeVisible()
  await expectAccessible(page, 'devices')
  await page.getByRole('row').filter({ hasText: '高测试' }).getByRole('button', { name: /查看设备/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: '停用设备' }).click()
  await expect(page.getByRole('dialog', { name: /^停用/ })).toBeVisible()
  await expectAccessible(page, 'blocking a device')
  await close()

  await received(two)
  await reopen(two, '/attention')
  await expect(two.page.getByText('没有需要处理的内容')).toBeVisible({ timeout: 30_000 })
})

test('what a tablet carried away in a rescue file is taken in once, in its author’s name, and the tablet hears of it', async ({ browser }) => {
  test.setTimeout(240_000)
  await one.network.cut()
  await enter(one, 'weight', '79.5')
  await reopen(one, '/device')
  const download = one.page.waitForEvent('download')
  await one.page.getByRole('button', { name: '导出未同步数据' }).click()
  const file = await (await download).path()

  const { page, close } = await dataManager(browser, '/devices')
  await page.getByRole('button', { name: '导入救援文件' }).click()
  await page.locator('input[type=file]').setInputFiles(file)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('row').filter({ hasText: '林协调' })).toContainText('01-002 · 生命体征')
  await expect(dialog.getByRole('row').filter({ hasText: '林协调' })).toContainText('待导入')
  await expectAccessible(page, 'preview of a rescue file')
  await dialog.getByRole('button', { name: '确认导入 1 项' }).click()
  await expect(dialog.getByText('导入完成：1 项已由服务器收下，0 项未收下。')).toBeVisible()
  await expect(dialog.getByRole('row').filter({ hasText: '林协调' })).toContainText('已入库')
  await close()

  await one.network.restore()
  await received(one)
  await openVitals(one)
  await expect(one.page.locator('[data-row="weight"] input')).toHaveValue('79.5')
  const open = await admin.call<{ total: number }>('conflict.list', { query: { projectId, state: 'open' } })
  expect(open.total).toBe(0)
})

/** The data manager at a desk. */
async function dataManager(browser: Browser, to: string): Promise<{ readonly page: Page; readonly close: () => Promise<void> }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await signIn(page, `http://127.0.0.1:${server.port}`, `/p/${projectId}${to}`, 'dbd')
  return { page, close: () => context.close() }
}

async function unpack(browser: Browser): Promise<Ward> {
  const network = await startNetwork(server.port)
  const context = await browser.newContext({ viewport: { width: 820, height: 1180 } })
  return { page: await context.newPage(), network }
}

async function signIn(page: Page, address: string, to: string, account: string): Promise<void> {
  await page.goto(`${address}${to}`)
  await page.getByLabel('账号').fill(account)
  await page.getByLabel('密码', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForURL(`**${to}`)
}

/** Signs in, keeps the center, and waits until the app itself is kept. */
async function takeToTheWard({ page, network }: Ward, account: string): Promise<void> {
  await signIn(page, network.address, patients, account)
  const keep = page.getByRole('button', { name: '保存到此平板' })
  await keep.click()
  await expect(keep).toHaveCount(0, { timeout: 60_000 })
  await expect(page.getByRole('link', { name: /01-002/ })).toBeVisible()
  await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
}

/** Opens the vital signs of the screening visit of 01-002. */
async function openVitals(ward: Ward): Promise<void> {
  await reopen(ward, patients)
  const { page } = ward
  await page.getByRole('link', { name: /01-002/ }).click()
  await page.getByRole('link', { name: /生命体征/ }).first().click()
  await expect(page.locator('[data-row="pulse"] input')).toBeVisible()
}

async function enter(ward: Ward, field: string, value: string): Promise<void> {
  await openVitals(ward)
  await ward.page.locator(`[data-row="${field}"] input`).fill(value)
  await ward.page.keyboard.press('Tab')
  await expect(ward.page.getByText(/已保存在本机/).first()).toBeVisible()
}

/** Sends and fetches by hand, until nothing is left here. */
async function received(ward: Ward): Promise<void> {
  await reopen(ward, '/device')
  const { page } = ward
  await page.getByRole('button', { name: '立即同步' }).click()
  await expect(page.getByText('全部已到达服务器')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(/已同步 \d/).first()).toBeVisible({ timeout: 60_000 })
}

/** Starts the app anew at an address: whoever keeps data here unlocks them. */
async function reopen({ page, network }: Ward, address: string): Promise<void> {
  await page.goto(`${network.address}${address}`)
  const unlock = page.getByRole('button', { name: '解锁' })
  await page.getByLabel('密码', { exact: true }).fill(DEMO_PASSWORD)
  await unlock.click()
  await expect(unlock).toHaveCount(0)
}

/** Makes a coordinator a monitor, who sees and does not enter. */
async function withdrawEntry(account: string): Promise<void> {
  interface Member {
    readonly id: string
    readonly account: string
    readonly type: string
    readonly dataScope: string
    readonly centerIds: readonly string[]
    readonly entryPass: number
    readonly crfApprove: number
    readonly status: string
  }
  const { records } = await admin.call<{ records: Member[] }>('member.list', { query: { projectId, size: '100' } })
  const member = records.find((one) => one.account === account)
  if (member === undefined) throw new Error(`there is no ${account}`)
  const { id, type, dataScope, centerIds, entryPass, status } = member
  await admin.call('member.update', { body: { id, projectId, userRole: 'CRA', type, dataScope, centerIds, entryPass, crfApprove: 0, status } })
}
