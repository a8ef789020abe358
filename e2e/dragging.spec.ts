import { expect, test } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { signIn } from './support/session.ts'
import { ADMIN, openOffice } from './support/study/office.ts'
import type { OpenOffice } from './support/study/office.ts'
import { makeStudy } from './support/study/project.ts'
import { draftDefinition } from './support/study/versions.ts'

/**
 * A designer drags fields with the mouse: sees where they would come to stand, past the edge of what is in sight, and
 * who does not see it is told.
 */

const field = (prop: string, label: string, span: number, more: object = {}) => ({
  type: 'input',
  prop,
  label,
  span,
  ...more,
})
/** Lines of two, one with room beside its field, a table, a titled section, and more than fits on the screen. */
const PAGE = {
  column: [
    field('name', '姓名缩写', 12),
    field('sex', '性别', 12),
    field('birth', '出生日期', 12),
    field('note', '备注', 24),
    field('drugs', '合并用药', 24, {
      type: 'dynamic',
      children: { type: 'crud', column: [field('drug', '药名', 12), field('dose', '剂量', 12)] },
    }),
  ],
  group: [
    {
      prop: 'vitals',
      label: '生命体征',
      column: Array.from({ length: 24 }, (_, at) => field(`v${at + 1}`, `体征${at + 1}`, 12)),
    },
  ],
}

let office: OpenOffice
let crfId: string
let place: string

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  office = await openOffice()
  const { projectId } = await makeStudy(office.admin, { projectName: '拖动' })
  const page = { pageName: '筛选', pageCode: 'SC', repeatable: false, option: JSON.stringify(PAGE) }
  crfId = await draftDefinition(office.admin, projectId, {
    folders: [{ folderName: '筛选期', folderCode: 'V1', pages: [page] }],
  })
  place = `/p/${projectId}/v/${crfId}/design`
})

test.afterAll(() => office.server.dispose())

/** The designer with the page open, in a window of a size. */
async function openPage(screen: Page, width: number, height: number): Promise<Locator> {
  await screen.setViewportSize({ width, height })
  await signIn(screen, office.address, place, ADMIN)
  await screen.getByRole('treeitem', { name: /筛选 SC/ }).click()
  const page = screen.getByRole('listbox', { name: '筛选' })
  await expect(page.getByRole('option').first()).toBeVisible()
  return page
}

const optionOf = (page: Locator, label: string) =>
  page.getByRole('option').filter({ has: page.page().getByText(label, { exact: true }) })

/** A point of something on the screen, by parts of its width and height. */
async function pointOf(what: Locator, x: number, y: number): Promise<{ readonly x: number; readonly y: number }> {
  const box = await what.boundingBox()
  if (box === null) throw new Error('it is not in sight')
  return { x: box.x + box.width * x, y: box.y + box.height * y }
}

/** Takes hold of something: a drag begins when the hand has moved a little. */
async function take(screen: Page, what: Locator): Promise<void> {
  await what.scrollIntoViewIfNeeded()
  const from = await pointOf(what, 0.3, 0.4)
  await screen.mouse.move(from.x, from.y)
  await screen.mouse.down()
  await screen.mouse.move(from.x + 6, from.y + 4, { steps: 3 })
}

/** Goes with it over something, not at one leap. */
async function holdAt(screen: Page, what: Locator, x: number, y: number): Promise<void> {
  const to = await pointOf(what, x, y)
  await screen.mouse.move(to.x, to.y, { steps: 12 })
  // A hand is never still: a browser that is led tells nothing of one that is.
  await screen.mouse.move(to.x + 2, to.y, { steps: 2 })
}

/** Codes of the fields that the server has: those at the beginning of the page, and those of its section. */
async function stored(): Promise<readonly (readonly string[])[]> {
  const { version } = await office.admin.call<{ version: VersionRow }>('version.design', { params: { id: crfId } })
  const { column, group } = JSON.parse(version.folders[0]?.pages[0]?.option ?? '{}') as typeof PAGE
  return [column, ...group.map((one) => one.column)].map((columns) => columns.map(({ prop }) => prop))
}

const told = (screen: Page, words: string) =>
  expect(screen.getByRole('status').filter({ hasText: words })).toBeAttached()
const line = (page: Locator) => page.locator('[data-line]')

test('what is dragged is marked, a line shows where it would stand, and it comes to stand there', async ({
  page: screen,
}) => {
  const page = await openPage(screen, 1440, 900)
  await take(screen, optionOf(page, '备注'))
  await told(screen, '已选取 备注')
  // Onto the upper right half of the last field of a line: behind it, not before the first of the line.
  await holdAt(screen, optionOf(page, '性别'), 0.8, 0.2)
  await expect(line(page)).toHaveCount(1)
  await expect(optionOf(page, '性别')).toHaveAttribute('data-line', 'right')
  await screen.screenshot({ path: 'test-results/look/dragging-right.png' })
  await screen.mouse.up()
  await expect(line(page)).toHaveCount(0)
  await told(screen, '备注 已移到 筛选：第 3 项，共 5 项')
  await expect.poll(async () => (await stored())[0]).toEqual(['name', 'sex', 'note', 'birth', 'drugs'])
})

test('where it would stay nothing shows, and escape leaves all as it was', async ({ page: screen }) => {
  const page = await openPage(screen, 1440, 900)
  await take(screen, optionOf(page, '性别'))
  await holdAt(screen, optionOf(page, '姓名缩写'), 0.8, 0.5)
  await expect(line(page)).toHaveCount(0)
  await holdAt(screen, optionOf(page, '姓名缩写'), 0.2, 0.5)
  await expect(optionOf(page, '姓名缩写')).toHaveAttribute('data-line', 'left')
  await screen.keyboard.press('Escape')
  await expect(line(page)).toHaveCount(0)
  await told(screen, '性别 没有移动')
  await screen.mouse.up()
  expect((await stored())[0]).toEqual(['name', 'sex', 'note', 'birth', 'drugs'])
})

test('held at the lower edge the page scrolls on, to a place that was out of sight', async ({ page: screen }) => {
  const page = await openPage(screen, 1180, 820)
  const region = screen.getByRole('region', { name: '页面' })
  const scrolled = () => region.evaluate((element) => element.scrollTop)
  await take(screen, optionOf(page, '姓名缩写'))
  await holdAt(screen, region, 0.5, 0.97)
  await expect.poll(scrolled).toBeGreaterThan(400)
  await screen.screenshot({ path: 'test-results/look/dragging-edge.png' })
  await expect(optionOf(page, '体征24')).toBeInViewport({ ratio: 0.9 })
  await holdAt(screen, optionOf(page, '体征24'), 0.8, 0.5)
  await screen.mouse.up()
  await told(screen, '姓名缩写 已移到 生命体征：第 25 项，共 25 项')
  await expect.poll(async () => (await stored())[1]?.at(-1)).toBe('name')
  // And back, past the upper edge.
  await take(screen, optionOf(page, '姓名缩写'))
  await holdAt(screen, region, 0.3, 0.06)
  await expect.poll(scrolled).toBe(0)
  await holdAt(screen, optionOf(page, '性别'), 0.2, 0.5)
  await screen.mouse.up()
  await expect.poll(async () => (await stored())[0]?.[0]).toBe('name')
})

test('a type of the palette goes into a table, beside a field and below all, and a table into no table', async ({
  page: screen,
}) => {
  const page = await openPage(screen, 1180, 820)
  await screen.getByRole('tab', { name: '控件' }).click()
  const tile = (name: string) => screen.getByRole('button', { name, exact: true })
  const columns = page.getByRole('group', { name: '表格 合并用药 的列' })
  // In the middle, where nothing scrolls on by itself.
  const centered = () => columns.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await centered()
  await take(screen, tile('日期'))
  await holdAt(screen, optionOf(page, '药名'), 0.2, 0.5)
  await expect(optionOf(page, '药名')).toHaveAttribute('data-line', 'left')
  await screen.screenshot({ path: 'test-results/look/dragging-table.png' })
  await screen.mouse.up()
  await told(screen, '日期 已添加到 表格 合并用药 的列：第 1 项，共 3 项')
  await expect(columns.getByRole('option').first()).toContainText('日期')

  await centered()
  await take(screen, tile('动态表格'))
  await holdAt(screen, optionOf(page, '剂量'), 0.8, 0.5)
  await expect(columns).toHaveAttribute('data-line', 'bottom')
  await screen.screenshot({ path: 'test-results/look/dragging-after-table.png' })
  await screen.mouse.up()
  await expect.poll(async () => (await stored())[0]).toEqual(['name', 'sex', 'note', 'birth', 'drugs', 'dynamic1'])
})
