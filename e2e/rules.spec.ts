import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { DesignInput } from '#core/api/calls/design.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { newId } from '#core/ids.ts'
import { expectAccessible } from './support/accessible.ts'
import { signIn } from './support/session.ts'
import { openOffice } from './support/study/office.ts'
import type { OpenOffice } from './support/study/office.ts'
import { makeStudy, openProject } from './support/study/project.ts'
import type { Study } from './support/study/project.ts'
import { enrolByApi, enterByApi, findFirstPage, pageOf } from './support/study/subject.ts'
import { joinTeam } from './support/study/team.ts'
import type { Team } from './support/study/team.ts'
import { beginDraft } from './support/study/versions.ts'

/**
 * A data manager writes rules: from pickers, by keyboard as CEL, and sees what they come to before anybody meets them.
 */

let office: OpenOffice
let crfId: string
let study: Study
let team: Team<'dbd' | 'lin'>
let place: string

test.describe.configure({ mode: 'serial' })

const OPTION = {
  column: [
    { prop: 'pulse', label: '脉搏', type: 'number' },
    {
      prop: 'tongue',
      label: '舌色',
      type: 'radio',
      dicData: [
        { label: '淡红', value: '1' },
        { label: '红绛', value: '2' },
      ],
    },
    { prop: 'weight', label: '体重', type: 'number' },
    { prop: 'height', label: '身高', type: 'number' },
    { prop: 'bmi', label: '体质指数', type: 'number' },
  ],
}

test.beforeAll(async () => {
  test.setTimeout(120_000)
  office = await openOffice()
  const { admin } = office
  study = await makeStudy(admin, { projectName: '肺炎证候研究', minTesters: 0 })
  team = await joinTeam(office, study, {
    dbd: { realName: '吴数据', userRole: 'DBD' },
    lin: { realName: '林录入', userRole: 'CRC' },
  })
  crfId = await beginDraft(admin, study.projectId)
  await openProject(admin, study.projectId)
  const [folder, page] = [newId(), newId()]
  const body: DesignInput = {
    rev: 0,
    folders: [{ id: folder, folderName: '筛选期', folderCode: 'V1', pageIds: [page] }],
    pages: [{ id: page, pageName: '生命体征', pageCode: 'vitals', repeatable: false, option: JSON.stringify(OPTION) }],
  }
  await admin.call('version.designSave', { query: { crfId }, body })
  place = `/p/${study.projectId}/v/${crfId}/controller`
})

test.afterAll(() => office.server.dispose())

const saved = (screen: Page) => expect(screen.getByText('已保存', { exact: true })).toBeVisible({ timeout: 20_000 })

/** What the server has of a field's rules. */
async function stored(prop: string): Promise<unknown> {
  const { version } = await office.admin.call<{ version: VersionRow }>('version.design', { params: { id: crfId } })
  const option = JSON.parse(version.folders[0]?.pages[0]?.option ?? '{}') as {
    column: { prop: string; zl?: unknown }[]
  }
  return option.column.find((column) => column.prop === prop)?.zl
}

async function pick(screen: Page, label: string | RegExp, option: string | RegExp): Promise<void> {
  await screen.getByRole('combobox', { name: label }).click()
  await screen.getByRole('option', { name: option }).click()
}

async function newRule(screen: Page, field: RegExp, kind: string): Promise<void> {
  await screen.getByRole('button', { name: '新规则' }).click()
  const make = screen.getByRole('region', { name: '新规则' })
  await make.getByRole('combobox', { name: '表单页' }).click()
  await screen.getByRole('option', { name: /^生命体征 \(vitals\)$/ }).click()
  await make.getByRole('combobox', { name: '字段' }).click()
  await screen.getByRole('option', { name: field }).click()
  await make.getByRole('combobox', { name: '类型' }).click()
  await screen.getByRole('option', { name: kind, exact: true }).click()
  await make.getByRole('button', { name: '开始编写' }).click()
}

test('a check is put together from pickers and seen to fire', async ({ page: screen }) => {
  test.setTimeout(120_000)
  await screen.setViewportSize({ width: 1440, height: 900 })
  await signIn(screen, office.address, place, team.dbd)
  await expect(screen.getByText('这个版本还没有规则。')).toBeVisible()
  await expectAccessible(screen, 'no rules')
  await newRule(screen, /^脉搏 \(pulse\)$/, '核查')
  await screen.getByRole('button', { name: '添加条件', exact: true }).click()
  await pick(screen, '条件 1：字段', /^脉搏 \(pulse\)$/)
  await pick(screen, '条件 1：比较', /^大于$/)
  await screen.getByRole('textbox', { name: '条件 1：值' }).fill('200')
  await screen.getByRole('button', { name: '添加条件', exact: true }).click()
  await pick(screen, '条件 2：字段', /^舌色 \(tongue\)$/)
  await pick(screen, '条件 2：值', /^红绛 \(2\)$/)
  await screen.getByLabel('提示', { exact: true }).fill('脉搏过快，舌红绛，请核对')
  await screen.getByLabel('英文提示').fill('Pulse too high')
  await saved(screen)
  await expect
    .poll(() => stored('pulse'), { timeout: 15_000 })
    .toMatchObject({
      checks: [
        {
          when: 'page.pulse > 200 && page.tongue == "2"',
          severity: 'error',
          message: { zh: '脉搏过快，舌红绛，请核对', en: 'Pulse too high' },
        },
      ],
    })

  const bench = screen.getByRole('region', { name: '试算' })
  await expect(bench.getByRole('status')).toContainText('无法判断：缺少 脉搏、舌色。')
  await bench.getByLabel('脉搏').fill('210')
  await bench.getByRole('combobox', { name: '舌色' }).click()
  await screen.getByRole('option', { name: /^红绛 \(2\)$/ }).click()
  await expect(bench.getByRole('status')).toContainText('触发')
  await bench.getByLabel('脉搏').fill('80')
  await expect(bench.getByRole('status')).toContainText('不触发')
  await expectAccessible(screen, 'a rule and its bench')
  await screen.screenshot({ path: 'test-results/look/rules.png', fullPage: true })
})

test('a calculation is picked, and a rule is written as CEL by keyboard alone', async ({ page: screen }) => {
  test.setTimeout(120_000)
  await screen.setViewportSize({ width: 1440, height: 900 })
  await signIn(screen, office.address, place, team.dbd)
  await newRule(screen, /^体质指数 \(bmi\)$/, '计算')
  await pick(screen, '计算方式', /BMI/)
  await pick(screen, '体重（kg）：字段', /^体重 \(weight\)$/)
  await pick(screen, '身高（cm）：字段', /^身高 \(height\)$/)
  await screen.getByLabel('保留小数位').fill('1')
  const bench = screen.getByRole('region', { name: '试算' })
  await bench.getByLabel('体重').fill('70')
  await bench.getByLabel('身高').fill('175')
  await expect(bench.getByRole('status')).toContainText('结果为 22.9')
  await saved(screen)
  await expect
    .poll(() => stored('bmi'), { timeout: 15_000 })
    .toEqual({ calculate: 'round(page.weight / pow(page.height / 100, 2), 1)' })

  await newRule(screen, /^体重 \(weight\)$/, '显示')
  await screen.getByText('CEL 表达式', { exact: true }).click()
  const box = screen.getByRole('combobox', { name: 'CEL 表达式' })
  await box.focus()
  await screen.keyboard.type('page.tong')
  await expect(screen.getByRole('listbox', { name: '提示' }).getByRole('option')).toHaveCount(1)
  await screen.keyboard.press('Enter')
  await screen.keyboard.type(' == ')
  await expect(screen.getByRole('listbox', { name: '提示' }).getByRole('option')).toHaveCount(2)
  await screen.screenshot({ path: 'test-results/look/rules-completion.png' })
  await screen.keyboard.press('ArrowDown')
  await screen.keyboard.press('Tab')
  await expect(box).toHaveValue('page.tongue == "2"')
  await saved(screen)
  await expect.poll(() => stored('weight'), { timeout: 15_000 }).toEqual({ show: 'page.tongue == "2"' })
  await screen.keyboard.type(' && page.nobody')
  await expect(screen.getByText(/字段 nobody 不存在/)).toBeVisible()
})

test('a rule that would close a circle is not taken, and the way round is named', async ({ page: screen }) => {
  test.setTimeout(120_000)
  await screen.setViewportSize({ width: 1440, height: 900 })
  await signIn(screen, office.address, place, team.dbd)
  await newRule(screen, /^身高 \(height\)$/, '显示')
  await screen.getByText('CEL 表达式', { exact: true }).click()
  await screen.getByRole('combobox', { name: 'CEL 表达式' }).fill('page.bmi > 30')
  await expect(screen.getByText(/会形成循环引用，未采用：.*bmi.*height/)).toBeVisible()
  await saved(screen)
  await expect.poll(() => stored('height'), { timeout: 15_000 }).toBeUndefined()
})

test('what depends on what is drawn, and leads from field to field', async ({ page: screen }) => {
  test.setTimeout(120_000)
  await screen.setViewportSize({ width: 1440, height: 900 })
  await signIn(screen, office.address, place, team.dbd)
  await screen
    .getByRole('listbox', { name: '规则列表' })
    .getByRole('option', { name: /体质指数/ })
    .click()
  await screen.getByRole('tab', { name: '依赖' }).click()
  const bench = screen.getByRole('region', { name: '试算' })
  await expect(bench.getByRole('definition').first()).toHaveText('体重、身高')
  await expectAccessible(screen, 'dependencies')
  await screen.screenshot({ path: 'test-results/look/rules-graph.png' })
  await bench.getByRole('button', { name: '体重' }).focus()
  await screen.keyboard.press('Enter')
  await expect(screen.getByRole('heading', { name: /显示：体重/ })).toBeVisible()
})

test('a rule is counted on what was entered, with the way to the entries', async ({ page: screen }) => {
  test.setTimeout(120_000)
  await releaseAndEnter([210, 80, null])
  await screen.setViewportSize({ width: 1440, height: 900 })
  await signIn(screen, office.address, `/p/${study.projectId}/v/${crfId}/controller`, team.dbd)
  await screen.getByRole('listbox', { name: '规则列表' }).getByRole('option', { name: /脉搏/ }).click()
  await screen.getByRole('tab', { name: '用已有数据试算' }).click()
  await screen.getByRole('button', { name: '开始试算' }).click()
  const bench = screen.getByRole('region', { name: '试算' })
  await expect(bench.getByText('会在 3 条中的 1 条上触发')).toBeVisible()
  await expect(bench.getByText('不触发 1 条，因缺少值而无法判断 1 条，出错 0 条')).toBeVisible()
  await expect(bench.getByRole('link')).toHaveCount(1)
  await expectAccessible(screen, 'a rule counted')
  await screen.screenshot({ path: 'test-results/look/rules-counted.png', fullPage: true })
})

/** Releases the draft, enters the pulse of a few patients with a red tongue, and begins the next draft. */
async function releaseAndEnter(pulses: readonly (number | null)[]): Promise<void> {
  const { admin } = office
  const { projectId } = study
  await admin.call('version.releaseTest', { query: { crfId } })
  await admin.call('version.release', { query: { crfId } })
  const vitals = await findFirstPage(team.lin, crfId)
  for (const pulse of pulses) {
    const target = pageOf(await enrolByApi(team.lin, study), vitals)
    const values = { tongue: '2', ...(pulse === null ? {} : { pulse }) }
    await enterByApi(team.lin, { projectId, versionId: crfId }, target, values)
  }
  crfId = await beginDraft(admin, projectId, '下一版')
}
