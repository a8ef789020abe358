import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { EntryReview, ReviewLine } from '#core/api/calls/review/check.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import { headers } from '#core/api/headers.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import { expectAccessible } from './support/accessible.ts'
import { DEMO_PASSWORD } from './support/demoData.ts'
import { startDemoWard } from './support/demoWard.ts'
import type { DemoWard } from './support/demoWard.ts'

/**
 * A data manager says what is to be verified, sees how much that is, and switches it on; the monitor finds the pages,
 * opens the next one, and what was verified stands in the progress and in the report that is signed.
 */

let ward: DemoWard

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  ward = await startDemoWard(browser)
})

test.afterAll(() => ward.dispose())

test('a plan is made and switched on; the monitor works by it, and its figures stand in progress and report', async () => {
  test.setTimeout(240_000)
  const { projectId } = ward
  const versions = await ward.admin.call<{ records: { id: string }[] }>('version.list', { query: { projectId } })
  const check = `/p/${projectId}/v/${versions.records[0]?.id ?? ''}/check`

  const manager = await ward.atDesk('dbd', `${check}?part=plan&track=sdv`)
  await makePlan(manager.page)
  await manager.close()

  const monitor = await ward.atDesk('cra', check)
  const { page } = monitor
  await expect(page.getByRole('navigation').getByRole('link', { name: '核查' })).toBeVisible()
  // What the plan asks for is worked out in the background.
  await expect(async () => {
    await page.reload()
    await expect(page.locator('main [data-row]').first()).toContainText('待核查', { timeout: 5000 })
  }).toPass()
  await expectAccessible(page, 'the list of pages to check')

  const first = await verifyWholePage(new URL(page.url()).origin)
  await page.reload()
  await page.getByRole('button', { name: '开始核查' }).click()
  await page.waitForURL(/\/eCRF\/.*\/page\//)
  expect(page.url()).not.toContain(first.entryId)
  await page.goBack()

  await page.getByRole('tab', { name: '进度' }).click()
  const figures = page.getByRole('table', { name: '各中心进度 · 源数据核查' })
  await expect(figures.getByRole('row').last()).toContainText(`${first.due}/`)
  await expectAccessible(page, 'the progress of checking')
  await figures
    .getByRole('link', { name: /已核查 1$/ })
    .first()
    .click()
  await expect(page.locator('main [data-row]')).toHaveCount(1)
  await expect(page.locator('main [data-row]')).toContainText(first.patientNo ?? '')
  await expect(page.locator('main [data-row]')).toContainText('已全部核查')

  await page.getByRole('tab', { name: '监查访视报告' }).click()
  const done = page.getByRole('table', { name: '核查内容' })
  await expect(done.getByRole('row').filter({ hasText: first.patientNo ?? '' })).toContainText(String(first.due))
  await expectAccessible(page, 'the report of a monitoring visit')
  // On paper there is the report alone.
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('article', { name: '监查访视报告' })).toBeVisible()
  await expect(page.getByRole('button', { name: '打印' })).toBeHidden()
  await expect(page.getByRole('tab', { name: '进度' })).toBeHidden()
  await expect(page.getByText(/打印于/)).toBeVisible()
  await monitor.close()
})

async function makePlan(page: Page): Promise<void> {
  await expect(page.getByText('还没有核查计划')).toBeVisible()
  await page.getByRole('button', { name: '制定核查计划' }).click()
  await page.getByRole('searchbox', { name: '查找表单页或字段' }).fill('体重')
  await page.getByRole('checkbox', { name: '体重', exact: true }).first().check()
  await expect(page.getByText('已选 1 个关键字段')).toBeVisible()
  await page.getByLabel('抽样比例').fill('30')
  await page.getByLabel('每中心前 n 例').fill('2')
  await page.getByRole('textbox', { name: /说明/ }).fill('监查计划 V1.0 第 5 章')
  await page.getByRole('button', { name: '计算覆盖范围' }).click()
  await expect(page.getByRole('table', { name: '覆盖范围' }).getByRole('row').last()).toContainText('合计')
  await expectAccessible(page, 'making a review plan')

  // What was begun is there again.
  await page.getByRole('tab', { name: '进度' }).click()
  await page.getByRole('tab', { name: '核查计划' }).click()
  await expect(page.getByText('已选 1 个关键字段')).toBeVisible()

  await page.getByRole('button', { name: '启用计划' }).click()
  const dialog = page.getByRole('dialog', { name: '启用源数据核查计划' })
  await expect(dialog.getByRole('table', { name: '覆盖范围' })).toBeVisible()
  await expectAccessible(page, 'switching a review plan on')
  await dialog.getByRole('button', { name: '启用', exact: true }).click()
  await expect(page.getByText('现行计划 · 第 1 版')).toBeVisible()
  await expect(page.getByText('每中心前 2 例受试者，以及随机抽取 30% 的受试者')).toBeVisible()
  await expectAccessible(page, 'a review plan')
}

/** Verifies all that the plan asks for of the first page in the list, past the app: the page has a story of its own. */
async function verifyWholePage(origin: string): Promise<ReviewLine> {
  const { projectId } = ward
  const more = { [headers.projectId]: projectId }
  const cra = await signInByApi(origin, 'cra', DEMO_PASSWORD)
  const first = await cra.call<ReviewLine>('review.next', { query: { projectId, track: 'sdv' }, more })
  const { sdv } = await cra.call<EntryReview>('review.entry', { query: { projectId, entryId: first.entryId }, more })
  const entries = await cra.call<EntryRow[]>('entry.list', { query: { patientId: first.patientId }, more })
  const entry = entries.find(({ id }) => id === first.entryId)
  const seen = sdv.items
    .filter(({ due }) => due)
    .map(({ table, rid, code }) => {
      const rows = table === null ? null : (entry?.values[table] as readonly Record<string, string | number>[])
      const value = rows === null ? entry?.values[code] : rows.find((row) => row['_rid'] === rid)?.[code]
      const missing = entry?.missing[rid === null ? code : `${rid}.${code}`]
      return { table, rid, code, seen: { value: value ?? null, missing: missing ?? null } }
    })
  const body = {
    projectId,
    entryId: first.entryId,
    track: 'sdv',
    act: 'verify',
    method: 'onSite',
    note: null,
    items: seen,
  }
  await cra.call('review.act', { body, more })
  return first
}
