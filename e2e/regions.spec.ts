import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { TreeFolder } from '#core/api/calls/version.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { attachPicture } from './screens/study.ts'
import { expectAccessible } from './support/accessible.ts'
import { signIn } from './support/session.ts'

/**
 * A coordinator shows on a photograph of a tongue what two fields rest on, with a finger and by keys; a monitor sees
 * it.
 */

const ADMIN_PASSWORD = 'Admin-Region-8412'
const [FIRST_PASSWORD, PASSWORD] = ['First-Region-5521', 'Own-Region-7730']

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

let server: RunningServer
let address: string
let place: string

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  server = await startServer({ adminPassword: ADMIN_PASSWORD, env: { DEMO: '0' } })
  address = `http://127.0.0.1:${server.port}`
  const admin = await signInByApi(address, 'admin', ADMIN_PASSWORD)
  const { id: projectId } = await admin.call<{ id: string }>('project.save', {
    body: { projectName: '舌象研究', projectScopeCode: 'areamultiple' },
  })
  await admin.call('project.confUpdate', { body: { projectId, isDouble: 0, isFilterPeriod: 'N', minTesters: 0 } })
  const { id: centerId } = await admin.call<{ id: string }>('center.save', {
    body: { projectId, centerName: '北京一院', centerCode: 'BJ01' },
  })
  const { id: crfId } = await admin.call<{ id: string }>('version.save', { body: { projectId, remark: '首版' } })
  const folders = [
    {
      folderName: '基线',
      folderCode: 'V1',
      pages: [{ pageName: '舌诊', pageCode: 'TG', repeatable: false, option: JSON.stringify(PAGE) }],
    },
  ]
  await admin.call('version.import', {
    query: { crfId },
    body: { definition: { folders }, sourceName: 'a.csv', source: 'a' },
  })
  await admin.call('version.releaseTest', { query: { crfId } })
  await admin.call('version.release', { query: { crfId } })
  await admin.call('project.changeStatus', { query: { projectId, status: 'process' } })
  const users: ApiUser[] = []
  for (const [account, realName, userRole] of [
    ['crc', '林录入', 'CRC'],
    ['cra', '赵监查', 'CRA'],
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
        status: 'active',
      },
    })
    const first = await signInByApi(address, account, FIRST_PASSWORD)
    await first.call('auth.changePassword', { body: { oldPassword: FIRST_PASSWORD, newPassword: PASSWORD } })
    users.push(await signInByApi(address, account, PASSWORD))
  }
  const [crc] = users
  if (crc === undefined) throw new Error('nobody enters')
  const patientId = newId()
  const identity = { name: null, mobile: null, email: null, birthDate: null }
  await crc.call('patient.save', {
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
  const tree = await fetch(`${address}/api/edc/data/crf/${crfId}/tree/list`, { headers: crc.headers })
  const [folder] = ((await tree.json()) as { data: readonly TreeFolder[] }).data
  const target = {
    patientId,
    folderId: folder?.id ?? '',
    folderRepeat: '0',
    pageId: folder?.crfPageVOList[0]?.id ?? '',
    pageRepeat: '0',
    parentEntryId: null,
    pass: 1 as const,
  }
  const empty = { value: null, missing: null }
  const items = Object.entries({ colour: 'dh', coating: 'hn' }).map(([code, value]) => ({
    table: null,
    rid: null,
    code,
    to: { value, missing: null },
    base: empty,
    isShow: 1,
    reason: null,
  }))
  const saved = await fetch(`${address}/api/edc/data/page/${entryId(target)}/save`, {
    method: 'POST',
    headers: { ...crc.headers, 'content-type': 'application/json', 'idempotency-key': newId(), projectId, crfId },
    body: JSON.stringify({ target, items, rows: [], journal: [], seen: null }),
  })
  expect(await saved.json()).toMatchObject({ success: true })
  const fileId = await attachPicture({ address, projectId, versionId: crfId }, crc, target, 'photos')
  place = `/eCRF/${patientId}/canvas/attach/${fileId}?p=${projectId}`
})

test.afterAll(() => server.dispose())

const regions = (page: Page) => page.getByRole('list', { name: '已标注的区域' })
const form = (page: Page) => page.getByRole('form', { name: '标注区域' })

test('a region is drawn with a pointer, another by keys; each leads to its field, and the field to it', async ({
  page,
}) => {
  test.setTimeout(120_000)
  await signIn(page, address, place, { account: 'crc', password: PASSWORD })
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
  await expect(page.getByText('100 %', { exact: true })).toHaveCount(0)
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
  await signIn(page, address, place, { account: 'crc', password: PASSWORD })
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
  await signIn(page, address, place, { account: 'cra', password: PASSWORD })
  await expect(regions(page)).toContainText('舌色：舌尖')
  await expect(page.getByRole('button', { name: '标注区域' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^修改标注/ })).toHaveCount(0)
})
