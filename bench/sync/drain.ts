import { loadavg } from 'node:os'
import type { Page } from '@playwright/test'
import { newTablet } from '#e2e/support/tablet.ts'
import type { Tablet } from '#e2e/support/tablet.ts'

import { median } from '../figures.ts'
import { findProcess, processorSeconds } from './processorTime.ts'
import { rowCount, seedPatients } from './seed.ts'
import { SEGMENT_BYTES, startShaper } from './shaper.ts'
import type { Resets, Shaper, Traffic } from './shaper.ts'
import type { Stage } from './stage.ts'
import { PAGES, seedRandom } from './study.ts'
import { buildBeside, keepCenter, openBeside, patientsAddress, signIn, unlock } from './tablet.ts'
import type { Filled } from './tabletBench.ts'

/**
 * Draining a day's work over a bad network: the real app in Chromium, the real server, and a shaped line between them.
 */

const BUDGET = 1.5
const LINE = { roundTripMs: 300, bitsPerSecond: 1_000_000 }

/**
 * Two readings of one reset in a hundred. The budget applies to the first; under the second a request of 150 KB hardly
 * ever gets through.
 */
const READINGS: Readonly<Record<Resets['of'], string>> = {
  request: 'one request in a hundred breaks while it is under way, at a random place of it, going or coming',
  segment: `one TCP segment in a hundred (of up to ${SEGMENT_BYTES} bytes), either way, breaks its connection`,
}
const RESET_CHANCE = 0.01

interface Drained {
  readonly filled: Filled
  readonly millis: number
  readonly traffic: Traffic
  /** Processor time of the tablet and of the server with its database, seconds. */
  readonly tablet: number
  readonly server: number
  readonly missing: number
  readonly doubled: number
}

export interface DrainOptions {
  readonly runs: number
  /** How many pages are saved, a whole number of patients. */
  readonly saves: number
  /** How many items of each page are filled in. */
  readonly items: number
  /** Whether the harder reading of the resets is measured too; it has no budget. */
  readonly alsoSegments: boolean
}

export async function drain(stage: Stage, { runs, saves, items, alsoSegments }: DrainOptions): Promise<boolean> {
  const shaper = await startShaper(stage.server.port)
  const tablet = await newTablet()
  try {
    const readings: readonly Resets['of'][] = alsoSegments ? ['request', 'segment'] : ['request']
    const each = saves / PAGES
    const patients = await seedPatients(stage, runs * readings.length * each)
    await signIn(tablet.page, shaper.address, stage)
    await keepCenter(tablet.page, stage.scope)
    const code = await buildBeside()
    const done: Record<Resets['of'], Drained[]> = { request: [], segment: [] }
    for (let run = 0; run < runs; run += 1) {
      for (const [at, reading] of readings.entries()) {
        const first = (run * readings.length + at) * each
        done[reading].push(
          await drainOnce({ stage, shaper, tablet, code }, patients.slice(first, first + each), items, run, reading),
        )
      }
    }
    return report(done, saves)
  } finally {
    await tablet.dispose()
    await shaper.close()
  }
}

interface Ward {
  readonly stage: Stage
  readonly shaper: Shaper
  readonly tablet: Tablet
  readonly code: string
}

async function drainOnce(
  { stage, shaper, tablet, code }: Ward,
  patients: readonly string[],
  items: number,
  run: number,
  reading: Resets['of'],
): Promise<Drained> {
  const { page } = tablet
  await page.goto('about:blank')
  shaper.openWide()
  const beside = await openBeside(tablet, shaper.address, stage, code)
  const filled = await beside.evaluate(([study, ids, count, seed]) => window.beside.fill(study, ids, count, seed), [
    stage.study,
    patients,
    items,
    run + 1,
  ] as const)
  await beside.close()
  shaper.cut()
  await page.goto(patientsAddress(shaper.address, stage))
  await unlock(page, stage)
  shaper.shape({ ...LINE, resets: { of: reading, chance: RESET_CHANCE }, random: seedRandom(run + 11) })
  shaper.takeTraffic()
  const roots = [(await findProcess(tablet.profile)) ?? 0, stage.server.child.pid ?? 0]
  const before = await processorSeconds(roots)
  const millis = await awaitDrain(page)
  const used = (await processorSeconds(roots)).map((seconds, at) => seconds - (before[at] ?? 0))
  return {
    filled,
    millis,
    traffic: shaper.takeTraffic(),
    tablet: used[0] ?? 0,
    server: used[1] ?? 0,
    ...(await countBooked(stage, filled.keys)),
  }
}

/** The network is back, and the browser tells the app. Returns the time until the outbox is empty. */
function awaitDrain(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const request = indexedDB.open('zhenglu-work')
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('no work')))
    })
    // Looks only for the last key: counting, or skipping deleted rows, would add work to the measurement.
    const waits = (): Promise<boolean> =>
      new Promise((resolve, reject) => {
        const last = database.transaction('outbox').objectStore('outbox').openKeyCursor(null, 'prev')
        last.addEventListener('success', () => resolve(last.result !== null))
        last.addEventListener('error', () => reject(last.error ?? new Error('the outbox cannot be read')))
      })
    const start = performance.now()
    dispatchEvent(new Event('online'))
    while (await waits()) await new Promise((resolve) => setTimeout(resolve, 100))
    const millis = performance.now() - start
    database.close()
    return millis
  })
}

/**
 * What the server's database has of the operations: how many are missing, and how many effects there are beyond the
 * first.
 */
async function countBooked(
  { database }: Stage,
  keys: readonly string[],
): Promise<{ readonly missing: number; readonly doubled: number }> {
  const found = await rowCount(
    database,
    `SELECT count(*) AS count FROM operation WHERE key = ANY ($1) AND outcome = 'applied'`,
    [keys],
  )
  const entries = await rowCount(
    database,
    `SELECT count(*) AS count FROM entry e JOIN operation o ON o.entity_id = e.id WHERE o.key = ANY ($1) AND e.rev <> 1`,
    [keys],
  )
  const items = await rowCount(
    database,
    `SELECT coalesce(sum(n - 1), 0)::integer AS count FROM (
       SELECT count(*) AS n FROM audit WHERE op_key = ANY ($1) GROUP BY entry_id, action, table_prop, rid, prop) AS once`,
    [keys],
  )
  return { missing: keys.length - found, doubled: entries + items }
}

function report({ request, segment }: Readonly<Record<Resets['of'], readonly Drained[]>>, saves: number): boolean {
  console.log(
    `\ndrain: ${saves} page saves over ${LINE.roundTripMs} ms round trip, ${LINE.bitsPerSecond / 1e6} Mbit/s each way, resets`,
  )
  console.log(
    '  a reset: both ends get an RST, and what was under way on the connection is lost. Same seeds in every run of this benchmark.',
  )
  const { ratio, missing, doubled } = reportReading('request', request)
  const ok = ratio <= BUDGET && missing === 0 && doubled === 0
  console.log(
    `  median ${ratio.toFixed(2)} × the time of the compressed bytes (≤ ${BUDGET}), missing ${missing}, doubled ${doubled}: ${ok ? 'ok' : 'OVER'}`,
  )
  if (segment.length === 0) return ok
  const hard = reportReading('segment', segment)
  console.log(`  median ${hard.ratio.toFixed(2)} × (no budget), missing ${hard.missing}, doubled ${hard.doubled}`)
  return ok && hard.missing === 0 && hard.doubled === 0
}

function reportReading(reading: Resets['of'], runs: readonly Drained[]) {
  const floorOf = ({ filled }: Drained): number => (filled.gzipBytes * 8000) / LINE.bitsPerSecond
  console.log(`  resets as ${READINGS[reading]}:`)
  for (const run of runs) {
    const { filled, millis, traffic } = run
    console.log(
      `  ${kilo(filled.jsonBytes)} JSON, ${kilo(filled.gzipBytes)} compressed: ${(millis / 1000).toFixed(2)} s, floor ${(floorOf(run) / 1000).toFixed(2)} s, ` +
        `${(millis / floorOf(run)).toFixed(2)} ×; ${kilo(traffic.up)} up, ${kilo(traffic.down)} down, ${traffic.connections} connections, ${traffic.resets} resets`,
    )
    console.log(
      `    processor time: tablet ${run.tablet.toFixed(1)} s, server and database ${run.server.toFixed(1)} s; load of the machine ${loadavg()[0]?.toFixed(1)}`,
    )
  }
  return {
    ratio: median(runs.map((run) => run.millis / floorOf(run))),
    missing: runs.reduce((sum, run) => sum + run.missing, 0),
    doubled: runs.reduce((sum, run) => sum + run.doubled, 0),
  }
}

function kilo(bytes: number): string {
  return bytes > 2_000_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.round(bytes / 1000)} KB`
}
