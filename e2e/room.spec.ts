import { expect, test } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import { PASSWORD, startRightsWard } from './support/rightsWard.ts'
import type { RightsWard } from './support/rightsWard.ts'
import { signIn } from './support/session.ts'

/**
 * What must be read has the room for it: whose page it is on a narrow screen and on paper, and names beside long codes
 * in the designer.
 */

let ward: RightsWard
test.beforeAll(async () => {
  test.setTimeout(180_000)
  ward = await startRightsWard()
})
test.afterAll(() => ward.dispose())

/** Somebody new who designs. */
async function dataManager(account: string, projectId: string): Promise<void> {
  const { admin, address } = ward
  const { id: userId } = await admin.call<{ id: string }>('user.save', {
    body: { account, realName: `数据${account}`, password: 'First-Room-2261' },
  })
  await admin.call('member.save', {
    body: { projectId, userId, userRole: 'DBD', type: 'project', dataScope: 'all', centerIds: [], status: 'active' },
  })
  await (
    await signInByApi(address, account, 'First-Room-2261')
  ).call('auth.changePassword', { body: { oldPassword: 'First-Room-2261', newPassword: PASSWORD } })
}

/** Whether all of an element can be seen: within the screen, and none of its text cut. */
async function isWhole(one: Locator): Promise<boolean> {
  return one.evaluate((element) => {
    const { left, right, top, height } = element.getBoundingClientRect()
    return (
      left >= 0 &&
      right <= innerWidth + 1 &&
      top >= 0 &&
      height > 0 &&
      element.scrollHeight <= element.clientHeight + 1 &&
      element.scrollWidth <= element.clientWidth + 1
    )
  })
}

test('number and initials stay in the header of a page, however narrow the screen, large the font and much there is to say beside it', async ({
  browser,
}) => {
  test.setTimeout(180_000)
  const { page, network } = await ward.begin(browser, 'narrow')
  await page.getByLabel('体重', { exact: true }).fill('61')
  await network.cut()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(page.getByRole('banner').getByText(/离线/).first()).toBeVisible({ timeout: 30_000 })
  const title = page.getByRole('heading', { level: 1 })
  for (const { width, height, font } of [
    { width: 390, height: 844, font: '100%' },
    { width: 820, height: 1180, font: '200%' },
    { width: 390, height: 844, font: '200%' },
  ]) {
    await page.setViewportSize({ width, height })
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size
    }, font)
    await expect(title).toContainText(/BJ01-\d{3} · NARR/)
    expect(await isWhole(title), `${width} px, ${font}`).toBe(true)
    // Nothing lies over it.
    const isOnTop = await title.evaluate((element) => {
      const { left, top, height: tall } = element.getBoundingClientRect()
      const at = document.elementFromPoint(left + 8, top + Math.min(12, tall / 2))
      return at !== null && element.contains(at)
    })
    expect(isOnTop, `${width} px, ${font}`).toBe(true)
  }
})

test('a page and a casebook on paper say whose they are, who printed them and when, and leave out what leads around', async ({
  browser,
}) => {
  test.setTimeout(180_000)
  const { page } = await ward.begin(browser, 'paper')
  for (const what of ['page', 'casebook'] as const) {
    if (what === 'casebook') {
      // The way back in the header, which a sheet of paper leaves out.
      await page.locator('header a[data-print="no"]').first().click()
      await page.waitForURL((url) => !url.pathname.includes('/page/'))
      await expect(page.getByRole('heading', { level: 1 })).toContainText('PAPE')
    }
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByText(/^协调paper 打印于 20\d\d-\d\d-\d\d \d\d:\d\d/)).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('PAPE')
    for (const around of [
      page.getByRole('navigation'),
      page.getByRole('contentinfo'),
      page.getByRole('button', { name: /用户菜单|返回|继续填写|编辑|作废|提交|更多操作|标记缺失/ }),
    ]) {
      for (const one of await around.all()) await expect(one).toBeHidden()
    }
    await page.screenshot({ path: `test-results/look/print-${what}.png`, fullPage: true })
    await page.emulateMedia({ media: 'screen' })
    await expect(page.getByText(/打印于/)).toBeHidden()
  }
})

test('names of the designer’s tree have the room, and long codes are cut', async ({ page }) => {
  test.setTimeout(180_000)
  const { admin, address, projectId } = ward
  await dataManager('dbd', projectId)
  const { id: crfId } = await admin.call<{ id: string }>('version.save', { body: { projectId, remark: '长编码' } })
  const long = 'a_code_that_another_system_made_of_a_whole_sentence_of_words'
  const option = JSON.stringify({
    column: [{ prop: long, label: '过去三个月内是否使用过抗心绞痛药物', type: 'input' }],
  })
  const definition = {
    folders: [
      {
        folderName: '筛选与基线访视',
        folderCode: 'V1',
        pages: [{ pageName: '既往史与合并用药', pageCode: 'history', repeatable: false, option }],
      },
    ],
  }
  await admin.call('version.import', { query: { crfId }, body: { definition, sourceName: 'x', source: '' } })
  await page.setViewportSize({ width: 1180, height: 820 })
  await signIn(page, address, `/p/${projectId}/v/${crfId}/design`, { account: 'dbd', password: PASSWORD })
  const tree = page.getByRole('tree')
  await tree.getByRole('treeitem', { name: /既往史与合并用药/ }).click()
  const line = tree.getByRole('treeitem', { name: /过去三个月内/ })
  await expect(line).toBeVisible()
  const code = line.getByTitle(long)
  const widthOf = async (one: Locator) => (await one.boundingBox())?.width ?? 0
  expect(await widthOf(line.locator('span').first())).toBeGreaterThan((await widthOf(line)) * 0.4)
  // Cut, and whole when asked for.
  expect(
    await code.evaluate(
      (element) => element.scrollWidth > element.clientWidth && element.getBoundingClientRect().height < 30,
    ),
  ).toBe(true)
  // No letter a line.
  expect((await line.boundingBox())?.height ?? 0).toBeLessThan(72)
})

test('no rule lies over another, however long their names are and whatever they are filtered by', async ({ page }) => {
  test.setTimeout(180_000)
  const { admin, address } = ward
  const { id: projectId } = await admin.call<{ id: string }>('project.save', {
    body: { projectName: '规则列表', projectScopeCode: 'areamultiple' },
  })
  await dataManager('dbd2', projectId)
  const { id: crfId } = await admin.call<{ id: string }>('version.save', { body: { projectId, remark: '首版' } })
  await admin.call('project.changeStatus', { query: { projectId, status: 'process' } })
  const long = '过去三个月内是否使用过抗心绞痛药物，如有请写明名称、剂量、频次与起止日期，并注明由谁处方'
  const labelOf = (at: number): string => (at % 3 === 0 ? `${long}（第 ${at} 问）` : `第 ${at} 问`)
  const column = Array.from({ length: 40 }, (_, at) => ({
    prop: `q${at}`,
    label: labelOf(at),
    type: 'number',
    ...(at === 0
      ? {}
      : {
          zl: {
            show: `page.q0 > ${at}.0`,
            checks: [
              { id: `c${at}`, when: `page.q${at} > 200.0`, severity: 'error', message: { zh: `${labelOf(at)}过高` } },
            ],
          },
        }),
  }))
  const definition = {
    folders: [
      {
        folderName: '筛选期',
        folderCode: 'V1',
        pages: [{ pageName: '病例报告表', pageCode: 'asked', repeatable: false, option: JSON.stringify({ column }) }],
      },
    ],
  }
  await admin.call('version.import', { query: { crfId }, body: { definition, sourceName: 'x', source: '' } })
  await page.setViewportSize({ width: 1180, height: 820 })
  await signIn(page, address, `/p/${projectId}/v/${crfId}/controller`, { account: 'dbd2', password: PASSWORD })
  const list = page.getByRole('listbox', { name: '规则列表' })
  await expect(list.getByRole('option').first()).toBeVisible()
  const liesOver = (): Promise<number> =>
    list.evaluate((element) => {
      const rows = [...element.querySelectorAll('[role=option]')]
        .map((row) => row.getBoundingClientRect())
        .toSorted((a, b) => a.top - b.top)
      return rows.filter(({ bottom }, at) => bottom > (rows[at + 1]?.top ?? Infinity) + 0.5).length
    })
  const heights = (): Promise<number> =>
    list.evaluate(
      (element) =>
        new Set(
          [...element.querySelectorAll('[role=option]')].map((row) => Math.round(row.getBoundingClientRect().height)),
        ).size,
    )
  await expect.poll(liesOver).toBe(0)
  expect(await heights()).toBeGreaterThan(1)
  await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight / 2 }))
  await expect.poll(liesOver).toBe(0)
  for (const words of ['第 2', '抗心绞痛', '']) {
    await page.getByLabel('查找字段、编码、表达式或提示', { exact: true }).fill(words)
    await expect.poll(liesOver).toBe(0)
  }
})
