import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskResult } from '#core/api/calls/sync.ts'
import { entryId } from '#core/derivedIds.ts'
import type { ItemChange } from '#core/sync/entryChange.ts'
import { nested } from '#tests/core/rules/support/hostileRules.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'

import { median, numberOption, percentile } from '../figures.ts'
import { ADMIN_PASSWORD, onStage } from '../sync/stage.ts'
import type { Stage } from '../sync/stage.ts'
import { enrolPatient, tabletHeaders } from '../sync/tabletCalls.ts'
import { PAGE_OPTION, filledPage, seedRandom, targetOf } from '../sync/study.ts'

/**
 * `npm run bench -- beside [--patients=80] [--pages=200]`: how long `/healthz` and a page save wait while the server
 * does what takes long: a release and the migration after it, the check of a trail and a list of 1,000 of its lines, a
 * hostile rule tried on what was entered, a large import, a backup. Real server in a process of its own.
 */

/** The longest that anybody may wait for another's work. The time of the save itself is not waiting. */
const LONGEST_WAIT_MS = 200
const BETWEEN_MS = 20

interface Waits {
  readonly probes: readonly number[]
  readonly saves: readonly number[]
  /** How long the work itself took. */
  readonly took: number
}

export async function run(args: readonly string[]): Promise<boolean> {
  return onStage(
    (stage) =>
      besideOn(stage, { patients: numberOption(args, 'patients', 80), pages: numberOption(args, 'pages', 200) }),
    { TRUST_PROXY: '127.0.0.1' },
  )
}

/** The same on a prepared stage. */
export async function besideOn(
  stage: Stage,
  { patients, pages }: { readonly patients: number; readonly pages: number },
): Promise<boolean> {
  const admin = await signInByApi(stage.address, 'admin', ADMIN_PASSWORD)
  const people = await enterAll(stage, patients)
  const saver = newSaver(stage, people)
  const alone = await beside(stage, saver, () => sleep(3_000))
  const { projectId } = stage.study
  const works: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['check of the trail', () => admin.call('audit.verify', { query: { projectId } })],
    [
      'list of 1,000 lines of the trail',
      () => admin.call('audit.list', { query: { projectId, current: '1', size: '1000' } }),
    ],
    [
      'hostile rule tried',
      () =>
        admin.call('version.ruleTry', {
          query: { crfId: stage.study.versionId },
          body: { pageId: stage.study.pageIds[0], table: null, kind: 'show', source: nested(5), after: null },
        }),
    ],
    ['backup', () => backUp(stage)],
    [`import and release of ${pages} pages, migration of ${patients} patients`, () => releaseNext(stage, admin, pages)],
  ]
  let holds = report('nothing else', alone, alone)
  for (const [name, work] of works) holds = report(name, await beside(stage, saver, work), alone) && holds
  return holds
}

/** Sends health checks and saves, one after the other, until the work is done. */
async function beside(stage: Stage, save: () => Promise<void>, work: () => Promise<unknown>): Promise<Waits> {
  let isDone = false
  const started = performance.now()
  const working = work().finally(() => {
    isDone = true
  })
  const repeat = async (act: () => Promise<unknown>): Promise<readonly number[]> => {
    const times: number[] = []
    while (!isDone) {
      const asked = performance.now()
      await act()
      times.push(performance.now() - asked)
      await sleep(BETWEEN_MS)
    }
    return times
  }
  const [probes, saves] = await Promise.all([
    repeat(async () => (await fetch(`${stage.address}/healthz`)).text()),
    repeat(save),
    working,
  ])
  return { probes, saves, took: performance.now() - started }
}

function report(name: string, { probes, saves, took }: Waits, alone: Waits): boolean {
  const own = median(alone.saves)
  const [longestProbe, longestSave] = [Math.max(...probes), Math.max(...saves) - own]
  const holds = longestProbe <= LONGEST_WAIT_MS && longestSave <= LONGEST_WAIT_MS
  console.log(
    `${holds ? '✓' : '✗'} beside ${name} (${took.toFixed(0)} ms): /healthz waits ${longestProbe.toFixed(0)} ms at most (95 %: ${percentile(probes, 0.95).toFixed(0)}); a save ${Math.max(0, longestSave).toFixed(0)} ms longer than alone at most (95 %: ${Math.max(0, percentile(saves, 0.95) - own).toFixed(0)}, alone ${own.toFixed(0)} ms); budget ${LONGEST_WAIT_MS} ms`,
  )
  return holds
}

/**
 * Enrols patients and enters all their pages, as a tablet does: forty values a page in the audit trail. Returns the
 * patients' ids.
 */
async function enterAll(stage: Stage, count: number): Promise<readonly string[]> {
  const { study } = stage
  const random = seedRandom(3)
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    const id = await enrolPatient(stage)
    for (let page = 1; page < study.pageIds.length; page += 1) await savePage(stage, id, page, random)
    ids.push(id)
  }
  return ids
}

/**
 * Saves the first page of one patient after the other, and again, as a person does who sees what they entered before.
 */
function newSaver(stage: Stage, people: readonly string[]): () => Promise<void> {
  const random = seedRandom(11)
  const known: Known = new Map()
  let next = 0
  return async () => {
    const id = people[next % people.length] ?? ''
    next += 1
    await savePage(stage, id, 0, random, known)
  }
}

/** What was saved last, by entry and field. */
type Known = Map<string, ItemChange['to']>

async function savePage(
  stage: Stage,
  patientId: string,
  page: number,
  random: () => number,
  known: Known = new Map(),
): Promise<void> {
  const target = targetOf(stage.study, patientId, page)
  const filled = filledPage(target, random, Date.now() - 600_000)
  const items = filled.items.map((item) => ({ ...item, base: known.get(`${patientId} ${item.code}`) ?? item.base }))
  await stage.coordinator.api.call('entry.save', {
    params: { id: entryId(target) },
    body: { ...filled, items, rows: [], seen: null },
    more: tabletHeaders(stage),
  })
  for (const { code, to } of items) known.set(`${patientId} ${code}`, to)
}

async function releaseNext(stage: Stage, admin: ApiUser, pages: number): Promise<void> {
  const { projectId } = stage.study
  const { id: crfId } = await admin.call<{ id: string }>('version.save', { body: { projectId, remark: '修订' } })
  const option = JSON.stringify(PAGE_OPTION)
  const definition = {
    folders: [
      {
        folderName: '基线',
        folderCode: 'V1',
        pages: Array.from({ length: pages }, (_, at) => ({
          pageName: `第 ${at + 1} 页`,
          pageCode: `P${at + 1}`,
          repeatable: false,
          option,
        })),
      },
    ],
  }
  await admin.call('version.import', {
    query: { crfId },
    body: { definition, sourceName: 'bench.csv', source: 'bench' },
  })
  await admin.call('version.releaseTest', { query: { crfId } })
  const { taskId } = await admin.call<{ taskId: string | null }>('version.release', { query: { crfId }, body: {} })
  for (let isRunning = taskId !== null; isRunning;) {
    const { status } = await admin.call<TaskResult>('task.result', {
      params: { id: taskId ?? '' },
      query: { taskType: 'migration' },
    })
    isRunning = status === 0
    if (isRunning) await sleep(100)
  }
}

/** As an operator makes a backup while the server runs. */
async function backUp({ server }: Stage): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'zhenglu-bench-'))
  try {
    const made = spawn(process.execPath, ['scripts/backup.ts'], {
      env: { ...process.env, DATA_DIR: server.dataDir, BACKUP_DIR: folder },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [code] = (await once(made, 'exit')) as [number | null]
    if (code !== 0) throw new Error('the backup failed')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
