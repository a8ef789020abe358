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
 * A tester tries a version in test out, with the network going away in the middle, signs for it, and nothing of it is
 * counted.
 */

const WEIGHT = { prop: 'weight', label: '体重', type: 'number', required: true, zl: { unit: 'kg' } }
const LATER = {
  prop: 'weight2',
  label: '随访体重',
  type: 'number',
  zl: {
    unit: 'kg',
    checks: [
      {
        id: 'heavy',
        when: 'page.weight2 > form.V1.VS.weight + 20.0',
        severity: 'error',
        message: { zh: '比基线重 20 kg 以上', en: 'Over 20 kg more than at baseline' },
      },
    ],
  },
}
const EVENT = { prop: 'term', label: '事件名称', type: 'input' }
const pageOf = (pageCode: string, pageName: string, column: readonly object[], repeatable = false) => ({
  pageName,
  pageCode,
  repeatable,
  option: JSON.stringify({ column }),
})
const DEFINITION = {
  folders: [
    {
      folderName: '基线',
      folderCode: 'V1',
      pages: [
        pageOf('VS', '生命体征', [WEIGHT, { prop: 'note', label: '备注', type: 'input' }]),
        pageOf('AE', '不良事件', [EVENT], true),
      ],
    },
    { folderName: '随访', folderCode: 'V2', pages: [pageOf('VS2', '随访体征', [LATER])] },
  ],
}

let office: OpenOffice
let projectId: string
let crfId: string
let place: string
let team: Team<'crc' | 'dbd'>

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  office = await openOffice()
  const { admin } = office
  const study = await makeStudy(admin, { projectName: '肺炎证候研究', minTesters: 1 })
  projectId = study.projectId
  team = await joinTeam(office, study, {
    crc: { realName: '林录入', userRole: 'CRC', crfApprove: 1 },
    dbd: { realName: '吴数据', userRole: 'DBD', crfApprove: 0 },
  })
  crfId = await testDefinition(admin, projectId, DEFINITION)
  await openProject(admin, projectId)
  place = `/p/${projectId}/v/${crfId}/trial`
})

test.afterAll(() => office.server.dispose())

const nav = (screen: Page) => screen.getByRole('navigation', { name: '访视和表单页' })
/** The box of a field: beside it stand what is missing, its unit and its history. */
const field = (screen: Page, name: string) => screen.getByRole('textbox', { name: new RegExp(`^${name}`) })
const saved = (screen: Page) => expect(screen.getByText(/^已保存 \d/)).toBeVisible({ timeout: 20_000 })

test('a tester who has not tried anything is warned at the review, and not stopped', async ({ page: screen }) => {
  await signIn(screen, office.address, `/p/${projectId}/admin/crfHistory`, team.crc)
  await screen.getByRole('button', { name: '审核', exact: true }).click()
  const review = screen.getByRole('dialog', { name: '测试版审核：V1.0' })
  await expect(review.getByRole('cell', { name: '未试填' })).toBeVisible()
  await expect(review.getByText(/^您还没有试填过这个版本/)).toBeVisible()
  await expect(review.getByRole('button', { name: '签名', exact: true })).toBeVisible()
})

test('the tester fills in two pages with a rule across them, and the network goes away in the middle', async ({
  page: screen,
}) => {
  test.setTimeout(90_000)
  await screen.setViewportSize({ width: 1440, height: 900 })
  await signIn(screen, office.address, `/p/${projectId}/v/${crfId}/workspace`, team.crc)
  await screen.getByRole('link', { name: '试填' }).click()
  await expect(screen.getByText('测试数据 – 不计入研究')).toBeVisible()
  await field(screen, '体重').fill('60')
  await saved(screen)
  await screen.getByRole('button', { name: '提交', exact: true }).click()
  await expect(screen.getByText('本页已提交，没有发现错误。')).toBeVisible()
  await expectAccessible(screen, 'user testing')
  await screen.screenshot({ path: 'test-results/look/uat.png', fullPage: true })

  await nav(screen).getByRole('button', { name: '不良事件' }).click()
  await screen.context().setOffline(true)
  await field(screen, '事件名称').fill('头痛')
  await expect(screen.getByText('网络中断，已保存在本机，恢复后自动保存')).toBeVisible({ timeout: 20_000 })
  await nav(screen).getByRole('button', { name: '随访体征' }).click()
  await field(screen, '随访体重').fill('90')
  await screen.screenshot({ path: 'test-results/look/uat-away.png', fullPage: true })
  await screen.context().setOffline(false)
  await saved(screen)
  await screen.getByRole('button', { name: '提交', exact: true }).click()
  await expect(screen.getByRole('alert').getByText('比基线重 20 kg 以上')).toBeVisible()
  await screen.screenshot({ path: 'test-results/look/uat-wrong.png', fullPage: true })
  await field(screen, '随访体重').fill('75')
  await screen.getByRole('button', { name: '提交', exact: true }).click()
  await expect(screen.getByText('本页已提交，没有发现错误。')).toBeVisible()
  // Another event of the same subject, and another subject, which begins with nothing.
  await nav(screen).getByRole('button', { name: '再填一次：不良事件' }).click()
  await field(screen, '事件名称').fill('恶心')
  await saved(screen)
  await screen.getByRole('button', { name: '新的测试受试者' }).click()
  await expect(screen.getByText('尚未填写')).toBeVisible()
})

test('what was typed without the network outlives the tab, and comes to the server at the next visit', async ({
  page: screen,
}) => {
  test.setTimeout(60_000)
  await signIn(screen, office.address, place, team.crc)
  await expect(field(screen, '体重')).toHaveValue('60')
  await screen.context().setOffline(true)
  await field(screen, '备注').fill('断网时写的')
  await expect(screen.getByText('网络中断，已保存在本机，恢复后自动保存')).toBeVisible({ timeout: 20_000 })
  // The screen is left and the tab closed while the network is away.
  const other = await screen.context().newPage()
  await screen.close()
  await screen.context().setOffline(false)
  await other.goto(`${office.address}${place}`)
  await expect(async () => {
    if (await other.getByLabel('密码', { exact: true }).isVisible()) {
      await other.getByLabel('密码', { exact: true }).fill(OWN_PASSWORD)
      await other
        .getByRole('button', { name: /解锁|打开本机数据|登录/ })
        .first()
        .click()
    }
    await expect(field(other, '备注')).toHaveValue('断网时写的', { timeout: 5000 })
  }).toPass({ timeout: 40_000 })
  await saved(other)
})

test('the data manager reads what was tried, and changes nothing of it', async ({ page: screen }) => {
  await signIn(screen, office.address, place, team.dbd)
  await expect(screen.getByText(/^只能查看/)).toBeVisible()
  await expect(screen.getByText('断网时写的')).toBeVisible()
  await expect(screen.getByRole('button', { name: '提交', exact: true })).toHaveCount(0)
})

test('the tester signs with the evidence beside it, the version is released, and nothing of user testing is counted', async ({
  page: screen,
}) => {
  test.setTimeout(60_000)
  await signIn(screen, office.address, `/p/${projectId}/admin/crfHistory`, team.crc)
  await screen.getByRole('button', { name: '审核', exact: true }).click()
  const review = screen.getByRole('dialog', { name: '测试版审核：V1.0' })
  await expect(review.getByText('已试填 3 / 3 页，提交 1 页')).toBeVisible()
  await screen.screenshot({ path: 'test-results/look/uat-review.png' })
  await review.getByRole('radio', { name: '通过', exact: true }).check()
  await review.getByLabel('测试内容').fill('三页')
  await review.getByLabel('修改建议').fill('无')
  await review.getByRole('button', { name: '签名', exact: true }).click()
  await screen.getByRole('dialog', { name: '请签名' }).getByLabel('登录密码').fill(OWN_PASSWORD)
  await screen.getByRole('dialog', { name: '请签名' }).getByRole('button', { name: '签名', exact: true }).click()
  await expect(review.getByText('签名成功')).toBeVisible()
  await office.admin.call('version.release', { query: { crfId } })

  expect((await team.crc.call<{ total: number }>('patient.list', { query: { projectId } })).total).toBe(0)
  await screen.goto(`${office.address}/p/${projectId}/v/${crfId}/patients`)
  await expect(screen.getByRole('heading', { name: /受试者/ }).first()).toBeVisible()
  await expect(screen.getByText('断网时写的')).toHaveCount(0)
  await screen.goto(`${office.address}${place}`)
  await expect(screen.getByText(/^只能查看/)).toBeVisible()
})
