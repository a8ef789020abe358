import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { expectAccessible } from './support/accessible.ts'
import { signIn } from './support/session.ts'
import { openOffice } from './support/study/office.ts'
import type { OpenOffice } from './support/study/office.ts'
import { makeStudy, openProject } from './support/study/project.ts'
import { joinTeam } from './support/study/team.ts'
import type { Team } from './support/study/team.ts'
import { beginDraft } from './support/study/versions.ts'

/**
 * A data manager designs a study in the browser: with the mouse, by keyboard alone, beside a colleague, and with the
 * server away.
 */

const DICTIONARY = `"Variable / Field Name","Form Name","Section Header","Field Type","Field Label","Choices, Calculations, OR Slider Labels","Field Note","Text Validation Type OR Show Slider Number","Text Validation Min","Text Validation Max",Identifier?,"Branching Logic (Show field only if...)","Required Field?","Custom Alignment","Question Number (surveys only)","Matrix Group Name","Matrix Ranking?","Field Annotation"
wbc,lab,,text,白细胞,,,number,,,,,,,,,,
`

let office: OpenOffice
let projectId: string
let crfId: string
let place: string
let team: Team<'dbd' | 'dbd2'>

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  office = await openOffice()
  const { admin } = office
  const study = await makeStudy(admin, { projectName: '肺炎证候研究' })
  projectId = study.projectId
  team = await joinTeam(office, study, {
    dbd: { realName: '吴数据', userRole: 'DBD' },
    dbd2: { realName: '郑数据', userRole: 'DBD' },
  })
  crfId = await beginDraft(admin, projectId)
  await openProject(admin, projectId)
  place = `/p/${projectId}/v/${crfId}/design`
})

test.afterAll(() => office.server.dispose())

const saved = (screen: Page) => expect(screen.getByText('已保存', { exact: true })).toBeVisible({ timeout: 20_000 })

/** Goes from the tree to the types of fields. */
const palette = (screen: Page) => screen.getByRole('tab', { name: '控件' }).click()

/** What the server has: visits, with the codes of their pages and of the fields on them. */
async function stored(): Promise<readonly unknown[]> {
  const { version } = await office.admin.call<{ version: VersionRow }>('version.design', { params: { id: crfId } })
  return version.folders.map(({ folderName, pages }) => [
    folderName,
    pages.map(({ pageName, option }) => [pageName, columnsOf(option).map(({ prop }) => prop)]),
  ])
}

interface StoredColumn {
  readonly prop: string
  readonly label: string
  readonly zl?: { readonly min?: number; readonly show?: string }
}

function columnsOf(option: string): readonly StoredColumn[] {
  const { column, group = [] } = JSON.parse(option) as { column: StoredColumn[]; group?: { column: StoredColumn[] }[] }
  return [...column, ...group.flatMap((one) => one.column)]
}

test('a visit, a page and its fields come from nothing, are named, moved, tried and kept', async ({ page: screen }) => {
  test.setTimeout(120_000)
  await screen.setViewportSize({ width: 1440, height: 900 })
  await signIn(screen, office.address, place, team.dbd)
  await expect(screen.getByText('还没有访视。')).toBeVisible()
  await expectAccessible(screen, 'an empty design')
  await screen.getByRole('button', { name: '新增访视' }).click()
  await screen.getByLabel('访视名称').fill('筛选期')
  await screen.getByRole('button', { name: '新增表单页' }).click()
  await screen.getByLabel('页名称').fill('生命体征')
  const page = screen.getByRole('listbox', { name: '生命体征' })

  await palette(screen)
  await screen.getByRole('button', { name: '数字', exact: true }).click()
  await screen.getByLabel('名称', { exact: true }).fill('脉搏')
  await screen.getByLabel('英文名称').first().fill('Pulse')
  await screen.getByLabel('编码', { exact: true }).fill('1')
  await expect(screen.getByText('只能用字母和数字，1–20 位，以字母开头')).toBeVisible()
  await screen.getByLabel('编码', { exact: true }).fill('pulse')
  await screen.getByLabel('编码', { exact: true }).press('Enter')
  await screen.getByLabel('允许下限', { exact: true }).fill('30')
  await screen.getByRole('button', { name: '单选', exact: true }).click()
  await screen.getByLabel('名称', { exact: true }).first().fill('舌色')
  await screen.getByLabel('名称 1', { exact: true }).fill('淡红')
  await expect(page.getByRole('option')).toHaveCount(2)

  // Drawn from the palette before the first field.
  await screen
    .getByRole('button', { name: '日期', exact: true })
    .dragTo(page.getByRole('option', { name: /脉搏/ }), { targetPosition: { x: 10, y: 6 } })
  await expect(page.getByRole('option').first()).toContainText('日期')
  // And a field past another.
  await page
    .getByRole('option', { name: /舌色/ })
    .dragTo(page.getByRole('option', { name: /脉搏/ }), { targetPosition: { x: 10, y: 6 } })
  await expect(page.getByRole('option').nth(1)).toContainText('舌色')
  await screen.getByRole('button', { name: '撤销' }).click()
  await expect(page.getByRole('option').nth(1)).toContainText('脉搏')
  await screen.getByRole('button', { name: '重做' }).click()
  await expect(page.getByRole('option').nth(1)).toContainText('舌色')
  await saved(screen)
  await expect(screen.getByText('没有发现问题。')).toBeVisible()
  expect(await stored()).toEqual([['筛选期', [['生命体征', ['date1', 'radio1', 'pulse']]]]])
  await expectAccessible(screen, 'a design')
  await screen.screenshot({ path: 'test-results/look/design.png' })

  await screen.getByRole('button', { name: '预览' }).click()
  const preview = screen.getByRole('dialog', { name: '预览：生命体征' })
  await preview.getByRole('textbox', { name: '脉搏' }).fill('20')
  await preview.getByRole('textbox', { name: '脉搏' }).blur()
  await expect(preview.getByText(/30/).first()).toBeVisible()
  await expectAccessible(screen, 'preview of a page')
  await screen.screenshot({ path: 'test-results/look/design-preview.png' })
  await preview.getByRole('button', { name: '关闭' }).click()
})

test('it can be done by keyboard alone', async ({ page: screen }) => {
  test.setTimeout(120_000)
  await screen.setViewportSize({ width: 1440, height: 900 })
  await signIn(screen, office.address, place, team.dbd)
  const tree = screen.getByRole('tree')
  await tree.getByRole('treeitem').first().focus()
  await screen.keyboard.press('ArrowDown')
  await expect(tree.getByRole('treeitem', { selected: true })).toContainText('生命体征')
  const page = screen.getByRole('listbox', { name: '生命体征' })
  await screen.getByRole('tab', { name: '控件' }).press('Enter')
  await screen.getByRole('button', { name: '单行文本' }).focus()
  await screen.keyboard.press('Enter')
  await page.getByRole('option', { selected: true }).focus()
  await screen.keyboard.press('Enter')
  await expect(screen.getByLabel('名称', { exact: true })).toBeFocused()
  await screen.keyboard.press('Control+A')
  await screen.keyboard.type('备注')
  await page.getByRole('option', { name: /备注/ }).focus()
  await screen.keyboard.press('Alt+ArrowUp')
  await expect(page.getByRole('option').nth(2)).toContainText('备注')
  await screen.keyboard.press('Control+D')
  await expect(page.getByRole('option')).toHaveCount(5)
  await page.getByRole('option', { selected: true }).focus()
  await screen.keyboard.press('Shift+ArrowUp')
  await expect(page.getByRole('option', { selected: true })).toHaveCount(2)
  await screen.keyboard.press('Delete')
  await expect(page.getByRole('option')).toHaveCount(3)
  await screen.keyboard.press('Control+Z')
  await screen.keyboard.press('Control+Z')
  await expect(page.getByRole('option')).toHaveCount(4)
  await saved(screen)
  expect(await stored()).toEqual([['筛选期', [['生命体征', ['date1', 'radio1', 'input1', 'pulse']]]]])
})

test('pages of the library and templates of one’s own are put in, under codes of their own', async ({
  page: screen,
}) => {
  test.setTimeout(120_000)
  await signIn(screen, office.address, place, team.dbd)
  await screen.getByRole('treeitem', { name: '生命体征 page1' }).click()
  await screen.getByRole('button', { name: '存为模板' }).click()
  const save = screen.getByRole('dialog', { name: '存为模板' })
  await save.getByLabel('名称').fill('我的体征')
  await save.getByRole('button', { name: '存为模板' }).click()
  await expect(save.getByText('已存为模板')).toBeVisible()
  await save.getByRole('button', { name: '关闭' }).last().click()
  const library = screen.getByRole('dialog', { name: '模板库' })
  for (const name of [/我的体征/, /不良事件/]) {
    await screen.getByRole('button', { name: '模板库' }).click()
    if (name.source === '我的体征') {
      await expectAccessible(screen, 'templates')
      await screen.screenshot({ path: 'test-results/look/design-templates.png' })
    }
    await library.getByRole('row', { name }).getByRole('button', { name: '插入' }).click()
    await expect(library).toHaveCount(0)
  }
  await saved(screen)
  await expect(screen.getByText('没有发现问题。')).toBeVisible()
  await screen.screenshot({ path: 'test-results/look/design-tablet.png' })
  const { version } = await office.admin.call<{ version: VersionRow }>('version.design', { params: { id: crfId } })
  expect(version.folders.flatMap(({ pages }) => pages.map(({ pageCode }) => pageCode))).toEqual([
    'page1',
    'page2',
    'AE',
  ])
})

test('two designers see each other’s changes, and what both have changed is told', async ({
  page: screen,
  browser,
}) => {
  test.setTimeout(120_000)
  await signIn(screen, office.address, `${place}`, team.dbd)
  const context = await browser.newContext()
  const other = await context.newPage()
  await signIn(other, office.address, place, team.dbd2)
  const open = async (one: Page, field: RegExp) => {
    await one.getByRole('treeitem', { name: '生命体征 page1' }).click()
    await one.getByRole('listbox').getByRole('option', { name: field }).click()
  }
  await open(other, /备注/)
  await open(screen, /脉搏/)
  await other.getByLabel('名称', { exact: true }).fill('其他说明')
  await saved(other)
  await expect(screen.getByText(/郑数据 于 .* 修改了这个草稿/)).toBeVisible({ timeout: 20_000 })
  await expect(screen.getByRole('option', { name: /其他说明/ })).toBeVisible()

  // Both at the same property, before either has seen the other.
  await screen.context().setOffline(true)
  await screen.getByLabel('名称', { exact: true }).fill('心率')
  await open(other, /脉搏/)
  await other.getByLabel('名称', { exact: true }).fill('脉率')
  await saved(other)
  await screen.context().setOffline(false)
  await expect(screen.getByRole('strong').filter({ hasText: '1 处修改与他人冲突' })).toBeVisible({ timeout: 20_000 })
  await expectAccessible(screen, 'two designers in conflict')
  await screen.screenshot({ path: 'test-results/look/design-conflict.png' })
  await screen.getByRole('button', { name: '采用对方的' }).click()
  await expect(screen.getByRole('option', { name: /脉率/ })).toBeVisible()
  await saved(screen)
  await context.close()
})

test('what is designed while the server is away stays on the page and is saved when it answers again', async ({
  page: screen,
  context,
}) => {
  test.setTimeout(120_000)
  await signIn(screen, office.address, place, team.dbd)
  await screen.getByRole('treeitem', { name: '生命体征 page1' }).click()
  await context.setOffline(true)
  await palette(screen)
  await screen.getByRole('button', { name: '多行文本' }).click()
  await screen.getByLabel('名称', { exact: true }).fill('断网时加的')
  await expect(screen.getByText(/暂时无法连接服务器/)).toBeVisible({ timeout: 20_000 })
  await context.setOffline(false)
  await saved(screen)
  expect(JSON.stringify(await stored())).toContain('textarea1')
})

test('what was designed while the server was away is still there after the browser died, and is saved then', async ({
  page: screen,
  context,
}) => {
  test.setTimeout(120_000)
  await signIn(screen, office.address, place, team.dbd)
  await screen.getByRole('treeitem', { name: '生命体征 page1' }).click()
  await screen.route('**/api/**', (route) => route.abort())
  await palette(screen)
  await screen.getByRole('button', { name: '时间', exact: true }).click()
  await screen.getByLabel('名称', { exact: true }).fill('采集时间')
  await expect(screen.getByText(/暂时无法连接服务器/)).toBeVisible({ timeout: 20_000 })
  const here = screen.url()
  await screen.close({ runBeforeUnload: false })
  const again = await context.newPage()
  await again.goto(here)
  await saved(again)
  await expect(again.getByRole('treeitem', { name: '生命体征 page1' })).toBeVisible()
  expect(JSON.stringify(await stored())).toContain('time1')
})

test('a visit is taken out when it was said what goes with it, and comes back by undo after a reload', async ({
  page: screen,
}) => {
  test.setTimeout(120_000)
  await signIn(screen, office.address, place, team.dbd)
  const before = await stored()
  await screen.getByRole('treeitem').first().focus()
  await screen.keyboard.press('Delete')
  const dialog = screen.getByRole('dialog', { name: '删除访视“筛选期”' })
  const gone = dialog.getByRole('region', { name: '将移除' })
  await expect(gone.getByText('1 个访视')).toBeVisible()
  await expect(gone.getByText('3 个表单页')).toBeVisible()
  await expectAccessible(screen, 'a visit that is to be deleted')
  await screen.screenshot({ path: 'test-results/look/design-remove.png' })
  await dialog.getByRole('button', { name: '取消' }).click()
  expect(await stored()).toEqual(before)
  await screen.getByRole('treeitem').first().focus()
  await screen.keyboard.press('Delete')
  await dialog.getByRole('button', { name: '删除' }).click()
  await expect(screen.getByText('还没有访视。')).toBeVisible()
  await saved(screen)
  expect(await stored()).toEqual([])
  await screen.reload()
  await expect(screen.getByText('还没有访视。')).toBeVisible()
  await screen.getByRole('button', { name: '撤销' }).click()
  await expect(screen.getByRole('treeitem', { name: '生命体征 page1' })).toBeVisible()
  await saved(screen)
  await expect.poll(stored).toEqual(before)
  await screen.getByRole('button', { name: '草稿历史' }).click()
  await expect(
    screen
      .getByRole('dialog', { name: '草稿历史' })
      .getByRole('row')
      .filter({ hasText: '删除了草稿内容：移除 1 个访视（筛选期）' }),
  ).toBeVisible()
})

test('an import says what it does to the draft, a colleague reads what it was, and one press brings the draft back', async ({
  page: screen,
  browser,
}) => {
  test.setTimeout(120_000)
  const before = await stored()
  const context = await browser.newContext()
  const other = await context.newPage()
  await signIn(other, office.address, place, team.dbd2)
  await signIn(screen, office.address, `/p/${projectId}/admin/crfHistory`, team.dbd)
  await screen.getByRole('button', { name: '导入表单定义' }).click()
  const dialog = screen.getByRole('dialog', { name: '导入表单定义' })
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'lab.csv', mimeType: 'text/csv', buffer: Buffer.from(DICTIONARY) })
  const changes = dialog.getByRole('region', { name: '导入后草稿的变化' })
  await expect(changes.getByRole('region', { name: '将新增' })).toBeVisible()
  await expect(changes.getByRole('region', { name: '将移除' })).toHaveCount(0)
  await dialog.getByRole('radio', { name: '替换' }).check()
  await expect(changes.getByRole('region', { name: '将移除' }).getByText('3 个表单页')).toBeVisible()
  await expectAccessible(screen, 'an import into a draft')
  await screen.screenshot({ path: 'test-results/look/import-into-draft.png', fullPage: true })
  await dialog.getByRole('button', { name: '导入到草稿' }).click()
  await expect(dialog.getByText(/已导入 1 页/)).toBeVisible()
  await expect(other.getByText(/吴数据 于 .* 将文件“lab\.csv”导入了这个草稿（替换）.*移除 3 页/).first()).toBeVisible({
    timeout: 20_000,
  })
  await other.screenshot({ path: 'test-results/look/design-imported.png' })
  await other.reload()
  await other.getByRole('button', { name: '恢复导入前的草稿' }).click()
  await expect(other.getByRole('treeitem', { name: '生命体征 page1' })).toBeVisible()
  expect(await stored()).toEqual(before)
  await context.close()
})

test('a version that is no draft is only to be read', async ({ page: screen }) => {
  await office.admin.call('version.releaseTest', { query: { crfId } })
  await signIn(screen, office.address, place, team.dbd)
  await expect(screen.getByText('该版本不是草稿，只能查看，不能修改。')).toBeVisible()
  await screen.getByRole('treeitem', { name: '生命体征 page1' }).click()
  await expect(screen.getByRole('button', { name: '新增访视' })).toHaveCount(0)
  // On a tablet the properties are a drawer over the page.
  await expect(screen.getByLabel('页名称')).toBeHidden()
  await screen.getByRole('button', { name: '属性', exact: true }).click()
  await expect(screen.getByLabel('页名称')).toBeDisabled()
  // Whoever only reads sees all that there is, also what is folded away.
  await screen.getByRole('button', { name: '高级' }).click()
  await expect(screen.getByRole('textbox', { name: '原始定义' })).toBeDisabled()
  await expectAccessible(screen, 'a design that is only read')
})
