import { expect, test } from '@playwright/test'
import type { BrowserContext, Locator, Page } from '@playwright/test'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { crash } from '#tests/server/support/processes.ts'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { ANSWERS_OF_A, BEFORE, CALCULATED_OF_A, FIELDS, PAGE, PLANNED, TRIED, valuesOf } from './studyBuild/plan.ts'
import { addField, recode, selectField, untilSound } from './support/designing.ts'
import { untilOnDisk } from './support/disk.ts'
import { give } from './support/hand.ts'
import { startNetwork } from './support/network.ts'
import type { Network } from './support/network.ts'
import { signIn, signInAgain, unlock } from './support/session.ts'
import type { Person } from './support/session.ts'
import { ADMIN, openOffice } from './support/study/office.ts'
import { makeStudy, openProject } from './support/study/project.ts'
import type { Study } from './support/study/project.ts'
import { enrolByApi, enterByApi, findFirstPage, pageOf } from './support/study/subject.ts'
import { OWN_PASSWORD, joinTeam } from './support/study/team.ts'
import { enrol, keepCenter } from './support/study/ward.ts'
import { newTablet } from './support/tablet.ts'
import type { Tablet } from './support/tablet.ts'

/**
 * A study is built in the browser, tried, signed by two testers, released, filled in on two wards without a network,
 * amended while both are away, and migrated by a server that is killed in the middle: every value has its place, or is
 * listed as retired.
 */

const DBD: Person = { account: 'dbd', password: OWN_PASSWORD }
const WARDS: readonly [Person, Person] = [
  { account: 'crc1', password: OWN_PASSWORD },
  { account: 'crc2', password: OWN_PASSWORD },
]

let server: RunningServer
let network: Network
let desk: BrowserContext
let screen: Page
let admin: ApiUser
let ward: ApiUser
let study: Study
let projectId: string
let crfId: string
const tablets: Tablet[] = []
/** Addresses of the pages that are open on the tablets, and of the patients there. */
const open: string[] = []

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000)
  const office = await openOffice()
  server = office.server
  admin = office.admin
  network = await startNetwork(server.port)
  study = await makeStudy(admin, { projectName: '肺炎证候研究', minTesters: 2 })
  projectId = study.projectId
  const team = await joinTeam(office, study, {
    dbd: { realName: '吴数据', userRole: 'DBD', crfApprove: 1, dataScope: 'all' },
    crc1: { realName: '林录入', userRole: 'CRC', crfApprove: 1 },
    crc2: { realName: '陈录入', userRole: 'CRC', crfApprove: 0 },
  })
  ward = team.crc1
  await openProject(admin, projectId)
  desk = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
  screen = await desk.newPage()
  tablets.push(await newTablet(), await newTablet())
})

test.afterAll(async () => {
  await desk.close()
  for (const tablet of tablets) await tablet.dispose()
  await network.close()
  await server.dispose()
})

/** Past the wards' network. */
const address = (): string => `http://127.0.0.1:${server.port}`
const versions = (): string => `/p/${projectId}/admin/crfHistory`
const pick = (prop: string, code: string, label: string) =>
  ({ prop, by: 'choosing', several: false, choices: [{ code, label }] }) as const
const type = (prop: string, typed: string) => ({ prop, by: 'typing', typed }) as const

function tablet(no: 0 | 1): Tablet {
  const found = tablets[no]
  if (found === undefined) throw new Error('no such tablet')
  return found
}

/** Fills in fields of the open page in their order. */
async function fill(page: Page, answers: Readonly<Record<string, string>>): Promise<void> {
  for (const [prop, answer] of Object.entries(answers)) {
    const choice = FIELDS.find(({ code }) => code === prop)?.choices?.find(([value]) => value === answer)
    await give(page, choice === undefined ? type(prop, answer) : pick(prop, ...choice))
  }
  await expect(page.getByText(/已保存在本机/).first()).toBeVisible()
}

const row = (version: string): Locator => screen.getByRole('row').filter({ hasText: version })

async function newDraft(note: string): Promise<void> {
  await screen.goto(`${address()}${versions()}`)
  await screen.getByRole('button', { name: '新建草稿' }).first().click()
  await screen.getByLabel('版本说明').fill(note)
  await screen.getByRole('dialog').getByRole('button', { name: '新建' }).click()
  await screen.getByRole('link', { name: '设计', exact: true }).click()
  await screen.waitForURL('**/design')
  crfId = /\/v\/([^/]+)\/design/.exec(screen.url())?.[1] ?? ''
}

/** Publishes the draft to test, and both testers sign it. */
async function testAndSign(version: string): Promise<void> {
  await screen.goto(`${address()}${versions()}`)
  await screen.getByRole('button', { name: '发布到测试' }).click()
  await screen.getByRole('dialog').getByRole('button', { name: '发布到测试' }).click()
  await expect(row(version).getByText('测试版').first()).toBeVisible()
  for (const person of [WARDS[0], DBD]) {
    const context = person === DBD ? null : await desk.browser()?.newContext({ locale: 'zh-CN' })
    const page = context === null || context === undefined ? screen : await context.newPage()
    if (page !== screen) await signIn(page, address(), `/p/${projectId}/v/${crfId}/patients`, person)
    await page.goto(`${address()}${versions()}`)
    await page.getByRole('button', { name: '审核', exact: true }).click()
    const review = page.getByRole('dialog', { name: `测试版审核：${version}` })
    await review.getByRole('radio', { name: '通过', exact: true }).check()
    await review.getByLabel('测试内容').fill('全部 80 个字段')
    await review.getByLabel('修改建议').fill('无')
    await review.getByRole('button', { name: '签名', exact: true }).click()
    const sign = page.getByRole('dialog', { name: '请签名' })
    await sign.getByLabel('登录密码').fill(person.password)
    await sign.getByRole('button', { name: '签名', exact: true }).click()
    await expect(review.getByText('签名成功')).toBeVisible()
    await review.getByRole('button', { name: '完成' }).click()
    await context?.close()
  }
}

test('a page of 80 fields with rules comes from nothing, is tried, and nothing is wrong with it', async () => {
  test.setTimeout(480_000)
  expect(FIELDS).toHaveLength(80)
  await signIn(screen, address(), versions(), DBD)
  await newDraft('首版：基线评估')
  await screen.getByRole('button', { name: '新增访视' }).click()
  await screen.getByLabel('访视名称').fill(PAGE.folder)
  await screen.getByRole('button', { name: '新增表单页' }).click()
  await screen.getByLabel('页名称').fill(PAGE.name)
  await recode(screen, PAGE.code)
  for (const field of FIELDS) await addField(screen, field)
  await expect(screen.getByRole('listbox', { name: PAGE.name }).getByRole('option')).toHaveCount(80)
  await untilSound(screen)
  await screen.screenshot({ path: 'test-results/look/study-designed.png' })

  await screen.getByRole('button', { name: '预览' }).click()
  const preview = screen.getByRole('dialog', { name: `预览：${PAGE.name}` })
  await expect(preview.locator('[data-row="pregnant"]')).toBeHidden()
  await give(screen, pick('sex', '2', '女'))
  await expect(preview.locator('[data-row="pregnant"]')).toBeVisible()
  for (const [prop, typed] of [
    ['height', '160'],
    ['weight', '64'],
    ['sbp', '70'],
    ['dbp', '80'],
  ] as const)
    await give(screen, type(prop, typed))
  await preview.locator('[data-row="dbp"] input').blur()
  await expect(preview.locator('[data-row="bmi"]')).toContainText('25')
  await expect(preview.getByText('收缩压应高于舒张压').first()).toBeVisible()
  await preview.getByRole('button', { name: '关闭' }).click()
})

test('two testers sign it, and it is released', async () => {
  test.setTimeout(180_000)
  await testAndSign('V1.0')
  await screen.goto(`${address()}${versions()}`)
  await screen.getByRole('button', { name: '发布正式版' }).click()
  await screen.getByRole('dialog').getByRole('button', { name: '发布正式版' }).click()
  await expect(screen.getByRole('cell', { name: '正式版', exact: true })).toBeVisible()
  const assessment = await findFirstPage(ward, crfId)
  for (let at = 0; at < BEFORE; at += 1) {
    const target = pageOf(await enrolByApi(ward, study, { initials: 'PA' }), assessment)
    await enterByApi(ward, { projectId, versionId: crfId }, target, valuesOf(at))
  }
})

test('two wards fill it in without a network; it arrives', async () => {
  test.setTimeout(300_000)
  const patients = `/p/${projectId}/v/${crfId}/patients`
  for (const no of [0, 1] as const) await keepCenter(tablet(no).page, network.address, patients, WARDS[no])
  await network.cut()
  for (const no of [0, 1] as const) {
    const { page } = tablet(no)
    await page.reload()
    await unlock(page, WARDS[no].password)
    await enrol(page, { initials: no === 0 ? 'AAA' : 'BBB', name: '', mobile: '' }, /已入组：/)
    await page
      .getByRole('link', { name: new RegExp(PAGE.name) })
      .first()
      .click()
    open[no] = page.url()
  }
  const a = tablet(0).page
  await fill(a, ANSWERS_OF_A)
  for (const [prop, shown] of Object.entries(CALCULATED_OF_A))
    await expect(a.locator(`[data-row="${prop}"]`)).toContainText(shown)
  await expect(a.locator('[data-row="reason"]')).toBeHidden()
  await a.screenshot({ path: 'test-results/look/study-filled.png', fullPage: true })
  await fill(tablet(1).page, {
    sex: '1',
    height: '170',
    weight: '65',
    pulse: '80',
    tongue: '1',
    contact: '家属',
    cigarettes: '偶尔',
  })
  await network.restore()
  for (const no of [0, 1] as const)
    await expect(
      tablet(no)
        .page.getByText(/已送达服务器|服务器已接收|已同步/)
        .first(),
    ).toBeVisible({ timeout: 60_000 })
  await expect.poll(() => entries().then((all) => all.length), { timeout: 60_000 }).toBe(BEFORE + 2)
  await expect.poll(async () => (await entryOf(0)).values['remark'], { timeout: 60_000 }).toBe(ANSWERS_OF_A.remark)
  await expect.poll(async () => (await entryOf(1)).values['cigarettes'], { timeout: 60_000 }).toBe('偶尔')
  expect(Object.keys((await entryOf(0)).values)).toHaveLength(79)
})

test('both wards are away again, one with typing that no save was made of, when the study is amended', async () => {
  test.setTimeout(300_000)
  await network.cut()
  // The battery goes in the middle of typing.
  const a = tablet(0).page
  await a.locator('[data-row="contact"] [data-control=text]').fill('家属 139')
  await expect(a.getByText(/已保存在本机/).first()).toBeVisible()
  const remark = a.locator('[data-row="remark"] [data-control=text]')
  await remark.focus()
  await a.keyboard.press('Control+End')
  await remark.pressSequentially('，复')
  await untilOnDisk(a, () => remark.pressSequentially('测'))
  await tablet(0).pullBattery()
  const b = tablet(1).page
  await fill(b, { cigarettes: '15', pulse: '88', tongue: '3', coat: '2' })
  await b.goto(`${network.address}/p/${projectId}/v/${crfId}/patients`)
  await unlock(b, WARDS[1].password)
  await enrol(b, { initials: 'CCC', name: '', mobile: '' }, /已入组：/)
  await b
    .getByRole('link', { name: new RegExp(PAGE.name) })
    .first()
    .click()
  open[2] = b.url()
  await fill(b, { pulse: '70', coat: '1', contact: '本人' })

  await newDraft('修订：更名、改类型、删除、重新编码、新增')
  await screen.getByRole('treeitem', { name: new RegExp(PAGE.name) }).click()
  await selectField(screen, '脉搏')
  await screen.getByLabel('名称', { exact: true }).first().fill('脉率')
  await recode(screen, 'pulserate')
  await selectField(screen, '每日吸烟支数')
  await screen.getByRole('combobox', { name: '类型' }).click()
  await screen.getByRole('option', { name: '数字', exact: true }).click()
  await selectField(screen, '联系方式')
  await screen.getByRole('toolbar').getByRole('button', { name: '删除' }).click()
  await selectField(screen, '舌色')
  for (const [at, value] of ['dh', 'h', 'j'].entries())
    await screen.getByLabel(`值 ${at + 1}`, { exact: true }).fill(value)
  await selectField(screen, '舌苔')
  await screen.getByLabel('值 2', { exact: true }).fill('5')
  await screen.getByLabel('名称 2', { exact: true }).fill('黄厚腻')
  await addField(screen, { type: '单行文本', label: '闻诊', code: 'smell' })
  await untilSound(screen)
  await testAndSign('V2.0')
})

test('the release says beforehand what becomes of every value, and is tried on the real data', async () => {
  test.setTimeout(120_000)
  await screen.goto(`${address()}${versions()}`)
  await screen.getByRole('button', { name: '发布正式版' }).click()
  const dialog = screen.getByRole('dialog', { name: '发布正式版' })
  // What was renamed in the designer needs nobody's word.
  const said = dialog.getByRole('region', { name: /已指定的映射/ })
  for (const line of ['pulse → pulserate', 'coat: 2 → 5'])
    await expect(said.getByText(line)).toBeVisible({ timeout: 30_000 })
  for (const [fact, count] of Object.entries(PLANNED)) await expect(factOf(dialog, fact)).toHaveText(String(count))
  await expect(dialog.getByText(`已检查 ${BEFORE + 2} / ${BEFORE + 2} 名受试者。`)).toBeVisible({ timeout: 60_000 })
  const dryRun = dialog.getByRole('region', { name: /试运行/ })
  for (const [fact, count] of Object.entries(TRIED)) await expect(factOf(dryRun, fact)).toHaveText(String(count))
  await dialog.screenshot({ path: 'test-results/look/release-tried.png' })
})

test('the server is killed in the middle of the migration, goes on when it is started, and says that it is done', async () => {
  test.setTimeout(180_000)
  const released = screen.waitForResponse(
    (response) => response.url().includes('/release') && response.request().method() === 'POST',
  )
  await screen.getByRole('dialog', { name: '发布正式版' }).getByRole('button', { name: '发布正式版' }).click()
  const { data } = (await (await released).json()) as { data: { taskId: string } }
  const finished = async () =>
    (await admin.call<{ finishedCount: number }>('task.result', { params: { id: data.taskId } })).finishedCount
  while ((await finished()) < 10) await new Promise((resolve) => setTimeout(resolve, 20))
  await crash(server.child)
  server = await startServer({
    adminPassword: ADMIN.password,
    dataDir: server.dataDir,
    port: server.port,
    env: { DEMO: '0' },
  })
  const database = await openServerDatabase(server.dataDir)
  const { rows } = await database.query<{ brought: string }>(
    'SELECT count(*) AS brought FROM entry WHERE version_id = $1',
    [crfId],
  )
  await database.end()
  console.log(`killed after ${rows[0]?.brought ?? ''} of ${BEFORE + 2} patients, as it was seen after the start`)
  await screen.screenshot({ path: 'test-results/look/migration-running.png' })
  const done = screen.getByRole('dialog').filter({ hasText: '项目发布成功，请退出后重新进入!' })
  await expect(done).toBeVisible({ timeout: 60_000 })
  await screen.screenshot({ path: 'test-results/look/migration-done.png' })
  await done.getByRole('button', { name: '返回项目列表' }).click()
  await screen.waitForURL('**/projects')
})

test('the wards come back: every value is in its new place or listed as retired, once', async () => {
  test.setTimeout(240_000)
  await network.restore()
  const a = await tablet(0).start()
  await a.goto(open[0] ?? '')
  await unlock(a, WARDS[0].password)
  await signInAgain(a, WARDS[0].password)
  await expect
    .poll(async () => (await entryOf(0)).values['remark'], { timeout: 60_000 })
    .toBe(`${ANSWERS_OF_A.remark}，复测`)
  await expect
    .poll(async () => (await entries()).filter(({ version_id: version }) => version === crfId).length, {
      timeout: 60_000,
    })
    .toBe(BEFORE + 3)
  await expect.poll(async () => (await entryOf(1)).values['coat'], { timeout: 60_000 }).toBe('5')

  const gone = new Set(['contact', 'pulse', 'cigarettes', 'tongue', 'coat'])
  const rest = Object.entries(ANSWERS_OF_A).filter(([code]) => !gone.has(code))
  const numbers = new Set(FIELDS.flatMap(({ type: kind, code }) => (kind === '数字' ? [code] : [])))
  const typed = Object.fromEntries(rest.map(([code, value]) => [code, numbers.has(code) ? Number(value) : value]))
  const filled = {
    ...typed,
    visitdate: '2026-03-02',
    nextdate: '2026-04-01',
    remark: `${ANSWERS_OF_A.remark}，复测`,
    bmi: 25,
    total: 19,
    grade: '轻',
  }
  expect(await entryOf(0)).toMatchObject({
    version_id: crfId,
    values: { ...filled, pulserate: 72, cigarettes: 12, tongue: 'h', coat: '5' },
    retired: { contact: { value: '家属 139' } },
  })
  expect(Object.keys((await entryOf(0)).values)).toHaveLength(78)
  const b = await entryOf(1)
  expect(b.values).toEqual({
    sex: '1',
    height: 170,
    weight: 65,
    bmi: 22.5,
    pulserate: 88,
    cigarettes: 15,
    tongue: 'j',
    coat: '5',
  })
  expect(b.retired).toMatchObject({ contact: { value: '家属' } })
  const c = await entryOf(2)
  expect(c.values).toEqual({ pulserate: 70, coat: '1' })
  expect(c.retired).toMatchObject({ contact: { value: '本人' } })

  // All others, by hand: 5 × (40 × 60 + 780) beats; 67, 67 and 66 of 200 by threes; the even halves.
  const others = (await entries()).filter(({ id }) => ![0, 1, 2].some((no) => id === idOf(no)))
  expect(others).toHaveLength(BEFORE)
  const count = (holds: (values: EntryFound['values']) => boolean) =>
    others.filter(({ values }) => holds(values)).length
  expect(others.reduce((sum, { values }) => sum + Number(values['pulserate']), 0)).toBe(15_900)
  expect([
    count(({ tongue }) => tongue === 'dh'),
    count(({ tongue }) => tongue === 'h'),
    count(({ tongue }) => tongue === 'j'),
  ]).toEqual([67, 67, 66])
  expect([count(({ coat }) => coat === '1'), count(({ coat }) => coat === '5')]).toEqual([100, 100])
  expect([
    count(({ cigarettes: many }) => typeof many === 'number'),
    count(({ cigarettes: many }) => many === '约20'),
  ]).toEqual([150, 50])
  expect(new Set(others.map(({ retired }) => String(retired['contact']?.value))).size).toBe(BEFORE)
  const chain = await admin.call<{ holds: boolean }>('audit.verify', { query: { projectId } })
  expect(chain.holds).toBe(true)

  await a.goto(open[0] ?? '')
  // Whether the app was locked is known once either is there.
  const locked = a.getByRole('button', { name: /解锁|打开本机数据/ })
  const renamed = a.getByText('脉率').first()
  await expect(locked.or(renamed).first()).toBeVisible({ timeout: 60_000 })
  if (await locked.isVisible()) await unlock(a, WARDS[0].password)
  await expect(renamed).toBeVisible({ timeout: 60_000 })
  const retired = a.getByRole('table', { name: '停用的值' }).or(a.getByRole('region', { name: /停用/ }))
  await expect(retired.first()).toContainText('家属 139')
  await a.screenshot({ path: 'test-results/look/study-amended.png', fullPage: true })
})

interface EntryFound {
  readonly id: string
  readonly version_id: string
  readonly values: Readonly<Record<string, string | number | null>>
  readonly retired: Readonly<Record<string, { readonly value: string }>>
}

async function entries(): Promise<readonly EntryFound[]> {
  const database = await openServerDatabase(server.dataDir)
  try {
    const { rows } = await database.query<EntryFound>(
      `SELECT e.id, e.version_id, e."values", e.retired FROM entry e WHERE e.project_id = $1`,
      [projectId],
    )
    return rows
  } finally {
    await database.end()
  }
}

/** The id of the entry whose page was open at such a place. */
function idOf(no: number): string {
  return /\/page\/([^/?]+)/.exec(open[no] ?? '')?.[1] ?? ''
}

async function entryOf(no: number): Promise<EntryFound> {
  const found = (await entries()).find(({ id }) => id === idOf(no))
  if (found === undefined) throw new Error(`entry ${no} is not there`)
  return found
}

function factOf(within: Locator, fact: string): Locator {
  return within
    .locator('dt', { hasText: new RegExp(`^${fact}$`) })
    .first()
    .locator('xpath=following-sibling::dd[1]')
}
