import { performance } from 'node:perf_hooks'
import { unzipSync } from 'fflate'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DataSetRun } from '#core/api/calls/data/dataset.ts'
import { newDefinition } from '#core/dataset/definition.ts'
import { callOf } from '#core/api/table.ts'
import { newId } from '#core/ids.ts'
import type { Page } from '#core/wire/shapes.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { infoOfPdf } from '#tests/server/support/pdf.ts'

import { median, numberOption } from '../figures.ts'
import { seedEntries, seedPatients } from '../sync/seed.ts'
import { ADMIN_PASSWORD, onStage } from '../sync/stage.ts'
import type { Stage } from '../sync/stage.ts'
import { PAGES } from '../sync/study.ts'

/**
 * `npm run bench -- print [--runs=3] [--sheets=200]`: casebooks for paper as runs of a data set on the real server,
 * from the approval to the file: one subject with all the sheets, and many subjects with as many together.
 */

/** Budget of docs/architecture.md, for 200 sheets; in proportion for others. */
const BUDGET_MS = 20_000
const BUDGET_SHEETS = 200

export async function run(args: readonly string[]): Promise<boolean> {
  const amount = { runs: numberOption(args, 'runs', 3), sheets: numberOption(args, 'sheets', BUDGET_SHEETS) }
  return onStage((stage) => printCasebooks(stage, amount))
}

interface Amount {
  readonly runs: number
  /** About as many: a page of the study takes one and a little more. */
  readonly sheets: number
}

/** @returns whether everything is within its budget */
export async function printCasebooks(stage: Stage, { runs, sheets }: Amount): Promise<boolean> {
  const { database, coordinator, address } = stage
  const [large = '', ...small] = await seedPatients(stage, 1 + Math.max(1, Math.round(sheets / PAGES)))
  await seedEntries(stage, [large, ...small])
  await repeatPages(stage, large, Math.max(1, Math.round(sheets / PAGES)) - 1)
  await database.query(`UPDATE member SET role = 'ADMIN' WHERE user_id = $1`, [coordinator.userId])
  await database.query('ANALYZE')
  const approver = await signInByApi(address, 'admin', ADMIN_PASSWORD)
  console.log(`\nprint: casebooks as PDF, ${runs} times each, from the approval of a run to its file`)
  const ofOne = await measure(stage, approver, { name: 'one subject', patients: [large], runs })
  return (await measure(stage, approver, { name: `${small.length} subjects`, patients: small, runs })) && ofOne
}

/** The pages of a subject as often again, as repeats of them. */
async function repeatPages({ database }: Stage, patientId: string, times: number): Promise<void> {
  await database.query(
    `INSERT INTO entry
     SELECT (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'page_repeat', gen_random_uuid()::text))).*
     FROM entry e, generate_series(1, $2) WHERE e.patient_id = $1`,
    [patientId, times],
  )
}

interface Case {
  readonly name: string
  readonly patients: readonly string[]
  readonly runs: number
}

async function measure(stage: Stage, approver: ApiUser, { name, patients, runs }: Case): Promise<boolean> {
  const taken: number[] = []
  let sheets = 0
  let bytes = 0
  for (let time = 0; time < runs; time += 1) {
    const made = await timeRun(stage, approver, patients)
    taken.push(made.ms)
    bytes = made.archive.length
    sheets = await countSheets(made.archive)
  }
  const budget = (BUDGET_MS * sheets) / BUDGET_SHEETS
  const ms = median(taken)
  const isWithin = ms <= budget
  console.log(
    `  ${name}: ${sheets} sheets, ${(bytes / 1_000_000).toFixed(1)} MB, ${(ms / 1000).toFixed(1)} s (≤ ${(budget / 1000).toFixed(1)} s): ${isWithin ? 'ok' : 'OVER'}`,
  )
  return isWithin
}

async function timeRun(
  { coordinator: { api }, study: { projectId }, address }: Stage,
  approver: ApiUser,
  patients: readonly string[],
): Promise<{ readonly ms: number; readonly archive: Uint8Array }> {
  const definition = {
    ...newDefinition('zh'),
    entries: 'all',
    patients,
    deidentify: { on: false, keepText: [], ages: [] },
    formats: ['pdf'],
  }
  const id = newId()
  const said = { projectId, id, setId: null, name: 'bench', definition, purpose: 'bench', crossBorder: null }
  await api.call('dataset.run', { body: said })
  const begin = performance.now()
  await approver.call('dataset.decide', { body: { projectId, id, decision: 'approve', note: 'bench' } })
  for (;;) {
    const query = { projectId, current: '1', size: '1' }
    const [run] = (await api.call<Page<DataSetRun>>('dataset.runs', { query })).records
    if (run?.state === 'done') break
    if (run?.state === 'failed') throw new Error(`the run failed: ${run.why ?? ''}`)
    await sleep(50)
  }
  const ms = performance.now() - begin
  const path = callOf('dataset.download').path.replace(':id', id)
  const file = await fetch(`${address}/api${path}?projectId=${projectId}`, { headers: api.headers })
  return { ms, archive: new Uint8Array(await file.arrayBuffer()) }
}

async function countSheets(archive: Uint8Array): Promise<number> {
  let sheets = 0
  for (const paper of Object.values(unzipSync(archive, { filter: ({ name }) => name.endsWith('.pdf') })))
    sheets += Number(/Pages: +(\d+)/.exec(await infoOfPdf(paper))?.[1] ?? 0)
  return sheets
}
