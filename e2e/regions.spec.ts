import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { entryId } from '#core/derivedIds.ts'
import { attachPicture } from './screens/study.ts'
import { expectAccessible } from './support/accessible.ts'
import { signIn } from './support/session.ts'
import { openOffice } from './support/study/office.ts'
import type { OpenOffice } from './support/study/office.ts'
import { makeStudy, openProject } from './support/study/project.ts'
import { enrolByApi, enterByApi, findFirstPage, pageOf } from './support/study/subject.ts'
import { joinTeam } from './support/study/team.ts'
import type { Team } from './support/study/team.ts'
import { releaseDefinition } from './support/study/versions.ts'

/**
 * A coordinator shows on a photograph of a tongue what two fields rest on, with a finger and by keys; a monitor sees
 * it.
 */

const PAGE = {
  column: [
    {
      prop: 'colour',
      label: '舌色',
      type: 'radio',
      dicData: [
        { value: 'dh', label: '淡红' },
        { value: 'h', label: '红' },
      ],
    },
    {
      prop: 'coating',
      label: '舌苔',
      type: 'radio',
      dicData: [
        { value: 'bb', label: '薄白' },
        { value: 'hn', label: '黄腻' },
      ],
    },
    { prop: 'photos', label: '舌象照片', type: 'upload' },
  ],
}

let office: OpenOffice
let team: Team<'crc' | 'cra'>
let place: string
/** The page that names the photograph. */
let entry: string

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  office = await openOffice()
  const { admin } = office
  const study = await makeStudy(admin, { projectName: '舌象研究' })
  const { projectId } = study
  const versionId = await releaseDefinition(admin, projectId, {
    folders: [
      {
        folderName: '基线',
        folderCode: 'V1',
        pages: [{ pageName: '舌诊', pageCode: 'TG', repeatable: false, option: JSON.stringify(PAGE) }],
      },
    ],
  })
  await openProject(admin, projectId)
  team = await joinTeam(office, study, {
    crc: { realName: '林录入', userRole: 'CRC' },
    cra: { realName: '赵监查', userRole: 'CRA' },
  })
  const patientId = await enrolByApi(team.crc, study)
  const target = pageOf(patientId, await findFirstPage(team.crc, versionId))
  await enterByApi(team.crc, { projectId, versionId }, target, { colour: 'dh', coating: 'hn' })
  const fileId = await attachPicture({ address: office.address, projectId, versionId }, team.crc, target, 'photos')
  entry = `/eCRF/${patientId}/page/${entryId(target)}?p=${projectId}`
  place = `/eCRF/${patientId}/canvas/attach/${fileId}?p=${projectId}`
})

test.afterAll(() => office.server.dispose())

const regions = (page: Page) => page.getByRole('list', { name: '已标注的区域' })
const form = (page: Page) => page.getByRole('form', { name: '标注区域' })

test('a region is drawn with a pointer, another by keys; each leads to its field, and the field to it', async ({
  page,
}) => {
  test.setTimeout(120_000)
  await signIn(page, office.address, place, team.crc)
  const picture = page.getByRole('img', { name: '舌象-首诊.bmp' })
  await expect(picture).toBeVisible()
  await page.getByRole('button', { name: '标注区域' }).click()
  await expectAccessible(page, 'drawing a region')
  await picture.scrollIntoViewIfNeeded()
  const box = await picture.boundingBox()
  if (box === null) throw new Error('the picture is not drawn')
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + Math.min(box.height, 400) * y] as const
  await page.mouse.move(...at(0.1, 0.1))
  await page.mouse.down()
  await page.mouse.move(...at(0.2, 0.3), { steps: 4 })
  await page.mouse.move(...at(0.4, 0.5), { steps: 4 })
  await page.mouse.up()
  await form(page).getByLabel('对应的字段').selectOption('舌苔')
  await form(page).getByLabel('备注（可选）').fill('根部黄腻')
  await page.screenshot({ path: 'test-results/look/region-form.png' })
  await form(page).getByRole('button', { name: '保存标注' }).click()
  await expect(regions(page)).toContainText('舌苔：根部黄腻')
  await expect(regions(page)).toContainText('林录入')

  // The picture gets less room again; the button has its place once it has the focus back.
  await expect(page.getByRole('button', { name: '标注区域' })).toBeFocused()
  await page.getByRole('button', { name: '标注区域' }).click()
  // Whoever uses keys can begin at once.
  const frame = page.getByRole('group', { name: /标注的方框/ })
  await expect(frame).toBeFocused()
  const before = await frame.evaluate(({ style }) => [style.left, style.width].map(parseFloat))
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowDown'])
    await page.keyboard.press(key)
  const after = await frame.evaluate(({ style }) => [style.left, style.width].map(parseFloat))
  expect(after.map((at, which) => Math.round(at - (before[which] ?? 0)))).toEqual([4, 2])
  await form(page).getByLabel('对应的字段').selectOption('舌色')
  await form(page).getByRole('button', { name: '保存标注' }).click()
  await expect(regions(page).getByRole('listitem')).toHaveCount(2)
  await expect(page.getByRole('button', { name: '标注区域' })).toBeFocused()

  await regions(page)
    .getByRole('button', { name: /^舌苔：根部黄腻/ })
    .click()
  const onPicture = page.getByRole('button', { name: '舌苔：根部黄腻', exact: true })
  await expect(onPicture).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText('100%', { exact: true })).toHaveCount(0)
  await page.locator('[data-row="colour"]').click()
  await expect(page.getByRole('button', { name: '舌色', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(page, 'regions of a photograph')
  await page.screenshot({ path: 'test-results/look/regions.png' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.screenshot({ path: 'test-results/look/regions-wide.png' })
})

test('it is changed, and taken back with a reason; a monitor sees what is left and changes nothing', async ({
  page,
}) => {
  test.setTimeout(120_000)
  await signIn(page, office.address, place, team.crc)
  await page.getByRole('button', { name: '修改标注：舌色' }).click()
  await form(page).getByLabel('备注（可选）').fill('舌尖')
  await form(page).getByRole('button', { name: '保存标注' }).click()
  await expect(regions(page)).toContainText('舌色：舌尖')
  await page.getByRole('button', { name: '撤销标注：舌苔：根部黄腻' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '撤销', exact: true }).click()
  await expect(page.getByText('请填写理由')).toBeVisible()
  await page.getByRole('dialog').getByLabel('理由').fill('框错了')
  // A reason that was written outlives a network that goes and comes back.
  await page.context().setOffline(true)
  await page.getByRole('dialog').getByRole('button', { name: '撤销', exact: true }).click()
  await expect(page.getByText('区域标注联网后可查看和修改。')).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
  await expect(page.getByRole('dialog').getByLabel('理由')).toHaveValue('框错了')
  await page.context().setOffline(false)
  await page.getByRole('dialog').getByRole('button', { name: '撤销', exact: true }).click()
  await expect(regions(page).getByRole('listitem')).toHaveCount(1)
})

test('a monitor sees what is left, and changes nothing', async ({ page }) => {
  test.setTimeout(120_000)
  await signIn(page, office.address, place, team.cra)
  await expect(regions(page)).toContainText('舌色：舌尖')
  await expect(page.getByRole('button', { name: '标注区域' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^修改标注/ })).toHaveCount(0)
})

test('whoever checks the page has the photograph beside it: each field brings the part that it rests on', async ({
  page,
}) => {
  test.setTimeout(120_000)
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, office.address, entry, team.cra)
  await expect(page.getByRole('button', { name: /^源文件照片/ })).toBeVisible()
  await page.locator('[data-row="colour"] [data-check]').first().focus()
  await page.keyboard.press('s')
  const panel = page.getByRole('complementary', { name: '源文件照片' })
  const onPicture = panel.getByRole('button', { name: '舌色：舌尖', exact: true })
  await expect(onPicture).toHaveAttribute('aria-pressed', 'true')
  await expect(panel.getByText('100%', { exact: true })).toHaveCount(0)
  await page.screenshot({ path: 'test-results/look/source-beside.png' })
  await page.locator('[data-row="coating"] [data-check]').first().focus()
  await expect(panel.getByText('该字段没有标注区域。')).toBeVisible()
  await expect(onPicture).toHaveAttribute('aria-pressed', 'false')
  // A press on the part leads to its field.
  await onPicture.press('Enter')
  await expect(page.locator('[data-row="colour"] :focus')).toHaveCount(1)
  await expect(onPicture).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(page, 'a photograph beside the page that is checked')
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
})
