import { newTablet } from '#e2e/support/tablet.ts'

import { median, percentile } from '../figures.ts'
import { seedPatients } from './seed.ts'
import { startShaper } from './shaper.ts'
import type { Stage } from './stage.ts'
import { buildBeside, keepCenter, openBeside, signIn } from './tablet.ts'
import type { SavePair } from './tabletBench.ts'

/**
 * The durable save of a page of forty items, from leaving the page until it is on the disk, compared with one record of
 * the same bytes in one strict transaction of plain IndexedDB: in pairs, one after the other, in a real Chromium with
 * its profile on the disk.
 */

const PATIENTS = 6
/** Pairs that only warm up. */
const WARM_UP = 10
const BUDGET = 1.5

/** @param count how many patients have their pages saved in each run */
export async function localSave(stage: Stage, runs: number, count: number = PATIENTS): Promise<boolean> {
  const shaper = await startShaper(stage.server.port)
  const tablet = await newTablet()
  try {
    const patients = await seedPatients(stage, runs * count)
    await signIn(tablet.page, shaper.address, stage)
    await keepCenter(tablet.page, stage.scope)
    // No other tab uses the device's memory during the measurement.
    await tablet.page.goto('about:blank')
    const code = await buildBeside()
    const pairs: SavePair[] = []
    for (let run = 0; run < runs; run += 1) {
      const beside = await openBeside(tablet, shaper.address, stage, code)
      const measured: SavePair[] = []
      for (const patientId of patients.slice(run * count, (run + 1) * count)) {
        measured.push(
          ...(await beside.evaluate(([study, id]) => window.beside.save(study, id, [...study.pageIds.keys()]), [
            stage.study,
            patientId,
          ] as const)),
        )
      }
      pairs.push(...measured.slice(Math.min(WARM_UP, measured.length / 2)))
      await beside.close()
    }
    return report(pairs)
  } finally {
    await tablet.dispose()
    await shaper.close()
  }
}

function report(pairs: readonly SavePair[]): boolean {
  const ours = pairs.map((pair) => pair.ours)
  const floor = pairs.map((pair) => pair.floor)
  console.log(
    `\nsave: a page of 40 items, durable on the tablet (${pairs.length} pairs of ${Math.round(median(pairs.map(({ bytes }) => bytes)) / 1000)} KB)`,
  )
  let ok = true
  for (const share of [0.5, 0.95]) {
    const [mine, theirs] = [percentile(ours, share), percentile(floor, share)]
    const within = mine / theirs <= BUDGET
    ok &&= within
    console.log(
      `  p${share * 100}`.padEnd(8) +
        `${mine.toFixed(1).padStart(7)} ms   one strict record ${theirs.toFixed(1).padStart(7)} ms  ${(mine / theirs).toFixed(2)} × (≤ ${BUDGET}): ${within ? 'ok' : 'OVER'}`,
    )
  }
  return ok
}
