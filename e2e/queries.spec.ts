import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { startDemoWard } from './support/demoWard.ts'
import type { DemoWard, WardTablet } from './support/demoWard.ts'

/**
 * A monitor asks about a value; the site answers and corrects it on a tablet without a network; the monitor reads the
 * answer with the value of then and of now, and closes. What comes after the closing is not lost.
 */

let ward: DemoWard
let tablet: WardTablet
/** A small picture that every browser draws. */
const RECORD =
  'iVBORw0KGgoAAAANSUhEUgAAACgAAAAeCAIAAADRv8uKAAAAKElEQVR4nO3NMQEAAAwCIPvnMaAxtgMKkB6JWCwWi8VisVgsFov/xgNUsOPIzN51mwAAAABJRU5ErkJggg=='

/** The list of queries of the project, once the tablet has been in it. */
let list: string

test.beforeAll(async ({ browser }) => {
  test.setTimeout(420_000)
  ward = await startDemoWard(browser)
  tablet = await ward.unpack()
})

test.afterAll(() => ward.dispose())

const markAt = (page: Page, prop: string) => page.locator(`[data-row="${prop}"] [data-asked]`)
const listPath = (page: Page) => new URL(page.url()).pathname.replace(/\/v\/([^/]+)\/.*/, '/v/$1/query')

test('a value is asked about, answered and corrected offline, read and closed; a late answer waits for a decision', async () => {
  test.setTimeout(420_000)
  const { page, network } = tablet
  await ward.takeToTheWard(tablet, 'crc')
  list = listPath(page)
  await ward.openVitals(tablet, '01-003')
  const address = new URL(page.url())
  const desk = await ward.atDesk('cra', `${address.pathname}${address.search}`)

  // The monitor asks with the keyboard alone.
  const asking = desk.page
  await asking.getByRole('button', { name: '体重：稽查轨迹' }).focus()
  await asking.keyboard.press('Alt+q')
  const beside = asking.getByRole('complementary', { name: '体重：质疑' })
  await expect(beside.getByText('还没有质疑。')).toBeVisible()
  await beside.getByRole('button', { name: '提出质疑' }).press('Enter')
  const dialog = asking.getByRole('dialog', { name: '体重：提出质疑' })
  await expectAccessible(asking, 'asking about a field')
  await dialog.getByRole('button', { name: '提出质疑' }).click()
  await expect(dialog.getByText('请填写问题。')).toBeVisible()
  await dialog.getByRole('textbox', { name: '问题' }).fill('与护理记录不符，请核对体重。')
  await dialog.getByRole('button', { name: '提出质疑' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(beside.getByText('与护理记录不符，请核对体重。')).toBeVisible()
  await expect(markAt(asking, 'weight')).toHaveText('有质疑')
  await expectAccessible(asking, 'a query beside its page')

  // The site has it on the tablet, and needs no network for its answer.
  await ward.received(tablet)
  await ward.openVitals(tablet, '01-003')
  await expect(markAt(page, 'weight')).toHaveText('有质疑')
  await network.cut()
  await page.locator('[data-row="weight"] input').fill('81.5')
  await page.keyboard.press('Tab')
  await markAt(page, 'weight').click()
  const sheet = page.getByRole('dialog', { name: '体重：质疑' })
  await sheet.getByRole('button', { name: '答复', exact: true }).click()
  await expectAccessible(page, 'answering a query')
  await sheet.getByRole('button', { name: '答复', exact: true }).click()
  await expect(sheet.getByText('请选择类别或填写内容。')).toBeVisible()
  await sheet.getByText('数据已更正').click()
  await sheet.getByLabel('答复内容').fill('抄录错误，已按护理记录更正。')
  await sheet.getByRole('button', { name: '答复', exact: true }).click()
  await expect(sheet.getByText('未同步')).toBeVisible()
  await sheet.getByRole('button', { name: '关闭', exact: true }).first().click()
  await expect(markAt(page, 'weight')).toHaveText('质疑已答')
  await page.getByRole('button', { name: '说明原因' }).click()
  const why = page.getByRole('dialog', { name: '说明修改原因' })
  await why.getByText('答复质疑').first().click()
  await expect(why).toHaveCount(0)
  await ward.reopen(tablet, list)
  const row = page.locator('main [role=row]').filter({ hasText: '与护理记录不符' })
  await expect(row).toContainText('已答复')

  await network.restore()
  await ward.received(tablet)

  // The monitor reads the answer in the list, with the value that it came with, and closes.
  await asking.goto(`${new URL(asking.url()).origin}${list}`)
  await expect(asking.getByRole('navigation').getByRole('link', { name: /^质疑/ })).toBeVisible()
  const line = asking.locator('main [role=row]').filter({ hasText: '与护理记录不符' })
  await expect(line).toContainText('已答复')
  await expectAccessible(asking, 'the list of queries')
  await line.locator('[data-cell]').last().click()
  const panel = asking.getByRole('complementary')
  await expect(panel.getByText('抄录错误，已按护理记录更正。')).toBeVisible()
  await expect(panel.getByText('当时的值：81.5 kg')).toBeVisible()
  await expectAccessible(asking, 'a query beside the list')

  // Meanwhile the site has more to say, and no network.
  await ward.openVitals(tablet, '01-003')
  await network.cut()
  await markAt(page, 'weight').click()
  await sheet.getByRole('button', { name: '答复', exact: true }).click()
  await sheet.getByLabel('答复内容').fill('补充：护理记录已扫描上传。')
  const chosen = page.waitForEvent('filechooser')
  await sheet.getByRole('button', { name: '添加附件' }).click()
  await (await chosen).setFiles({ name: '护理记录.png', mimeType: 'image/png', buffer: Buffer.from(RECORD, 'base64') })
  const review = page.getByRole('dialog', { name: '核对照片：护理记录.png' })
  await review.getByRole('button', { name: '添加遮盖块' }).click()
  await review.getByRole('button', { name: '保存', exact: true }).click()
  // What was covered is black in what is kept, which is a JPEG of its own.
  await expect(sheet.getByRole('listitem').filter({ hasText: '护理记录.jpg' })).toContainText('仅在本机')
  await expectAccessible(page, 'answering a query with a picture')
  await sheet.getByRole('button', { name: '答复', exact: true }).click()
  await expect(sheet.getByText('未同步')).toBeVisible()
  await expect(sheet.getByRole('listitem').filter({ hasText: '护理记录.jpg' }).last()).toContainText('仅在本机')
  await panel.getByRole('button', { name: '关闭', exact: true }).last().click()
  await expect(line).toHaveCount(0)

  await network.restore()
  await ward.received(tablet)
  await asking.reload()
  await expect(line).toContainText('已答复')
  await line.locator('[data-cell]').last().click()
  await expect(panel.getByText('补充：护理记录已扫描上传。')).toBeVisible()
  await expect(panel.getByText('收到时质疑已结束，请复核。')).toBeVisible()

  // The picture has followed its words, and is looked at like any other of the subject.
  await expect(async () => {
    await asking.reload()
    await line.locator('[data-cell]').last().click()
    const file = panel.getByRole('listitem').filter({ hasText: '护理记录.jpg' }).last()
    await expect(file).toContainText('已在服务器', { timeout: 2000 })
  }).toPass()
  await expectAccessible(asking, 'a thread with a picture')
  await panel.getByRole('link', { name: '护理记录.jpg' }).click()
  await expect(asking.getByRole('img', { name: '护理记录.jpg' })).toBeVisible()
  await expect(asking.getByText(/^质疑 \d+$/)).toBeVisible()

  // The trail of the subject tells each step.
  const trail = `${address.pathname.replace(/\/page\/.*/, '/log')}?p=${ward.projectId}`
  const reader = await ward.atDesk('dbd', trail)
  const steps = reader.page.locator('main [data-row]')
  for (const [step, words] of [
    ['提出质疑', '与护理记录不符，请核对体重。'],
    ['答复质疑', '抄录错误，已按护理记录更正。'],
    ['关闭质疑', ''],
    ['答复质疑', '补充：护理记录已扫描上传。'],
  ] as const)
    await expect(steps.filter({ hasText: step }).filter({ hasText: words }).first()).toBeVisible()
  await reader.close()
  await desk.close()
})

test('a data manager picks several queries by key and closes them together; what cannot be closed stays', async () => {
  test.setTimeout(420_000)
  const desk = await ward.atDesk('dbd', list)
  const { page } = desk
  const rows = page.locator('main [role=row][data-row]')
  await expect(rows.nth(2)).toBeVisible()
  const picked = page.locator('main').getByText(/^已选/)
  await page.keyboard.press('j')
  await page.keyboard.press('Shift+J')
  await page.keyboard.press('Shift+J')
  await page.keyboard.press('x')
  await expect(picked).toHaveText('已选 3 条')
  await expectAccessible(page, 'picked queries')
  const ids = await rows.evaluateAll((all) => all.slice(0, 3).map((row) => row.dataset['row'] ?? ''))
  await page.getByRole('button', { name: /^关闭（\d）$/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/将对 \d 条质疑执行“关闭”/)).toBeVisible()
  const closable = Number(/将对 (\d)/.exec(await dialog.innerText())?.[1])
  await expectAccessible(page, 'closing several queries')
  await dialog.getByRole('textbox').fill('已核对，无需处理。')
  await dialog.getByRole('button', { name: '关闭', exact: true }).last().click()
  await expect(dialog).toHaveCount(0)
  // The list is of what is not settled.
  await expect(rows.and(page.locator(ids.map((id) => `[data-row="${id}"]`).join(', ')))).toHaveCount(3 - closable)
  await page.goto(`${new URL(page.url()).origin}${list}?state=closed`)
  for (let at = 0; at < closable; at += 1) await expect(rows.nth(at)).toContainText('已关闭')
  await desk.close()
})
