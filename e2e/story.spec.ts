import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { findInDatabases, findOnDisk, keysOnDisk } from './support/disk.ts'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { startNetwork } from './support/network.ts'
import type { Network } from './support/network.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { newTablet } from './support/tablet.ts'
import type { Tablet } from './support/tablet.ts'

/**
 * The main job, told once from end to end: a form from a real REDCap dictionary, a CRC on a ward without a network, a browser that dies in
 * the middle of typing, the return of the network, and a monitor who reads what arrived.
 */

const SAMPLES = process.env['SAMPLES_DIR'] ?? path.resolve(import.meta.dirname, '../../shared/samples')
const DICTIONARY = path.join(SAMPLES, 'redcap/redcapr_longitudinal.csv')

const ADMIN_PASSWORD = 'Admin-Planted-8412'
const FIRST_PASSWORD = 'First-Planted-5521'
const CRC_PASSWORD = 'Crc-Planted-7730'
const CRA_PASSWORD = 'Cra-Planted-2296'

/** Values that must never stand in clear anywhere but in the server's database. */
const PLANTED = {
  initials: 'QXJZ',
  name: '欧阳植标',
  mobile: '13987650321',
  firstName: 'Xqplantedfirst',
  lastName: 'Zvplantedlast',
  comments: 'Planted comment 赤芍川芎',
}

let server: RunningServer
let network: Network
let tablet: Tablet
let projectId: string
let versionId: string

test.describe.configure({ mode: 'serial' })

if (existsSync(DICTIONARY)) tellTheStory()
else test('the story is not told here', () => console.log(`There is no ${DICTIONARY}: the samples are not part of this repository`))

function tellTheStory(): void {
  test.beforeAll(async () => {
    server = await startServer({ adminPassword: ADMIN_PASSWORD })
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
    const admin = await signInByApi(network.address, 'admin', ADMIN_PASSWORD)
    const project = await admin.call<{ id: string }>('project.save', { body: { projectName: '端到端试验', projectScopeCode: 'areamultiple' } })
    projectId = project.id
    await admin.call('project.confUpdate', { body: { projectId, isDouble: 0, isFilterPeriod: 'N', minTesters: 0 } })
    await setUpTeam(admin)

    const { page } = tablet
    await signIn(page, `/p/${projectId}/admin/crfHistory`, 'admin', ADMIN_PASSWORD)
    await page.getByRole('button', { name: '新建草稿' }).first().click()
    await page.getByLabel('需求说明').fill('按 REDCap 数据字典建立')
    await page.getByRole('dialog').getByRole('button', { name: '新建' }).click()
    await page.getByRole('button', { name: '导入 REDCap 数据字典' }).first().click()
    await page.locator('input[type=file]').setInputFiles(DICTIONARY)
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('95')
    await expect(dialog).toContainText('9')
    await dialog.getByRole('button', { name: '导入到草稿' }).click()
    await expect(page.getByText('已导入 9 页，95 个字段')).toBeVisible()
    await closeDialog(page)
    await page.getByRole('button', { name: '发布到测试' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '发布到测试' }).click()
    await page.getByRole('button', { name: '发布正式版' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '发布正式版' }).click()
    await expect(page.getByRole('cell', { name: '正式版', exact: true })).toBeVisible()

    await admin.call('project.changeStatus', { query: { projectId, status: 'process' } })
    const versions = await admin.call<{ records: { id: string; crfProfile: string }[] }>('version.list', { query: { projectId } })
    expect(versions.records.map(({ crfProfile }) => crfProfile)).toEqual(['formal'])
    versionId = versions.records[0]?.id ?? ''
    await signOut(page)
  })

  test('a CRC keeps the center, loses the network and the battery, and loses nothing', async () => {
    test.setTimeout(240_000)
    let page = tablet.page
    const urls = watchUrls(page)
    const patients = `/p/${projectId}/v/${versionId}/patients`
    await signIn(page, patients, 'crc-e2e', CRC_PASSWORD)
    await page.getByRole('button', { name: '保存到此平板' }).click()
    await expect(page.getByRole('button', { name: '保存到此平板' })).toHaveCount(0, { timeout: 60_000 })
    await expect(page.getByRole('button', { name: '入组' }).first()).toBeEnabled()
    // Numbers are leased and the shell is kept before the network may go.
    await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
    await waitForLease(page)

    await network.cut()
    await page.reload()
    await unlock(page, CRC_PASSWORD)

    await page.getByRole('button', { name: '入组' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('姓名缩写').fill(PLANTED.initials)
    await dialog.getByLabel('姓名', { exact: true }).fill(PLANTED.name)
    await dialog.getByLabel('手机号').fill(PLANTED.mobile)
    await dialog.getByRole('button', { name: '确认入组' }).click()
    await expect(page.getByText('已入组：BJ01-001')).toBeVisible()
    await page.getByRole('button', { name: '开始填写' }).click()

    await page.getByRole('link', { name: /demographics/i }).first().click()
    await page.getByLabel('First Name', { exact: true }).fill(PLANTED.firstName)
    await page.getByLabel('Last Name', { exact: true }).fill(PLANTED.lastName)
    await expect(page.getByText('Has the patient given birth before?')).toBeHidden()
    await page.getByRole('radiogroup', { name: 'Gender' }).getByRole('radio', { name: 'Female' }).click()
    await page.getByRole('radiogroup', { name: 'Has the patient given birth before?' }).getByRole('radio').first().click()
    await page.getByLabel('How many times has the patient given birth?', { exact: true }).fill('2')
    await page.getByLabel('Height (cm)', { exact: true }).fill('170')
    await page.getByLabel('Weight (kilograms)', { exact: true }).fill('65')
    await expect(page.locator('[data-row="bmi"]')).toContainText('22.5')
    await expect(page.getByText(/已保存在本机/).first()).toBeVisible()

    const comments = page.getByLabel('Comments', { exact: true })
    await comments.click()
    await comments.pressSequentially(PLANTED.comments.slice(0, -1), { delay: 15 })
    await expect(page.locator('footer').getByText(/已保存在本机/)).toBeVisible()
    const before = await entered(page)
    const address = page.url()
    // The last character is journalled before the save that would hold it: the battery goes as soon as anything new is on the disk.
    await comments.pressSequentially(PLANTED.comments.slice(-1))
    await expect.poll(() => entered(page), { intervals: [5] }).not.toEqual(before)
    await tablet.pullBattery()

    page = await tablet.start()
    watchUrls(page, urls)
    await page.goto(address)
    await unlock(page, CRC_PASSWORD)
    await expect(page.getByLabel('First Name', { exact: true })).toHaveValue(PLANTED.firstName)
    await expect(page.getByLabel('Last Name', { exact: true })).toHaveValue(PLANTED.lastName)
    await expect(page.getByLabel('How many times has the patient given birth?', { exact: true })).toHaveValue('2')
    await expect(page.getByLabel('Comments', { exact: true })).toHaveValue(PLANTED.comments)
    await expect(page.locator('[data-row="bmi"]')).toContainText('22.5')

    const raw = await findInDatabases(page, [...Object.values(PLANTED), CRC_PASSWORD])
    expect(raw.records).toBeGreaterThan(0)
    expect(raw.findings).toEqual([])
    expect(urls.filter((url) => holdsSecret(url))).toEqual([])
  })

  test('the network returns: every value is on the server once, with its author, both times and its place in the chain', async () => {
    test.setTimeout(180_000)
    const { page } = tablet
    await network.restore()
    // The token went with the battery: the sign-in sheet asks for the password once the network is there.
    await signInAgain(page, CRC_PASSWORD)
    await page.goto(`${network.address}/device`)
    await unlockIfAsked(page, CRC_PASSWORD)
    await expect(page.getByText('没有未同步的内容')).toBeVisible({ timeout: 60_000 })
    await expect(page.getByText('BJ01-001').first()).toBeVisible()

    const database = await openServerDatabase(server.dataDir)
    try {
      const one = async (sql: string): Promise<Record<string, unknown>> => {
        const { rows } = await database.query<Record<string, unknown>>(sql)
        expect(rows).toHaveLength(1)
        return rows[0] ?? {}
      }
      const entry = await one(`
        SELECT e.*, u.account FROM entry e JOIN app_user u ON u.id = e.updated_by JOIN crf_page p ON p.page_id = e.page_id
        WHERE p.code = 'demographics'`)
      expect(entry['account']).toBe('crc-e2e')
      expect(entry['values']).toMatchObject({
        first_name: PLANTED.firstName,
        last_name: PLANTED.lastName,
        sex: '0',
        given_birth: '1',
        num_children: 2,
        height: 170,
        weight: 65,
        bmi: 22.5,
        comments: PLANTED.comments,
      })
      const patient = await one('SELECT no, name, mobile FROM patient')
      expect(patient).toEqual({ no: 'BJ01-001', name: PLANTED.name, mobile: PLANTED.mobile })

      // One effect per key: as many booked operations as keys, each with its own place, author, device and both times.
      const operations = await database.query<Record<string, unknown>>(`
        SELECT o.*, u.account FROM operation o JOIN app_user u ON u.id = o.author WHERE o.device_id IS NOT NULL AND o.device_seq IS NOT NULL ORDER BY o.seq`)
      expect(operations.rows.length).toBeGreaterThanOrEqual(2)
      for (const row of operations.rows) {
        expect(row).toMatchObject({ account: 'crc-e2e', outcome: 'applied' })
        expect(Date.parse(String(row['acted_at']))).toBeLessThanOrEqual(Date.parse(String(row['received_at'])))
        expect(row['head']).toMatch(/^[0-9a-f]{64}$/)
      }
      const places = operations.rows.map((row) => row['seq'])
      expect(new Set(places).size).toBe(places.length)
      const doubled = await database.query(`
        SELECT entry_id, prop, value_hash FROM audit WHERE action = 'item.update' GROUP BY op_key, entry_id, table_prop, rid, prop, value_hash
        HAVING count(*) > 1`)
      expect(doubled.rows).toEqual([])
      const trail = await database.query<Record<string, unknown>>(`
        SELECT a.prop, a.user_id, a.device_id, a.occurred_at, a.received_at, v.new_value FROM audit a JOIN audit_value v ON v.audit_id = a.id
        WHERE a.entry_id = '${String(entry['id'])}' AND a.prop = 'last_name'`)
      expect(trail.rows).toHaveLength(1)
      expect(JSON.stringify(trail.rows[0])).toContain(PLANTED.lastName)
      expect(Date.parse(String(trail.rows[0]?.['occurred_at']))).toBeLessThan(Date.parse(String(trail.rows[0]?.['received_at'])))

      // The tablet's receipts name heads that stand in the server's chain, and the chain holds.
      const heads = await database.query<{ head: string }>(`SELECT head FROM audit_link WHERE project_id = '${projectId}'`)
      const known = new Set(heads.rows.map(({ head }) => head))
      for (const row of operations.rows) expect(known.has(String(row['head']))).toBe(true)
    } finally {
      await database.end()
    }
    const admin = await signInByApi(network.address, 'admin', ADMIN_PASSWORD)
    const chain = await admin.call<{ holds: boolean; checked: number }>('audit.verify', { query: { projectId } })
    expect(chain.holds).toBe(true)
    expect(chain.checked).toBeGreaterThan(5)
    await expect(page.getByRole('heading', { name: '服务器回执' })).toBeVisible()
  })

  test('a monitor on another machine reads it and cannot write', async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    await signIn(page, `/p/${projectId}/v/${versionId}/patients`, 'cra-e2e', CRA_PASSWORD)
    await page.getByRole('link', { name: /BJ01-001/ }).first().click()
    await page.getByRole('link', { name: /demographics/i }).first().click()
    await expect(page.locator('[data-row="comments"]')).toContainText(PLANTED.comments)
    await expect(page.locator('[data-row="bmi"]')).toContainText('22.5')
    await expect(page.getByRole('button', { name: '提交' })).toHaveCount(0)
    // Who the patient is, is for those with the right to it only: the name, and what the dictionary marks as identifying.
    for (const value of [PLANTED.name, PLANTED.firstName, PLANTED.lastName]) await expect(page.getByText(value)).toHaveCount(0)
    await context.close()
  })

  test('a stranger who takes the tablet apart finds no value and no password, and the server wrote none to its log', async () => {
    await tablet.pullBattery()
    const secrets = [...Object.values(PLANTED), CRC_PASSWORD, ADMIN_PASSWORD]
    expect(await findOnDisk(tablet.profile, secrets)).toEqual([])
    const log = server.output()
    expect(log).not.toBe('')
    for (const secret of [...secrets, CRA_PASSWORD, FIRST_PASSWORD]) expect(log).not.toContain(secret)
    expect(log).not.toMatch(/bearer [A-Za-z0-9_-]{20}/)
  })
}

/** One center, a CRC and a monitor, each with a password of their own. */
async function setUpTeam(admin: ApiUser): Promise<void> {
  const center = await admin.call<{ id: string }>('center.save', { body: { projectId, centerName: '北京一院', centerCode: 'BJ01' } })
  for (const [account, realName, userRole, password] of [
    ['crc-e2e', '陈协调', 'CRC', CRC_PASSWORD],
    ['cra-e2e', '李监查', 'CRA', CRA_PASSWORD],
  ] as const) {
    const user = await admin.call<{ id: string }>('user.save', { body: { account, realName, password: FIRST_PASSWORD } })
    await admin.call('member.save', {
      body: { projectId, userId: user.id, userRole, type: 'center', dataScope: 'center', centerIds: [center.id], status: 'active' },
    })
    const first = await signInByApi(network.address, account, FIRST_PASSWORD)
    await first.call('auth.changePassword', { body: { oldPassword: FIRST_PASSWORD, newPassword: password } })
  }
}

async function signIn(page: Page, address: string, account: string, password: string): Promise<void> {
  await page.goto(`${network.address}${address}`)
  await page.getByLabel('账号').fill(account)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForURL(`**${address}`)
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /用户菜单/ }).click()
  await page.getByRole('button', { name: '退出登录' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '退出', exact: true }).click()
  await page.waitForURL('**/login*')
}

async function unlock(page: Page, password: string): Promise<void> {
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: /解锁|打开本机数据/ }).click()
}

async function unlockIfAsked(page: Page, password: string): Promise<void> {
  const button = page.getByRole('button', { name: '解锁' })
  await expect(button.or(page.getByRole('heading', { name: '本机数据' }))).toBeVisible()
  if (await button.isVisible()) await unlock(page, password)
}

/**
 * The access token went with the battery. The refresh cookie is on the disk or not, as the browser had the time: either the session
 * comes back by itself, or a sheet over the page asks for the password once the server answers.
 */
async function signInAgain(page: Page, password: string): Promise<void> {
  const again = page.getByRole('button', { name: '重新登录' })
  await expect(again.or(page.getByText(/已同步/)).first()).toBeVisible({ timeout: 60_000 })
  if (!(await again.isVisible())) return
  await page.getByLabel('密码', { exact: false }).last().fill(password)
  await again.click()
  await expect(again).toHaveCount(0)
}

async function closeDialog(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  if ((await dialog.count()) === 0) return
  await dialog.getByRole('button', { name: '关闭' }).first().click()
  await expect(dialog).toHaveCount(0)
}

/** What of the typing is on the tablet's disk: journalled, or saved. */
async function entered(page: Page): Promise<readonly string[]> {
  return [...(await keysOnDisk(page, 'drafts')), ...(await keysOnDisk(page, 'outbox'))]
}

/** Waits until the tablet holds numbers that it may give out. */
async function waitForLease(page: Page): Promise<void> {
  await page.getByRole('button', { name: '入组' }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await closeDialog(page)
}

function watchUrls(page: Page, into: string[] = []): string[] {
  page.on('request', (request) => into.push(request.url()))
  page.on('framenavigated', (frame) => into.push(frame.url()))
  return into
}

function holdsSecret(url: string): boolean {
  const text = decodeURIComponent(url)
  return [...Object.values(PLANTED), CRC_PASSWORD].some((secret) => text.includes(secret)) || /bearer/i.test(text)
}
