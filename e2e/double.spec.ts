import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { signIn, signOut } from './support/session.ts'
import { openOffice } from './support/study/office.ts'
import type { OpenOffice } from './support/study/office.ts'
import { makeStudy, openProject } from './support/study/project.ts'
import { enrolByApi, enterByApi, findFirstPage, pageOf } from './support/study/subject.ts'
import type { FirstPage } from './support/study/subject.ts'
import { joinTeam } from './support/study/team.ts'
import type { Team } from './support/study/team.ts'
import { releaseDefinition } from './support/study/versions.ts'

/**
 * One patient is entered twice by two people who do not see each other; a data manager decides what differs and merges
 * the two.
 */

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

let office: OpenOffice
let projectId: string
let versionId: string
let team: Team<'one' | 'two' | 'dm'>
let patientId: string
let vitals: FirstPage

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  office = await openOffice()
  const { admin } = office
  const study = await makeStudy(admin, { projectName: '双份录入研究', isDouble: 1 })
  projectId = study.projectId
  versionId = await releaseDefinition(admin, projectId, {
    folders: [
      {
        folderName: '筛选期',
        folderCode: 'V1',
        pages: [{ pageName: '生命体征', pageCode: 'VS', repeatable: false, option: JSON.stringify(PAGE) }],
      },
    ],
  })
  await openProject(admin, projectId)
  team = await joinTeam(office, study, {
    one: { realName: '林一录', userRole: 'CRC', entryPass: 1 },
    two: { realName: '吴二录', userRole: 'CRC', entryPass: 2 },
    dm: { realName: '周数据', userRole: 'DBD', entryPass: 1, dataScope: 'all' },
  })
  patientId = await enrolByApi(team.one, study)
  vitals = await findFirstPage(team.one, versionId)
})

test.afterAll(() => office.server.dispose())

const choose = (page: Page, gap: string, choice: string) =>
  page.getByRole('radio', { name: `${gap}：${choice}` }).check()

test('whoever enters the first pass opens the second, with a reason', async ({ page }) => {
  await signIn(page, office.address, `/eCRF/${patientId}?p=${projectId}`, team.one)
  await page.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '开始二录' }).click()
  await page.getByLabel('理由').fill('关键指标需双份录入')
  // Nothing of the first pass is submitted yet: it is asked for twice.
  await page.getByRole('checkbox', { name: '一录尚未完成，仍要开始' }).check()
  await expectAccessible(page, 'opening a second pass')
  await page.getByRole('dialog').getByRole('button', { name: '开始' }).click()
  await expect(page.getByText('二录进行中')).toBeVisible()
  // Comparing is nobody's business who enters.
  await expect(page.getByRole('link', { name: /双录[核比]对/ })).toHaveCount(0)
  await signOut(page)
})

test('the data manager decides each difference, accepts one as equal, and merges', async ({ page }) => {
  test.setTimeout(120_000)
  const study = { projectId, versionId }
  const [first, second] = [pageOf(patientId, vitals, 1), pageOf(patientId, vitals, 2)]
  await enterByApi(
    team.one,
    study,
    first,
    { height: 170, weight: 65, tongue: 'bb', note: 'Walks daily' },
    {
      drugs: [
        { drug: '甘草', dose: 6 },
        { drug: '黄芪', dose: 9 },
      ],
    },
  )
  await enterByApi(
    team.two,
    study,
    second,
    { height: 170, weight: 56, tongue: 'hn', note: 'walks daily' },
    {
      drugs: [
        { drug: '甘草', dose: 3 },
        { drug: '当归', dose: 5 },
      ],
    },
  )
  await signIn(page, office.address, `/eCRF/${patientId}?p=${projectId}`, team.dm)
  await page.getByRole('link', { name: '双录比对' }).click()
  await expect(page.getByRole('row', { name: /^体重/ })).toContainText('林一录')
  await expect(page.getByRole('row', { name: /^身高/ })).toHaveCount(0)
  await expect(page.getByText('一致率 37.5%（比对 8 项，差异 5 项）').or(page.getByText(/一致率/))).toBeVisible()
  await expectAccessible(page, 'comparison of two passes')
  await page.getByRole('switch', { name: /仅看差异/ }).uncheck()
  await expect(page.getByRole('row', { name: /^身高/ })).toContainText('一致')
  await page.getByRole('switch', { name: /仅看差异/ }).check()

  await page.getByRole('button', { name: '合并', exact: true }).click()
  await expect(page.getByText(/还有 \d 项未处理/)).toBeVisible()
  await page.getByRole('button', { name: '备注：视为一致' }).click()
  await page.getByLabel('理由').fill('仅大小写')
  await page.getByRole('dialog').getByRole('button', { name: '视为一致' }).click()
  await expect(page.getByText('已视为一致：仅大小写（周数据）')).toBeVisible()

  await choose(page, '体重', '其他值')
  await page.locator('[data-row="weight"] input').fill('60')
  await page.getByRole('group', { name: '体重：依据' }).getByText('获得新的源数据').click()
  await expectAccessible(page, 'a new value')
  await choose(page, '舌苔', '采用二录')
  await choose(page, '合并用药 · 第 1 行 · 单次剂量', '采用二录')
  await choose(page, '合并用药 · 第 2 行 · 整行', '采用一录')
  await choose(page, '合并用药 · 第 3 行 · 整行', '采用二录')
  await page.screenshot({ path: 'test-results/look/diff.png', fullPage: true })
  await page.getByRole('button', { name: '合并', exact: true }).click()
  await expect(page.getByText(/共修改 4 项/)).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: '合并' }).click()
  await expect(
    page.getByText('一录即为合并后的数据，二录已锁定保留。').or(page.getByText('已合并')).first(),
  ).toBeVisible()
  await expectAccessible(page, 'merged passes')
  await page.getByRole('link', { name: '全项目双录一致性' }).click()
  await expect(page.getByRole('heading', { name: '双录一致性' })).toBeVisible()
  await expect(page.getByRole('table', { name: '按字段' })).toContainText('生命体征 · 体重')
  await expect(page.getByText('超出上限').first()).toBeVisible()
  await expectAccessible(page, 'agreement of the two passes')
  await page.screenshot({ path: 'test-results/look/agreement.png', fullPage: true })
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: '下载 CSV' }).click()
  expect((await file).suggestedFilename()).toMatch(/^双录一致性-.*\.csv$/)
  await signOut(page)

  await signIn(page, office.address, `/eCRF/${patientId}?p=${projectId}`, team.one)
  await expect(page.getByText('双录已合并')).toBeVisible()
  await page.getByRole('link', { name: /^生命体征/ }).click()
  // Who may enter here has the patient on the device after a moment: the page opens to typing.
  await expect(page.locator('[data-row="weight"] input')).toHaveValue('60')
  await expect(page.locator('[data-row="drugs"]')).toContainText('当归')
  await expect(page.locator('[data-row="drugs"]')).toContainText('黄芪')
  await signOut(page)
})
