import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { expectAccessible } from './support/accessible.ts'
import { signIn } from './support/session.ts'

/**
 * A test version is reviewed by two people, signed by each with the password, and released; its amendment is compared
 * with it.
 */

const ADMIN_PASSWORD = 'Admin-Version-3390'
const [FIRST_PASSWORD, PASSWORD] = ['First-Version-1184', 'Own-Version-6651']

const page = (pageCode: string, pageName: string, column: readonly object[]) => ({
  pageName,
  pageCode,
  repeatable: false,
  option: JSON.stringify({ column }),
})
const PULSE = { prop: 'pulse', label: '脉搏', type: 'number', zl: { unit: '次/分', min: 30, max: 220 } }
const TONGUE = {
  prop: 'tongue',
  label: '舌色',
  type: 'radio',
  dicData: [
    { value: 'dh', label: '淡红' },
    { value: 'h', label: '红' },
    { value: 'j', label: '绛' },
  ],
}
const FIRST = [
  page('VS', '生命体征', [PULSE, TONGUE]),
  page('CM', '合并用药', [{ prop: 'drug', label: '药名', type: 'input' }]),
]
const AMENDED = [
  page('VS', '生命体征', [
    { ...PULSE, label: '脉率', required: true },
    {
      ...TONGUE,
      dicData: [
        { value: 'dh', label: '淡红舌' },
        { value: 'h', label: '红' },
      ],
    },
    { prop: 'coat', label: '舌苔', type: 'input' },
  ]),
  page('AE', '不良事件', [{ prop: 'term', label: '事件名称', type: 'input' }]),
]

let server: RunningServer
let address: string
let admin: ApiUser
let projectId: string
let versionId: string
let place: string

test.describe.configure({ mode: 'serial' })

const importInto = (crfId: string, pages: readonly object[]) =>
  admin.call('version.import', {
    query: { crfId },
    body: {
      definition: { folders: [{ folderName: '基线', folderCode: 'V1', pages }] },
      sourceName: 'a.csv',
      source: 'a',
    },
  })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  server = await startServer({ adminPassword: ADMIN_PASSWORD, env: { DEMO: '0' } })
  address = `http://127.0.0.1:${server.port}`
  admin = await signInByApi(address, 'admin', ADMIN_PASSWORD)
  projectId = (
    await admin.call<{ id: string }>('project.save', {
      body: { projectName: '肺炎证候研究', projectScopeCode: 'areamultiple' },
    })
  ).id
  await admin.call('project.confUpdate', { body: { projectId, isDouble: 0, isFilterPeriod: 'N', minTesters: 2 } })
  const { id: centerId } = await admin.call<{ id: string }>('center.save', {
    body: { projectId, centerName: '北京一院', centerCode: 'BJ01' },
  })
  for (const [account, realName, userRole, crfApprove] of [
    ['crc', '林录入', 'CRC', 1],
    ['dbd', '吴数据', 'DBD', 1],
    ['cra', '赵监查', 'CRA', 0],
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
        dataScope: 'center',
        centerIds: [centerId],
        crfApprove,
        status: 'active',
      },
    })
    const first = await signInByApi(address, account, FIRST_PASSWORD)
    await first.call('auth.changePassword', { body: { oldPassword: FIRST_PASSWORD, newPassword: PASSWORD } })
  }
  versionId = (await admin.call<{ id: string }>('version.save', { body: { projectId, remark: '首版' } })).id
  await importInto(versionId, FIRST)
  await admin.call('version.releaseTest', { query: { crfId: versionId } })
  await admin.call('project.changeStatus', { query: { projectId, status: 'process' } })
  place = `/p/${projectId}/admin/crfHistory`
})

test.afterAll(() => server.dispose())

const releaseDialog = (screen: Page) => screen.getByRole('dialog', { name: '发布正式版' })

test('before all have passed it, a release is refused and says so', async ({ page: screen }) => {
  await signIn(screen, address, place, { account: 'dbd', password: PASSWORD })
  await screen.getByRole('button', { name: '发布正式版' }).click()
  const dialog = releaseDialog(screen)
  await expect(dialog.getByRole('cell', { name: '未审核' })).toHaveCount(2)
  await dialog.getByRole('button', { name: '发布正式版' }).click()
  await expect(dialog.getByText('请所有人员审核通过后发布正式版!')).toBeVisible()
  await expectAccessible(screen, 'a release that is refused')
  await screen.screenshot({ path: 'test-results/look/release-refused.png' })
})

for (const [account, suggest] of [
  ['crc', '无'],
  ['dbd', '下一版增加舌苔'],
] as const) {
  test(`${account} reviews it and signs with the password; nothing is signed before`, async ({ page: screen }) => {
    test.setTimeout(60_000)
    const asked: string[] = []
    screen.on('request', (request) => asked.push(request.url()))
    // A coordinator has no administration in the menu: the way leads over the list of versions.
    await signIn(screen, address, account === 'crc' ? `/p/${projectId}/v/${versionId}/patients` : place, {
      account,
      password: PASSWORD,
    })
    if (account === 'crc') {
      await screen.getByRole('banner').getByRole('button', { name: '更多' }).click()
      await screen.getByRole('dialog').getByRole('button', { name: /V1\.0/ }).click()
      await screen.getByRole('dialog').getByRole('button', { name: '审核 V1.0' }).click()
    }
    await screen.getByRole('button', { name: '审核', exact: true }).click()
    const review = screen.getByRole('dialog', { name: '测试版审核：V1.0' })
    await review.getByRole('button', { name: '完成' }).click()
    await expect(review.getByText('必须签名!')).toBeVisible()
    await expect(review.getByText('请点击签名')).toBeVisible()
    await review.getByRole('button', { name: '签名', exact: true }).click()
    await expect(review.getByText('必填项')).toHaveCount(3)
    await review.getByRole('radio', { name: '通过', exact: true }).check()
    await review.getByLabel('测试内容').fill('两页全部字段')
    await review.getByLabel('修改建议').fill(suggest)
    await expectAccessible(screen, 'a review')
    await screen.screenshot({ path: `test-results/look/review-${account}.png` })
    await review.getByRole('button', { name: '签名', exact: true }).click()
    const sign = screen.getByRole('dialog', { name: '请签名' })
    await sign.getByLabel('登录密码').fill('wrong-password')
    await sign.getByRole('button', { name: '签名', exact: true }).click()
    await expect(sign.getByRole('alert')).toBeVisible()
    await sign.getByLabel('登录密码').fill(PASSWORD)
    await sign.getByRole('button', { name: '签名', exact: true }).click()
    await expect(sign).toHaveCount(0)
    await expect(review.getByText('签名成功')).toBeVisible()
    await expect(review.getByRole('cell', { name: '已签名' })).toHaveCount(account === 'crc' ? 1 : 2)
    expect(asked.filter((url) => url.includes(PASSWORD))).toEqual([])
  })
}

test('what is changed after the signature is to be signed again', async ({ page: screen }) => {
  await signIn(screen, address, place, { account: 'dbd', password: PASSWORD })
  await screen.getByRole('button', { name: '审核', exact: true }).click()
  const review = screen.getByRole('dialog', { name: '测试版审核：V1.0' })
  await review.getByLabel('修改建议').fill('下一版增加舌苔、不良事件')
  await expect(review.getByRole('button', { name: '签名', exact: true })).toBeVisible()
  await review.getByRole('button', { name: '签名', exact: true }).click()
  await screen.getByRole('dialog', { name: '请签名' }).getByLabel('登录密码').fill(PASSWORD)
  await screen.getByRole('dialog', { name: '请签名' }).getByRole('button', { name: '签名', exact: true }).click()
  await expect(review.getByText('签名成功')).toBeVisible()
  await review.getByRole('button', { name: '完成' }).click()
  await expect(review).toHaveCount(0)
  await screen.getByRole('button', { name: '发布正式版' }).click()
  await releaseDialog(screen).getByRole('button', { name: '发布正式版' }).click()
  await expect(screen.getByRole('cell', { name: '正式版', exact: true })).toBeVisible()
})

test('its amendment shows what changed against it, and what that means for data', async ({ page: screen }) => {
  test.setTimeout(60_000)
  const { id } = await admin.call<{ id: string }>('version.save', { body: { projectId, remark: '增加不良事件' } })
  await importInto(id, AMENDED)
  await admin.call('version.releaseTest', { query: { crfId: id } })
  await signIn(screen, address, place, { account: 'dbd', password: PASSWORD })
  const row = screen.getByRole('row').filter({ hasText: 'V2.0' })
  await expect(row).toContainText('新增页面不良事件')
  await expect(row).toContainText('删除页面合并用药')
  await screen.screenshot({ path: 'test-results/look/versions.png', fullPage: true })
  await row.getByRole('button', { name: '差异 V2.0' }).click()
  const dialog = screen.getByRole('dialog', { name: '版本差异' })
  await expect(dialog.getByText('3 个页面、3 个字段有差异，其中 3 处影响已录入的数据。')).toBeVisible()
  const pulse = dialog.getByRole('row').filter({ hasText: 'pulse' })
  await expect(pulse.nth(0)).toContainText('标签脉搏脉率无影响')
  await expect(pulse.nth(1)).toContainText('必填否是重新核查')
  await expect(dialog.getByRole('row').filter({ hasText: 'tongue' })).toContainText('需指定映射')
  await expectAccessible(screen, 'differences of two versions')
  await screen.screenshot({ path: 'test-results/look/differences.png' })
  await screen.setViewportSize({ width: 1440, height: 900 })
  await screen.screenshot({ path: 'test-results/look/differences-wide.png' })
  await dialog.getByLabel('只看影响已录入数据的').check()
  await expect(dialog.getByRole('row').filter({ hasText: 'pulse' })).toHaveCount(0)
  await dialog.getByRole('combobox', { name: '新版本' }).click()
  await screen.getByRole('option', { name: /V1\.0/ }).click()
  await expect(dialog.getByText('请选择两个不同的版本。')).toBeVisible()
})

test('a monitor has no way to a review', async ({ page: screen }) => {
  await signIn(screen, address, `/p/${projectId}/v/${versionId}/patients`, { account: 'cra', password: PASSWORD })
  await screen.goto(`${address}${place}`)
  await expect(screen.getByRole('button', { name: '审核', exact: true })).toHaveCount(0)
  await expect(screen.getByText('无权限')).toBeVisible()
})
