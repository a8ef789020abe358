import { expect, test } from '@playwright/test'
import type { Browser, Locator, Page } from '@playwright/test'
import { signIn } from './support/session.ts'
import { openOffice } from './support/study/office.ts'
import type { OpenOffice } from './support/study/office.ts'
import { makeStudy, openProject } from './support/study/project.ts'
import type { Study } from './support/study/project.ts'
import { enrolByApi, findFirstPage, pageOf, submitByApi } from './support/study/subject.ts'
import { joinTeam } from './support/study/team.ts'
import type { Team } from './support/study/team.ts'
import { releaseDefinition } from './support/study/versions.ts'

/** How many taps what is done a hundred times a day takes (docs/taps.md), and how many fields one screen shows. */

const TABLET = { width: 820, height: 1180 }
const DESK = { width: 1440, height: 900 }

const YES_NO = [
  { value: '1', label: '有' },
  { value: '0', label: '无' },
]

/** Twenty fields as an examination has them. */
function group(no: 1 | 2) {
  const code = (name: string, at: number) => `${name}_${no}_${at}`
  return {
    label: no === 1 ? '一般检查' : '专科检查',
    prop: `group_${no}`,
    column: [
      ...Array.from({ length: 10 }, (_, at) => ({
        prop: code('figure', at),
        label: `指标 ${no}-${at}`,
        type: 'number',
        zl: { unit: 'mmol/L', ...(at % 2 === 0 ? { min: 0, max: 40 } : {}) },
      })),
      ...Array.from({ length: 4 }, (_, at) => ({ prop: code('day', at), label: `检查日期 ${no}-${at}`, type: 'date' })),
      ...Array.from({ length: 2 }, (_, at) => ({
        prop: code('sign', at),
        label: `体征 ${no}-${at}`,
        type: 'radio',
        dicData: YES_NO,
      })),
      ...Array.from({ length: 4 }, (_, at) => ({ prop: code('words', at), label: `描述 ${no}-${at}`, type: 'input' })),
    ],
  }
}

const ORGANS = ['肝', '心', '脾', '肺', '肾', '胃', '胆', '大肠', '小肠', '膀胱']
const PATTERNS = '气虚 血虚 阴虚 阳虚 气滞 血瘀 湿热 痰湿 寒凝 火旺 气郁 风热 津亏 虚寒'.split(' ')
const SYNDROMES = ORGANS.flatMap((organ) => PATTERNS.map((pattern) => `${organ}${pattern}证`))

const PAGES = [
  { pageName: '检查', pageCode: 'EX', option: { column: [], group: [group(1), group(2)] } },
  {
    pageName: '辨证',
    pageCode: 'DX',
    option: {
      column: [
        {
          prop: 'syndrome',
          label: '证型',
          type: 'select',
          dicData: SYNDROMES.map((label, at) => ({ value: String(at), label })),
        },
      ],
    },
  },
  { pageName: '随访', pageCode: 'FU', option: { column: [{ prop: 'note', label: '备注', type: 'input' }] } },
]

let office: OpenOffice
let team: Team<'crc' | 'cra'>
let study: Study & { readonly versionId: string }
let casebook: string
let page: Page
/** The page on which the monitor has asked about two values. */
let asked: string

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000)
  office = await openOffice()
  const { admin } = office
  const made = await makeStudy(admin, { projectName: '一指研究' })
  const versionId = await releaseDefinition(admin, made.projectId, {
    folders: [
      {
        folderName: '筛选期',
        folderCode: 'V1',
        pages: PAGES.map(({ option, ...rest }) => ({ ...rest, repeatable: false, option: JSON.stringify(option) })),
      },
    ],
  })
  await openProject(admin, made.projectId)
  study = { ...made, versionId }
  team = await joinTeam(office, study, {
    crc: { realName: '林协调', userRole: 'CRC', entryPass: 1 },
    cra: { realName: '何监查', userRole: 'CRA', entryPass: 1, dataScope: 'all' },
  })
  casebook = `/eCRF/${await enrolByApi(team.crc, study)}?p=${study.projectId}`
  page = await at(browser, TABLET, team.crc, true)
  await page.getByRole('link', { name: /检查/ }).first().tap()
  await expect(row('figure_1_0')).toBeVisible()
})

test.afterAll(() => office.server.dispose())

/** Somebody's own browser, signed in, with the casebook open. */
async function at(
  browser: Browser,
  viewport: { readonly width: number; readonly height: number },
  who: Team<'crc' | 'cra'>['crc'],
  hasTouch: boolean,
  path = casebook,
): Promise<Page> {
  const context = await browser.newContext({ viewport, hasTouch, locale: 'zh-CN' })
  const opened = await context.newPage()
  await signIn(opened, office.address, path, who)
  return opened
}

const row = (code: string): Locator => page.locator(`[data-row="${code}"]`)
const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: true })

/** Taps one after the other; the number of them is the number of taps that the act takes. */
async function tap(...targets: readonly Locator[]): Promise<number> {
  for (const target of targets) await target.tap()
  return targets.length
}

/** Fields of the page that are whole between its header and its footer. */
function fieldsInSight(on: Page): Promise<number> {
  return on.evaluate(() => {
    const top = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
    const bottom = document.querySelector('footer')?.getBoundingClientRect().top ?? window.innerHeight
    return [...document.querySelectorAll('[data-row]')].filter((one) => {
      const box = one.getBoundingClientRect()
      return box.height > 0 && box.top >= top && box.bottom <= bottom
    }).length
  })
}

test('a tablet shows nine fields of a page to whoever enters', async () => {
  expect(await fieldsInSight(page)).toBeGreaterThanOrEqual(9)
})

test('a value is missing: two taps', async () => {
  expect(await tap(button('指标 1-1：更多操作'), button('受试者拒绝'))).toBe(2)
  await expect(row('figure_1_1')).toContainText('受试者拒绝')
})

test('a whole section was not done: two taps, and what was said before stays', async () => {
  expect(await tap(button('一般检查：本组未做'), button('设备故障'))).toBe(2)
  await expect(row('figure_1_0')).toContainText('设备故障')
  await expect(row('figure_1_1')).toContainText('受试者拒绝')
  await expect(row('figure_2_0')).not.toContainText('设备故障')
})

test('submit and go on: one tap', async () => {
  await row('figure_2_0').locator('input').fill('5.1')
  expect(await tap(button('提交并下一页'))).toBe(1)
  await expect(row('syndrome')).toBeVisible()
})

test('one of 140 choices by two letters: two taps', async () => {
  await tap(row('syndrome').locator('[data-action=choose]'))
  await page.getByRole('textbox', { name: '搜索选项' }).fill('dj')
  await expect(page.getByRole('dialog').getByRole('radio')).toHaveCount(1)
  await tap(page.getByRole('dialog').getByRole('radio'))
  await expect(row('syndrome')).toContainText('胆津亏证')
})

test('a whole page was not done: two taps', async () => {
  await button('下一页').tap()
  await expect(row('note')).toBeVisible()
  expect(await tap(button('本页未做'), button('未查'))).toBe(2)
  await expect(row('note')).toContainText('未查')
})

test('a submitted value is corrected: three taps', async () => {
  await button('上一页').tap()
  await expect(row('syndrome')).toBeVisible()
  await button('上一页').tap()
  const box = row('figure_2_0').locator('input')
  await box.scrollIntoViewIfNeeded()
  await expect(page.getByText('已提交', { exact: true }).first()).toBeVisible()
  let taps = await tap(box)
  await box.fill('5.7')
  taps += await tap(button('提交'))
  taps += await tap(page.getByRole('dialog').getByText('转录错误'))
  expect(taps).toBe(3)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('已提交', { exact: true }).first()).toBeVisible()
})

test('a page that waits, after sign-in: at most two taps', async ({ browser }) => {
  const context = await browser.newContext({ viewport: TABLET, hasTouch: true, locale: 'zh-CN' })
  page = await context.newPage()
  await page.goto(`${office.address}/login`)
  await page.getByLabel('账号', { exact: true }).fill(team.crc.account)
  await page.getByLabel('密码', { exact: true }).fill(team.crc.password)
  await page.getByRole('button', { name: '登录', exact: true }).tap()
  // With one project there is nothing to choose: its work is there.
  await expect(page.getByRole('tab', { name: /未提交/ })).toContainText('2')
  const waiting = page
    .getByRole('tabpanel')
    .getByRole('link', { name: /辨证|随访/ })
    .first()
  expect(await tap(page.getByRole('tab', { name: /未提交/ }), waiting)).toBeLessThanOrEqual(2)
  await expect(page.locator('[data-row]').first()).toBeVisible()
  await context.close()
})

test('at a desk fourteen fields are in sight of whoever enters, the whole page is short, and a reader sees twenty', async ({
  browser,
}) => {
  for (const [who, least] of [
    [team.crc, 14],
    [team.cra, 20],
  ] as const) {
    const desk = await at(browser, DESK, who, false)
    await desk.getByRole('link', { name: /检查/ }).first().click()
    await expect(desk.locator('[data-row="figure_1_0"]')).toBeVisible()
    // A long page is drawn in parts.
    await expect.poll(() => fieldsInSight(desk)).toBeGreaterThanOrEqual(least)
    const height = await desk.evaluate(() => document.querySelector('main')?.scrollHeight ?? 0)
    expect(height).toBeLessThanOrEqual(2_200)
    await desk.context().close()
  }
})

test('at a desk a page of forty fields is verified and two are asked about: at most 50 keys', async ({ browser }) => {
  const { admin } = office
  const patientId = await enrolByApi(team.crc, study, { initials: 'LL' })
  const target = pageOf(patientId, await findFirstPage(team.crc, study.versionId))
  const entry = await submitByApi(team.crc, study, target, Object.fromEntries([group(1), group(2)].flatMap(valuesOf)))
  const plan = { critical: [], sharePercent: 100, firstOfCenter: 0, folders: null, centers: [], seed: 'taps' }
  const { projectId } = study
  await admin.call('review.planSwitch', { body: { projectId, track: 'sdv', plan, note: '全部核查' } })

  const desk = await at(browser, DESK, team.cra, false, `/eCRF/${patientId}/page/${entry}?p=${projectId}`)
  const head = desk.getByRole('region', { name: '核查' })
  await expect(head.getByText('源数据核查 0/40')).toBeVisible()
  const due = desk.locator('[data-check][data-track="sdv"][aria-label$="源数据核查，待核查"]')
  await expect(due).toHaveCount(40)
  await expect(due.first()).toBeFocused()
  const keys = keyboardOf(desk)
  const askByTemplate = async () => {
    await keys.press('q')
    const dialog = desk.getByRole('dialog', { name: /提出质疑/ })
    await expect(dialog.getByRole('textbox', { name: '问题' })).toBeFocused()
    await keys.press('Tab', 'Enter', 'Control+Enter')
    await expect(dialog).toHaveCount(0)
  }
  // One by one at first, as whoever reads does; two values are asked about, and what is left is verified at once.
  for (let at = 0; at < 10; at += 1) await keys.press('v')
  await askByTemplate()
  await keys.press('ArrowDown')
  await askByTemplate()
  await keys.press('Shift+V')
  // Eleven acts are sent one after the other.
  await expect(head).toContainText('源数据核查 38/40', { timeout: 60_000 })
  expect(keys.count()).toBeLessThanOrEqual(50)
  console.log(`a page of 40 fields and two queries: ${keys.count()} keys`)
  const { records } = await team.cra.call<{ records: { query: { state: string } }[] }>('query.list', {
    query: { projectId, patientId },
  })
  expect(records.map(({ query }) => query.state)).toEqual(['open', 'open'])
  await desk.context().close()

  asked = `/eCRF/${patientId}/page/${entry}?p=${projectId}`
})

test('a query is answered: four taps', async ({ browser }) => {
  const ward = await at(browser, TABLET, team.crc, true, asked)
  const mark = ward.locator('[data-asked]').first()
  let taps = await tap(mark)
  const sheet = ward.getByRole('dialog', { name: /：质疑$/ })
  const answer = sheet.getByRole('button', { name: '答复', exact: true })
  taps += await tap(answer, sheet.getByText('核实无误'), answer)
  expect(taps).toBe(4)
  await expect(async () => {
    const { records } = await team.cra.call<{ records: { query: { state: string } }[] }>('query.list', {
      query: { projectId: study.projectId },
    })
    expect(records.map(({ query }) => query.state).toSorted()).toEqual(['answered', 'open'])
  }).toPass()
  await ward.context().close()
})

test('an answered query is closed from the list: two clicks', async ({ browser }) => {
  const list = `/p/${study.projectId}/v/${study.versionId}/query`
  const desk = await at(browser, DESK, team.cra, false, list)
  const answered = desk.locator('main [role=row]').filter({ hasText: '已答复' })
  await answered.locator('[data-cell]').last().click()
  await desk.getByRole('complementary').getByRole('button', { name: '关闭', exact: true }).last().click()
  await expect(answered).toHaveCount(0)
  await desk.context().close()
})

const VALUES: Readonly<Record<string, string | number>> = { number: 5, date: '2026-03-02', radio: '1', input: '如常' }

/** A value for each field of a group, within its range. */
function valuesOf({ column }: ReturnType<typeof group>) {
  return column.map(({ prop, type }) => [prop, VALUES[type] ?? ''] as const)
}

/** A keyboard that counts. */
function keyboardOf({ keyboard }: Page) {
  let presses = 0
  return {
    press: async (...keys: readonly string[]) => {
      for (const key of keys) {
        presses += 1
        await keyboard.press(key)
      }
    },
    count: () => presses,
  }
}
