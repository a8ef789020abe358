import { expect, test } from '@playwright/test'
import type { CDPSession, Page } from '@playwright/test'

import { stored } from './forms/everyField.ts'
import type { ServedPage } from './forms/formPage.ts'
import { serveFormPage } from './forms/formPage.ts'
import type { Reader, Spoken } from './support/accessibilityTree.ts'
import { screenReader } from './support/accessibilityTree.ts'
import { axeViolations } from './support/accessible.ts'

/** A page with every type of field, filled and read by people who use no pointer, see nothing, or write Chinese. */

let served: ServedPage

test.beforeAll(async () => {
  served = await serveFormPage()
})

test.afterAll(() => served.close())

async function open(page: Page, query = ''): Promise<Reader> {
  await page.goto(served.address + query)
  await expect(page.locator('[data-row="signed"]')).toBeAttached()
  return screenReader(page)
}

const values = (page: Page) => page.evaluate(() => window.formPage.values())

/** Most stops between one answer and the next control: what stands beside a box is pressed by its own key. */
const MOST_STOPS = 2

/** Goes on by Tab until the focus is where it is wanted. Gives what is announced there. */
async function tabTo(
  page: Page,
  reader: Reader,
  name: string,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
  stops = MOST_STOPS,
): Promise<Spoken> {
  const passed: string[] = []
  for (let stop = 0; stop < stops; stop += 1) {
    await page.keyboard.press(key)
    const focused = await reader.focused()
    if (focused.name === name) return focused
    passed.push(focused.name)
  }
  throw new Error(`“${name}” was not reached; passed: ${passed.join(', ')}`)
}

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** What is typed into each text box, in the order of the page, and what its box says once it was left. */
const BOXES = {
  typed: [
    ['姓名缩写', 'ZLM', 'ZLM'],
    ['方药', '四君子汤', '四君子汤'],
    ['现病史', '咳嗽三天', '咳嗽三天'],
    ['体重', '65.50', '65.50'],
    ['身高', '170', '170'],
    ['主要症状', '咳嗽', '咳嗽'],
    ['参考网址', 'https://a.cn', 'https://a.cn'],
  ],
  dated: [
    ['访视日期', '20260301', '2026-03-01'],
    ['发病日期', '2026年2月', '2026-02'],
    ['采血时间', '930', '09:30'],
    ['给药时间', '202603010945', '2026-03-01 09:45'],
    ['出生年份', '1961', '1961'],
    ['随访月份', '202603', '2026-03'],
    ['高发月份', '5', '05'],
    ['随访周', '2026W9', '2026-W09'],
    ['疗程：开始', '20260301', '2026-03-01'],
    ['疗程：结束', '20260314', '2026-03-14'],
    ['睡眠时间：开始', '2230', '22:30'],
    ['睡眠时间：结束', '615', '06:15'],
    ['住院时间：开始', '20260301 1000', '2026-03-01 10:00'],
    ['住院时间：结束', '202603031600', '2026-03-03 16:00'],
  ],
} as const

const ENTERED = {
  ...stored,
  daily: 20,
  name: 'ZLM',
  herb: '四君子汤',
  history: '咳嗽三天',
  weight: 65.5,
  height: 170,
  bmi: 22.7,
  symptoms: ['咳嗽'],
  links: ['https://a.cn'],
  coating: 'hn',
  event: '1',
  eventText: '皮疹',
  pulse: ['bb', 'hn'],
  syndrome: 's12',
  syndromes: ['s3', 's40'],
  pain: 7,
  sleep: [42, 178],
  visit: '2026-03-01',
  onset: '2026-02',
  taken: '09:30',
  dosed: '2026-03-01 09:45',
  born: '1961',
  period: '2026-03',
  season: '05',
  week: '2026-02-23',
  course: ['2026-03-01', '2026-03-14'],
  night: ['22:30', '06:15'],
  stay: ['2026-03-01 10:00', '2026-03-03 16:00'],
}

test('every field is reached, answered and read back by keyboard alone', async ({ page }) => {
  const reader = await open(page)
  for (const [name, text] of BOXES.typed) {
    expect((await tabTo(page, reader, name)).role).toBe('textbox')
    await page.keyboard.type(text)
  }

  // Arrows only move: an answer is chosen by the space bar.
  await tabTo(page, reader, '薄白')
  await press(page, 'ArrowRight', 'ArrowRight')
  expect(await reader.focused()).toMatchObject({ role: 'radio', name: '黄腻', checked: false })
  await press(page, 'Space')
  expect(await reader.focused()).toMatchObject({ name: '黄腻', checked: true })
  await tabTo(page, reader, '是')
  await press(page, 'Space')
  // The field that the answer asks for is the next on the way.
  await tabTo(page, reader, '不良事件描述')
  await page.keyboard.type('皮疹')
  await tabTo(page, reader, '薄白')
  // One stop of the Tab key for each field: the arrows go on to the other boxes.
  await press(page, 'Space', 'ArrowRight', 'ArrowRight', 'Space')
  expect(await reader.focused()).toMatchObject({ role: 'checkbox', name: '黄腻', checked: true })

  await tabTo(page, reader, '证候 （必填） 请选择')
  await press(page, 'Enter')
  await expect(page.getByRole('textbox', { name: '搜索选项' })).toBeFocused()
  expect(await axeViolations(page), 'choices').toEqual([])
  await page.keyboard.type('s12')
  await press(page, 'Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect((await reader.focused()).name).toBe('证候 （必填） 证候 12')
  await tabTo(page, reader, '兼证 请选择')
  await press(page, 'Enter')
  for (const code of ['s40', 's3']) {
    await expect(page.getByRole('textbox', { name: '搜索选项' })).toBeFocused()
    await page.keyboard.type(code)
    await press(page, 'Enter', 'ControlOrMeta+A', 'Delete')
  }
  await press(page, 'Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect((await reader.focused()).name).toBe('兼证 证候 3、证候 40')

  await tabTo(page, reader, '疼痛评分 （必填）')
  await press(page, 'ArrowRight', 'ArrowRight')
  expect(await reader.focused()).toMatchObject({ role: 'slider', value: '7' })
  await tabTo(page, reader, '心率范围：下限')
  await press(page, 'ArrowRight', 'ArrowRight')
  await tabTo(page, reader, '心率范围：上限')
  await press(page, 'ArrowLeft', 'ArrowLeft')

  for (const [name, text] of BOXES.dated) {
    expect((await tabTo(page, reader, name)).role).toBe('textbox')
    await page.keyboard.type(text)
  }
  await page.keyboard.press('Tab')
  expect(await values(page)).toEqual(ENTERED)

  // And back: each control says what it holds now.
  for (const [name, , shown] of BOXES.dated.toReversed())
    expect(await tabTo(page, reader, name, 'Shift+Tab')).toMatchObject({ value: shown, invalid: false })
  expect(await tabTo(page, reader, '心率范围：上限', 'Shift+Tab')).toMatchObject({
    value: '178',
    description: '178 bpm',
  })
  expect(await tabTo(page, reader, '心率范围：下限', 'Shift+Tab')).toMatchObject({ value: '42', description: '42 bpm' })
  expect(await tabTo(page, reader, '疼痛评分 （必填）', 'Shift+Tab')).toMatchObject({ value: '7' })
  await tabTo(page, reader, '兼证 证候 3、证候 40', 'Shift+Tab')
  await tabTo(page, reader, '证候 （必填） 证候 12', 'Shift+Tab')
  expect(await tabTo(page, reader, '薄白', 'Shift+Tab')).toMatchObject({ role: 'checkbox', checked: true })
  expect(await tabTo(page, reader, '不良事件描述', 'Shift+Tab', 3)).toMatchObject({ value: '皮疹' })
  expect(await tabTo(page, reader, '是', 'Shift+Tab')).toMatchObject({ role: 'radio', checked: true })
  expect(await tabTo(page, reader, '黄腻', 'Shift+Tab')).toMatchObject({ role: 'radio', checked: true })
  for (const [name, , shown] of BOXES.typed.toReversed())
    expect(await tabTo(page, reader, name, 'Shift+Tab')).toMatchObject({ value: shown, invalid: false })
  expect(await values(page)).toEqual(ENTERED)
})

test('ways down a tree, a suggestion and the rows of a table are entered by keyboard alone', async ({ page }) => {
  const reader = await open(page)
  await page.locator('[data-row="stay"] input').last().focus()
  await tabTo(page, reader, '籍贯 （必填） 北京 / 东城')
  await press(page, 'Enter')
  await expect(page.getByRole('textbox', { name: '搜索选项' })).toBeFocused()
  expect(await axeViolations(page), 'levels').toEqual([])
  await page.keyboard.type('黄浦')
  await press(page, 'Enter')
  expect((await reader.focused()).name).toBe('籍贯 （必填） 上海 / 黄浦')
  await tabTo(page, reader, '居住地 请选择')
  await press(page, 'Enter')
  await expect(page.getByRole('textbox', { name: '搜索选项' })).toBeFocused()
  // A level at a time: into Beijing, and there the first district.
  await press(page, 'Tab', 'Enter')
  await expect(page.getByRole('checkbox', { name: '东城' })).toBeVisible()
  await page.getByRole('checkbox', { name: '东城' }).focus()
  await press(page, 'Space', 'Escape')
  expect((await reader.focused()).name).toBe('居住地 北京 / 东城')
  await tabTo(page, reader, '主方', 'Tab', 9)
  await page.keyboard.type('血府')
  await press(page, 'Alt+ArrowDown')
  await expect(page.getByRole('textbox', { name: '搜索选项' })).toBeFocused()
  await page.keyboard.type('四君子')
  await press(page, 'Enter')
  expect((await reader.focused()).value).toBe('四君子汤')

  await tabTo(page, reader, '合并用药：添加一行', 'Tab', 6)
  await press(page, 'Enter')
  await expect(page.getByRole('dialog', { name: '合并用药 · 第 2 行，共 2 行' })).toBeVisible()
  expect((await reader.focused()).name).toBe('药名')
  expect(await axeViolations(page), 'a row of a table').toEqual([])
  await page.keyboard.type('川芎')
  await press(page, 'Enter')
  await page.keyboard.type('6')
  await press(page, 'Enter')
  await page.keyboard.type('3')
  await tabTo(page, reader, '再添加一行', 'Tab', 14)
  await press(page, 'Enter')
  await expect(page.getByRole('dialog', { name: '合并用药 · 第 3 行，共 3 行' })).toBeVisible()
  await tabTo(page, reader, '删除此行', 'Tab', 14)
  await press(page, 'Enter')
  await expect(page.getByText('该行已删除，其中的内容保留在稽查轨迹中。')).toBeVisible()
  await press(page, 'Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await values(page)).toMatchObject({
    place: ['31', '3101'],
    lived: [['11', '1101']],
    formula: '四君子汤',
    daily: 38,
  })
  const drugs = (await values(page))['drugs']
  expect(drugs).toMatchObject([{ drug: '甘草' }, { drug: '川芎', dose: 6, times: 3, daily: 18 }])
  expect(drugs).toHaveLength(2)
})

test('Enter leads through the boxes of the page, from the beginning of a range to its end', async ({ page }) => {
  const reader = await open(page)
  await page.locator('[data-row="born"] input').focus()
  const visited: string[] = []
  for (let stop = 0; stop < 9; stop += 1) {
    await press(page, 'Enter')
    visited.push((await reader.focused()).name)
  }
  expect(visited).toEqual([
    '随访月份',
    '高发月份',
    '随访周',
    '疗程：开始',
    '疗程：结束',
    '睡眠时间：开始',
    '睡眠时间：结束',
    '住院时间：开始',
    '住院时间：结束',
  ])
})

test('a date is picked from the calendar, and one of which the day is unknown from months, by keyboard alone', async ({
  page,
}) => {
  const reader = await open(page)
  await page.locator('[data-row="visit"] input').fill('2026-03-03')
  await page.locator('[data-row="visit"] input').focus()
  await press(page, 'Alt+ArrowDown')
  await expect(page.getByRole('dialog').getByRole('button', { name: '2026年3月3日', exact: true })).toBeFocused()
  expect(await axeViolations(page), 'calendar').toEqual([])
  await press(page, 'ArrowRight', 'Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await reader.focused()).toMatchObject({ name: '访视日期', value: '2026-03-04' })

  await tabTo(page, reader, '发病日期')
  await press(page, 'Alt+ArrowDown')
  await expect(page.getByRole('radio', { name: '年月日' })).toBeAttached()
  expect(await axeViolations(page), 'calendar of a date that may be partial').toEqual([])
  await page.getByRole('radio', { name: '年月日' }).focus()
  await press(page, 'ArrowRight')
  await page.getByRole('dialog').getByRole('button', { name: '5月', exact: true }).focus()
  await press(page, 'Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect((await reader.focused()).value).toMatch(/^\d{4}-05$/)
})

test('an answer is taken that is clicked while the field before it turns out to be wrong', async ({ page }) => {
  await open(page)
  await page.locator('[data-row="links"] textarea').fill('nowhere')
  // The error appears above the answer. Shown while the button is down, it would move the answer away from under the
  // mouse.
  await page.getByRole('radio', { name: '薄白' }).click()
  await expect(page.getByText('请输入以 http:// 或 https:// 开头的网址，每行一个')).toBeVisible()
  await page.locator('[data-row="coating"] [data-action="missing"]').focus()
  await page.getByRole('radio', { name: '否' }).click()
  expect(await values(page)).toMatchObject({ coating: 'bb', event: '0' })
})

test('why there is no value is said and taken back by keyboard alone', async ({ page }) => {
  const reader = await open(page)
  await page.locator('[data-row="history"] textarea').focus()
  await tabTo(page, reader, '体重')
  await press(page, 'Alt+m')
  await expect(page.getByRole('button', { name: '受试者拒绝' })).toBeFocused()
  expect(await axeViolations(page), 'why there is no value').toEqual([])
  // None of the usual reasons: its kind, and words.
  await press(page, 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Enter', 'Shift+Tab', 'ArrowDown', 'Tab')
  await page.keyboard.type('卧床')
  await press(page, 'Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await page.evaluate(() => window.formPage.missing())).toEqual({ weight: { m: 'UNK', reason: '卧床' } })
  // The focus stays with the field, on what stands in place of its box, and comes back to the box.
  expect(await reader.focused()).toMatchObject({ role: 'group', name: '体重' })
  await tabTo(page, reader, '体重：改为填写', 'Tab', 1)
  await press(page, 'Enter')
  expect(await reader.focused()).toMatchObject({ role: 'textbox', name: '体重' })
  expect(await page.evaluate(() => window.formPage.missing())).toEqual({})
})

test('a screen reader is told of each control what it is, whether it must be filled in, and what is wrong', async ({
  page,
}) => {
  const reader = await open(page)
  // What is far off the screen is in the tree as well.
  await expect.poll(async () => (await reader.all()).some(({ name }) => name === '批号')).toBe(true)
  const before = await reader.all()
  const find = (all: readonly Spoken[], role: string, name: string) =>
    all.find((one) => one.role === role && one.name === name)
  expect(find(before, 'textbox', '体重')).toMatchObject({
    required: true,
    invalid: false,
    description: '允许范围 30–200 kg',
  })
  expect(find(before, 'textbox', '发病日期')).toMatchObject({
    required: false,
    description: '月、日不详时可只填年月或年，如 202405、2024',
  })
  expect(find(before, 'radiogroup', '舌苔')).toMatchObject({ required: true })
  expect(find(before, 'radio', '少苔')).toMatchObject({ disabled: true })
  expect(find(before, 'group', '脉象 （必填）')).toBeDefined()
  expect(find(before, 'group', '疗程')).toBeDefined()
  expect(find(before, 'textbox', '疗程：结束')).toMatchObject({ required: true })
  expect(find(before, 'slider', '疼痛评分 （必填）')).toMatchObject({ description: '未填写' })
  expect(find(before, 'status', '体重指数')).toBeDefined()
  expect(find(before, 'group', '批号')).toBeDefined()
  expect(find(before, 'textbox', '不良事件描述')).toBeUndefined()

  await page.locator('[data-row="weight"] input').fill('20')
  await page.locator('[data-row="height"] input').fill('220')
  await page.locator('[data-row="course"] input').first().fill('20260301')
  await page.evaluate(() => window.formPage.validate())
  await expect(page.getByRole('alert').getByRole('heading', { name: '错误' })).toBeVisible()
  const after = await reader.all()
  expect(find(after, 'textbox', '姓名缩写')).toMatchObject({ invalid: true, description: '错误： 姓名缩写必须填写' })
  expect(find(after, 'textbox', '体重')).toMatchObject({
    invalid: true,
    description: '允许范围 30–200 kg 错误： 不应小于 30',
  })
  // A warning is no error, and says so.
  expect(find(after, 'textbox', '身高')).toMatchObject({ invalid: false, description: 'cm 请核对：身高超过 210 cm' })
  expect(find(after, 'radiogroup', '舌苔')).toMatchObject({ invalid: true, description: '错误： 舌苔必须填写' })
  expect(find(after, 'textbox', '疗程：结束')).toMatchObject({ invalid: true, description: '错误： 两端都需填写' })
  expect(find(after, 'button', '证候 （必填） 请选择')?.description).toBe('错误： 证候必须填写')
  // Each line of the box leads to its field.
  await page.getByRole('button', { name: '疗程：两端都需填写' }).press('Enter')
  await expect(page.locator('[data-row="course"] input').first()).toBeFocused()
})

for (const [language, scheme, mode, width, height] of [
  ['zh', 'light', 'input', 820, 1180],
  ['zh', 'dark', 'input', 1440, 900],
  ['en', 'light', 'view', 820, 1180],
  ['en', 'dark', 'input', 820, 1180],
] as const) {
  test(`axe finds nothing: ${language}, ${scheme}, ${mode}, ${width} × ${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height })
    await open(page, `?lng=${language}&scheme=${scheme}&mode=${mode}`)
    expect(await axeViolations(page), 'at rest').toEqual([])
    if (mode === 'input') {
      await page.locator('[data-row="height"] input').fill('220')
      await page.locator('[data-row="week"] input').fill('20240515')
    }
    await page.evaluate(() => window.formPage.validate())
    await expect(page.getByRole('alert')).toBeVisible()
    expect(await axeViolations(page), 'with errors').toEqual([])
  })
}

/** Sets what an input method shows while a word is half typed, as the browser's own protocol has it. */
async function compose(session: CDPSession, text: string): Promise<void> {
  await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
}

const edits = (page: Page) =>
  page.evaluate(() =>
    window.formPage
      .takeEdits()
      .flatMap((edit) =>
        edit.kind === 'item' ? [{ code: edit.code, old: edit.old, value: edit.value, text: edit.text }] : [],
      ),
  )
const value = async (page: Page, prop: string) => (await values(page))[prop]

test.describe('a Chinese word', () => {
  let session: CDPSession
  test.beforeEach(async ({ page }) => {
    await open(page)
    session = await page.context().newCDPSession(page)
    await page.evaluate(() => window.formPage.takeEdits())
  })

  test('half typed is no value, moves no rule and is no step; committed it is one step', async ({ page }) => {
    const box = page.locator('[data-row="history"] textarea')
    await box.focus()
    for (const pinyin of ['k', 'ke', "ke's", "ke'sou"]) await compose(session, pinyin)
    await expect(box).toHaveValue("ke'sou")
    expect(await value(page, 'history')).toBeUndefined()
    expect(await edits(page)).toEqual([])
    await session.send('Input.insertText', { text: '咳嗽' })
    await expect(box).toHaveValue('咳嗽')
    expect(await edits(page)).toEqual([{ code: 'history', old: null, value: '咳嗽', text: null }])

    // The next word goes behind the first.
    await compose(session, 'san')
    expect(await value(page, 'history')).toBe('咳嗽')
    await session.send('Input.insertText', { text: '三天' })
    expect(await edits(page)).toEqual([{ code: 'history', old: '咳嗽', value: '咳嗽三天', text: null }])
  })

  test('half typed fires no check and asks for nothing', async ({ page }) => {
    const box = page.locator('[data-row="name"] input')
    await box.focus()
    await compose(session, 'zhangsanfengzhang')
    await expect(box).toHaveValue('zhangsanfengzhang')
    // Eleven letters would be too long for the field, were they a value.
    expect(await page.locator('[data-row="name"] li').count()).toBe(0)
    await session.send('Input.insertText', { text: '张三丰' })
    await page.keyboard.press('Tab')
    expect(await value(page, 'name')).toBe('张三丰')
    expect(await page.locator('[data-row="name"] li').count()).toBe(0)
  })

  test('given up leaves what was there', async ({ page }) => {
    const box = page.locator('[data-row="herb"] input')
    await box.fill('四君子')
    await edits(page)
    await compose(session, 'tang')
    await compose(session, '')
    await expect(box).toHaveValue('四君子')
    expect(await value(page, 'herb')).toBe('四君子')
    expect(await edits(page)).toEqual([])
  })

  for (const [how, leave] of [
    ['with the keyboard', (page: Page) => page.keyboard.press('Tab')],
    ['with a tap', (page: Page) => page.locator('h1').click()],
    ['with a tap on another answer', (page: Page) => page.getByRole('radio', { name: '白腻' }).click()],
    [
      'because the app takes the focus away',
      (page: Page) =>
        page.evaluate(() =>
          document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined,
        ),
    ],
  ] as const) {
    test(`half typed when the field is left ${how} is kept as it stands in the box`, async ({ page }) => {
      const box = page.locator('[data-row="history"] textarea')
      await box.fill('咳嗽')
      await edits(page)
      await compose(session, 'santian')
      await leave(page)
      const shown = await box.inputValue()
      expect(shown.startsWith('咳嗽')).toBe(true)
      expect(await value(page, 'history')).toBe(shown)
      const steps = await edits(page)
      expect(steps.filter(({ code }) => code === 'history')).toEqual(
        shown === '咳嗽' ? [] : [{ code: 'history', old: '咳嗽', value: shown, text: null }],
      )
    })
  }

  test('half typed is not looked for in a long list of choices', async ({ page }) => {
    await page.locator('[data-row="syndrome"] [data-action="choose"]').press('Enter')
    const box = page.getByRole('textbox', { name: '搜索选项' })
    await expect(box).toBeFocused()
    await compose(session, 'zheng')
    await expect(box).toHaveValue('zheng')
    await expect(page.getByRole('dialog').getByRole('radio')).toHaveCount(60)
    await session.send('Input.insertText', { text: '证候 7' })
    await expect(page.getByRole('dialog').getByRole('radio')).toHaveCount(1)
    await page.keyboard.press('Enter')
    expect(await value(page, 'syndrome')).toBe('s7')
  })

  test('Enter that ends a word does not leave the field', async ({ page }) => {
    const box = page.locator('[data-row="herb"] input')
    await box.focus()
    await compose(session, 'tang')
    // Chromium sends the key to the page with the code of one that an input method has taken.
    await session.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      windowsVirtualKeyCode: 229,
      key: 'Enter',
      code: 'Enter',
    })
    await expect(box).toBeFocused()
    await session.send('Input.insertText', { text: '汤' })
    expect(await value(page, 'herb')).toBe('汤')
  })

  test('of a date and of figures is taken as it was committed, full-width as input methods give them', async ({
    page,
  }) => {
    await page.locator('[data-row="onset"] input').focus()
    await compose(session, 'erling')
    await session.send('Input.insertText', { text: '２０２６年２月' })
    expect(await edits(page)).toEqual([{ code: 'onset', old: null, value: '2026-02', text: '２０２６年２月' }])
    await page.locator('[data-row="course"] input').first().focus()
    await compose(session, 'erling')
    expect(await value(page, 'course')).toBeUndefined()
    await session.send('Input.insertText', { text: '２０２６０３０１' })
    expect(await edits(page)).toEqual([{ code: 'course', old: null, value: ['2026-03-01', ''], text: null }])
  })
})
