import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { readDefinition } from '#core/exchange/readDefinition.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { expectAccessible } from './support/accessible.ts'
import { signIn } from './support/session.ts'
import { ADMIN } from './support/study/office.ts'

/**
 * Definitions of other systems become drafts on the screen; what each file holds is said before, and the file is kept
 * byte for byte.
 */

const SAMPLES = process.env['SAMPLES_DIR'] ?? path.resolve(import.meta.dirname, '../../shared/samples')

interface Source {
  readonly file: string
  readonly shows: Readonly<Record<string, string>>
  readonly visits: readonly string[]
}

/** Real studies, for those who have them beside this repository. */
const REAL = {
  folder: SAMPLES,
  sources: [
    {
      file: 'odm/openedc_metadata.xml',
      shows: { 表单: '5', 字段: '28', 选项: '24' },
      visits: ['Baseline (T0)', 'Follow-up (T1)', 'Follow-up (T2)'],
    },
    { file: 'xlsform/odk_socio_economic.xlsx', shows: { 字段: '17', 选项: '235', 必填: '11' }, visits: ['病例报告表'] },
  ],
  refused: { file: 'odm/openedc_clinicaldata.xml', says: 'ODM 文件中只有 90 名受试者的数据，没有表单定义。' },
} as const

/** Small ones of our own, for everybody else. */
const TWINS = {
  folder: path.resolve(import.meta.dirname, '../tests/samples'),
  sources: [
    {
      file: 'odm/twin_asthma_132.xml',
      shows: { 表单: '3', 字段: '9', 选项: '5' },
      visits: ['Base', 'Week 4', 'Events'],
    },
    { file: 'xlsform/twin_clinic.xlsx', shows: { 字段: '10', 选项: '8', 必填: '1' }, visits: ['病例报告表'] },
  ],
  refused: { file: 'odm/twin_data.xml', says: 'ODM 文件中只有 2 名受试者的数据，没有表单定义。' },
} as const

const {
  folder,
  sources,
  refused,
}: {
  readonly folder: string
  readonly sources: readonly Source[]
  readonly refused: { readonly file: string; readonly says: string }
} = existsSync(SAMPLES) ? REAL : TWINS
const samplePath = (file: string) => path.join(folder, file)
const figure = (dialog: Locator, name: string) =>
  dialog
    .locator('dl > div')
    .filter({ has: dialog.page().getByText(name, { exact: true }) })
    .locator('dd')

let server: RunningServer
let address: string
let admin: ApiUser

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  server = await startServer({ adminPassword: ADMIN.password, env: { DEMO: '0' } })
  address = `http://127.0.0.1:${server.port}`
  admin = await signInByApi(address, ADMIN.account, ADMIN.password)
})
test.afterAll(() => server.dispose())

for (const { file, shows, visits } of sources) {
  test(`${path.basename(file)} becomes a draft`, async ({ page }) => {
    test.setTimeout(90_000)
    const { id: projectId } = await admin.call<{ id: string }>('project.save', {
      body: { projectName: path.basename(file), projectScopeCode: 'areamultiple', minTesters: 0 },
    })
    const { id: versionId } = await admin.call<{ id: string }>('version.save', { body: { projectId, remark: '导入' } })
    await signIn(page, address, `/p/${projectId}/admin/crfHistory`, ADMIN)
    await page.getByRole('button', { name: '导入表单定义' }).first().click()
    const dialog = page.getByRole('dialog')
    await page.locator('input[type=file]').setInputFiles(samplePath(refused.file))
    await expect(dialog.getByText(refused.says)).toBeVisible()
    await page.locator('input[type=file]').setInputFiles(samplePath(file))
    for (const [name, count] of Object.entries(shows)) await expect(figure(dialog, name)).toHaveText(count)
    await expectAccessible(page, `what ${file} holds`)
    await page.screenshot({ path: `test-results/look/import-${path.basename(file)}.png` })
    await dialog.getByRole('button', { name: '导入到草稿' }).click()
    await expect(dialog.getByText(/已导入 \d+ 页/)).toBeVisible()

    const database = await openServerDatabase(server.dataDir)
    const folders = await database.query<{ name: string }>(
      'SELECT name FROM crf_folder WHERE version_id = $1 ORDER BY sort',
      [versionId],
    )
    const sources = await database.query<{ source: string }>('SELECT source FROM crf_source WHERE version_id = $1', [
      versionId,
    ])
    await database.end()
    expect(folders.rows.map(({ name }) => name)).toEqual(visits)
    const bytes = readFileSync(samplePath(file))
    expect(bytesOf(sources.rows[0]?.source ?? '').equals(bytes)).toBe(true)

    // And out again: what others read of it is what came in.
    await page
      .getByRole('button', { name: '取消' })
      .or(dialog.getByRole('button', { name: '关闭' }))
      .first()
      .click()
    await page.getByRole('button', { name: /^导出/ }).first().click()
    const out = page.getByRole('dialog', { name: /^导出表单定义/ })
    for (const format of ['CDISC ODM 2.0', '证录工作簿', '证录 JSON']) {
      await out.getByRole('radio', { name: format }).check()
      await out.getByRole('button', { name: '生成文件' }).click()
      await expect(out.getByText(/^文件已生成/)).toBeVisible({ timeout: 30_000 })
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        out.getByRole('button', { name: '保存文件' }).click(),
      ])
      expect(pagesIn(readFileSync(await download.path()))).toEqual(pagesIn(bytes))
    }
  })
}

/** What is kept of a file: a text as it is, a workbook as a data URL. */
function bytesOf(evidence: string): Buffer {
  const encoded = /^data:[^,]*;base64,/.exec(evidence)?.[0]
  return encoded === undefined ? Buffer.from(evidence) : Buffer.from(evidence.slice(encoded.length), 'base64')
}

/** The pages that a file defines, as it would be imported. */
function pagesIn(bytes: Uint8Array): unknown {
  const decode = (content: Uint8Array, encoding: string) => new TextDecoder(encoding).decode(content)
  const { result } = readDefinition({ name: 'form', bytes }, decode)
  if (!result.ok) throw new Error(result.error.kind)
  return JSON.parse(
    JSON.stringify(result.definition.pages.map((one) => ({ ...one, repeatable: one.repeatable ?? false }))),
  )
}
