import type { Page } from '@playwright/test'

import type { FormKind } from './bench.ts'
import { percentile } from '../figures.ts'
import { typeKeys } from './keys.ts'

/**
 * A table of 200 rows compared with the same in native inputs: opening it, opening a row, typing in a row with a total
 * over all rows.
 */

export const ROWS = 200

/** The amount of work: runs, rows of the table, keys in each. */
interface Amount {
  readonly runs: number
  readonly rows: number
  readonly keys: number
}

interface Run {
  readonly all: number
  readonly row: number
  readonly keyP95: number
}

/** Prints medians and ratios. Gives whether all of them are within budget (docs/architecture.md). */
export async function measureTables(newPage: () => Promise<Page>, amount: Amount): Promise<boolean> {
  const ours: Run[] = []
  const floor: Run[] = []
  for (let at = 0; at < amount.runs; at += 1) {
    ours.push(await measure(newPage, 'ours', amount))
    floor.push(await measure(newPage, 'floor', amount))
  }
  const median = (of: readonly Run[], value: (run: Run) => number) => percentile(of.map(value), 0.5)
  const lines = [
    {
      what: 'open, all of it',
      ours: median(ours, ({ all }) => all),
      floor: median(floor, ({ all }) => all),
      ratio: 1.2,
    },
    {
      what: 'keystroke in a row to paint, p95',
      ours: median(ours, ({ keyP95 }) => keyP95),
      floor: median(floor, ({ keyP95 }) => keyP95),
      ratio: 1,
    },
  ]
  console.log(`\na table of ${amount.rows} rows (medians of ${amount.runs} runs)`)
  for (const line of lines) {
    const verdict = line.ours / line.floor <= line.ratio ? `≤ ${line.ratio} ok` : `> ${line.ratio} OVER`
    console.log(
      `  ${line.what.padEnd(38)} ${line.ours.toFixed(1).padStart(8)} ms  floor ${line.floor.toFixed(1).padStart(8)} ms  ${(line.ours / line.floor).toFixed(2).padStart(5)} ×  ${verdict}`,
    )
  }
  const row = median(ours, (run) => run.row)
  console.log(
    `  ${'a row, from tap to typing'.padEnd(38)} ${row.toFixed(1).padStart(8)} ms  ${row <= OPEN_ROW_MS ? `≤ ${OPEN_ROW_MS} ok` : `> ${OPEN_ROW_MS} OVER`}`,
  )
  return row <= OPEN_ROW_MS && lines.every((line) => line.ours / line.floor <= line.ratio)
}

/** The same budget as for opening a page from the matrix. */
const OPEN_ROW_MS = 300

async function measure(newPage: () => Promise<Page>, kind: FormKind, { rows, keys }: Amount): Promise<Run> {
  const page = await newPage()
  // A row in the middle.
  const row = rows / 2
  try {
    const all = await page.evaluate(([of, count]) => window.bench.openTable(of, count), [kind, rows] as const)
    // The first opened row loads its own part of the app, which is there when the second row is opened.
    const opened = kind === 'ours' ? await openTwice(page, row) : 0
    await page
      .locator(
        kind === 'ours' ? '[role=dialog] [data-row$=".dose"] input' : `tr:nth-child(${row + 1}) input[name=dose]`,
      )
      .focus()
    await page.evaluate(() => window.bench.takeKeys())
    await typeKeys(page, keys)
    return { all, row: opened, keyP95: percentile(await page.evaluate(() => window.bench.takeKeys()), 0.95) }
  } finally {
    await page.close()
  }
}

async function openTwice(page: Page, row: number): Promise<number> {
  await page.evaluate((at) => window.bench.openRow(at), row - 1)
  await page.keyboard.press('Escape')
  await page.locator('[role=dialog]').waitFor({ state: 'detached' })
  return page.evaluate((at) => window.bench.openRow(at), row)
}
