import type { Page } from '@playwright/test'
import { startDemo } from '#e2e/support/demo.ts'
import { DEMO_PASSWORD } from '#e2e/support/demoData.ts'
import { newTablet } from '#e2e/support/tablet.ts'

import { browserAndApp } from '../built.ts'
import { median, numberOption } from '../figures.ts'
import { startShaper } from '../sync/shaper.ts'
import type { Shaper } from '../sync/shaper.ts'

/**
 * `npm run bench -- home [--runs=3]`: how soon home shows something useful on a weak network, for a person whose
 * browser has the app already: on a tablet that keeps their center, from the tap that unlocks it; and in a browser that
 * keeps nothing, from the start of loading.
 */

const LINE = {
  roundTripMs: 800,
  bitsPerSecond: 250_000,
  resets: { of: 'request', chance: 0 },
  random: Math.random,
} as const
const WITHIN_MS = 3000
const HOME = '/wel/index'
/** A project with the count of what waits in it; and the texts that say that the count is coming. */
const [COUNTED, IN_WORDS] = [/\d+ ?必填未填/, /仍在载入|正在向服务器查询|正在连接/]
/** Texts that must not appear while the server answers. */
const MISLEADING = /当前离线|登录已过期|本设备没有保存/

interface Person {
  readonly name: string
  readonly account: string
  readonly password: string
  /** The address of their patient list. */
  readonly patients: string
  readonly keeps: boolean
}

interface Seen {
  /** When the screen showed a text about the content, or that it is coming, and when it showed the counted work. */
  readonly words: number
  readonly counted: number
  readonly misled: readonly string[]
}

export async function run(args: readonly string[]): Promise<boolean> {
  if (!(await browserAndApp())) return false
  const { server, patients } = await startDemo()
  const of = { password: DEMO_PASSWORD, patients }
  try {
    return await homeOn(server.port, numberOption(args, 'runs', 3), [
      { ...of, name: 'a coordinator whose tablet keeps the center', account: 'crc', keeps: true },
      { ...of, name: 'a project manager whose browser keeps nothing', account: 'pm', keeps: false },
    ])
  } finally {
    await server.dispose()
  }
}

/** Home of these people, on a running server. */
export async function homeOn(port: number, runs: number, people: readonly Person[]): Promise<boolean> {
  const shaper = await startShaper(port)
  try {
    let holds = true
    console.log(`\nhome: ${LINE.bitsPerSecond / 1000} kbit/s each way, ${LINE.roundTripMs} ms there and back`)
    for (const person of people) {
      const seen: Seen[] = []
      for (let at = 0; at < runs; at += 1) seen.push(await lookOnce(shaper, person))
      holds = report(person, seen) && holds
    }
    return holds
  } finally {
    await shaper.close()
  }
}

async function lookOnce(shaper: Shaper, { account, password, patients, keeps }: Person): Promise<Seen> {
  const tablet = await newTablet()
  const { page } = tablet
  try {
    shaper.openWide()
    await page.goto(`${shaper.address}${patients}`)
    await page.getByLabel('账号').fill(account)
    await page.getByLabel('密码', { exact: true }).fill(password)
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await page.locator('#main h1').waitFor()
    await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
    if (keeps) {
      await page.getByRole('button', { name: '保存到此平板' }).click()
      await page
        .getByText(/已同步/)
        .first()
        .waitFor()
      await page.getByRole('button', { name: '保存到此平板' }).waitFor({ state: 'detached' })
    }
    shaper.shape(LINE)
    const started = keeps ? await unlockHome(page, shaper, password) : await reloadHome(page, shaper)
    return await watchHome(page, started)
  } finally {
    await tablet.dispose()
  }
}

async function reloadHome(page: Page, shaper: Shaper): Promise<number> {
  const started = performance.now()
  await page.goto(`${shaper.address}${HOME}`, { waitUntil: 'commit' })
  return started
}

async function unlockHome(page: Page, shaper: Shaper, password: string): Promise<number> {
  await page.goto(`${shaper.address}${HOME}`)
  await page.getByLabel('密码', { exact: true }).fill(password)
  const started = performance.now()
  await page.getByRole('button', { name: '解锁' }).click()
  return started
}

/** Reads the screen again and again until the work is counted. */
async function watchHome(page: Page, started: number): Promise<Seen> {
  const misled = new Set<string>()
  let words = Number.NaN
  for (;;) {
    // The answer may have begun without its body.
    const text = await page.evaluate(() => (document.body as HTMLElement | null)?.innerText ?? '')
    const at = performance.now() - started
    const wrong = MISLEADING.exec(text)?.[0]
    if (wrong !== undefined) misled.add(wrong)
    const counted = COUNTED.test(text.replaceAll(/\s+/g, ' '))
    if (Number.isNaN(words) && (counted || IN_WORDS.test(text))) words = at
    if (counted) return { words, counted: at, misled: [...misled] }
    await page.waitForTimeout(100)
  }
}

function report({ name }: Person, seen: readonly Seen[]): boolean {
  const [words, counted] = [median(seen.map((one) => one.words)), median(seen.map((one) => one.counted))]
  const misled = [...new Set(seen.flatMap((one) => one.misled))]
  const holds = words <= WITHIN_MS && misled.length === 0
  console.log(
    `${holds ? '✓' : '✗'} ${name}: in words after ${words.toFixed(0)} ms (≤ ${WITHIN_MS}), the counted work after ${counted.toFixed(0)} ms; misleading: ${misled.length === 0 ? 'nothing' : misled.join(', ')}`,
  )
  return holds
}
