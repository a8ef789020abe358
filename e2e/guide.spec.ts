import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { axeViolations } from './support/accessible.ts'
import { field, signIn, startDemo } from './support/demo.ts'
import type { Demo } from './support/demo.ts'
import { startNetwork } from './support/network.ts'
import type { Network } from './support/network.ts'

/** The first five minutes in a demo: led from a page to its history, with the network cut in between. */

let demo: Demo
let network: Network

test.describe.configure({ mode: 'serial', timeout: 240_000 })
test.use({ viewport: { width: 820, height: 1180 } })

test.beforeAll(async () => {
  demo = await startDemo({ DEMO_GUIDE: '1' })
  network = await startNetwork(demo.server.port)
})

test.afterAll(async () => {
  await network.close()
  await demo.server.dispose()
})

test('a coordinator is led from a page to its history, and nothing that they work on is covered', async ({ page }) => {
  await signIn(page, network.address, demo.patients)
  await expect(guide(page)).toContainText('打开一个待录入的页面')
  await page.getByRole('button', { name: '下载到本设备，离线可用' }).click()
  await expect(page.getByRole('button', { name: '下载到本设备，离线可用' })).toHaveCount(0, { timeout: 60_000 })

  await page.getByRole('link', { name: /01-024/ }).click()
  await page
    .getByRole('listitem')
    .getByRole('link', { name: /生命体征/ })
    .first()
    .click()
  await expect(field(page, 'weight')).toBeEditable()
  await guide(page).getByRole('button', { name: '下一步' }).click()
  await expect(guide(page)).toContainText('断开网络')
  await expectNothingCovered(page)
  // The app itself is kept by now.
  await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
  await network.cut()
  await field(page, 'weight').fill('61.5')
  await expect(page.getByText(/已保存在本机/).first()).toBeVisible()
  await guide(page).getByRole('button', { name: '下一步' }).click()
  await guide(page).getByRole('link', { name: '查看本机数据' }).click()
  await expect(page).toHaveURL(/\/device$/)
  await guide(page).getByRole('button', { name: '下一步' }).click()
  await network.restore()
  await guide(page).getByRole('link', { name: '回到该页' }).click()
  await expect(field(page, 'weight')).toHaveValue('61.5')
  await guide(page).getByRole('button', { name: '下一步' }).click()
  await guide(page).getByRole('button', { name: '完成导览' }).press('Enter')
  await expect(guide(page)).toHaveCount(0)
})

test('it leads to the work of today; closed once, it does not come back', async ({ page }) => {
  await signIn(page, network.address, '/projects')
  await page.getByRole('heading', { name: '项目' }).waitFor()
  await expect(guide(page)).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await guide(page).getByRole('link', { name: '打开我的工作' }).click()
  await expect(page).toHaveURL(/\/workspace/)
  await guide(page).getByRole('button', { name: '关闭导览，不再显示' }).click()
  await expect(guide(page)).toHaveCount(0)
  await page.goto(`${network.address}/projects`)
  await page.getByRole('heading', { name: '项目' }).waitFor()
  await page.waitForTimeout(2500)
  await expect(guide(page)).toHaveCount(0)
})

function guide(page: Page) {
  return page.getByRole('complementary', { name: '入门导览' })
}

/** What is fixed at the foot of the page stands above the guide, and the last field can be scrolled clear of both. */
async function expectNothingCovered(page: Page): Promise<void> {
  const foot = await page.locator('footer').boundingBox()
  const dock = await guide(page).boundingBox()
  expect(foot).not.toBeNull()
  expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBeLessThanOrEqual((dock?.y ?? 0) + 1)
  await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight }))
  const last = await page.locator('[data-row]:visible').last().boundingBox()
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0)
}
