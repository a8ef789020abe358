import { expect, test } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { openHistory } from './support/hand.ts'
import { startDemoWard } from './support/demoWard.ts'
import type { DemoWard, WardTablet } from './support/demoWard.ts'

/**
 * A page that was submitted is changed without a network: why is asked for, goes along, and is read in the log of the
 * field and of the patient.
 */

let ward: DemoWard
let tablet: WardTablet

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  ward = await startDemoWard(browser)
  tablet = await ward.unpack()
})

test.afterAll(() => ward.dispose())

test('two values are changed offline, explained at once for both, sent, and read with old and new, who, when and why', async () => {
  test.setTimeout(240_000)
  const { page, network } = tablet
  await ward.takeToTheWard(tablet, 'crc')
  await network.cut()
  await ward.openVitals(tablet, '01-003')
  const address = new URL(page.url())
  const before = {
    pulse: await page.locator('[data-row="pulse"] input').inputValue(),
    weight: await page.locator('[data-row="weight"] input').inputValue(),
  }
  await page.locator('[data-row="pulse"] input').fill('73')
  await page.locator('[data-row="weight"] input').fill('81.5')
  await page.keyboard.press('Tab')
  await expect(page.getByText('2 项修改需要说明原因')).toBeVisible()
  await expectAccessible(page, 'page with changes that need a reason')

  // It is on the tablet, and whoever looks for what is unsent finds it.
  await page.getByRole('button', { name: '说明原因' }).click()
  const dialog = page.getByRole('dialog', { name: '说明修改原因' })
  const pulse = dialog.getByRole('group', { name: '脉搏：原因' })
  await expect(pulse).toContainText(`原值${before.pulse}`)
  await expect(pulse).toContainText('新值73')
  await dialog.getByRole('button', { name: '保存原因' }).click()
  await expect(dialog.getByText('还有 2 项未说明原因')).toBeVisible()
  await expectAccessible(page, 'reasons that are missing')
  await pulse.getByText('获得新的源数据').click()
  await pulse.getByLabel('说明').fill('护理记录更正')
  await pulse.getByRole('button', { name: '应用到全部 2 项' }).click()
  await dialog.getByRole('button', { name: '保存原因' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/需要说明原因/)).toHaveCount(0)

  await openHistory(page, '脉搏')
  const here = page.getByRole('dialog', { name: '脉搏：稽查轨迹' })
  await expect(here.getByRole('listitem').first()).toContainText('仅存本机')
  await expect(here.getByRole('listitem').first()).toContainText('护理记录更正')
  await expect(here.getByText('仅为本机尚未发送的修改', { exact: false })).toBeVisible()
  await expectAccessible(page, 'log of a field without a network')

  await network.restore()
  await ward.received(tablet)
  await ward.openVitals(tablet, '01-003')
  await openHistory(page, '脉搏')
  const log = page.getByRole('dialog', { name: '脉搏：稽查轨迹' })
  const newest = log.getByRole('listitem').first()
  await expect(newest).toContainText(`原值${before.pulse}`)
  await expect(newest).toContainText('新值73')
  await expect(newest).toContainText('林协调 · 临床研究协调员（CRC）')
  await expect(newest).toContainText('获得新的源数据 · 护理记录更正')
  await expect(newest).toContainText(/设备时间 \d{4}-.*服务器接收 \d{4}-/)
  await expect(log.getByRole('listitem').filter({ hasText: '仅存本机' })).toHaveCount(0)
  await expectAccessible(page, 'log of a field')

  const trail = `${address.pathname.replace(/\/page\/.*/, '/log')}?p=${ward.projectId}`
  const desk = await ward.atDesk('dbd', trail)
  const lines = desk.page.locator('main [data-row]')
  await expect(lines.filter({ hasText: '脉搏' }).first()).toContainText('护理记录更正')
  await expectAccessible(desk.page, 'log of a patient')
  const narrow = async (by: string, to: string) => {
    await desk.page.getByRole('button', { name: '筛选', exact: true }).click()
    await desk.page.getByRole('button', { name: by, exact: true }).click()
    await desk.page.getByRole('button', { name: to, exact: true }).first().click()
  }
  await narrow('页面', '生命体征')
  await narrow('类别', '数据项')
  await expect(lines.filter({ hasNotText: '生命体征' })).toHaveCount(0)
  await expect(lines.filter({ hasText: '· 体重原值' }).first()).toContainText(`原值${before.weight}`)
  const download = desk.page.waitForEvent('download')
  await desk.page.getByRole('button', { name: '下载 CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^稽查轨迹_01-003_\d{4}-\d\d-\d\d\.csv$/)
  await lines.filter({ hasText: '脉搏' }).first().getByRole('link').click()
  await expect(desk.page.locator('[data-row="pulse"]')).toContainText('73')

  // At a desk the history stands beside the page, follows from field to field, and gives the focus back.
  const history = (label: string) => desk.page.getByRole('complementary', { name: `${label}：稽查轨迹` })
  const clock = (label: string) => desk.page.getByRole('button', { name: `${label}：稽查轨迹` })
  await clock('脉搏').click()
  await expect(history('脉搏').getByRole('listitem').first()).toContainText('新值73')
  await expect(history('脉搏')).toBeFocused()
  await clock('体重').click()
  await expect(history('体重').getByRole('listitem').first()).toContainText('新值81.5')
  await expect(history('脉搏')).toHaveCount(0)
  await expectAccessible(desk.page, 'history beside a page')
  await desk.page.keyboard.press('Escape')
  await expect(history('体重')).toHaveCount(0)
  await expect(clock('体重')).toBeFocused()
  await desk.close()
})
