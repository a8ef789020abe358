import { loadavg } from 'node:os'
import type { Page } from '@playwright/test'
import { newTablet } from '#e2e/support/tablet.ts'

import { median } from '../figures.ts'
import { tasksDuring } from './mainThread.ts'
import type { MainTask } from './mainThread.ts'
import { askedFirst, pullFloor } from './pullFloor.ts'
import type { PullFloor } from './pullFloor.ts'
import { seedEntries, seedPatients } from './seed.ts'
import type { Stage } from './stage.ts'
import { ITEMS, PAGES } from './study.ts'
import { keepCenter, signIn } from './tablet.ts'

/**
 * The first download of a center onto an empty tablet, watched from the screen on which it was requested: the real app
 * in Chromium, its worker, the real server. The main thread must stay free, the progress must be visible, and the
 * second half must not be slower than the first.
 */

const LONGEST_TASK_MS = 50
/** How many times as long as a bare worker that reads and parses the same answer. */
const TIMES_THE_FLOOR = 3
/** From the request until patients are in the list, each of whom can be opened. */
const LIST_AFTER_MS = 2000
const LINEAR = 1.3
/** Patients that enter the study before the pages of the first of them do. */
const TOGETHER = 50
/** How long the progress figure may stand still during the download: a person must see that it goes on. */
const STANDSTILL_MS = 1000

/** What the page observed during the download. Times are milliseconds since the request. */
interface Watched {
  /** Longest time that a timer of the page had to wait beyond its due time. */
  readonly longestLag: number
  /** When the screen showed which share of the rows. */
  readonly progress: readonly { readonly at: number; readonly done: number; readonly total: number }[]
  /** When the first lines of patients stood in the list. */
  readonly listAt: number
}

interface Pulled extends Watched {
  readonly millis: number
  readonly tasks: readonly MainTask[]
  readonly floor: PullFloor
}

export async function firstPull(stage: Stage, runs: number, patients: number): Promise<boolean> {
  // Patients and their pages mixed, as in a real study, so that the two halves of the download are alike.
  for (let seeded = 0; seeded < patients; seeded += TOGETHER) {
    await seedEntries(stage, await seedPatients(stage, Math.min(TOGETHER, patients - seeded)))
  }
  const done: Pulled[] = []
  for (let run = 0; run < runs; run += 1) done.push(await pullOnce(stage))
  return report(done, patients)
}

async function pullOnce(stage: Stage): Promise<Pulled> {
  const tablet = await newTablet()
  try {
    const { page } = tablet
    await signIn(page, stage.address, stage)
    await page.evaluate(watch)
    let millis = 0
    const asking = askedFirst(page, stage.scope)
    const tasks = await tasksDuring(page, async () => {
      millis = await keepCenter(page, stage.scope)
    })
    const seen = await stopWatching(page)
    return { millis, tasks, ...seen, floor: await pullFloor(page, await asking) }
  } finally {
    await tablet.dispose()
  }
}

declare global {
  interface Window {
    watchedPull: {
      longestLag: number
      progress: { at: number; done: number; total: number }[]
      listAt: number
      stop: () => void
    }
  }
}

/** In the page: observes how late timers are, and what the progress shows. */
function watch(): void {
  const start = performance.now()
  const seen: Window['watchedPull'] = { longestLag: 0, progress: [], listAt: Number.NaN, stop: () => undefined }
  const everyMs = 10
  let due = performance.now() + everyMs
  const timer = setInterval(() => {
    const now = performance.now()
    seen.longestLag = Math.max(seen.longestLag, now - due)
    due = now + everyMs
  }, everyMs)
  // "12,400 / 22,000", whatever stands around it.
  const figures = /([\d,]+)\s*\/\s*([\d,]+)/
  const changes = new MutationObserver(() => {
    if (Number.isNaN(seen.listAt) && document.querySelector('[role=row] a[href*="/eCRF/"]') !== null)
      seen.listAt = performance.now() - start
    const text = document.querySelector('[role=progressbar]')?.closest('section')?.textContent ?? ''
    const [, done, total] = figures.exec(text) ?? []
    if (done === undefined || total === undefined) return
    const step = {
      at: performance.now() - start,
      done: Number(done.replaceAll(',', '')),
      total: Number(total.replaceAll(',', '')),
    }
    if (step.done !== seen.progress.at(-1)?.done) seen.progress.push(step)
  })
  changes.observe(document.body, { childList: true, subtree: true, characterData: true })
  seen.stop = () => {
    changes.disconnect()
    clearInterval(timer)
  }
  window.watchedPull = seen
}

function stopWatching(page: Page): Promise<Watched> {
  return page.evaluate(() => {
    const { longestLag, progress, listAt, stop } = window.watchedPull
    stop()
    return { longestLag, progress, listAt }
  })
}

/** The time of a row in the second half of the rows, as a multiple of that of a row in the first half. */
function slope(progress: Watched['progress']): number {
  const [first, last] = [progress[0], progress.at(-1)]
  if (first === undefined || last === undefined) return Number.NaN
  const middle = progress.find(({ done }) => done >= (first.done + last.done) / 2)
  if (middle === undefined) return Number.NaN
  const perRow = (from: { at: number; done: number }, to: { at: number; done: number }) =>
    (to.at - from.at) / (to.done - from.done)
  return perRow(middle, last) / perRow(first, middle)
}

/** The longest time for which the progress figure stood still, in milliseconds. */
function standstill(progress: Watched['progress']): number {
  const waits = progress.slice(1).map(({ at }, before) => at - (progress[before]?.at ?? 0))
  return waits.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...waits)
}

function report(runs: readonly Pulled[], patients: number): boolean {
  console.log(
    `\npull: first download of ${patients} patients × ${PAGES} pages × ${ITEMS} items, the list of patients on the screen (${runs.length} runs)`,
  )
  console.log(
    '  a task of the main thread counts by the processor time it worked; how long it lasted depends on what else the machine does',
  )
  for (const { millis, tasks, longestLag, progress, listAt, floor } of runs) {
    const total = progress.at(-1)?.total ?? 0
    const long = tasks.filter(({ lasted }) => lasted > LONGEST_TASK_MS)
    const all = tasks.reduce((sum, { worked }) => sum + worked, 0)
    console.log(
      `  ${(millis / 1000).toFixed(1)} s, ${((millis * 1000) / Math.max(1, total)).toFixed(0)} ms for 1,000 rows, second half ${slope(progress).toFixed(2)} × the first; ` +
        `progress shown ${progress.length} times, it stood still for ${standstill(progress).toFixed(0)} ms at most`,
    )
    console.log(
      `    ${(millis / floor.millis).toFixed(1)} × a bare worker, which read and parsed ${floor.lines} lines, ${floor.megabytes.toFixed(0)} MB, in ${(floor.millis / 1000).toFixed(1)} s ` +
        `(parsing alone ${(floor.parsing / 1000).toFixed(1)} s)`,
    )
    console.log(`    patients stood in the list after ${(listAt / 1000).toFixed(1)} s`)
    console.log(
      `    main thread: worked ${(all / 1000).toFixed(1)} s, most in one task ${longestOf(tasks).toFixed(0)} ms; ${long.length} tasks lasted over ${LONGEST_TASK_MS} ms ` +
        `(longest ${Math.max(0, ...tasks.map(({ lasted }) => lasted)).toFixed(0)} ms), a timer waited ${longestLag.toFixed(0)} ms at most; load of the machine ${loadavg()[0]?.toFixed(1)}`,
    )
  }
  const longest = median(runs.map(({ tasks }) => longestOf(tasks)))
  const slopes = median(runs.map(({ progress }) => slope(progress)))
  const still = median(runs.map(({ progress }) => standstill(progress)))
  const times = median(runs.map(({ millis, floor }) => millis / floor.millis))
  const list = median(runs.map(({ listAt }) => listAt))
  const ok =
    longest <= LONGEST_TASK_MS &&
    slopes <= LINEAR &&
    still <= STANDSTILL_MS &&
    times <= TIMES_THE_FLOOR &&
    list <= LIST_AFTER_MS
  console.log(
    `  ${times.toFixed(1)} × a bare worker (≤ ${TIMES_THE_FLOOR}), list after ${list.toFixed(0)} ms (≤ ${LIST_AFTER_MS}), longest task ${longest.toFixed(0)} ms (≤ ${LONGEST_TASK_MS}), second half ${slopes.toFixed(2)} × (≤ ${LINEAR}), progress stood still ${still.toFixed(0)} ms (≤ ${STANDSTILL_MS}): ${ok ? 'ok' : 'OVER'}`,
  )
  return ok
}

function longestOf(tasks: readonly MainTask[]): number {
  return Math.max(0, ...tasks.map(({ worked }) => worked))
}
