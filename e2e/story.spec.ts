import path from 'node:path'
import { expect, test } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { expectBookedOnce } from './support/booked.ts'
import { findInDatabases, findOnDisk, untilOnDisk } from './support/disk.ts'
import { startNetwork } from './support/network.ts'
import type { Network } from './support/network.ts'
import { signIn, signInAgain, unlock, urlsWith, watchUrls } from './support/session.ts'
import { ADMIN } from './support/study/office.ts'
import { startEntry } from './support/study/project.ts'
import { releaseDictionary } from './support/study/versions.ts'
import {
  CRA,
  CRC,
  FIRST_PATIENT,
  PASSWORDS,
  enrol,
  keepCenter,
  makeProject,
  untilSynced,
} from './support/study/ward.ts'
import { newTablet } from './support/tablet.ts'
import type { Tablet } from './support/tablet.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'

/**
 * The main job, told once from end to end: a form from a REDCap dictionary, a CRC on a ward without a network, a
 * browser that dies in the middle of typing, the return of the network, and a monitor who reads what arrived.
 */

const DICTIONARY = path.resolve(import.meta.dirname, '../tests/samples/redcap/twin_heart.csv')

/** Values that must never stand in clear anywhere but in the server's database. */
const PLANTED = {
  initials: 'QXJZ',
  name: '欧阳植标',
  mobile: '13987650321',
  givenName: 'Xqplantedfirst',
  familyName: 'Zvplantedlast',
  remarks: 'Planted remark 赤芍川芎',
}

let server: RunningServer
let network: Network
let tablet: Tablet
let projectId: string
let patients: string

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  server = await startServer({ adminPassword: ADMIN.password })
  network = await startNetwork(server.port)
  tablet = await newTablet()
})

test.afterAll(async () => {
  await tablet.dispose()
  await network.close()
  await server.dispose()
})

test('an administrator makes the form from a REDCap dictionary and releases it', async () => {
  test.setTimeout(180_000)
  const admin = await signInByApi(network.address, ADMIN.account, ADMIN.password)
  projectId = await makeProject(network.address, admin, '端到端试验')
  const inDialog = async (dialog: Locator): Promise<void> => {
    await expect(dialog).toContainText('29')
    await expect(dialog).toContainText('3')
  }
  await releaseDictionary(tablet.page, network.address, projectId, DICTIONARY, inDialog, '已导入 3 页，29 个字段')
  patients = await startEntry(admin, projectId)
})

test('a CRC keeps the center, loses the network and the battery, and loses nothing', async () => {
  test.setTimeout(240_000)
  let page = tablet.page
  const urls = watchUrls(page)
  await keepCenter(page, network.address, patients)

  await network.cut()
  await page.reload()
  await unlock(page, CRC.password)

  await enrol(page, PLANTED)
  await page
    .getByRole('link', { name: /intake/i })
    .first()
    .click()
  await page.getByRole('textbox', { name: /^Given name/ }).fill(PLANTED.givenName)
  await page.getByLabel('Family name', { exact: true }).fill(PLANTED.familyName)
  await expect(page.getByText('Has she given birth?', { exact: true })).toBeHidden()
  await page.getByRole('radiogroup', { name: 'Sex' }).getByRole('radio', { name: 'Woman' }).click()
  await page.getByRole('radiogroup', { name: 'Has she given birth?' }).getByRole('radio').first().click()
  await page.getByLabel('How often has she given birth?', { exact: true }).fill('2')
  await page.getByLabel('Body height (cm)', { exact: true }).fill('170')
  await page.getByLabel('Body weight (kg)', { exact: true }).fill('65')
  await expect(page.locator('[data-row="bmi"]')).toContainText('22.5')
  await expect(page.getByText(/已保存在本机/).first()).toBeVisible()

  const remarks = page.getByLabel('Remarks of the ward', { exact: true })
  await remarks.click()
  await remarks.pressSequentially(PLANTED.remarks.slice(0, -1), { delay: 15 })
  await expect(page.locator('footer').getByText(/已保存在本机/)).toBeVisible()
  const address = page.url()
  // The last character is journalled before the save that would hold it: the battery goes as soon as anything new is on
  // the disk.
  await untilOnDisk(page, () => remarks.pressSequentially(PLANTED.remarks.slice(-1)))
  await tablet.pullBattery()

  page = await tablet.start()
  watchUrls(page, urls)
  await page.goto(address)
  await unlock(page, CRC.password)
  await expect(page.getByRole('textbox', { name: /^Given name/ })).toHaveValue(PLANTED.givenName)
  await expect(page.getByLabel('Family name', { exact: true })).toHaveValue(PLANTED.familyName)
  await expect(page.getByLabel('How often has she given birth?', { exact: true })).toHaveValue('2')
  await expect(page.getByLabel('Remarks of the ward', { exact: true })).toHaveValue(PLANTED.remarks)
  await expect(page.locator('[data-row="bmi"]')).toContainText('22.5')

  const raw = await findInDatabases(page, [...Object.values(PLANTED), CRC.password])
  expect(raw.records).toBeGreaterThan(0)
  expect(raw.findings).toEqual([])
  expect(urlsWith([...Object.values(PLANTED), CRC.password], urls)).toEqual([])
})

test('the network returns: every value is on the server once, with its author, both times and its place in the chain', async () => {
  test.setTimeout(180_000)
  const { page } = tablet
  await network.restore()
  // The token went with the battery: the sign-in sheet asks for the password once the network is there.
  await signInAgain(page, CRC.password)
  await untilSynced(page, network.address)

  const database = await openServerDatabase(server.dataDir)
  try {
    const one = async (sql: string): Promise<Record<string, unknown>> => {
      const { rows } = await database.query<Record<string, unknown>>(sql)
      expect(rows).toHaveLength(1)
      return rows[0] ?? {}
    }
    const entry = await one(`
      SELECT e.*, u.account FROM entry e JOIN app_user u ON u.id = e.updated_by JOIN crf_page p ON p.page_id = e.page_id
      WHERE p.code = 'intake'`)
    expect(entry['account']).toBe(CRC.account)
    expect(entry['values']).toMatchObject({
      given_name: PLANTED.givenName,
      family_name: PLANTED.familyName,
      sex: '0',
      has_children: '1',
      births: 2,
      body_height: 170,
      body_weight: 65,
      bmi: 22.5,
      remarks: PLANTED.remarks,
    })
    const patient = await one('SELECT no, name, mobile FROM patient')
    expect(patient).toEqual({ no: FIRST_PATIENT, name: PLANTED.name, mobile: PLANTED.mobile })

    await expectBookedOnce(database, projectId, CRC.account)
    const trail = await database.query<Record<string, unknown>>(`
      SELECT a.prop, a.user_id, a.device_id, a.occurred_at, a.received_at, v.new_value FROM audit a JOIN audit_value v ON v.audit_id = a.id
      WHERE a.entry_id = '${String(entry['id'])}' AND a.prop = 'family_name'`)
    expect(trail.rows).toHaveLength(1)
    expect(JSON.stringify(trail.rows[0])).toContain(PLANTED.familyName)
    expect(Date.parse(String(trail.rows[0]?.['occurred_at']))).toBeLessThan(
      Date.parse(String(trail.rows[0]?.['received_at'])),
    )
  } finally {
    await database.end()
  }
  const admin = await signInByApi(network.address, ADMIN.account, ADMIN.password)
  const chain = await admin.call<{ holds: boolean; checked: number }>('audit.verify', { query: { projectId } })
  expect(chain.holds).toBe(true)
  expect(chain.checked).toBeGreaterThan(5)
  await expect(page.getByRole('heading', { name: '服务器回执' })).toBeVisible()
})

test('a monitor on another machine reads it and cannot write', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await signIn(page, network.address, patients, CRA)
  await page
    .getByRole('link', { name: new RegExp(FIRST_PATIENT) })
    .first()
    .click()
  await page
    .getByRole('link', { name: /intake/i })
    .first()
    .click()
  await expect(page.locator('[data-row="remarks"]')).toContainText(PLANTED.remarks)
  await expect(page.locator('[data-row="bmi"]')).toContainText('22.5')
  await expect(page.getByRole('button', { name: '提交', exact: true })).toHaveCount(0)
  // Who the patient is, is for those with the right to it only: the name, and what the dictionary marks as identifying.
  for (const value of [PLANTED.name, PLANTED.givenName, PLANTED.familyName])
    await expect(page.getByText(value)).toHaveCount(0)
  await context.close()
})

test('a stranger who takes the tablet apart finds no value and no password, and the server wrote none to its log', async () => {
  await tablet.pullBattery()
  const secrets = [...Object.values(PLANTED), CRC.password, ADMIN.password]
  expect(await findOnDisk(tablet.profile, secrets)).toEqual([])
  const log = server.output()
  expect(log).not.toBe('')
  for (const secret of [...Object.values(PLANTED), ...PASSWORDS]) expect(log).not.toContain(secret)
  expect(log).not.toMatch(/bearer [A-Za-z0-9_-]{20}/)
})
