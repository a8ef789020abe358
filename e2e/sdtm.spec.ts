import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { expectAccessible } from './support/accessible.ts'
import { startDemoWard } from './support/demoWard.ts'
import type { DemoWard } from './support/demoWard.ts'

/** Tables of SDTM: the proposed mapping is taken, changed by hand in its file, and run; what is downloaded is by it. */

let ward: DemoWard

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  ward = await startDemoWard(browser)
})

test.afterAll(() => ward.dispose())

async function saved(page: Page, button: Locator): Promise<Uint8Array> {
  const waiting = page.waitForEvent('download')
  await button.click()
  return readFile(await (await waiting).path())
}

async function upload(page: Page, mapping: string): Promise<void> {
  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: '上传映射文件' }).click()
  const buffer = Buffer.from(mapping)
  await (await chosen).setFiles({ name: 'sdtm-mapping.json', mimeType: 'application/json', buffer })
}

interface DatasetJson {
  readonly columns: readonly { readonly name: string }[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

/** A variable of all rows of a table. */
function valuesOf(file: Uint8Array | undefined, variable: string): readonly (string | number | null)[] {
  const { columns, rows } = JSON.parse(strFromU8(file ?? new Uint8Array())) as DatasetJson
  const at = columns.findIndex(({ name }) => name === variable)
  return rows.map((row) => row[at] ?? null)
}

test('tables of SDTM are made by a mapping that was proposed and changed by hand', async () => {
  test.setTimeout(240_000)
  const { projectId } = ward
  const versions = await ward.admin.call<{ records: { id: string }[] }>('version.list', { query: { projectId } })
  const manager = await ward.atDesk('dbd', `/p/${projectId}/v/${versions.records[0]?.id ?? ''}/export`)
  const { page } = manager
  await page.getByRole('button', { name: '新建数据集' }).first().click()
  await page.getByRole('textbox', { name: '名称' }).fill('递交数据')
  await page.getByRole('checkbox', { name: 'CDISC SDTM（Dataset-JSON）' }).click()
  await expect(page.getByRole('alert').getByText(/^SDTM 数据集需要映射/)).toBeVisible()
  await page.getByRole('button', { name: '采用建议的映射', exact: true }).click()
  const mapped = page.getByRole('table', { name: /^研究编号/ })
  for (const domain of ['DM', 'VS']) await expect(mapped.getByRole('cell', { name: domain, exact: true })).toBeVisible()

  const proposed = strFromU8(await saved(page, page.getByRole('button', { name: '下载当前映射' })))
  // A slip of the hand is named by its line, and the mapping stays as it was.
  await upload(page, proposed.replace('"study"', '"studdy"'))
  await expect(page.getByText('未采用“sdtm-mapping.json”')).toBeVisible()
  await expect(page.getByRole('cell', { name: '没有这一项，请检查拼写' })).toBeVisible()
  await expectAccessible(page, 'a mapping that was refused')
  const mapping = { ...(JSON.parse(proposed) as Record<string, unknown>), study: 'ZL-2026' }
  await upload(page, JSON.stringify(mapping, null, 2))
  await expect(page.getByRole('table', { name: /^研究编号 ZL-2026/ })).toBeVisible()

  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByRole('button', { name: /^递交数据/ })).toBeVisible()
  await page.getByRole('button', { name: '导出', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: '用途' }).fill('递交')
  await dialog.getByRole('button', { name: '开始导出' }).click()
  const run = page.getByRole('listitem').filter({ hasText: '递交数据' }).first()
  await expect(run.getByText('已完成')).toBeVisible({ timeout: 120_000 })

  const files = unzipSync(await saved(page, run.getByRole('button', { name: '下载' })))
  const [head = '', ...lines] = strFromU8(files['csv/subjects.csv'] ?? new Uint8Array())
    .replace('\uFEFF', '')
    .trim()
    .split('\r\n')
  expect(head.split(',')[0]).toBe('subject_key')
  const subjects = lines.map((line) => `ZL-2026-${line.split(',')[0] ?? ''}`)
  expect(subjects.length).toBeGreaterThan(10)
  // Everybody is in DM, once, under the number that was given by hand.
  expect(valuesOf(files['sdtm-json/dm.json'], 'USUBJID').map(String).toSorted()).toEqual(subjects.toSorted())
  expect(new Set(valuesOf(files['sdtm-json/vs.json'], 'STUDYID'))).toEqual(new Set(['ZL-2026']))
  expect(valuesOf(files['sdtm-json/vs.json'], 'VSTESTCD')).toContain('WEIGHT')
  const define = strFromU8(files['sdtm-json/define.xml'] ?? new Uint8Array())
  expect(define).toContain('ZL-2026')
  for (const domain of ['DM', 'VS']) expect(define).toMatch(new RegExp(`<ItemGroupDef [^>]*Name="${domain}"`))
  await manager.close()
})
