import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { signIn } from './support/session.ts'
import { openOffice } from './support/study/office.ts'
import type { OpenOffice } from './support/study/office.ts'
import { makeStudy, openProject } from './support/study/project.ts'
import { OWN_PASSWORD, joinTeam } from './support/study/team.ts'
import type { Team } from './support/study/team.ts'
import { testDefinition } from './support/study/versions.ts'

/**
 * A test version is reviewed by two people, signed by each with the password, and released; its amendment is compared
 * with it.
 */

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

let office: OpenOffice
let projectId: string
let versionId: string
let place: string
let team: Team<'crc' | 'dbd' | 'cra'>

test.describe.configure({ mode: 'serial' })

/** The only visit of the study, with its pages. */
const visitOf = (pages: readonly object[]) => ({ folders: [{ folderName: '基线', folderCode: 'V1', pages }] })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  office = await openOffice()
  const { admin } = office
  const study = await makeStudy(admin, { projectName: '肺炎证候研究', minTesters: 2 })
  projectId = study.projectId
  team = await joinTeam(office, study, {
    crc: { realName: '林录入', userRole: 'CRC', crfApprove: 1 },
    dbd: { realName: '吴数据', userRole: 'DBD', crfApprove: 1 },
    cra: { realName: '赵监查', userRole: 'CRA', crfApprove: 0 },
  })
  versionId = await testDefinition(admin, projectId, visitOf(FIRST))
  await openProject(admin, projectId)
  place = `/p/${projectId}/admin/crfHistory`
})

test.afterAll(() => office.server.dispose())

const releaseDialog = (screen: Page) => screen.getByRole('dialog', { name: '发布正式版' })

test('before all have passed it, a release is refused and says so', async ({ page: screen }) => {
  await signIn(screen, office.address, place, team.dbd)
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
    await signIn(
      screen,
      office.address,
      account === 'crc' ? `/p/${projectId}/v/${versionId}/patients` : place,
      team[account],
    )
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
    await sign.getByLabel('登录密码').fill(OWN_PASSWORD)
    await sign.getByRole('button', { name: '签名', exact: true }).click()
    await expect(sign).toHaveCount(0)
    await expect(review.getByText('签名成功')).toBeVisible()
    await expect(review.getByRole('cell', { name: '已签名' })).toHaveCount(account === 'crc' ? 1 : 2)
    expect(asked.filter((url) => url.includes(OWN_PASSWORD))).toEqual([])
  })
}

test('what is changed after the signature is to be signed again', async ({ page: screen }) => {
  await signIn(screen, office.address, place, team.dbd)
  await screen.getByRole('button', { name: '审核', exact: true }).click()
  const review = screen.getByRole('dialog', { name: '测试版审核：V1.0' })
  await review.getByLabel('修改建议').fill('下一版增加舌苔、不良事件')
  await expect(review.getByRole('button', { name: '签名', exact: true })).toBeVisible()
  await review.getByRole('button', { name: '签名', exact: true }).click()
  await screen.getByRole('dialog', { name: '请签名' }).getByLabel('登录密码').fill(OWN_PASSWORD)
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
  await testDefinition(office.admin, projectId, visitOf(AMENDED), '增加不良事件')
  await signIn(screen, office.address, place, team.dbd)
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
  await dialog.getByLabel('只看影响已录入数据的差异').check()
  await expect(dialog.getByRole('row').filter({ hasText: 'pulse' })).toHaveCount(0)
  await dialog.getByRole('combobox', { name: '新版本' }).click()
  await screen.getByRole('option', { name: /V1\.0/ }).click()
  await expect(dialog.getByText('请选择两个不同的版本。')).toBeVisible()
})

test('a monitor has no way to a review', async ({ page: screen }) => {
  await signIn(screen, office.address, `/p/${projectId}/v/${versionId}/patients`, team.cra)
  await screen.goto(`${office.address}${place}`)
  await expect(screen.getByRole('button', { name: '审核', exact: true })).toHaveCount(0)
  await expect(screen.getByText('无权限')).toBeVisible()
})
