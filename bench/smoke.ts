import { browserAndApp } from './built.ts'
import { smoke as data } from './data/data.ts'
import { smoke as design } from './design/design.ts'
import { smoke as forms } from './forms/forms.ts'
import { homeOn } from './home/home.ts'
import { tabletListsOn } from './lists/lists.ts'
import { serverLists } from './lists/serverLists.ts'
import { reviewLists } from './review/review.ts'
import { ruleSaves } from './review/ruleSaves.ts'
import { printCasebooks } from './print/print.ts'
import { drain } from './sync/drain.ts'
import { firstPull } from './sync/firstPull.ts'
import { localSave } from './sync/localSave.ts'
import { migrationTurns } from './sync/migrationTurns.ts'
import { WITH_JOB, serverSaves } from './sync/serverSaves.ts'
import { onStage } from './sync/stage.ts'
import type { Stage } from './sync/stage.ts'
import { smoke as web } from './web/smoke.ts'

/**
 * `npm run bench -- smoke`: each benchmark once, with minimal work. Its figures mean nothing and its budgets are
 * ignored; it fails when a benchmark itself no longer works.
 */

type Part = readonly [name: string, work: (stage: Stage) => Promise<unknown>]

/**
 * Two sequences at the same time, because nothing is measured; each runs in order, because some parts change the study
 * for those after them.
 */
const ROWS: readonly (readonly Part[])[] = [
  [
    ['sync save', (stage) => localSave(stage, 1, 1)],
    ['sync drain', (stage) => drain(stage, { runs: 1, saves: 10, items: 13, alsoSegments: false })],
    ['sync pull', (stage) => firstPull(stage, 1, 5)],
    ['lists tablet', (stage) => tabletListsOn(stage, { runs: 1, patients: 5, slowdown: 1 })],
  ],
  [
    ['forms', () => forms()],
    ['web', ({ address }) => web(address)],
    ['design', ({ address }) => design(address)],
    ['home', home],
  ],
]
function home({ server, study, coordinator: { account, password } }: Stage): Promise<boolean> {
  const patients = `/p/${study.projectId}/v/${study.versionId}/patients`
  return homeOn(server.port, 1, [{ name: 'a coordinator', account, password, patients, keeps: true }])
}

const LAST: readonly Part[] = [
  ['sync server', (stage) => serverSaves(stage, 1, 20, 5)],
  ['sync migration', (stage) => migrationTurns(stage, 1, 2, 2)],
  ['lists server', (stage) => serverLists(stage, 1, 10)],
  ['print', (stage) => printCasebooks(stage, { runs: 1, sheets: 10 })],
  ['review', (stage) => reviewLists(stage, { runs: 1, patients: 3, queries: 20 })],
  ['review saves', () => ruleSaves(10)],
  ['data', () => data()],
]

export async function run(): Promise<boolean> {
  if (!(await browserAndApp())) return false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const started = performance.now()
  const broken: string[] = []
  await onStage(async (stage) => {
    await Promise.all(ROWS.map((row) => inOrder(row, stage, broken)))
    await inOrder(LAST, stage, broken)
    return true
  }, WITH_JOB)
  console.log(
    broken.length === 0
      ? `\nevery benchmark works (${((performance.now() - started) / 1000).toFixed(0)} s)`
      : `\ndoes not work: ${broken.join(', ')}`,
  )
  return broken.length === 0
}

async function inOrder(parts: readonly Part[], stage: Stage, broken: string[]): Promise<void> {
  for (const [name, work] of parts) {
    const started = performance.now()
    try {
      await work(stage)
      console.log(`-- ${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
    } catch (error) {
      console.error(`-- ${name}:`, error)
      broken.push(name)
    }
  }
}
