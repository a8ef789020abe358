import { expect, test } from '@playwright/test'
import type { EntryReview } from '#core/api/calls/review/check.ts'
import type { PatientReview } from '#src/data/hooks/review.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import { expectAccessible } from './support/accessible.ts'
import { startDemoWard } from './support/demoWard.ts'
import type { DemoWard, WardTablet } from './support/demoWard.ts'
import { DEMO_PASSWORD } from './support/demoData.ts'

/**
 * A monitor verifies a page against the source by keyboard alone and asks about two of its fields; the site
 * corrects one value, and just that field is to be verified again.
 */

let ward: DemoWard
let tablet: WardTablet
let line: LongPage

/** A submitted page, and how many of its fields the plan asks for. */
interface LongPage {
  readonly patientId: string
  readonly entryId: string
  readonly due: number
}

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  ward = await startDemoWard(browser)
  tablet = await ward.unpack()
  line = await planned()
})

test.afterAll(() => ward.dispose())

/** Switches a plan on that asks for everything, and finds the longest page without rows of a subject. */
async function planned(): Promise<LongPage> {
  const { projectId } = ward
  const manager = await signInByApi(tablet.network.address, 'dbd', DEMO_PASSWORD)
  const plan = { critical: [], sharePercent: 100, firstOfCenter: 0, folders: null, centers: [], seed: 'demo' }
  await manager.call('review.planSwitch', { body: { projectId, track: 'sdv', plan, note: '按监查计划全部核查' } })
  const { records } = await manager.call<{ records: { id: string }[] }>('patient.list', {
    query: { projectId, no: '01-003' },
  })
  const patientId = records[0]?.id ?? ''
  const pages = () => manager.call<PatientReview>('review.patient', { query: { projectId, patientId } })
  await expect
    .poll(async () => (await pages()).filter(({ ready, sdv }) => ready && sdv.due > 0).length, { timeout: 60_000 })
    .toBeGreaterThan(2)
  const submitted = (await pages()).filter(({ ready }) => ready)
  for (const { entryId } of submitted.toSorted((one, other) => other.sdv.due - one.sdv.due)) {
    const { sdv } = await manager.call<EntryReview>('review.entry', { query: { projectId, entryId } })
    if (sdv.items.every(({ table }) => table === null)) return { patientId, entryId, due: sdv.due }
  }
  throw new Error('the demo has no page to verify')
}

const pagePath = ({ patientId, entryId }: LongPage) => `/eCRF/${patientId}/page/${entryId}?p=${ward.projectId}`

test('a page is verified by keyboard alone, two fields are asked about, and a corrected value is to be verified again', async () => {
  test.setTimeout(240_000)
  const desk = await ward.atDesk('cra', pagePath(line))
  const { page } = desk
  const head = page.getByRole('region', { name: '核查' })
  await expect(head.getByText(`源数据核查 0/${line.due}`)).toBeVisible()
  const due = page.locator('[data-check][data-track="sdv"][aria-label$="源数据核查，待核查"]')
  await expect(due).toHaveCount(line.due)
  await expect(due.first()).toBeFocused()
  await expectAccessible(page, 'a page that is checked')

  // Two fields are asked about with a template, one is verified by itself, and all others at once.
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const ask = async (template: number) => {
    await press('q')
    const dialog = page.getByRole('dialog', { name: /提出质疑/ })
    await expect(dialog.getByRole('textbox', { name: '问题' })).toBeFocused()
    await press(...Array.from({ length: template }, () => 'Tab'), 'Enter', 'Control+Enter')
    await expect(dialog).toHaveCount(0)
  }
  const down = async () => {
    do await press('ArrowDown')
    while ((await page.locator(':focus[aria-label$="源数据核查，待核查"]').count()) === 0)
  }
  await press('v')
  await down()
  await ask(1)
  await down()
  const asked = (await page.evaluate(() => document.activeElement?.getAttribute('data-check'))) ?? ''
  await ask(2)
  await expect(head.getByRole('button', { name: /跳过 2 项有质疑/ })).toBeVisible()
  await press('Shift+V')
  await expect(head.getByText(`已核查 ${line.due - 3} 项，跳过有质疑的 2 项。`)).toBeVisible()
  await expect(head.getByText(`源数据核查 ${line.due - 2}/${line.due}`)).toBeVisible()

  // What was asked about is verified once it is settled; here the monitor takes it as it is, and goes on.
  await press('v')
  await expect(due).toHaveCount(1)
  await expect(due).toBeFocused()
  await press('v')
  await expect(head.getByText(`源数据核查 ${line.due}/${line.due}`)).toBeVisible()
  await expect(head.getByText('本页已全部核查，按 n 打开下一待核查页。')).toBeVisible()
  await expectAccessible(page, 'a page that is verified')

  // The keys are listed, and the panel beside tells who verified, when and how.
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: '核查快捷键' })).toBeVisible()
  await expectAccessible(page, 'the keys of checking')
  await page.keyboard.press('Escape')
  await page.locator(`[data-check="${asked}"][data-track="sdv"]`).focus()
  await page.keyboard.press('Alt+h')
  const beside = page.getByRole('complementary')
  const state = beside.getByRole('region', { name: '核查状态' })
  await expect(state.getByText('现场', { exact: false })).toBeVisible()
  await expect(beside.getByText('源数据核查：已核查 · 现场', { exact: false })).toBeVisible()
  await expectAccessible(page, 'a verified field beside its page')

  // The site corrects a value: just that field is to be verified again.
  await ward.takeToTheWard(tablet, 'crc')
  await ward.reopen(tablet, pagePath(line))
  const choice = tablet.page.locator('[data-row] [role="radio"][aria-checked="false"]').first()
  const corrected = await choice.evaluate((button) => button.closest('[data-row]')?.getAttribute('data-row') ?? '')
  await choice.click()
  await tablet.page.getByRole('button', { name: '说明原因' }).click()
  const why = tablet.page.getByRole('dialog', { name: '说明修改原因' })
  await why.getByText('转录错误').first().click()
  await expect(why).toHaveCount(0)
  await ward.received(tablet)
  await page.reload()
  const again = page.locator('[data-check][data-track="sdv"][aria-label$="需重新核查"]')
  await expect(again).toHaveCount(1)
  await expect(again).toHaveAttribute('data-check', corrected)
  await expect(head.getByText('需重新核查 1')).toBeVisible()
  await expect(again).toBeFocused()

  // The next page of the center that is to be checked opens with its first field in focus.
  await page.keyboard.press('v')
  await expect(head.getByText(`源数据核查 ${line.due}/${line.due}`)).toBeVisible()
  await page.keyboard.press('n')
  await expect.poll(() => page.url()).not.toContain(line.entryId)
  await expect(page.locator(':focus[data-check]')).toBeVisible()
  await desk.close()
})

test('who checks sees how far each page is, and without a network nothing that may be old', async () => {
  const desk = await ward.atDesk('cra', `/eCRF/${line.patientId}?p=${ward.projectId}`)
  const { page } = desk
  await expect(page.locator('[data-review="verified"]').first()).toBeVisible()
  await expectAccessible(page, 'a casebook that is checked')
  await page.goto(new URL(pagePath(line), page.url()).href)
  await expect(page.getByRole('region', { name: '核查' })).toBeVisible()
  await page.context().setOffline(true)
  await page.evaluate(() => window.dispatchEvent(new Event('offline')))
  await expect(page.getByText('核查需要联网，离线时不显示核查标记。')).toBeVisible()
  await expect(page.locator('[data-check]')).toHaveCount(0)
  await desk.close()
})
