import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { startDemoWard } from './support/demoWard.ts'
import type { DemoWard } from './support/demoWard.ts'

/**
 * A data manager looks at a page over all subjects, takes away what is shown, and finds subjects by a condition that
 * then narrows down the list of subjects and the grid.
 */

let ward: DemoWard

test.describe.configure({ mode: 'serial' })
test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  ward = await startDemoWard(browser)
})
test.afterAll(() => ward.dispose())

async function inVersion(screen: string): Promise<string> {
  const query = { projectId: ward.projectId }
  const { records } = await ward.admin.call<{ records: { id: string }[] }>('version.list', { query })
  return `/p/${ward.projectId}/v/${records[0]?.id ?? ''}/${screen}`
}

test('a page is seen over all subjects, narrowed down, opened beside the grid and taken away as it is shown', async () => {
  test.setTimeout(180_000)
  const manager = await ward.atDesk('dbd', await inVersion('database'))
  const { page } = manager
  await page.getByRole('combobox', { name: '表单页' }).click()
  await page
    .getByRole('option', { name: /生命体征/ })
    .first()
    .click()
  const total = page.getByText(/^共 [\d,]+ 行/)
  await expect(total).toBeVisible({ timeout: 30_000 })
  const all = await total.textContent()

  const grid = page.getByRole('grid')
  await expect(grid.getByRole('row').nth(1)).toBeVisible()
  await expectAccessible(page, 'the grid of a page')
  await page.getByRole('combobox', { name: '研究中心' }).click()
  await page.getByRole('option').first().click()
  await expect(total).not.toHaveText(all ?? '')
  const fewer = Number((await total.textContent())?.replaceAll(/\D/g, ''))
  expect(fewer).toBeGreaterThan(0)

  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出', exact: true }).click()
  await page.getByRole('menuitem', { name: /CSV/ }).click()
  const lines = (await readFile(await (await waiting).path(), 'utf8')).trim().split('\r\n')
  // A head, and a line for each row that the grid counts.
  expect(lines.length - 1).toBe(fewer)

  await grid.getByRole('gridcell').first().click()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: '打开表单页' })).toBeVisible()
  await manager.close()
})

test('subjects are found by a condition, counted while it is made, and it narrows down the list once it is kept', async () => {
  test.setTimeout(180_000)
  const manager = await ward.atDesk('dbd', await inVersion('tableSearch'))
  const { page } = manager
  const count = page.getByText(/^符合条件 \d+ 位，共 \d+ 位受试者$/)
  await expect(count).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: '删除此条件', exact: true }).click()
  await page.getByRole('button', { name: '添加条件', exact: true }).click()
  await page.getByRole('menuitem', { name: '添加性别条件' }).click()
  await page.getByRole('combobox', { name: '性别' }).click()
  await page.getByRole('option', { name: '女' }).click()
  const figures = async (): Promise<readonly number[]> =>
    [...((await count.textContent()) ?? '').matchAll(/\d+/g)].map(([figure]) => Number(figure))
  await expect.poll(async () => ((await figures())[0] ?? 0) < ((await figures())[1] ?? 0)).toBe(true)
  const [found = 0] = await figures()
  expect(found).toBeGreaterThan(0)
  await expect(page.getByText(/性别.*女/).first()).toBeVisible()
  await expectAccessible(page, 'the conditions of a search')

  // What is built is there again when one has been elsewhere meanwhile.
  const menu = page.getByRole('navigation').first()
  await menu.getByRole('link', { name: '受试者', exact: true }).click()
  await expect(page.getByRole('heading', { name: '受试者', level: 1 })).toBeVisible()
  await menu.getByRole('link', { name: '表格检索' }).click()
  await expect(page.getByText(/性别.*女/).first()).toBeVisible()
  await expect.poll(async () => (await figures())[0]).toBe(found)

  await page.getByRole('button', { name: '保存检索' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: '名称' }).fill('女性受试者')
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByRole('link', { name: '在受试者列表中查看' }).click()
  await expect(page.getByRole('heading', { name: '受试者', level: 1 })).toBeVisible()
  await expect(page.getByText(`共 ${found} 条`)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('list', { name: '已用的筛选条件' })).toContainText('检索“女性受试者”的结果')

  // So are the matrix and the list of queries, under an address that holds the id of the search alone.
  await page.goBack()
  await page.getByRole('link', { name: '在访视矩阵中查看' }).click()
  await expect(page.getByText(`共 ${found} 位`)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('combobox', { name: '已保存的检索' })).toHaveValue('女性受试者')
  await expectAccessible(page, 'the matrix under a search')
  await page.goBack()
  await page.getByRole('link', { name: '在质疑列表中查看' }).click()
  const chips = page.getByRole('list', { name: '已用的筛选条件' })
  await expect(chips).toContainText('检索“女性受试者”的结果')
  await expect(page).toHaveURL(/\/query\?search=[0-9a-f-]{36}$/)
  const underSearch = page.url()

  // Once it is removed the list says so, and shows no other.
  await menu.getByRole('link', { name: '表格检索' }).click()
  await page.getByRole('button', { name: '删除检索：女性受试者' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /删除/ }).click()
  await expect(page.getByText('还没有保存的检索')).toBeVisible()
  await page.goto(underSearch)
  await expect(page.getByRole('alert')).toContainText('检索已不可用', { timeout: 30_000 })
  await expectAccessible(page, 'queries under a search that was removed')
  await page.getByRole('button', { name: '去掉检索条件' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page).toHaveURL(/\/query$/)
  await manager.close()
})
