import { createHash, randomFillSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { FaultProxy } from './support/faultProxy.ts'
import { signInAgain, unlock } from './support/session.ts'
import { ADMIN } from './support/study/office.ts'
import { startEntry } from './support/study/project.ts'
import { releaseDictionary } from './support/study/versions.ts'
import { CRC, enrol, keepCenter, makeProject } from './support/study/ward.ts'
import { newTablet } from './support/tablet.ts'
import type { Tablet } from './support/tablet.ts'

/**
 * Photographs of a day without a network, over a link that breaks and with batteries that are pulled: whole, once,
 * after their data.
 */

const DICTIONARY = `field_name,form_name,section_header,field_type,field_label,select_choices_or_calculations,field_note,text_validation_type_or_show_slider_number,branching_logic,required_field,field_annotation
note,tongue,,text,舌诊备注,,,,,,
photos,tongue,,file,舌象照片,,,,,y,
`
const COUNT = 20
/** One in so many calls is reset: 5 %. */
const RESET_EVERY = 20
const PHOTO = { width: 1312, height: 1332 }

let server: RunningServer
let proxy: FaultProxy
let tablet: Tablet
let folder: string
let patients: string
const photos: { readonly file: string; readonly hash: string }[] = []

test.describe.configure({ mode: 'serial', timeout: 420_000 })

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'zl-photos-'))
  const dictionary = path.join(folder, 'study.csv')
  await writeFile(dictionary, DICTIONARY)
  for (let at = 0; at < COUNT; at += 1)
    photos.push(await makePhoto(path.join(folder, `photo-${String(at).padStart(2, '0')}.bmp`)))
  server = await startServer({ adminPassword: ADMIN.password })
  proxy = await FaultProxy.start({ serverPort: server.port })
  tablet = await newTablet()
  const admin = await signInByApi(proxy.address, ADMIN.account, ADMIN.password)
  const projectId = await makeProject(proxy.address, admin, '舌诊研究')
  await releaseDictionary(
    tablet.page,
    proxy.address,
    projectId,
    dictionary,
    async () => undefined,
    '已导入 1 页，2 个字段',
  )
  patients = await startEntry(admin, projectId)
})

test.afterAll(async () => {
  await tablet.dispose()
  await proxy.close()
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
})

/** A photograph of five megabytes as an old camera writes it, of noise, which nothing makes smaller. */
async function makePhoto(file: string): Promise<{ readonly file: string; readonly hash: string }> {
  const header = Buffer.alloc(54)
  const pixels = randomFillSync(Buffer.alloc(PHOTO.width * PHOTO.height * 3))
  header.write('BM')
  header.writeUInt32LE(54 + pixels.length, 2)
  header.writeUInt32LE(54, 10)
  header.writeUInt32LE(40, 14)
  header.writeInt32LE(PHOTO.width, 18)
  header.writeInt32LE(PHOTO.height, 22)
  header.writeUInt16LE(1, 26)
  header.writeUInt16LE(24, 28)
  const content = Buffer.concat([header, pixels])
  await writeFile(file, content)
  return { file, hash: createHash('sha256').update(content).digest('hex') }
}

const photosRow = (page: Page) => page.locator('[data-row="photos"]')
const items = (page: Page) => photosRow(page).getByRole('listitem')

/** Chooses files in the browser's own chooser: by their paths, for so much cannot be handed over. */
async function choose(page: Page, files: readonly string[]): Promise<void> {
  await expect(page.getByRole('button', { name: '舌象照片：选择文件' })).toBeVisible()
  const browser = await page.context().newCDPSession(page)
  const { result } = await browser.send('Runtime.evaluate', {
    expression: `document.querySelector('[data-row="photos"] input[type=file][multiple]')`,
  })
  if (result.objectId === undefined) throw new Error('no chooser')
  await browser.send('DOM.setFileInputFiles', { files: [...files], objectId: result.objectId })
  await browser.detach()
}

/** The browser is dead and comes again with what its disk holds. */
async function startAgain(): Promise<Page> {
  const page = await tablet.start()
  await page.goto(`${proxy.address}${patients}`)
  await unlock(page, CRC.password)
  await expect(page.getByRole('link', { name: /BJ01-001/ }).first()).toBeVisible()
  return page
}

async function ask<Row extends object>(text: string): Promise<readonly Row[]> {
  const database = await openServerDatabase(server.dataDir)
  try {
    return (await database.query<Row>(text)).rows
  } finally {
    await database.end()
  }
}
const countStored = async () =>
  (await ask<{ count: number }>(`SELECT count(*)::integer AS count FROM attachment WHERE state = 'stored'`))[0]
    ?.count ?? 0

test('without a network twenty photographs are taken into a field; each is on the tablet, and said to be nowhere else', async () => {
  const { page } = tablet
  await keepCenter(page, proxy.address, patients)
  await proxy.cut()
  await page.reload()
  await unlock(page, CRC.password)
  await enrol(page, { initials: 'WXM', name: '王小明', mobile: '13800000002' })
  await page
    .getByRole('link', { name: /tongue/i })
    .first()
    .click()
  await page.locator('[data-row="note"] input').fill('淡红')
  await choose(
    page,
    photos.map(({ file }) => file),
  )
  await expect(items(page)).toHaveCount(COUNT, { timeout: 120_000 })
  await expect(items(page).first()).toContainText('仅在本机，待上传')
  await expect(items(page).first().locator('img')).toBeVisible()
  await expect(page.getByText(/已保存在本机/).first()).toBeVisible()
})

test('over a link that resets every twentieth call, with two pulled batteries, they arrive whole, once, and after their data', async () => {
  await tablet.pullBattery()
  let page = await startAgain()
  proxy.resetEvery(RESET_EVERY)
  await proxy.restore()
  await signInAgain(page, CRC.password)
  await expect.poll(countStored, { timeout: 60_000 }).toBeGreaterThan(2)
  await tablet.pullBattery()
  const midway = await countStored()
  expect(midway).toBeLessThan(COUNT)

  page = await startAgain()
  await signInAgain(page, CRC.password)
  await expect.poll(countStored, { timeout: 240_000 }).toBe(COUNT)
  await page.goto(`${proxy.address}/device`)
  const locked = page.getByRole('button', { name: '解锁' })
  await expect(locked.or(page.getByText('没有未同步的内容'))).toBeVisible()
  if (await locked.isVisible()) await unlock(page, CRC.password)
  await expect(page.getByText('没有未同步的内容')).toBeVisible({ timeout: 60_000 })

  expect(proxy.happened.get('lost') ?? 0).toBeGreaterThan(0)
  expect(proxy.happened.get('answer_lost') ?? 0).toBeGreaterThan(0)
  const stored = await ask<{ hash: string; thumb: boolean }>('SELECT hash, thumb IS NOT NULL AS thumb FROM attachment')
  expect(stored.map(({ hash }) => hash).toSorted()).toEqual(photos.map(({ hash }) => hash).toSorted())
  expect(stored.every(({ thumb }) => thumb)).toBe(true)
  const trail = await ask<{ action: string }>(
    `SELECT action FROM audit WHERE action IN ('item.update', 'attachment.store') AND prop = 'photos' ORDER BY seq, ord`,
  )
  expect(trail[0]?.action).toBe('item.update')
  expect(trail.filter(({ action }) => action === 'attachment.store')).toHaveLength(COUNT)
  expect(await ask('SELECT 1 FROM attachment_piece')).toEqual([])
})

test('a name on a photograph is covered before it is kept: the original is nowhere', async () => {
  await proxy.heal()
  const page = await openTongue()
  await choose(page, [photos[0]?.file ?? ''])
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('核对照片')
  await dialog.getByRole('button', { name: '添加遮盖块' }).click()
  const box = dialog.getByRole('button', { name: /遮盖块 1/ })
  await box.focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Shift+ArrowRight')
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(items(page)).toHaveCount(COUNT + 1)
  await expect(items(page).last()).toContainText('photo-00.jpg')
  await expect.poll(countStored, { timeout: 60_000 }).toBe(COUNT + 1)
  const [redacted] = await ask<{ hash: string; type: string }>(
    `SELECT hash, type FROM attachment ORDER BY stored_at DESC LIMIT 1`,
  )
  expect(redacted?.type).toBe('image/jpeg')
  expect(photos.map(({ hash }) => hash)).not.toContain(redacted?.hash)
})

test('the list, and a photograph beside its page, without a network', async () => {
  const page = await openTongue()
  await expect(items(page).last()).toContainText('已在服务器', { timeout: 60_000 })
  await proxy.cut()
  await items(page).last().getByRole('link').click()
  await expect(page.getByRole('img', { name: 'photo-00.jpg' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'tongue' })).toContainText('淡红')
  const border = page.getByRole('separator')
  await border.focus()
  await page.keyboard.press('ArrowDown')
  await expect(border).toHaveAttribute('aria-valuenow', '55')
  await page.getByRole('button', { name: '放大' }).click()
  await expect(page.getByText('125%')).toBeVisible()
  await page.getByRole('link', { name: '返回附件列表' }).click()
  await expect(page.getByText(`共 ${COUNT + 1} 个附件`)).toBeVisible()
  await page.getByLabel('状态').selectOption('仅在本机')
  await expect(page.getByText('没有符合条件的附件')).toBeVisible()
})

async function openTongue(): Promise<Page> {
  const { page } = tablet
  await page.goto(`${proxy.address}${patients}`)
  const locked = page.getByRole('button', { name: '解锁' })
  await expect(locked.or(page.getByRole('link', { name: /BJ01-001/ })).first()).toBeVisible()
  if (await locked.isVisible()) await unlock(page, CRC.password)
  await page
    .getByRole('link', { name: /BJ01-001/ })
    .first()
    .click()
  await page
    .getByRole('link', { name: /tongue/i })
    .first()
    .click()
  await expect(items(page).first()).toBeVisible()
  return page
}
