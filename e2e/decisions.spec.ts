import { expect, test } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { startDemoWard } from './support/demoWard.ts'
import type { DemoWard, WardTablet } from './support/demoWard.ts'

/** What a person has to decide: between two tablets' values, and about what the server could not book by itself. */

let ward: DemoWard
let one: WardTablet
let two: WardTablet

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  ward = await startDemoWard(browser)
  one = await ward.unpack()
  two = await ward.unpack()
})

test.afterAll(() => ward.dispose())

test('two tablets without a network give one field two values; one of them decides, still without a network, and the other sees it', async () => {
  test.setTimeout(240_000)
  await ward.takeToTheWard(one, 'crc')
  await ward.takeToTheWard(two, 'tester')
  for (const { network } of [one, two]) await network.cut()
  await enter(one, 'pulse', '71')
  await enter(two, 'pulse', '77')

  await one.network.restore()
  await ward.received(one)
  await two.network.restore()
  await ward.received(two)
  await ward.received(one)

  // Both tablets list it, and the field of the page leads there.
  await two.page.locator('a[href="/attention"]').first().click()
  await expect(two.page.getByRole('listitem').filter({ hasText: '脉搏' })).toContainText('有冲突')
  await expectAccessible(two.page, 'conflicts under attention')
  await one.network.cut()
  await ward.openVitals(one)
  await expectAccessible(one.page, 'page in conflict')
  await one.page.getByRole('link', { name: '脉搏：查看两个值并决定' }).click()
  await expect(one.page.getByRole('heading', { name: '脉搏' })).toBeVisible()
  await expect(one.page.getByText('修改前', { exact: true }).locator('..')).toContainText('70')

  await one.page.getByRole('button', { name: '保存处理结果' }).click()
  await expect(one.page.getByText('请选择采用哪一个值')).toBeVisible()
  await one.page.getByRole('radio', { name: '录入其他值' }).check()
  await expectAccessible(one.page, 'conflict with what is missing')
  await one.page.getByRole('radio', { name: /采用 77/ }).check()
  await one.page.getByText('核对源数据后裁定').click()
  await one.page.getByLabel('说明').fill('护理记录为 77')
  await one.page.getByRole('button', { name: '保存处理结果' }).click()
  await expect(one.page.getByText('处理结果已保存在本机')).toBeVisible()
  await expectAccessible(one.page, 'decided conflict')
  await one.page.getByRole('link', { name: '打开页面' }).click()
  await expect(one.page.locator('[data-row="pulse"] input')).toHaveValue('77')
  await expect(one.page.getByRole('link', { name: '脉搏：查看两个值并决定' })).toHaveCount(0)

  await one.network.restore()
  await ward.received(one)
  await ward.received(two)
  await expect(two.page.locator('a[href="/attention"]').filter({ hasText: /\d/ })).toHaveCount(0)
  await ward.openVitals(two)
  await expect(two.page.locator('[data-row="pulse"] input')).toHaveValue('77')

  const decided = await ward.admin.call<{
    records: { state: string; resolution: { byName: string; reason: { text: string } } }[]
  }>('conflict.list', { query: { projectId: ward.projectId } })
  expect(decided.records).toMatchObject([
    {
      state: 'resolved',
      resolution: { choice: 'mine', byName: '林协调', reason: { code: 'adjudication', text: '护理记录为 77' } },
    },
  ])
})

test('what a coordinator enters after the right was withdrawn waits for the data manager, who releases it in their name', async () => {
  test.setTimeout(240_000)
  await two.network.cut()
  await enter(two, 'temperature', '36.6')
  await withdrawEntry('tester')
  await two.network.restore()
  await ward.received(two)
  await ward.reopen(two, '/attention')
  await expect(two.page.getByText('待处理：许数据')).toBeVisible()
  await two.page.getByRole('button', { name: /当时录入的内容/ }).click()
  await expect(two.page.getByText('36.6')).toBeVisible()

  const { page, close } = await ward.atDesk('dbd', `/p/${ward.projectId}/inbox`)
  await expect(page.getByRole('row').filter({ hasText: '高测试' })).toBeVisible()
  await expect(page.getByRole('rowheader', { name: /录入者的权限已被收回/ })).toBeVisible()
  await expectAccessible(page, 'inbox')
  await page.getByRole('button', { name: /处理 高测试 的修改/ }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('row').filter({ hasText: '体温' })).toContainText('36.6')
  await drawer.getByRole('button', { name: '同意入库' }).click()
  await expect(drawer.getByText('请填写理由')).toBeVisible()
  await expectAccessible(page, 'operation in the inbox')
  await drawer.getByLabel('理由').fill('已与中心核实')
  await drawer.getByRole('button', { name: '同意入库' }).click()
  await expect(page.getByText('已同意入库，修改已以录入者的名义写入。')).toBeVisible()
  await expect(page.getByText('没有待处理的修改')).toBeVisible()
  await page.getByText('已同意入库', { exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: '高测试' })).toContainText('已与中心核实')

  await page.getByRole('link', { name: '设备' }).click()
  await expect(page.getByRole('row').filter({ hasText: '高测试' })).toBeVisible()
  await expectAccessible(page, 'devices')
  await page
    .getByRole('row')
    .filter({ hasText: '高测试' })
    .getByRole('button', { name: /查看设备/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: '停用设备' }).click()
  await expect(page.getByRole('dialog', { name: /^停用/ })).toBeVisible()
  await expectAccessible(page, 'blocking a device')
  await close()

  await ward.received(two)
  await ward.reopen(two, '/attention')
  await expect(two.page.getByText('没有待处理的内容')).toBeVisible({ timeout: 30_000 })
})

test('what a tablet carried away in a rescue file is taken in once, in its author’s name, and the tablet hears of it', async () => {
  test.setTimeout(240_000)
  await one.network.cut()
  await enter(one, 'weight', '79.5')
  await ward.reopen(one, '/device')
  const download = one.page.waitForEvent('download')
  await one.page.getByRole('button', { name: '导出未同步数据' }).click()
  const file = await (await download).path()

  const { page, close } = await ward.atDesk('dbd', `/p/${ward.projectId}/devices`)
  await page.getByRole('button', { name: '导入离线备份文件' }).click()
  await page.locator('input[type=file]').setInputFiles(file)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('row').filter({ hasText: '林协调' })).toContainText('01-002 · 生命体征')
  await expect(dialog.getByRole('row').filter({ hasText: '林协调' })).toContainText('待导入')
  await expectAccessible(page, 'preview of a rescue file')
  await dialog.getByRole('button', { name: '确认导入 1 项' }).click()
  await expect(dialog.getByText('导入完成：服务器已接收 1 项，未接收 0 项。')).toBeVisible()
  await expect(dialog.getByRole('row').filter({ hasText: '林协调' })).toContainText('服务器已接收')
  await close()

  await one.network.restore()
  await ward.received(one)
  await ward.openVitals(one)
  await expect(one.page.locator('[data-row="weight"] input')).toHaveValue('79.5')
  const open = await ward.admin.call<{ total: number }>('conflict.list', {
    query: { projectId: ward.projectId, state: 'open' },
  })
  expect(open.total).toBe(0)
})

async function enter(tablet: WardTablet, field: string, value: string): Promise<void> {
  await ward.openVitals(tablet)
  const { page } = tablet
  await page.locator(`[data-row="${field}"] input`).fill(value)
  await page.keyboard.press('Tab')
  await expect(page.getByText(/已保存在本机/).first()).toBeVisible()
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
  const { records } = await ward.admin.call<{ records: Member[] }>('member.list', {
    query: { projectId: ward.projectId, size: '100' },
  })
  const member = records.find((one) => one.account === account)
  if (member === undefined) throw new Error(`there is no ${account}`)
  const { id, type, dataScope, centerIds, entryPass, status } = member
  await ward.admin.call('member.update', {
    body: {
      id,
      projectId: ward.projectId,
      userRole: 'CRA',
      type,
      dataScope,
      centerIds,
      entryPass,
      crfApprove: 0,
      status,
    },
  })
}
