import type { Page } from '@playwright/test'
import { newTablet } from '#e2e/support/tablet.ts'

import { browserAndApp } from '../built.ts'
import { median, numberOption } from '../figures.ts'
import { tasksDuring } from '../sync/mainThread.ts'
import { seedEntries, seedPatients } from '../sync/seed.ts'
import { onStage } from '../sync/stage.ts'
import type { Stage } from '../sync/stage.ts'
import { PAGES } from '../sync/study.ts'
import { keepCenter, signIn } from '../sync/tablet.ts'
import { drawFloor, fillFloor } from './floor.ts'
import { serverLists } from './serverLists.ts'

/**
 * `npm run bench -- lists [--only=server|tablet] [--runs=3] [--patients=…]`: the lists of the server (serverLists.ts),
 * and the list of patients and the visit matrix of a center that is kept on a tablet, in the real app in Chromium with
 * a processor four times slower. From the tap to the first rows, against a plain table of the same rows from plain
 * records in the same browser; and how long scrolling keeps the main thread busy.
 */

const SLOWDOWN = 4
const OVER_FLOOR_MS = 300
const LONGEST_TASK_MS = 50
const SCREENS = ['patients', 'workspace'] as const
type Screen = (typeof SCREENS)[number]

interface Measured {
  /** From the tap to the frame that shows the first rows, ms: the first time after the app was unlocked, and again. */
  readonly first: number
  readonly again: number
  /** Longest task of the main thread while it was scrolled from end to end, ms. */
  readonly scrolling: number
}

export async function run(args: readonly string[]): Promise<boolean> {
  const runs = numberOption(args, 'runs', 3)
  const only = args.find((arg) => arg.startsWith('--only='))?.slice('--only='.length)
  const ofServer =
    only === 'tablet' || (await onStage((stage) => serverLists(stage, runs, numberOption(args, 'patients', 10_000))))
  if (only === 'server') return ofServer
  return (await tabletLists(runs, numberOption(args, 'patients', 2000))) && ofServer
}

async function tabletLists(runs: number, patients: number): Promise<boolean> {
  if (!(await browserAndApp())) return false
  return onStage((stage) => tabletListsOn(stage, { runs, patients, slowdown: SLOWDOWN }))
}

interface Amount {
  readonly runs: number
  readonly patients: number
  readonly slowdown: number
}

/** The lists of a tablet that keeps so many patients of the stage and no others. */
export async function tabletListsOn(stage: Stage, { runs, patients, slowdown }: Amount): Promise<boolean> {
  await seedEntries(stage, await seedPatients(stage, patients))
  const tablet = await newTablet()
  try {
    await signIn(tablet.page, stage.address, stage)
    await keepCenter(tablet.page, stage.scope)
    const floors: number[] = []
    const measured: Record<Screen, Measured[]> = { patients: [], workspace: [] }
    for (let at = 0; at < runs; at += 1) {
      floors.push(await floorOnce(tablet.page, stage, patients, slowdown))
      for (const screen of SCREENS) measured[screen].push(await screenOnce(tablet.page, stage, screen, slowdown))
    }
    return report(median(floors), measured, patients, slowdown)
  } finally {
    await tablet.dispose()
  }
}

/** A tab without the app: plain records of the same patients, read, sorted and drawn. */
async function floorOnce(app: Page, stage: Stage, patients: number, slowdown: number): Promise<number> {
  const page = await app.context().newPage()
  await page.goto(`${stage.address}/healthz`)
  await page.evaluate(fillFloor, patients)
  await slow(page, slowdown)
  const millis = await page.evaluate(drawFloor)
  await page.close()
  return millis
}

async function screenOnce(page: Page, stage: Stage, screen: Screen, slowdown: number): Promise<Measured> {
  // Reloaded, so that nothing is decrypted yet, and on a screen without patients.
  await page.goto(`${stage.address}/device`)
  await unlockAt(page, stage)
  await page.waitForTimeout(3000)
  const session = await slow(page, slowdown)
  const first = await page.evaluate(tapAndWait, { address: addressOf(stage, screen), row: rowOf(screen) })
  await page.waitForTimeout(1500)
  const tasks = await tasksDuring(page, () => page.evaluate(scrollThrough, '[role=grid]'))
  await page.evaluate(tapAndWait, { address: '/device', row: 'h1', gone: rowOf(screen) })
  const again = await page.evaluate(tapAndWait, { address: addressOf(stage, screen), row: rowOf(screen) })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await session.detach()
  return { first, again, scrolling: Math.max(0, ...tasks.map(({ worked }) => worked)) }
}

async function unlockAt(page: Page, stage: Stage): Promise<void> {
  const password = page.getByLabel('密码', { exact: true })
  await password.fill(stage.coordinator.password)
  // With the keyboard: nothing hovers over the lists of a tablet, and the browser looks for a hovered element again in
  // every frame of a scroll.
  await password.press('Enter')
  await page.getByRole('heading', { level: 1 }).waitFor()
}

function addressOf({ study }: Stage, screen: Screen): string {
  return `/p/${study.projectId}/v/${study.versionId}/${screen}`
}

/** The first content: a line of a patient; in the matrix a line with its marks. */
function rowOf(screen: Screen): string {
  return screen === 'patients' ? 'a[href^="/eCRF/"]' : '[role=grid] [role=gridcell] svg'
}

async function slow(page: Page, rate: number) {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  return session
}

/**
 * In the page: goes to an address as a tap on its link does, and returns the ms until a frame shows the awaited content
 * and no longer the old one.
 */
function tapAndWait({
  address,
  row,
  gone,
}: {
  readonly address: string
  readonly row: string
  readonly gone?: string
}): Promise<number> {
  return new Promise((resolve) => {
    const start = performance.now()
    // A screen that is drawn ahead is in the document, but not visible.
    const isSeen = (selector: string): boolean =>
      [...document.querySelectorAll(`main ${selector}`)].some((element) => element.checkVisibility())
    const look = (): void => {
      const shown = location.pathname === address && isSeen(row) && (gone === undefined || !isSeen(gone))
      if (shown) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)))
      else requestAnimationFrame(look)
    }
    history.pushState({}, '', address)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
    look()
  })
}

/** In the page: scrolls from end to end, a screen every few frames. */
async function scrollThrough(selector: string): Promise<void> {
  const frame =
    [...document.querySelectorAll(selector)].find((element) => element.checkVisibility())?.parentElement ?? null
  if (frame === null) throw new Error('nothing to scroll')
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  for (let top = 0; top < frame.scrollHeight; top += frame.clientHeight * 0.6) {
    frame.scrollTop = top
    for (let frames = 0; frames < 4; frames += 1) await nextFrame()
  }
}

function report(
  floor: number,
  measured: Readonly<Record<Screen, readonly Measured[]>>,
  patients: number,
  slowdown: number,
): boolean {
  console.log(
    `\nlists: ${patients} kept patients × ${PAGES} pages, processor ${slowdown} × slower; floor: a plain table of the same patients ${floor.toFixed(0)} ms`,
  )
  let ok = true
  for (const screen of SCREENS) {
    const runs = measured[screen]
    const [first, again, scrolling] = [
      median(runs.map((run) => run.first)),
      median(runs.map((run) => run.again)),
      median(runs.map((run) => run.scrolling)),
    ]
    const within = first - floor <= OVER_FLOOR_MS && scrolling <= LONGEST_TASK_MS
    ok = ok && within
    console.log(
      `  ${screen}: first rows ${first.toFixed(0)} ms, ${(first - floor).toFixed(0)} over the floor (≤ ${OVER_FLOOR_MS}), again ${again.toFixed(0)} ms; ` +
        `scrolling: longest task ${scrolling.toFixed(0)} ms (≤ ${LONGEST_TASK_MS}): ${within ? 'ok' : 'OVER'}`,
    )
    console.log(
      `    runs: ${runs.map((run) => `${run.first.toFixed(0)}/${run.again.toFixed(0)}/${run.scrolling.toFixed(0)}`).join(', ')}`,
    )
  }
  return ok
}
