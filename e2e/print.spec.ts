import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import { textOfPdf } from '#tests/server/support/pdf.ts'
import { expectAccessible } from './support/accessible.ts'
import { approveLastRun, seatArchivist } from './support/archivist.ts'
import { DEMO_PASSWORD } from './support/demoData.ts'
import { startDemoWard } from './support/demoWard.ts'
import type { DemoWard } from './support/demoWard.ts'

/** Paper: casebooks with what was entered, to be filed; the pages of a version, to be filled in by hand or read. */

let ward: DemoWard

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  ward = await startDemoWard(browser)
})

test.afterAll(() => ward.dispose())

/** A subject of the first center, and the weight that was entered first. */
async function weightOf(no: string): Promise<number> {
  const { address, projectId } = ward
  const manager = await signInByApi(address, 'dbd', DEMO_PASSWORD)
  const pages = await manager.call<{ pageId: string; name: string }[]>('database.pages', { query: { projectId } })
  const pageId = pages.find(({ name }) => name === '生命体征')?.pageId
  const question = { projectId, pageId, table: null, columns: ['weight'], filters: [], sort: null, words: no }
  const body = { ...question, offset: 0, size: 1 }
  const { rows } = await manager.call<{ rows: { cells: unknown[] }[] }>('database.rows', { body })
  return Number(rows[0]?.cells[0])
}

async function savedBy(page: Page, button: string): Promise<Uint8Array> {
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  return readFile(await (await waiting).path())
}

test('casebooks are printed once a second person has approved it: a PDF a subject, whose text can be searched', async () => {
  test.setTimeout(240_000)
  const weight = await weightOf('01-001')
  expect(weight).toBeGreaterThan(30)
  const { page, close } = await seatArchivist(ward)
  await page.getByRole('button', { name: '新建数据集' }).first().click()
  await page.getByRole('textbox', { name: '名称' }).fill('纸质归档')
  await page.getByRole('switch', { name: '脱敏后导出' }).click()
  await page.getByRole('radio', { name: '选择中心' }).click()
  // All are chosen at first.
  for (const other of await page.getByRole('checkbox', { name: /^0[2-9] / }).all()) await other.click()
  await expect(page.getByRole('checkbox', { name: /^01 / })).toBeChecked()
  await page.getByRole('checkbox', { name: 'PDF 病例报告表', exact: true }).click()
  await page.getByRole('checkbox', { name: 'CSV', exact: true }).click()
  await expect(page.getByRole('checkbox', { name: '附质疑及其答复' })).toBeChecked()
  await expectAccessible(page, 'the definition of printed casebooks')
  await page.getByRole('button', { name: '导出', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: '用途' }).fill('归档')
  await dialog.getByRole('button', { name: '提交审批' }).click()

  const run = page.getByRole('listitem').filter({ hasText: '纸质归档' }).first()
  await expect(run.getByText('待审批')).toBeVisible()
  await approveLastRun(ward)
  await expect(run.getByText('已完成')).toBeVisible({ timeout: 120_000 })
  const files = unzipSync(await savedBy(page, '下载'))
  const papers = Object.keys(files).filter((name) => name.endsWith('.pdf'))
  expect(papers).toContain('pdf/01-001.pdf')
  expect(papers.every((name) => /^pdf\/01-\d+\.pdf$/.test(name))).toBe(true)
  const text = await textOfPdf(files['pdf/01-001.pdf'] ?? new Uint8Array())
  expect(text).toContain('01-001')
  expect(text).toMatch(new RegExp(`体重 +${weight}\\b`))
  expect(text).toContain('归档员')
  await close()
})

test('whoever sees a version prints it, blank and annotated', async () => {
  test.setTimeout(120_000)
  const { page, close } = await ward.atDesk('crc', `/p/${ward.projectId}/admin/crfHistory`)
  await page.getByRole('button', { name: '打印 CRF' }).first().click()
  const dialog = page.getByRole('dialog', { name: /^打印 CRF/ })
  const texts: string[] = []
  for (const format of ['空白 CRF（PDF）', '注释 CRF（PDF）']) {
    await dialog.getByRole('radio', { name: format }).check()
    await dialog.getByRole('button', { name: '生成文件' }).click()
    await expect(dialog.getByText(/^文件已生成/)).toBeVisible({ timeout: 60_000 })
    texts.push(await textOfPdf(await savedBy(page, '保存文件')))
  }
  await expectAccessible(page, 'printing a version')
  const [blank = '', annotated = ''] = texts
  expect(blank).toContain('空白病例报告表')
  expect(annotated).toContain('注释病例报告表')
  for (const text of texts) for (const label of ['生命体征', '体重']) expect(text).toContain(label)
  // Codes are for who reads the form, not for who fills it in.
  expect(annotated).toContain('weight')
  expect(blank).not.toContain('weight')
  await close()
})
