import { expect, test } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { openHistory } from './support/hand.ts'
import { startDemoWard } from './support/demoWard.ts'
import type { DemoWard, WardTablet } from './support/demoWard.ts'

/**
 * A value that is true and not as expected: it is confirmed where it stands, without a network, and a correction leaves
 * a submitted page submitted.
 */

let ward: DemoWard
let tablet: WardTablet

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  ward = await startDemoWard(browser)
  tablet = await ward.unpack()
})

test.afterAll(() => ward.dispose())

test('a blood pressure of 230 is confirmed with a reason, explained, sent, and the page stays submitted', async () => {
  test.setTimeout(240_000)
  const { page, network } = tablet
  await ward.takeToTheWard(tablet, 'crc')
  await network.cut()
  await ward.openVitals(tablet, '01-003')
  const sbp = page.locator('[data-row="sbp"]')
  await sbp.locator('input').fill('230')
  await page.keyboard.press('Tab')
  await expect(sbp).toContainText('高于合理范围（不高于 220）')
  await expect(sbp).toContainText('偏高')
  await expect(page.getByText(/已修改，尚未提交：.*1 项待确认/)).toBeVisible()
  await expectAccessible(page, 'page with a warning')

  // A submit asks, in one list.
  await page.getByRole('button', { name: '提交', exact: true }).click()
  const asked = page.getByRole('dialog', { name: '提交前请逐项确认或更正（1 项）' })
  await expect(asked).toContainText('230')
  await expectAccessible(page, 'warnings that are asked for')
  await asked.getByRole('button', { name: '去更正' }).click()
  await expect(asked).toHaveCount(0)

  await sbp.getByRole('button', { name: '收缩压：确认无误' }).click()
  const dialog = page.getByRole('dialog', { name: '收缩压：确认无误' })
  await dialog.getByRole('button', { name: '确认无误' }).click()
  await expect(dialog.getByText('请填写原因')).toBeVisible()
  await dialog.getByLabel('理由').fill('双臂复测一致')
  await dialog.getByRole('button', { name: '确认无误' }).click()
  await expect(sbp).toContainText('林协调 已确认无误：双臂复测一致')

  await page.getByRole('button', { name: '说明原因' }).click()
  const reasons = page.getByRole('dialog', { name: '说明修改原因' })
  await reasons.getByText('获得新的源数据').click()
  await expect(reasons).toHaveCount(0)
  await expect(page.getByText(/已修改/)).toHaveCount(0)
  await expect(page.getByText('已提交').first()).toBeVisible()

  await network.restore()
  await ward.received(tablet)
  await ward.openVitals(tablet, '01-003')
  await expect(sbp).toContainText('已确认无误：双臂复测一致')
  await expect(page.getByText('已提交').first()).toBeVisible()
  await openHistory(page, '收缩压')
  await expect(page.getByRole('dialog', { name: '收缩压：稽查轨迹' })).toContainText('对警告的值确认无误')
  await page.keyboard.press('Escape')

  // Another value is another question.
  await sbp.locator('input').fill('240')
  await page.keyboard.press('Tab')
  await expect(sbp.getByRole('button', { name: '收缩压：确认无误' })).toBeVisible()
})
