import type { Page } from '@playwright/test'

import type { FormKind } from './bench.ts'
import { percentile } from '../figures.ts'
import { typeKeys } from './keys.ts'

/** A table of 200 rows against the same in native inputs: opening it, opening a row, typing in one with a total over all. */

const ROWS = 200
/** A row that is looked for in the middle. */
const ROW = 100
const KEYS = 40

interface Run {
  readonly all: number
  readonly row: number
  readonly keyP95: number
}

/** Prints medians and ratios. Gives whether all of them are within budget (DESIGN §10). */
export async function measureTables(newPage: () => Promise<Page>, runs: number): Promise<boolean> {
  const ours: Run[] = []
  const floor: Run[] = []
  for (let at = 0; at < runs; at += 1) {
    ours.push(await measure(newPage, 'ours'))
    floor.push(await measure(newPage, 'floor'))
  }
  const median = (of: readonly Run[], value: (run: Run) => number) => percentile(of.map(value), 0.5)
  const lines = [
    { what: 'open, all of it', ours: median(ours, ({ all }) => all), floor: median(floor, ({ all }) => all), ratio: 1.2 },
    { what: 'keystroke in a row to paint, p95', ours: median(ours, ({ keyP95 }) => keyP95), floor: median(floor, ({ keyP95 }) => keyP95), ratio: 1 },
  ]
  console.log(`\na table of ${ROWS} rows (medians of ${runs} runs)`)
  for (const line of lines) {
    const verdict = line.ours / line.floor <= line.ratio ? `≤ ${line.ratio} ok` : `> ${line.ratio} OVER`
    console.log(`  ${line.what.padEnd(38)} ${line.ours.toFixed(1).padStart(8)} ms  floor ${line.floor.toFixed(1).padStart(8)} ms  ${(line.ours / line.floor).toFixed(2).padStart(5)} ×  ${verdict}`)
  }
  const row = median(ours, (run) => run.row)
  console.log(`  ${'a row, from tap to typing'.padEnd(38)} ${row.toFixed(1).padStart(8)} ms  ${row <= OPEN_ROW_MS ? `≤ ${OPEN_ROW_MS} ok` : `> ${OPEN_ROW_MS} OVER`}`)
  return row <= OPEN_ROW_MS && lines.every((line) => line.ours / line.floor <= line.ratio)
}

/** As a page from the matrix, DESIGN §10. */
const OPEN_ROW_MS = 300

async function measure(newPage: () => Promise<Page>, kind: FormKind): Promise<Run> {
  const page = await newPage()
  try {
    const all = await page.evaluate(([of, rows]) => window.bench.openTable(of, rows), [kind, ROWS] as const)
    // The first sheet loads its own part of the app; it is there when the second row is opened.
    const row = kind === 'ours' ? await openTwice(page) : 0
    await page.locator(kind === 'ours' ? '[role=dialog] [data-row$=".dose"] input' : `tr:nth-child(${ROW + 1}) input[name=dose]`).focus()
    await page.evaluate(() => window.bench.takeKeys())
    await typeKeys(page, KEYS)
    return { all, row, keyP95: percentile(await page.evaluate(() => window.bench.takeKeys()), 0.95) }
  } finally {
    await page.close()
  }
}

async function openTwice(page: Page): Promise<number> {
  await page.evaluate((at) => window.bench.openRow(at), ROW - 1)
  await page.keyboard.press('Escape')
  await page.locator('[role=dialog]').waitFor({ state: 'detached' })
  return page.evaluate((at) => window.bench.openRow(at), ROW)
}
