import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build, preview } from 'vite'
import type { InlineConfig } from 'vite'

import { chromiumPath, prepareBrowser } from '#scripts/lib/browser.ts'

import { percentile } from '../figures.ts'
import type { BenchPage, FormKind } from './bench.ts'
import { TYPED } from './definition.ts'
import { typeKeys } from './keys.ts'
import { ROWS as TABLE_ROWS, measureTables } from './tables.ts'

/**
 * `npm run bench -- forms [--runs=5]`: opening, typing and branching of our form compared with the same form in plain
 * HTML, in Chromium slowed down fourfold, with alternating runs of both. Prints medians and ratios, and enforces the
 * budgets of docs/architecture.md.
 */

declare global {
  interface Window {
    readonly bench: BenchPage
  }
}

const SIZES = [60, 300, 1_000] as const
const SLOWDOWN = 4
const KEYS = 40
/** One value, typed and deleted again. */
const COUNTED_KEYS = 8
const MOST_COMPONENTS = 3

/** One run of one kind. */
interface Run {
  readonly first: number
  readonly all: number
  readonly keyP95: number
  readonly toggle: number
  readonly components: number
}

interface Line {
  readonly what: string
  readonly ours: number
  readonly floor: number
  /** Largest ratio allowed; null where the design sets none. */
  readonly budget: number | null
}

export async function run(args: readonly string[]): Promise<boolean> {
  const problem = await prepareBrowser()
  if (problem !== undefined) {
    console.error(problem)
    return false
  }
  return inFolder((folder) =>
    measureAll(folder, Number(args.find((arg) => arg.startsWith('--runs='))?.slice(7) ?? 5), {
      sizes: SIZES,
      slowdown: SLOWDOWN,
      keys: KEYS,
      tableRows: TABLE_ROWS,
    }),
  )
}

/** The amount of work in a run. */
interface Amount {
  readonly sizes: readonly number[]
  readonly slowdown: number
  readonly keys: number
  readonly tableRows: number
}

/** One short form, once: tests only that the benchmark itself works. */
export function smoke(): Promise<boolean> {
  return inFolder((folder) => measureAll(folder, 1, { sizes: SIZES.slice(0, 1), slowdown: 1, keys: 4, tableRows: 20 }))
}

async function inFolder(work: (folder: string) => Promise<boolean>): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'zl-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureAll(outDir: string, runs: number, amount: Amount): Promise<boolean> {
  const root = path.join(import.meta.dirname, 'page')
  const common: InlineConfig = { root, configFile: false, logLevel: 'error', plugins: [react()] }
  await build({ ...common, build: { outDir, emptyOutDir: true, target: 'es2022' } })
  const server = await preview({ ...common, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } })
  const url = server.resolvedUrls?.local[0]
  if (url === undefined) throw new Error('the page is not served')
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    // No frame-rate limit: a paint is not rounded up to the next sixtieth of a second.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-frame-rate-limit',
      '--disable-gpu-vsync',
      '--no-first-run',
    ],
  })
  try {
    let ok = true
    for (const size of amount.sizes) {
      const ours: Run[] = []
      const floor: Run[] = []
      for (let at = 0; at < runs; at += 1) {
        ours.push(await measure(browser, url, 'ours', size, amount))
        floor.push(await measure(browser, url, 'floor', size, amount))
      }
      ok = report(size, ours, floor) && ok
    }
    ok =
      (await measureTables(() => slowPage(browser, url, amount.slowdown), {
        runs,
        rows: amount.tableRows,
        keys: amount.keys,
      })) && ok
    console.log(ok ? 'bench forms: within budget' : 'bench forms: over budget')
    return ok
  } finally {
    await browser.close()
    await server.close()
  }
}

async function measure(
  browser: Browser,
  url: string,
  kind: FormKind,
  size: number,
  { slowdown, keys: typed }: Amount,
): Promise<Run> {
  const page = await slowPage(browser, url, slowdown)
  try {
    const { first, all } = await page.evaluate(([of, fields]) => window.bench.open(of, fields), [kind, size] as const)
    await page.locator(`[data-row=${TYPED}] input`).focus()
    await page.evaluate(() => window.bench.takeKeys())
    await typeKeys(page, typed)
    const keys = await page.evaluate(() => window.bench.takeKeys())
    await page.evaluate(() => window.bench.countRenders())
    await typeKeys(page, COUNTED_KEYS)
    const renders = await page.evaluate(() => window.bench.takeRenders())
    const toggles = await page.evaluate(() => window.bench.toggle())
    return {
      first,
      all,
      keyP95: percentile(keys, 0.95),
      toggle: percentile(toggles, 0.5),
      components: Math.max(0, ...renders),
    }
  } finally {
    await page.close()
  }
}

/** The page on a tablet: in Chromium slowed down fourfold. */
async function slowPage(browser: Browser, url: string, rate: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 820, height: 1180 } })
  await page.goto(url)
  await page.waitForFunction(() => 'bench' in window)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  return page
}

/** Prints the lines of one size. Gives whether all of them are within budget. */
function report(size: number, ours: readonly Run[], floor: readonly Run[]): boolean {
  const median = (runs: readonly Run[], of: (run: Run) => number) => percentile(runs.map(of), 0.5)
  const line = (what: string, of: (run: Run) => number, budget: number | null): Line => ({
    what,
    ours: median(ours, of),
    floor: median(floor, of),
    budget: size === 60 ? null : budget,
  })
  const lines = [
    line('open, all of it', ({ all }) => all, 1.2),
    line('open, first viewport', ({ first }) => first, 0.5),
    line('keystroke to paint, p95', ({ keyP95 }) => keyP95, 1),
    line('choice that shows or hides 20 fields', ({ toggle }) => toggle, size === 1_000 ? 1 : null),
  ]
  console.log(`\n${size} fields (medians of ${ours.length} runs)`)
  for (const { what, ours: mine, floor: theirs, budget } of lines) {
    const ratio = mine / theirs
    const verdict = budget === null ? '' : ratio <= budget ? `≤ ${budget} ok` : `> ${budget} OVER`
    console.log(
      `  ${what.padEnd(38)} ${mine.toFixed(1).padStart(8)} ms  floor ${theirs.toFixed(1).padStart(8)} ms  ${ratio.toFixed(2).padStart(5)} ×  ${verdict}`,
    )
  }
  const components = Math.max(...ours.map((run) => run.components))
  console.log(
    `  ${'components rendered per keystroke'.padEnd(38)} ${String(components).padStart(8)}     ${components <= MOST_COMPONENTS ? 'ok' : 'OVER'} (≤ ${MOST_COMPONENTS})`,
  )
  return (
    components <= MOST_COMPONENTS &&
    lines.every(({ ours: mine, floor: theirs, budget }) => budget === null || mine / theirs <= budget)
  )
}
