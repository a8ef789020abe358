import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { TreeFolder } from '#core/api/calls/version.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { expectAccessible } from './support/accessible.ts'
import { signIn, signOut } from './support/session.ts'

/**
 * One patient is entered twice by two people who do not see each other; a data manager decides what differs and merges
 * the two.
 */

const ADMIN_PASSWORD = 'Admin-Twice-8412'
const [FIRST_PASSWORD, PASSWORD] = ['First-Twice-5521', 'Own-Twice-7730']

const PAGE = {
  column: [
    { prop: 'height', label: '身高', type: 'number', zl: { unit: 'cm' } },
    { prop: 'weight', label: '体重', type: 'number', zl: { unit: 'kg' } },
    {
      prop: 'tongue',
      label: '舌苔',
      type: 'radio',
      dicData: [
        { value: 'bb', label: '薄白' },
        { value: 'hn', label: '黄腻' },
      ],
    },
    { prop: 'note', label: '备注', type: 'input' },
    {
      prop: 'drugs',
      label: '合并用药',
      type: 'dynamic',
      zl: { rowKey: ['drug'] },
      children: {
        column: [
          { prop: 'drug', label: '药名', type: 'input', required: true },
          { prop: 'dose', label: '单次剂量', type: 'number', zl: { unit: 'mg' } },
        ],
      },
    },
  ],
}

let server: RunningServer
let address: string
let admin: ApiUser
let projectId: string
let crfId: string
let patientId: string
let place: { readonly folderId: string; readonly pageId: string }
const people: Record<string, ApiUser> = {}

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  server = await startServer({ adminPassword: ADMIN_PASSWORD, env: { DEMO: '0' } })
  address = `http://127.0.0.1:${server.port}`
  admin = await signInByApi(address, 'admin', ADMIN_PASSWORD)
  projectId = (
    await admin.call<{ id: string }>('project.save', {
      body: { projectName: '双份录入研究', projectScopeCode: 'areamultiple' },
    })
  ).id
  await admin.call('project.confUpdate', { body: { projectId, isDouble: 1, isFilterPeriod: 'N', minTesters: 0 } })
  const { id: centerId } = await admin.call<{ id: string }>('center.save', {
    body: { projectId, centerName: '北京一院', centerCode: 'BJ01' },
  })
  crfId = (await admin.call<{ id: string }>('version.save', { body: { projectId, remark: '首版' } })).id
  const folders = [
    {
      folderName: '筛选期',
      folderCode: 'V1',
      pages: [{ pageName: '生命体征', pageCode: 'VS', repeatable: false, option: JSON.stringify(PAGE) }],
    },
  ]
  await admin.call('version.import', {
    query: { crfId },
    body: { definition: { folders }, sourceName: 'a.csv', source: 'a' },
  })
  await admin.call('version.releaseTest', { query: { crfId } })
  await admin.call('version.release', { query: { crfId } })
  await admin.call('project.changeStatus', { query: { projectId, status: 'process' } })
  for (const [account, realName, userRole, entryPass] of [
    ['one', '林一录', 'CRC', 1],
    ['two', '吴二录', 'CRC', 2],
    ['dm', '周数据', 'DBD', 1],
  ] as const) {
    const user = await admin.call<{ id: string }>('user.save', {
      body: { account, realName, password: FIRST_PASSWORD },
    })
    await admin.call('member.save', {
      body: {
        projectId,
        userId: user.id,
        userRole,
        type: 'center',
        dataScope: userRole === 'DBD' ? 'all' : 'center',
        centerIds: userRole === 'DBD' ? [] : [centerId],
        entryPass,
        status: 'active',
      },
    })
    const first = await signInByApi(address, account, FIRST_PASSWORD)
    await first.call('auth.changePassword', { body: { oldPassword: FIRST_PASSWORD, newPassword: PASSWORD } })
    people[account] = await signInByApi(address, account, PASSWORD)
  }
  patientId = newId()
  const identity = { name: null, mobile: null, email: null, birthDate: null }
  await person('one').call('patient.save', {
    body: {
      id: patientId,
      projectId,
      centerId,
      no: null,
      mark: '7F3A',
      initials: 'ZS',
      sex: 'F',
      enrolledOn: '2026-03-01',
      identity,
    },
  })
  const folder = (await tree())[0]
  place = { folderId: folder?.id ?? '', pageId: folder?.crfPageVOList[0]?.id ?? '' }
})

test.afterAll(() => server.dispose())

function person(account: string): ApiUser {
  const user = people[account]
  if (user === undefined) throw new Error(`nobody is called ${account}`)
  return user
}

async function tree(): Promise<readonly TreeFolder[]> {
  const response = await fetch(`${address}/api/edc/data/crf/${crfId}/tree/list`, { headers: person('one').headers })
  return ((await response.json()) as { data: readonly TreeFolder[] }).data
}

/** Saves a page in a pass, past the screen. */
async function save(
  account: string,
  pass: 1 | 2,
  values: Readonly<Record<string, JsonValue>>,
  drugs: readonly (readonly [string, number])[],
): Promise<void> {
  const target = { patientId, ...place, folderRepeat: '0', pageRepeat: '0', parentEntryId: null, pass }
  const empty = { value: null, missing: null }
  const rows = drugs.map((_, at) => ({
    table: 'drugs',
    rid: newId(),
    to: { deleted: false, order: `a${at}` },
    base: null,
    seen: null,
    reason: null,
  }))
  const items = [
    ...Object.entries(values).map(([code, value]) => ({
      table: null,
      rid: null,
      code,
      to: { value, missing: null },
      base: empty,
      isShow: 1,
      reason: null,
    })),
    ...drugs.flatMap(([drug, dose], at) =>
      Object.entries({ drug, dose }).map(([code, value]) => ({
        table: 'drugs',
        rid: rows[at]?.rid,
        code,
        to: { value, missing: null },
        base: empty,
        isShow: 1,
        reason: null,
      })),
    ),
  ]
  const response = await fetch(`${address}/api/edc/data/page/${entryId(target)}/save`, {
    method: 'POST',
    headers: {
      ...person(account).headers,
      'content-type': 'application/json',
      'idempotency-key': newId(),
      projectId,
      crfId,
      doubleSeqNo: String(pass),
    },
    body: JSON.stringify({ target, items, rows, journal: [], seen: null }),
  })
  expect(await response.json()).toMatchObject({ success: true })
}

const choose = (page: Page, gap: string, choice: string) =>
  page.getByRole('group', { name: gap }).getByRole('radio', { name: choice }).check()

test('whoever enters the first pass opens the second, with a reason', async ({ page }) => {
  await signIn(page, address, `/eCRF/${patientId}?p=${projectId}`, { account: 'one', password: PASSWORD })
  await page.getByRole('button', { name: '开启第二遍录入' }).click()
  await page.getByLabel('理由').fill('关键指标需双份录入')
  // Nothing of the first pass is submitted yet: it is asked for twice.
  await page.getByRole('checkbox', { name: '一录尚未完成，仍要开启' }).check()
  await expectAccessible(page, 'opening a second pass')
  await page.getByRole('dialog').getByRole('button', { name: '开启' }).click()
  await expect(page.getByText('第二遍录入中')).toBeVisible()
  // Comparing is nobody's business who enters.
  await expect(page.getByRole('link', { name: '双录核对' })).toHaveCount(0)
  await signOut(page)
})

test('the data manager decides each difference, accepts one as equal, and merges', async ({ page }) => {
  test.setTimeout(120_000)
  await save('one', 1, { height: 170, weight: 65, tongue: 'bb', note: 'Walks daily' }, [
    ['甘草', 6],
    ['黄芪', 9],
  ])
  await save('two', 2, { height: 170, weight: 56, tongue: 'hn', note: 'walks daily' }, [
    ['甘草', 3],
    ['当归', 5],
  ])
  await signIn(page, address, `/eCRF/${patientId}?p=${projectId}`, { account: 'dm', password: PASSWORD })
  await page.getByRole('link', { name: '双录核对' }).click()
  await expect(page.getByRole('group', { name: '体重' })).toContainText('林一录')
  await expect(page.getByRole('group', { name: '身高' })).toHaveCount(0)
  await expect(page.getByText('一致率 37.5%（比对 8 项，差异 5 项）').or(page.getByText(/一致率/))).toBeVisible()
  await expectAccessible(page, 'comparison of two passes')

  await page.getByRole('button', { name: '合并', exact: true }).click()
  await expect(page.getByText(/还有 \d 项没有决定/)).toBeVisible()
  await page.getByRole('button', { name: '备注: 视为等价' }).click()
  await page.getByLabel('理由').fill('仅大小写')
  await page.getByRole('dialog').getByRole('button', { name: '视为等价' }).click()
  await expect(page.getByText('已视为等价：仅大小写（周数据）')).toBeVisible()

  await choose(page, '体重', '输入新值')
  await page.locator('[data-row="weight"] input').fill('60')
  await page.getByLabel('依据').first().click()
  await page.getByRole('option', { name: '新的源记录' }).click()
  await expectAccessible(page, 'a new value')
  await choose(page, '舌苔', '采用第二遍')
  await choose(page, '合并用药 · 第 1 行 · 单次剂量', '采用第二遍')
  await choose(page, '合并用药 · 第 2 行 · 整行', '采用第一遍')
  await choose(page, '合并用药 · 第 3 行 · 整行', '采用第二遍')
  await page.screenshot({ path: 'test-results/look/diff.png', fullPage: true })
  await page.getByRole('button', { name: '合并', exact: true }).click()
  await expect(page.getByText(/共修改 4 项/)).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: '合并' }).click()
  await expect(
    page.getByText('第一遍即为合并后的数据，第二遍已锁定保留。').or(page.getByText('已合并')).first(),
  ).toBeVisible()
  await expectAccessible(page, 'merged passes')
  await page.getByRole('link', { name: '全项目一致性' }).click()
  await expect(page.getByRole('heading', { name: '双录一致性' })).toBeVisible()
  await expect(page.getByRole('table', { name: '按字段' })).toContainText('生命体征 · 体重')
  await expect(page.getByText('超出上限').first()).toBeVisible()
  await expectAccessible(page, 'agreement of the two passes')
  await page.screenshot({ path: 'test-results/look/agreement.png', fullPage: true })
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: '下载 CSV' }).click()
  expect((await file).suggestedFilename()).toMatch(/^双录一致性-.*\.csv$/)
  await signOut(page)

  await signIn(page, address, `/eCRF/${patientId}?p=${projectId}`, { account: 'one', password: PASSWORD })
  await expect(page.getByText('双录已合并')).toBeVisible()
  await page.getByRole('link', { name: /^生命体征/ }).click()
  // Who may enter here has the patient on the device after a moment: the page opens to typing.
  await expect(page.locator('[data-row="weight"] input')).toHaveValue('60')
  await expect(page.locator('[data-row="drugs"]')).toContainText('当归')
  await expect(page.locator('[data-row="drugs"]')).toContainText('黄芪')
  await signOut(page)
})
