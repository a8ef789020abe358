import type { Page } from '@playwright/test'
import { newTablet } from '#e2e/support/tablet.ts'
import { prepareBrowser } from '#scripts/lib/browser.ts'
import { buildWeb, isWebBuilt } from '#scripts/lib/webBuild.ts'

import { median, numberOption } from '../figures.ts'
import { onStage } from '../sync/stage.ts'
import type { Stage } from '../sync/stage.ts'
import { keepCenter, patientsAddress, signIn } from '../sync/tablet.ts'

/**
 * `npm run bench -- home [--runs=3]`: on a line of 250 kbit/s with 800 ms there and back, until Home says something and until it shows the projects:
 * from opening the app on a device that keeps no data and whose session goes on, and from the tap that unlocks one that keeps a center. The app
 * itself is on the device already.
 */

const LINE = { offline: false, latency: 800, downloadThroughput: 250_000 / 8, uploadThroughput: 250_000 / 8 }
const USEFUL_WITHIN_MS = 3000

interface Opened {
  /** Until the screen is there with its words, and until a project can be tapped, ms. */
  readonly words: number
  readonly project: number
}

export async function run(args: readonly string[]): Promise<boolean> {
  const problem = await prepareBrowser()
  if (problem !== undefined) {
    console.error(problem)
    return false
  }
  if (!isWebBuilt() && !(await buildWeb())) return false
  return onStage((stage) => homeOn(stage, numberOption(args, 'runs', 3)))
}

/** The same on a stage that is set. */
export async function homeOn(stage: Stage, runs: number): Promise<boolean> {
  const tablet = await newTablet()
  try {
    const { page } = tablet
    await signIn(page, stage.address, stage)
    await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
    const bare = await times(() => openBare(page, stage), runs)
    await page.goto(patientsAddress(stage.address, stage))
    await keepCenter(page, stage.scope)
    const kept = await times(() => openKept(page, stage), runs)
    return [report('nothing is kept', bare), report('a center is kept', kept)].every(Boolean)
  } finally {
    await tablet.dispose()
  }
}

async function times(open: () => Promise<Opened>, runs: number): Promise<readonly Opened[]> {
  const all: Opened[] = []
  for (let at = 0; at < runs; at += 1) all.push(await open())
  return all
}

function openBare(page: Page, stage: Stage): Promise<Opened> {
  return onLine(page, () => page.goto(homeAddress(stage), { waitUntil: 'commit' }))
}

async function openKept(page: Page, stage: Stage): Promise<Opened> {
  await page.goto(homeAddress(stage))
  await page.getByLabel('密码', { exact: true }).fill(stage.coordinator.password)
  return onLine(page, () => page.getByRole('button', { name: /解锁|打开本机数据/ }).click())
}

function homeAddress({ address }: Stage): string {
  return `${address}/wel/index`
}

async function onLine(page: Page, open: () => Promise<unknown>): Promise<Opened> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', LINE)
  const start = performance.now()
  await open()
  await page.getByRole('heading', { level: 1, name: '首页' }).waitFor()
  const words = performance.now() - start
  await page.getByRole('main').getByRole('link', { name: /冠心病心绞痛/ }).waitFor()
  const project = performance.now() - start
  await session.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 })
  await session.detach()
  return { words, project }
}

function report(what: string, runs: readonly Opened[]): boolean {
  const [words, project] = [median(runs.map((run) => run.words)), median(runs.map((run) => run.project))]
  const holds = words <= USEFUL_WITHIN_MS && project <= USEFUL_WITHIN_MS
  console.log(
    `home, ${what}: words ${words.toFixed(0)} ms, projects ${project.toFixed(0)} ms (≤ ${USEFUL_WITHIN_MS}): ${holds ? 'ok' : 'OVER'}; ` +
      `runs ${runs.map((run) => `${run.words.toFixed(0)}/${run.project.toFixed(0)}`).join(', ')}`,
  )
  return holds
}
