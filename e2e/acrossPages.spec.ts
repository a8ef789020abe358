import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { startNetwork } from './support/network.ts'
import type { Network } from './support/network.ts'
import { unlock } from './support/session.ts'
import { ADMIN } from './support/study/office.ts'
import { startEntry } from './support/study/project.ts'
import { releaseDictionary } from './support/study/versions.ts'
import { CRC, enrol, keepCenter, makeProject, untilSynced } from './support/study/ward.ts'
import { newTablet } from './support/tablet.ts'
import type { Tablet } from './support/tablet.ts'

/** Two forms of a dictionary of which one reads the other, at a tablet without a network and on the server after it. */

const DICTIONARY =
  `field_name,form_name,section_header,field_type,field_label,select_choices_or_calculations,field_note,text_validation_type_or_show_slider_number,branching_logic,required_field,field_annotation
weight,baseline,,text,体重,,,number,,y,
sex,baseline,,radio,性别,"0, 女 | 1, 男",,,,y,
words,dosing,给药,descriptive,"按体重给药：每公斤半片。
服药后静坐半小时。",,请在给药前核对,,,,
dose,dosing,,calc,剂量,round([weight] * 0.5; 1),,,,,
route,dosing,,radio,途径,"po, 口服 | iv, 静脉",,,,,@DEFAULT='po'
pregnancy,dosing,,radio,妊娠试验,"0, 阴性 | 1, 阳性",,,[sex] = '0',,
heavy,dosing,,descriptive,体重超过 100 kg：请先与研究者商议。,,,,[weight] > 100,,
arm,dosing,,text,分组,,,,,,@HIDDEN @DEFAULT='A'
`.replace('round([weight] * 0.5; 1)', '"round([weight] * 0.5, 1)"')

let server: RunningServer
let network: Network
let tablet: Tablet
let patients: string
let folder: string

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'zl-dictionary-'))
  const file = path.join(folder, 'study.csv')
  await writeFile(file, DICTIONARY)
  server = await startServer({ adminPassword: ADMIN.password })
  network = await startNetwork(server.port)
  tablet = await newTablet()
  const admin = await signInByApi(network.address, ADMIN.account, ADMIN.password)
  const projectId = await makeProject(network.address, admin, '给药研究')
  await releaseDictionary(tablet.page, network.address, projectId, file, async () => undefined, '已导入 2 页，8 个字段')
  patients = await startEntry(admin, projectId)
})

test.afterAll(async () => {
  await tablet.dispose()
  await network.close()
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
})

const row = (page: Page, prop: string) => page.locator(`[data-row="${prop}"]`)

/** Opens a page of the patient from its casebook. */
async function goTo(page: Page, name: RegExp): Promise<void> {
  await page
    .getByRole('link', { name: /受试者|返回|BJ01-001/ })
    .first()
    .click()
  await page.getByRole('link', { name }).first().click()
}

test('without a network, what one form says decides at once what the other asks and calculates', async () => {
  const { page } = tablet
  await keepCenter(page, network.address, patients)
  await network.cut()
  await page.reload()
  await unlock(page, CRC.password)
  await enrol(page, { initials: 'ZHY', name: '张和元', mobile: '13800000001' })

  await page
    .getByRole('link', { name: /dosing/i })
    .first()
    .click()
  await expect(row(page, 'words')).toContainText('每公斤半片')
  await expect(row(page, 'dose')).toContainText('待计算')
  for (const prop of ['pregnancy', 'heavy', 'arm']) await expect(row(page, prop)).toBeHidden()
  await expect(row(page, 'route').getByRole('radio', { name: '口服' })).toBeChecked()
  await expect(row(page, 'route')).toContainText('预填值')

  await goTo(page, /baseline/i)
  await row(page, 'weight').getByRole('textbox').fill('121')
  await row(page, 'sex').getByRole('radio', { name: '女' }).click()
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await expect(page.locator('header').getByText('已提交')).toBeVisible()

  await goTo(page, /dosing/i)
  await expect(row(page, 'dose')).toContainText('60.5')
  for (const prop of ['pregnancy', 'heavy']) await expect(row(page, prop)).toBeVisible()
  await expect(row(page, 'arm')).toBeHidden()
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await expect(page.locator('header').getByText('已提交')).toBeVisible()
  await expect(row(page, 'route')).not.toContainText('预填值')
})

test('the server takes both as they were seen, and follows when the first changes', async () => {
  const { page } = tablet
  await network.restore()
  await untilSynced(page, network.address)
  const database = await openServerDatabase(server.dataDir)
  const stored = async () => {
    const { rows } = await database.query<{ code: string; status: string; values: Record<string, unknown> }>(
      'SELECT p.code, e.status, e."values" FROM entry e JOIN crf_page p ON p.page_id = e.page_id ORDER BY p.code',
    )
    return rows.map(({ code, status, values }) => [code, status, values])
  }
  try {
    expect(await stored()).toEqual([
      ['baseline', 'other', { weight: 121, sex: '0' }],
      ['dosing', 'other', { dose: 60.5, route: 'po', arm: 'A' }],
    ])
    await page.goto(`${network.address}${patients}`)
    await unlock(page, CRC.password)
    await page
      .getByRole('link', { name: /BJ01-001/ })
      .first()
      .click()
    await page
      .getByRole('link', { name: /baseline/i })
      .first()
      .click()
    await row(page, 'weight').getByRole('textbox').fill('80')
    await page.keyboard.press('Tab')
    // The page was submitted: the change leaves the tablet with its reason.
    await page.getByRole('button', { name: '说明原因' }).click()
    const why = page.getByRole('dialog', { name: '说明修改原因' })
    await why.getByText('转录错误').click()
    await expect(why).toHaveCount(0)
    await expect(
      page
        .locator('footer')
        .getByText(/已保存在本机|已同步/)
        .first(),
    ).toBeVisible()
    await expect.poll(stored).toEqual([
      // A correction that passes the checks leaves the page submitted.
      ['baseline', 'other', { weight: 80, sex: '0' }],
      ['dosing', 'process', { dose: 40, route: 'po', arm: 'A' }],
    ])
  } finally {
    await database.end()
  }
  await goTo(page, /dosing/i)
  await expect(row(page, 'dose')).toContainText('40')
  await expect(row(page, 'heavy')).toBeHidden()
})
