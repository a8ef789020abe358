import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { DesignInput } from '#core/api/calls/design.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { expectAccessible } from './support/accessible.ts'
import { signIn } from './support/session.ts'

/**
 * A data manager writes rules: from pickers, by keyboard as CEL, and sees what they come to before anybody meets them.
 */

const ADMIN_PASSWORD = 'Admin-Rules-5507'
const [FIRST_PASSWORD, PASSWORD] = ['First-Rules-2261', 'Own-Rules-8834']

let server: RunningServer
let address: string
let admin: ApiUser
let projectId: string
let crfId: string
let centerId: string
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
  server = await startServer({ adminPassword: ADMIN_PASSWORD, env: { DEMO: '0' } })
  address = `http://127.0.0.1:${server.port}`
  admin = await signInByApi(address, 'admin', ADMIN_PASSWORD)
  projectId = (
    await admin.call<{ id: string }>('project.save', {
      body: { projectName: '肺炎证候研究', projectScopeCode: 'areamultiple' },
    })
  ).id
  centerId = (
    await admin.call<{ id: string }>('center.save', { body: { projectId, centerName: '北京一院', centerCode: 'BJ01' } })
  ).id
  const user = await admin.call<{ id: string }>('user.save', {
    body: { account: 'dbd', realName: '吴数据', password: FIRST_PASSWORD },
  })
  await admin.call('member.save', {
    body: {
      projectId,
      userId: user.id,
      userRole: 'DBD',
      type: 'center',
      dataScope: 'center',
      centerIds: [centerId],
      crfApprove: 0,
      status: 'active',
    },
  })
  await (
    await signInByApi(address, 'dbd', FIRST_PASSWORD)
  ).call('auth.changePassword', { body: { oldPassword: FIRST_PASSWORD, newPassword: PASSWORD } })
  crfId = (await admin.call<{ id: string }>('version.save', { body: { projectId, remark: '首版' } })).id
  await admin.call('project.changeStatus', { query: { projectId, status: 'process' } })
  const [folder, page] = [newId(), newId()]
  const body: DesignInput = {
    rev: 0,
    folders: [{ id: folder, folderName: '筛选期', folderCode: 'V1', pageIds: [page] }],
    pages: [{ id: page, pageName: '生命体征', pageCode: 'vitals', repeatable: false, option: JSON.stringify(OPTION) }],
  }
  await admin.call('version.designSave', { query: { crfId }, body })
  place = `/p/${projectId}/v/${crfId}/controller`
})

test.afterAll(() => server.dispose())

const saved = (screen: Page) => expect(screen.getByText('已保存', { exact: true })).toBeVisible({ timeout: 20_000 })

/** What the server has of a field's rules. */
async function stored(prop: string): Promise<unknown> {
  const { version } = await admin.call<{ version: VersionRow }>('version.design', { params: { id: crfId } })
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
  await signIn(screen, address, place, { account: 'dbd', password: PASSWORD })
  await expect(screen.getByText('这个版本还没有规则。')).toBeVisible()
  await expectAccessible(screen, 'no rules')
  await newRule(screen, /^脉搏 \(pulse\)$/, '核查')
  await screen.getByRole('button', { name: '增加条件' }).click()
  await pick(screen, '条件 1: 字段', /^脉搏 \(pulse\)$/)
  await pick(screen, '条件 1：比较', /^大于$/)
  await screen.getByRole('textbox', { name: '条件 1：值' }).fill('200')
  await screen.getByRole('button', { name: '增加条件' }).click()
  await pick(screen, '条件 2: 字段', /^舌色 \(tongue\)$/)
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
  await expect(bench.getByRole('status')).toContainText('未知：缺少 脉搏、舌色。')
  await bench.getByLabel('脉搏').fill('210')
  await bench.getByRole('combobox', { name: '舌色' }).click()
  await screen.getByRole('option', { name: /^红绛 \(2\)$/ }).click()
  await expect(bench.getByRole('status')).toContainText('会提出问题')
  await bench.getByLabel('脉搏').fill('80')
  await expect(bench.getByRole('status')).toContainText('不提出问题')
  await expectAccessible(screen, 'a rule and its bench')
  await screen.screenshot({ path: 'test-results/look/rules.png', fullPage: true })
})

test('a calculation is picked, and a rule is written as CEL by keyboard alone', async ({ page: screen }) => {
  test.setTimeout(120_000)
  await screen.setViewportSize({ width: 1440, height: 900 })
  await signIn(screen, address, place, { account: 'dbd', password: PASSWORD })
  await newRule(screen, /^体质指数 \(bmi\)$/, '计算')
  await pick(screen, '怎样计算', /BMI/)
  await pick(screen, '体重（kg）: 字段', /^体重 \(weight\)$/)
  await pick(screen, '身高（cm）: 字段', /^身高 \(height\)$/)
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
  await expect(screen.getByText(/没有字段 nobody/)).toBeVisible()
})

test('a rule that would close a circle is not taken, and the way round is named', async ({ page: screen }) => {
  test.setTimeout(120_000)
  await screen.setViewportSize({ width: 1440, height: 900 })
  await signIn(screen, address, place, { account: 'dbd', password: PASSWORD })
  await newRule(screen, /^身高 \(height\)$/, '显示')
  await screen.getByText('CEL 表达式', { exact: true }).click()
  await screen.getByRole('combobox', { name: 'CEL 表达式' }).fill('page.bmi > 30')
  await expect(screen.getByText(/这样会形成循环，没有采用：.*bmi.*height/)).toBeVisible()
  await saved(screen)
  await expect.poll(() => stored('height'), { timeout: 15_000 }).toBeUndefined()
})

test('what depends on what is drawn, and leads from field to field', async ({ page: screen }) => {
  test.setTimeout(120_000)
  await screen.setViewportSize({ width: 1440, height: 900 })
  await signIn(screen, address, place, { account: 'dbd', password: PASSWORD })
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
  await signIn(screen, address, `/p/${projectId}/v/${crfId}/controller`, { account: 'dbd', password: PASSWORD })
  await screen.getByRole('listbox', { name: '规则列表' }).getByRole('option', { name: /脉搏/ }).click()
  await screen.getByRole('tab', { name: '用已有数据试算' }).click()
  await screen.getByRole('button', { name: '开始试算' }).click()
  const bench = screen.getByRole('region', { name: '试算' })
  await expect(bench.getByText('会在 3 条中的 1 条上触发')).toBeVisible()
  await expect(bench.getByText('不触发 1 条，因缺少值而未知 1 条，出错 0 条')).toBeVisible()
  await expect(bench.getByRole('link')).toHaveCount(1)
  await expectAccessible(screen, 'a rule counted')
  await screen.screenshot({ path: 'test-results/look/rules-counted.png', fullPage: true })
})

/** Releases the draft, enters the pulse of a few patients with a red tongue, and begins the next draft. */
async function releaseAndEnter(pulses: readonly (number | null)[]): Promise<void> {
  await admin.call('project.confUpdate', { body: { projectId, isDouble: 0, isFilterPeriod: 'N', minTesters: 0 } })
  await admin.call('version.releaseTest', { query: { crfId } })
  await admin.call('version.release', { query: { crfId } })
  const { version } = await admin.call<{ version: VersionRow }>('version.design', { params: { id: crfId } })
  const [folder] = version.folders
  const user = await admin.call<{ id: string }>('user.save', {
    body: { account: 'lin', realName: '林录入', password: FIRST_PASSWORD },
  })
  await admin.call('member.save', {
    body: {
      projectId,
      userId: user.id,
      userRole: 'CRC',
      type: 'center',
      dataScope: 'center',
      centerIds: [centerId],
      crfApprove: 0,
      status: 'active',
    },
  })
  await (
    await signInByApi(address, 'lin', FIRST_PASSWORD)
  ).call('auth.changePassword', { body: { oldPassword: FIRST_PASSWORD, newPassword: PASSWORD } })
  const lin = await signInByApi(address, 'lin', PASSWORD)
  for (const pulse of pulses) {
    const patientId = newId()
    const identity = { name: null, mobile: null, email: null, birthDate: null }
    await lin.call('patient.save', {
      body: {
        id: patientId,
        projectId,
        centerId,
        no: null,
        mark: '7F3A',
        initials: 'ZS',
        sex: 'F',
        enrolledOn: '2026-03-01',
        identity,
      },
    })
    const target = {
      patientId,
      folderId: folder?.id ?? '',
      folderRepeat: '0',
      pageId: folder?.pages[0]?.id ?? '',
      pageRepeat: '0',
      parentEntryId: null,
      pass: 1 as const,
    }
    const base = { value: null, missing: null }
    const items = Object.entries({ tongue: '2', ...(pulse === null ? {} : { pulse }) }).map(([code, value]) => ({
      table: null,
      rid: null,
      code,
      to: { value, missing: null },
      base,
      isShow: 1,
      reason: null,
    }))
    const response = await fetch(`${address}/api/edc/data/page/${entryId(target)}/save`, {
      method: 'POST',
      headers: {
        ...lin.headers,
        'content-type': 'application/json',
        'idempotency-key': newId(),
        projectId,
        crfId,
        doubleSeqNo: '1',
      },
      body: JSON.stringify({ target, items, rows: [], journal: [], seen: null }),
    })
    expect(await response.json()).toMatchObject({ success: true })
  }
  crfId = (await admin.call<{ id: string }>('version.save', { body: { projectId, remark: '下一版' } })).id
}
