import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { expectAccessible } from './support/accessible.ts'
import { startDemoWard } from './support/demoWard.ts'
import type { DemoWard } from './support/demoWard.ts'

/**
 * A data manager describes the attacks of the demo study, compares women and men, takes a chart and table one away, and
 * learns what needs the network.
 */

let ward: DemoWard

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  ward = await startDemoWard(browser)
})
test.afterAll(() => ward.dispose())

async function choose(page: Page, name: string | RegExp, option: RegExp): Promise<void> {
  await page.getByRole('combobox', { name }).click()
  await page.getByRole('option', { name: option }).first().click()
}

async function saved(page: Page, name: string): Promise<readonly [name: string, content: Buffer]> {
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name, exact: true }).first().click()
  const download = await waiting
  return [download.suggestedFilename(), await readFile(await download.path())]
}

test('data are described, compared and taken away as a chart and as table one', async () => {
  test.setTimeout(240_000)
  const { projectId } = ward
  const versions = await ward.admin.call<{ records: { id: string }[] }>('version.list', { query: { projectId } })
  const address = `/p/${projectId}/v/${versions.records[0]?.id ?? ''}/statistical`
  const manager = await ward.atDesk('dbd', address)
  const { page } = manager
  await expect(page.getByText('请选择变量')).toBeVisible({ timeout: 60_000 })
  await choose(page, '数据表', /^心绞痛发作/)
  await choose(page, /^变量/, /发作次数/)
  await page.keyboard.press('Escape')
  const table = page.getByRole('table', { name: /^近一周心绞痛发作次数/ }).first()
  await expect(table.getByRole('row', { name: /^均值 \d/ })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(/^数据截至 \d{4}/)).toBeVisible()
  await expectAccessible(page, 'a description with its charts')
  const [chartName, chart] = await saved(page, '下载 SVG')
  expect(chartName).toMatch(/直方图.*\.svg$/)
  expect(chart.toString('utf8')).toMatch(/<svg[\s\S]*<rect/)

  await page.getByRole('button', { name: '组间比较' }).click()
  await choose(page, '分组变量', /^性别/)
  await expect(page.getByText('首选', { exact: true })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(/^P [=<>] /).first()).toBeVisible()
  // What was chosen is in the address and comes back with it; no value of anybody is.
  expect(new URL(page.url()).searchParams.get('variables')).toBe('attacks')
  await expectAccessible(page, 'a comparison with its tests')

  await page.getByRole('button', { name: /^基线特征表/ }).click()
  await choose(page, /^变量/, /CCS/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: /^女 \(n = \d+\)$/ })).toBeVisible({ timeout: 60_000 })
  const [, docx] = await saved(page, '下载 DOCX')
  const text = strFromU8(unzipSync(docx)['word/document.xml'] ?? new Uint8Array())
  expect(text).toContain('受试者基线特征')
  expect(text).toMatch(/女 \(n = \d+\)/)
  expect(text).toContain('Ⅱ级')
  await expectAccessible(page, 'table one')

  await page.context().setOffline(true)
  await expect(page.getByText('读取数据需要连接服务器。网络恢复后可继续分析。')).toBeVisible({ timeout: 60_000 })
  await manager.close()
})
