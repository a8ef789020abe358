import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { makeHistory } from '#tests/scenarios/simulator/history.ts'
import { judge } from '#tests/scenarios/simulator/oracle.ts'
import { runHistory } from '#tests/scenarios/simulator/run.ts'
import { makeStaff } from '#tests/scenarios/simulator/study.ts'
import type { Staff } from '#tests/scenarios/simulator/study.ts'
import { buildPage } from './histories/buildPage.ts'
import { ChromiumTablet } from './histories/chromiumTablet.ts'
import { ServerProcess } from './histories/serverProcess.ts'

/**
 * Random histories of a ward, each the same for its seed: three tablets in a real browser, the real server as a process
 * of its own, and networks that fail between them. The oracle of the simulator judges them (tests/scenarios/simulator).
 * `npm run test:all` runs a few of them and `npm run test:long` thirty; `SEED` and `HISTORIES` choose others.
 */

const FIRST = Number(process.env['SEED'] ?? 1)
const COUNT = Number(process.env['HISTORIES'] ?? 3)

// What happened is in the diary; recording every call as well makes them twice as long.
test.use({ trace: 'off' })

let harness: string
let server: ServerProcess
let staff: Staff

test.beforeAll(async () => {
  harness = await mkdtemp(path.join(tmpdir(), 'zl-histories-'))
  await buildPage(harness)
  server = await ServerProcess.start()
  staff = await makeStaff(server)
})

test.afterAll(async () => {
  await server.dispose()
  await rm(harness, { recursive: true, force: true })
})

for (let seed = FIRST; seed < FIRST + COUNT; seed += 1) {
  test(`history ${seed}: a ward of three tablets keeps its promises`, async ({ browser }, info) => {
    const tablets: ChromiumTablet[] = []
    const ward = await runHistory(makeHistory(seed), server, staff, async (name, study) => {
      const tablet = await ChromiumTablet.unpacked(name, { browser, server, study, harness })
      tablets.push(tablet)
      return tablet
    })
    const broken = await judge(ward)
    const thrown = tablets.flatMap(({ name, complaints }) => complaints.map((complaint) => `${name}: ${complaint}`))
    for (const tablet of tablets) await tablet.discard()
    const faults = tablets.map(
      ({ name, happened }) => `${name}: ${[...happened].map(([kind, count]) => `${count} × ${kind}`).join(', ')}`,
    )
    const diary = [
      `seed ${seed}, about ${ward.history.faults.join(', ')}`,
      ...ward.diary,
      ...faults,
      `server: ${server.deaths} deaths`,
      server.output(),
    ]
    await info.attach('diary', { body: diary.join('\n'), contentType: 'text/plain' })
    expect([...broken, ...thrown], diary.join('\n')).toEqual([])
  })
}
