import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { expectAccessible } from './support/accessible.ts'
import { approveLastRun, seatArchivist } from './support/archivist.ts'
import { startDemoWard } from './support/demoWard.ts'
import type { DemoWard } from './support/demoWard.ts'

/**
 * A data manager makes a data set, looks at its first rows, exports it, and reads what was downloaded; an administrator
 * takes casebooks out once another one has approved it.
 */

let ward: DemoWard

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  ward = await startDemoWard(browser)
})

test.afterAll(() => ward.dispose())

test('a data set is made, exported and downloaded, without what identifies', async () => {
  test.setTimeout(240_000)
  const { projectId } = ward
  const versions = await ward.admin.call<{ records: { id: string }[] }>('version.list', { query: { projectId } })
  const manager = await ward.atDesk('dbd', `/p/${projectId}/v/${versions.records[0]?.id ?? ''}/export`)
  const { page } = manager
  await expect(page.getByRole('navigation').getByRole('link', { name: '数据导出' })).toBeVisible()
  await page.getByRole('button', { name: '新建数据集' }).first().click()
  await page.getByRole('textbox', { name: '名称' }).fill('期中分析')
  await expect(page.getByRole('switch', { name: '脱敏后导出' })).toBeDisabled()
  await page.getByRole('checkbox', { name: 'CDISC Dataset-JSON' }).click()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByRole('button', { name: /^期中分析/ })).toBeVisible()

  await page.getByRole('button', { name: '预览前 20 行' }).click()
  await expect(page.getByText(/\d+ 名受试者/).first()).toBeVisible({ timeout: 60_000 })
  await expectAccessible(page, 'the definition of a data set with its preview')

  await page.getByRole('button', { name: '导出', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: '用途' }).fill('期中分析')
  await dialog.getByRole('button', { name: '开始导出' }).click()

  const run = page.getByRole('listitem').filter({ hasText: '期中分析' }).first()
  await expect(run.getByText('已完成')).toBeVisible({ timeout: 120_000 })
  await expect(run.getByText(/^[0-9a-f]{64}$/)).toBeVisible()
  await expectAccessible(page, 'the history of exports')
  const waiting = page.waitForEvent('download')
  await run.getByRole('button', { name: '下载' }).click()
  const download = await waiting
  expect(download.suggestedFilename()).toMatch(/^export-\d{4}-\d\d-\d\d-[0-9a-f]{8}\.zip$/)
  const files = unzipSync(await readFile(await download.path()))
  const names = Object.keys(files)
  expect(names).toContain('manifest.json')
  expect(names.some((name) => name.startsWith('dataset-json/'))).toBe(true)
  const subjects = strFromU8(files['csv/subjects.csv'] ?? new Uint8Array())
  expect(subjects.split('\r\n')[0]?.replace('\uFEFF', '')).toBe('subject_key,center,sex,enrolled_on')
  expect(subjects.split('\r\n').length).toBeGreaterThan(2)

  await run.getByRole('button', { name: '分析链接' }).click()
  const links = page.getByRole('dialog', { name: '分析链接' })
  await links.getByRole('textbox', { name: '用途和使用者' }).fill('统计师在 R 中做期中分析')
  await links.getByRole('button', { name: '生成链接' }).click()
  await expect(links.getByText('尚未读取')).toBeVisible()
  await links.getByText('查看链接与读取代码').click()
  await expectAccessible(page, 'the links of an export')
  await page.screenshot({ path: test.info().outputPath('links.png') })
  // As R does it: the address is all that is known.
  const address = (await links.locator('pre').first().innerText()).trim()
  const fetched = await fetch(address)
  expect(fetched.status).toBe(200)
  expect(Object.keys(unzipSync(new Uint8Array(await fetched.arrayBuffer())))).toEqual(names)
  await links.getByRole('button', { name: '停用' }).click()
  await expect(links.getByText(/^已停用：/)).toContainText('已读取 1 次')
  expect((await fetch(address)).status).toBe(404)
  await page.keyboard.press('Escape')
  await expect(run.getByRole('link', { name: '统计分析' })).toBeVisible()
  await manager.close()
})

test('casebooks leave as ODM once a second person has approved it', async () => {
  test.setTimeout(240_000)
  const { page, close } = await seatArchivist(ward)
  await page.getByRole('button', { name: '新建数据集' }).first().click()
  await page.getByRole('textbox', { name: '名称' }).fill('归档')
  await expect(page.getByText(/请先关闭上方的“脱敏后导出”/)).toBeVisible()
  await page.getByRole('switch', { name: '脱敏后导出' }).click()
  await page.getByRole('checkbox', { name: 'CDISC ODM 2.0（含稽查轨迹）' }).click()
  await page.getByRole('checkbox', { name: 'CSV', exact: true }).click()
  await expectAccessible(page, 'the definition of casebooks')
  await page.getByRole('button', { name: '导出', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('稽查轨迹（行）')).toBeVisible({ timeout: 60_000 })
  await dialog.getByRole('textbox', { name: '用途' }).fill('归档')
  await dialog.getByRole('button', { name: '提交审批' }).click()

  const run = page.getByRole('listitem').filter({ hasText: '归档' }).first()
  await expect(run.getByText('待审批')).toBeVisible()
  await approveLastRun(ward)
  await expect(run.getByText('已完成')).toBeVisible({ timeout: 120_000 })
  const waiting = page.waitForEvent('download')
  await run.getByRole('button', { name: '下载' }).click()
  const files = unzipSync(await readFile(await (await waiting).path()))
  const odm = strFromU8(files['odm-2.0-trail/data.xml'] ?? new Uint8Array())
  expect(odm).toContain('FileType="Transactional"')
  expect(odm).toMatch(/<SubjectData SubjectKey="01-00\d"/)
  await close()
})
