import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { newId } from '#core/ids.ts'

import { PASSWORD, openSubject, startRightsWard } from './support/rightsWard.ts'
import type { AtWork, RightsWard } from './support/rightsWard.ts'
import { signInAgain, unlock } from './support/session.ts'

/**
 * A coordinator who keeps nothing on the tablet: the page that they open comes onto it by itself, and is theirs without
 * a network too.
 */

let ward: RightsWard
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  test.setTimeout(120_000)
  ward = await startRightsWard()
})
test.afterEach(() => ward.leave())
test.afterAll(() => ward.dispose())

const box = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })

/** Types into a field of the page, and leaves it. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await expect(box(page, label)).toBeEditable()
  await box(page, label).fill(text)
  await box(page, label).blur()
}

/** The app itself opens without a network from then on. */
const shellIsHere = (page: Page) => page.evaluate(async () => (await navigator.serviceWorker.ready).scope)

const held = (work: AtWork) => ward.held(work.patientId)

test('without keeping the center: typed at once, typed on without a network, there after a reload, and all of it arrives', async ({
  browser,
}) => {
  test.setTimeout(240_000)
  const work = await ward.begin(browser, 'opener', { keeps: false })
  const { page, network } = work
  await shellIsHere(page)
  await type(page, '体重', '65')
  await expect.poll(() => held(work), { timeout: 30_000 }).toContain('65')

  await network.cut()
  await type(page, '身高', '171')
  await page.reload()
  await unlock(page, PASSWORD)
  await expect(box(page, '身高')).toHaveValue('171')
  await expect(box(page, '体重')).toHaveValue('65')
  await type(page, '备注', '断网后录入')

  await network.restore()
  await signInAgain(page, PASSWORD)
  await expect.poll(() => held(work), { timeout: 60_000 }).toContain('断网后录入')
  expect(await held(work)).toContain('171')

  // In the list it is said that only who was opened is here.
  await page.goto(`${network.address}${ward.patients}`)
  await unlock(page, PASSWORD)
  await expect(page.getByText(/只有打开过的 1 位受试者在本设备/)).toBeVisible()
})

test('after a reload the password is asked for on the page itself, and it goes on; whoever was not opened is said not to be here', async ({
  browser,
}) => {
  test.setTimeout(180_000)
  const work = await ward.begin(browser, 'reload', { keeps: false, opens: false })
  const { page, network } = work
  await shellIsHere(page)
  await page.reload()
  await openSubject(page, 'RELO')
  await page
    .getByRole('link', { name: /生命体征/ })
    .first()
    .click()
  // The screen before asks for the password too, and is there until the page is.
  await expect(page.getByText('体重', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('输入密码后，该受试者会下载到本设备，即可录入')).toBeVisible()
  await expect(box(page, '体重')).toHaveCount(0)
  await page.getByLabel(/^密码/).fill(PASSWORD)
  await page.getByRole('button', { name: '继续', exact: true }).click()
  // The patient is downloaded first, and that takes as long as the network takes.
  await expect(box(page, '体重')).toBeEditable({ timeout: 60_000 })
  await type(page, '体重', '65')
  await expect.poll(() => held(work), { timeout: 30_000 }).toContain('65')

  const other = newId()
  const identity = { name: '钱乙', mobile: null, email: null, birthDate: null }
  await (
    await ward.colleague()
  ).call('patient.save', {
    body: {
      id: other,
      projectId: ward.projectId,
      centerId: ward.ownCenter,
      no: null,
      mark: other.slice(-4).toUpperCase(),
      initials: 'AWAY',
      sex: 'F',
      enrolledOn: '2026-11-20',
      identity,
    },
  })
  await network.cut()
  await page.goto(`${network.address}/eCRF/${other}?p=${ward.projectId}`)
  await unlock(page, PASSWORD)
  await expect(page.getByText('当前离线，该受试者不在本设备')).toBeVisible({ timeout: 30_000 })
})

test('a download that fails says so, and is tried again by a press and by itself', async ({ browser }) => {
  test.setTimeout(180_000)
  const work = await ward.begin(browser, 'failing', { keeps: false, opens: false })
  const { page } = work
  let answer: () => void = () => undefined
  const isSeen = new Promise<void>((resolve) => (answer = resolve))
  let fails = true
  await page.context().route('**/api/edc/sync/keys', async (route) => {
    if (!fails) return route.continue()
    await isSeen
    return route.fulfill({
      status: 500,
      contentType: 'application/json',
      body: '{"code":500,"success":false,"msg":"","data":null}',
    })
  })
  await openSubject(page, 'FAIL')
  await expect(page.getByText('正在把该受试者下载到本设备，完成后即可录入。')).toBeVisible()
  answer()
  await expect(page.getByText(/该受试者未能下载到本设备，暂时不能录入/)).toBeVisible()
  await page.getByRole('button', { name: '重试' }).click()
  await expect(page.getByText(/该受试者未能下载到本设备，暂时不能录入/)).toBeVisible()
  fails = false
  await expect(page.getByText(/该受试者未能下载到本设备/)).toHaveCount(0, { timeout: 30_000 })
  await page
    .getByRole('link', { name: /生命体征/ })
    .first()
    .click()
  await type(page, '体重', '66')
  await expect.poll(() => held(work), { timeout: 30_000 }).toContain('66')
})
