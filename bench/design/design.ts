import { chromium } from '@playwright/test'
import type { Browser, Locator, Page } from '@playwright/test'
import { signIn } from '#e2e/support/session.ts'
import { CHROMIUM_ENVIRONMENT, CHROMIUM_FLAGS, chromiumPath } from '#scripts/lib/browser.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'

import { browserAndApp } from '../built.ts'
import { median, numberOption, percentile } from '../figures.ts'
import { tasksDuring } from '../sync/mainThread.ts'
import { FIELDS_EACH, FOLDERS, PAGES_EACH, largeStudy, pageName } from './definition.ts'
import { eventsToPaint, takeEvents } from './paints.ts'

/**
 * `npm run bench -- design [--runs=3] [--slowdown=2]`: the designer on a study of 100 pages and 5,000 fields, in the
 * real app on the real server in a slowed-down Chromium. It measures typing in a property, dragging a field and
 * undoing, from the event to the frame that shows the result, while edits are kept, saved and checked in the
 * background.
 */

/**
 * Forms are designed at a desk: on a machine half as fast as this one; the other benchmarks simulate a tablet with a
 * quarter of its speed.
 */
const SLOWDOWN = 2
/** The typing speed of a practised person, ms between keys. */
const BETWEEN_KEYS = 90
/**
 * The amount of work in a run: visits, keys typed, fields copied one after the other, and how many of these steps are
 * undone and redone.
 */
interface Amount {
  readonly visits: number
  readonly keys: number
  readonly copied: number
  readonly undone: number
}
const WHOLE: Amount = { visits: FOLDERS, keys: 60, copied: 10, undone: 12 }
const LITTLE: Amount = { visits: 2, keys: 3, copied: 2, undone: 1 }
/** What counts as fluid: the result of an action is visible within this time, ms, on the slowed machine. */
const BUDGETS = { typing: 100, dragging: 100, drop: 200, copying: 200, undo: 200, task: 200 } as const
type Figure = keyof typeof BUDGETS
type Figures = Readonly<Record<Figure, number>>

const ADMIN = { account: 'admin', password: 'Admin-Bench-2231' } as const

export async function run(args: readonly string[]): Promise<boolean> {
  if (!(await browserAndApp())) return false
  const [runs, slowdown] = [numberOption(args, 'runs', 3), numberOption(args, 'slowdown', SLOWDOWN)]
  const server = await startServer({ adminPassword: ADMIN.password, env: { DEMO: '0', LOG_LEVEL: 'error' } })
  try {
    return await measureAll(`http://127.0.0.1:${server.port}`, runs, slowdown, WHOLE)
  } finally {
    await server.dispose()
  }
}

/** A small study and one run of a few keys: tests only that the benchmark itself works. */
export function smoke(address: string): Promise<boolean> {
  return measureAll(address, 1, 1, LITTLE)
}

async function measureAll(address: string, runs: number, slowdown: number, amount: Amount): Promise<boolean> {
  const place = await drawStudy(address, amount.visits)
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [...CHROMIUM_FLAGS],
    env: { ...CHROMIUM_ENVIRONMENT },
  })
  try {
    const figures: Figures[] = []
    const opened: number[] = []
    for (let at = 0; at < runs; at += 1) {
      // Each run works on a page of its own, in the middle of the study.
      const measured = await measure(browser, address, { place, visit: amount.visits / 2 + at, slowdown, amount })
      figures.push(measured.figures)
      opened.push(measured.opened)
    }
    return report(figures, opened, slowdown, amount.visits)
  } finally {
    await browser.close()
  }
}

interface Run {
  readonly place: string
  readonly visit: number
  readonly slowdown: number
  readonly amount: Amount
}

/** Makes a project with a draft of the large study. Returns the address of its designer. */
async function drawStudy(address: string, visits: number): Promise<string> {
  const admin = await signInByApi(address, ADMIN.account, ADMIN.password)
  const { id: projectId } = await admin.call<{ id: string }>('project.save', {
    body: { projectName: '大型研究', projectScopeCode: 'areamultiple' },
  })
  const { id: crfId } = await admin.call<{ id: string }>('version.save', { body: { projectId, remark: '首版' } })
  await admin.call('version.import', {
    query: { crfId },
    body: { definition: largeStudy(visits), sourceName: 'bench.json', source: 'bench' },
  })
  return `/p/${projectId}/v/${crfId}/design`
}

async function measure(
  browser: Browser,
  address: string,
  { place, visit, slowdown, amount }: Run,
): Promise<{ readonly figures: Figures; readonly opened: number }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
  try {
    const page = await context.newPage()
    const worked = pageName(visit, 3)
    page.setDefaultTimeout(120_000)
    await signIn(page, address, place, ADMIN)
    await page.getByRole('treeitem', { name: worked }).click()
    const list = page.getByRole('listbox', { name: worked })
    await list.getByRole('option').first().waitFor()
    // The work done once at the opening must not be in the measurement.
    await page.waitForTimeout(4000)
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.evaluate(eventsToPaint)
    await page.evaluate(takeEvents, 'click')
    await page.getByRole('treeitem', { name: pageName(visit, 5) }).click()
    await page.getByRole('treeitem', { name: worked }).click()
    await list.getByRole('option').first().waitFor()
    const opened = Math.max(...(await page.evaluate(takeEvents, 'click')))

    await list
      .getByRole('option', { name: /项目 2/ })
      .first()
      .click()
    const label = page.getByLabel('名称', { exact: true }).first()
    await label.focus()
    await page.keyboard.press('End')
    const tasks = await tasksDuring(page, () => typeSlowly(page, amount.keys))
    const typing = percentile(await page.evaluate(takeEvents, 'keydown'), 0.95)

    await page.evaluate(takeEvents, 'dragover')
    await page.evaluate(takeEvents, 'drop')
    const before = await list.getByRole('option').allTextContents()
    await dragThrough(page, list)
    if ((await list.getByRole('option').allTextContents()).join() === before.join())
      throw new Error('no field was moved')
    const dragging = percentile(await page.evaluate(takeEvents, 'dragover'), 0.95)
    const drop = Math.max(...(await page.evaluate(takeEvents, 'drop')))

    await page.evaluate(takeEvents, 'click')
    await press(
      page,
      Array.from({ length: amount.copied }, () =>
        page.getByRole('toolbar').getByRole('button', { name: '复制一份', exact: true }),
      ),
    )
    const copying = percentile(await page.evaluate(takeEvents, 'click'), 0.95)
    await press(
      page,
      Array.from({ length: amount.undone }, (_, step) =>
        page.getByRole('button', { name: step % 4 === 3 ? '重做' : '撤销', exact: true }),
      ),
    )
    const undo = percentile(await page.evaluate(takeEvents, 'click'), 0.95)
    return {
      figures: { typing, dragging, drop, copying, undo, task: Math.max(0, ...tasks.map(({ worked }) => worked)) },
      opened,
    }
  } finally {
    await context.close()
  }
}

/**
 * Types with a pause now and then, so that keeping, saving and checking happen between the keys as they do for people.
 */
async function typeSlowly(page: Page, keys: number): Promise<void> {
  for (let at = 0; at < keys; at += 1) {
    await page.keyboard.press('abcdefghij'[at % 10] ?? 'a')
    await page.waitForTimeout(at % 20 === 19 ? 1500 : BETWEEN_KEYS)
  }
}

/**
 * Presses buttons one after the other only with the mouse: otherwise the search for them in the page would be measured
 * too.
 */
async function press(page: Page, buttons: readonly Locator[]): Promise<void> {
  const boxes = await Promise.all(buttons.map((button) => button.boundingBox()))
  for (const box of boxes) {
    if (box === null) throw new Error('the button is not in sight')
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await page.waitForTimeout(400)
  }
}

/** Drags a field with the mouse past six others and drops it. */
async function dragThrough(page: Page, list: Locator): Promise<void> {
  const options = list.getByRole('option')
  const [from, to] = [await options.nth(1).boundingBox(), await options.nth(7).boundingBox()]
  if (from === null || to === null) throw new Error('the fields are not in sight')
  await page.mouse.move(from.x + 40, from.y + 10)
  await page.mouse.down()
  for (let step = 1; step <= 40; step += 1) {
    await page.mouse.move(from.x + 40, from.y + 10 + ((to.y - from.y) * step) / 40)
    await page.waitForTimeout(20)
  }
  // A field is dropped after it was seen at its place.
  await page.waitForTimeout(300)
  await page.mouse.up()
  await page.waitForTimeout(1500)
}

const WORDS: Readonly<Record<Figure, string>> = {
  typing: 'typing in a property, p95',
  dragging: 'dragging a field over others, p95',
  drop: 'letting it go',
  copying: 'copying a field, p95',
  undo: 'undo and redo, p95',
  task: 'longest task while typing',
}

function report(figures: readonly Figures[], opened: readonly number[], slowdown: number, visits: number): boolean {
  console.log(
    `\ndesign: ${visits * PAGES_EACH} pages, ${visits * PAGES_EACH * FIELDS_EACH} fields, processor ${slowdown} × slower (medians of ${figures.length} runs)`,
  )
  console.log(`  ${'another page is opened'.padEnd(36)} ${median(opened).toFixed(0).padStart(6)} ms`)
  let ok = true
  for (const [figure, budget] of Object.entries(BUDGETS) as [Figure, number][]) {
    const values = figures.map((one) => one[figure])
    const within = median(values) <= budget
    ok = ok && within
    console.log(
      `  ${WORDS[figure].padEnd(36)} ${median(values).toFixed(0).padStart(6)} ms (≤ ${budget}): ${within ? 'ok' : 'OVER'}   runs ${values.map((value) => value.toFixed(0)).join(', ')}`,
    )
  }
  console.log(ok ? 'bench design: within budget' : 'bench design: over budget')
  return ok
}
