import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DataSetRun } from '#core/api/calls/data/dataset.ts'
import { newDefinition } from '#core/dataset/definition.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { ItemChange } from '#core/sync/entryChange.ts'
import type { Page } from '#core/wire/shapes.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'

import { percentile } from '../figures.ts'
import { ADMIN_PASSWORD } from '../sync/stage.ts'
import type { Stage } from '../sync/stage.ts'
import { PAGES, targetOf } from '../sync/study.ts'
import { enrolPatient, tabletHeaders } from '../sync/tabletCalls.ts'
import { CODES, FIELDS, seedData } from './dataStudy.ts'

/**
 * `npm run bench -- data --only=run [--patients=10000] [--visits=10]`: a data set of all pages as CSV, on the real
 * server, beside PostgreSQL's own COPY of the same rows; the server's memory meanwhile, and saves of pages.
 */

/** Budgets of docs/architecture.md. */
const OF_COPY = 0.5
const MEMORY_MB = 300
const SAVES = 1.5

const ALONE_MS = 10_000
const BETWEEN_MS = 50

interface Amount {
  readonly patients: number
  readonly visits: number
}

export async function runTimes(stage: Stage, { patients, visits }: Amount): Promise<boolean> {
  await seedData(stage, { patients, visits, pages: PAGES })
  const values = patients * visits * PAGES * FIELDS
  console.log(`\nrun of a data set: ${patients} subjects, ${values} values in ${PAGES} tables`)
  const manager = await makeManager(stage)
  const save = await newSaver(stage)
  const alone = await savesWhile(save, () => sleep(ALONE_MS))
  const copied = await copyAll(stage)
  const memory = watchMemory(stage.server.child.pid ?? 0)
  const during = await savesWhile(save, () => takeOut(stage, manager))
  const { most, before } = await memory.stop()
  const [took, run] = during.result
  return tell({ values, copied, took, run, most, before, alone: alone.times, saves: during.times })
}

interface Figures {
  readonly values: number
  readonly copied: { readonly millis: number; readonly bytes: number }
  readonly took: number
  readonly run: DataSetRun
  readonly most: number
  readonly before: number
  readonly alone: readonly number[]
  readonly saves: readonly number[]
}

function tell({ values, copied, took, run, most, before, alone, saves }: Figures): boolean {
  const share = copied.millis / took
  const [own, beside] = [percentile(alone, 0.95), percentile(saves, 0.95)]
  const verdict = (holds: boolean) => (holds ? 'ok' : 'OVER')
  const holds = [share >= OF_COPY, most <= MEMORY_MB, beside <= own * SAVES] as const
  const seconds = (millis: number) => (millis / 1_000).toFixed(1)
  console.log(
    `  COPY of the same rows ${seconds(copied.millis)} s (${(copied.bytes / 1e6).toFixed(0)} MB); the run ${seconds(took)} s from the question to the file (${((run.bytes ?? 0) / 1e6).toFixed(0)} MB, ${Math.round(values / took)} values in a ms): ${(100 * share).toFixed(0)} % of COPY (≥ ${100 * OF_COPY} %): ${verdict(holds[0])}`,
  )
  console.log(
    `  memory of the server ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most (≤ ${MEMORY_MB}): ${verdict(holds[1])}`,
  )
  console.log(
    `  saves: p95 ${own.toFixed(0)} ms alone (${alone.length}), ${beside.toFixed(0)} ms meanwhile (${saves.length}): ${(beside / own).toFixed(2)} × (≤ ${SAVES}): ${verdict(holds[2])}`,
  )
  return holds.every(Boolean)
}

/** Asks for the run, and waits for its file. Returns the milliseconds. */
async function takeOut({ study }: Stage, api: ApiUser): Promise<readonly [number, DataSetRun]> {
  const { projectId, pageIds } = study
  const keepText = pageIds.flatMap((pageId) => ['t1', 't2'].map((code) => ({ pageId, table: null, code })))
  const definition = {
    ...newDefinition('zh'),
    values: 'codes' as const,
    reasons: false,
    about: [],
    formats: ['csv' as const],
    deidentify: { on: true, keepText, ages: [] },
  }
  const id = newId()
  const start = performance.now()
  await api.call('dataset.run', {
    body: { projectId, id, setId: null, name: '全部数据', definition, purpose: '性能测量', crossBorder: null },
  })
  for (;;) {
    const { records } = await api.call<Page<DataSetRun>>('dataset.runs', {
      query: { projectId, current: '1', size: '10' },
    })
    const run = records.find((one) => one.id === id)
    if (run?.state === 'done') return [performance.now() - start, run]
    if (run?.state !== 'open') throw new Error(`the run ended as ${run?.state} (${run?.why})`)
    await sleep(200)
  }
}

/** The same rows by the database alone, written to a file of its own. */
async function copyAll({
  database,
  study,
  server,
}: Stage): Promise<{ readonly millis: number; readonly bytes: number }> {
  const file = path.join(server.dataDir, 'database', 'copy.csv')
  const columns = CODES.map((code) => `e."values" ->> '${code}'`).join(', ')
  let [millis, bytes] = [0, 0]
  for (const pageId of study.pageIds) {
    const start = performance.now()
    await database.query(
      `COPY (SELECT p.no, f.code, e.folder_repeat, e.page_repeat, ${columns}
         FROM entry e JOIN patient p ON p.id = e.patient_id JOIN crf_folder f ON f.version_id = e.version_id AND f.folder_id = e.folder_id
         WHERE e.project_id = '${study.projectId}' AND e.page_id = '${pageId}' AND e.pass = 1 AND NOT e.deleted AND NOT p.deleted
         ORDER BY p.no_seq, f.sort) TO '${file}' (FORMAT csv)`,
    )
    millis += performance.now() - start
    bytes += (await stat(file)).size
    await rm(file)
  }
  return { millis, bytes }
}

/** A data manager of the project, who may take data out. */
async function makeManager({ address, study: { projectId } }: Stage): Promise<ApiUser> {
  const admin = await signInByApi(address, 'admin', ADMIN_PASSWORD)
  const [first, own] = ['First-Bench-5522', 'Own-Bench-7731']
  const { id: userId } = await admin.call<{ id: string }>('user.save', {
    body: { account: 'dbd-bench', realName: '数据管理', password: first },
  })
  await admin.call('member.save', {
    body: { projectId, userId, userRole: 'DBD', type: 'project', dataScope: 'all', centerIds: [], status: 'active' },
  })
  const api = await signInByApi(address, 'dbd-bench', first)
  await api.call('auth.changePassword', { body: { oldPassword: first, newPassword: own } })
  return signInByApi(address, 'dbd-bench', own)
}

/** Saves a page of a new subject each time, as tablets do. */
async function newSaver(stage: Stage): Promise<() => Promise<void>> {
  const { study, coordinator } = stage
  const patientId = await enrolPatient(stage)
  const known = new Map<string, ItemChange['to']>()
  let round = 0
  return async () => {
    round += 1
    const page = round % PAGES
    const target = targetOf(study, patientId, page)
    const items = CODES.slice(0, 12).map((code, at): ItemChange => {
      const key = `${page} ${code}`
      const to = { value: (round * 7 + at) % 200, missing: null }
      const base = known.get(key) ?? { value: null, missing: null }
      known.set(key, to)
      return { table: null, rid: null, code, to, base, isShow: 1, reason: null }
    })
    await coordinator.api.call('entry.save', {
      params: { id: entryId(target) },
      body: { target, items, journal: [], rows: [], seen: null },
      more: tabletHeaders(stage),
    })
  }
}

/** Saves one page after the other until the work is done. */
async function savesWhile<Result>(save: () => Promise<void>, work: () => Promise<Result>) {
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  const times: number[] = []
  while (!isDone) {
    const start = performance.now()
    await save()
    times.push(performance.now() - start)
    await sleep(BETWEEN_MS)
  }
  return { times, result: await working }
}

/** The largest memory of a process, in MB, as Linux counts it from now on. */
function watchMemory(pid: number): { stop(): Promise<{ readonly before: number; readonly most: number }> } {
  const read = async (name: string): Promise<number> => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? Number.NaN) / 1024
  }
  const began = (async () => {
    // The highest mark starts anew from what the process holds now.
    await writeFile(`/proc/${pid}/clear_refs`, '5')
    return read('VmRSS')
  })()
  return { stop: async () => ({ before: await began, most: await read('VmHWM') }) }
}
