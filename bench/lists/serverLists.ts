import { performance } from 'node:perf_hooks'
import { BULK_AT_ONCE, BULK_PAGE_SIZE } from '#core/api/call.ts'
import type { Page } from '#core/wire/shapes.ts'
import { callOf } from '#core/api/table.ts'

import { median } from '../figures.ts'
import { seedEntries, seedPatients } from '../sync/seed.ts'
import type { Stage } from '../sync/stage.ts'
import { PAGES } from '../sync/study.ts'

/**
 * `npm run bench -- lists --only=server [--runs=2] [--patients=10000]`: the lists of a project by the real server in a
 * process of its own. The list of all patients in pages of 500, three at a time (specification §7), narrowed down in
 * every way; the visits of a day; marks; the spreadsheet.
 */

/** Budgets of docs/architecture.md. */
const PAGE_MS = 300

/** The first list of visits, which has to compute all of them. */
const FIRST_LOOK = 'visits of some days'

interface Asked {
  readonly name: string
  readonly call: 'patient.list' | 'visit.list' | 'entry.marks'
  readonly query: Readonly<Record<string, string>>
  /** Pages that are fetched at most. */
  readonly pages: number
}

export async function serverLists(stage: Stage, runs: number, patients: number): Promise<boolean> {
  await seedEntries(stage, await seedPatients(stage, patients))
  await plan(stage)
  const all = lists(stage)
  // A server that has run for a while has its plans, prepared statements and compiled pages.
  const warm = new Map<string, readonly number[]>()
  for (const asked of all) warm.set(asked.name, (await fetchAll(stage, { ...asked, pages: BULK_AT_ONCE })).times)
  console.log(
    `\nlists of the server: ${patients} patients × ${PAGES} pages of data; pages of ${BULK_PAGE_SIZE}, ${BULK_AT_ONCE} at a time`,
  )
  console.log(`  the first look at visits after a start: ${(warm.get(FIRST_LOOK)?.[0] ?? Number.NaN).toFixed(0)} ms`)
  let ok = true
  for (const asked of all) ok = (await measureList(stage, asked, runs)) && ok
  return (await measureSheet(stage, runs)) && ok
}

function lists({ study }: Stage): readonly Asked[] {
  const [pageId = ''] = study.pageIds
  const of = { projectId: study.projectId }
  const few = { pages: BULK_AT_ONCE }
  return [
    { name: 'all patients', call: 'patient.list', query: of, pages: Number.POSITIVE_INFINITY },
    { name: 'by a part of the number', call: 'patient.list', query: { ...of, no: '99' }, ...few },
    {
      name: 'by sex and days',
      call: 'patient.list',
      query: { ...of, sex: 'F', from: '2026-01-01', to: '2026-12-31' },
      ...few,
    },
    { name: 'with work to do', call: 'patient.list', query: { ...of, todo: 'any' }, ...few },
    { name: 'mine', call: 'patient.list', query: { ...of, mine: 'true' }, ...few },
    { name: 'with data on a page', call: 'patient.list', query: { ...of, pageId }, ...few },
    {
      name: FIRST_LOOK,
      call: 'visit.list',
      query: { ...of, today: '2026-03-02', from: '2026-02-01', to: '2026-03-31' },
      ...few,
    },
    { name: 'all visits', call: 'visit.list', query: { ...of, today: '2026-03-01' }, ...few },
    { name: 'marks of work to do', call: 'entry.marks', query: { ...of, todo: 'process' }, ...few },
  ]
}

/** The first visit is on the day of enrolment, so every patient has one. */
async function plan({ database, study }: Stage): Promise<void> {
  const schedule = { kind: 'planned', anchor: { of: 'enrolment' }, day: 0, before: 3, after: 3, repeating: false }
  await database.query('UPDATE crf_folder SET schedule = $2 WHERE version_id = $1', [
    study.versionId,
    JSON.stringify(schedule),
  ])
  // As the server does automatically some time after this many rows.
  await database.query('ANALYZE')
}

async function measureList(stage: Stage, asked: Asked, runs: number): Promise<boolean> {
  const times: number[] = []
  const totals: number[] = []
  let rows = 0
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now()
    const fetched = await fetchAll(stage, asked)
    totals.push(performance.now() - start)
    times.push(...fetched.times)
    rows = fetched.rows
  }
  const page = median(times)
  console.log(
    `  ${asked.name}: ${rows} rows, a page ${page.toFixed(0)} ms in the median (≤ ${PAGE_MS}), ${Math.max(...times).toFixed(0)} at most; all ${median(totals).toFixed(0)} ms: ${page <= PAGE_MS ? 'ok' : 'OVER'}`,
  )
  return page <= PAGE_MS
}

async function fetchAll(
  stage: Stage,
  { call, query, pages }: Asked,
): Promise<{ readonly times: readonly number[]; readonly rows: number }> {
  const times: number[] = []
  const ask = async (current: number): Promise<Page<unknown>> => {
    const start = performance.now()
    const page = await stage.coordinator.api.call<Page<unknown>>(call, {
      query: { ...query, current: String(current), size: String(BULK_PAGE_SIZE) },
    })
    times.push(performance.now() - start)
    return page
  }
  const first = await ask(1)
  let rows = first.records.length
  const last = Math.min(pages, first.pages)
  for (let from = 2; from <= last; from += BULK_AT_ONCE) {
    const some = await Promise.all(
      Array.from({ length: Math.min(BULK_AT_ONCE, last - from + 1) }, (_, at) => ask(from + at)),
    )
    rows += some.reduce((sum, { records }) => sum + records.length, 0)
  }
  return { times, rows }
}

/** The spreadsheet of all patients: the time to its first byte, and to its last. */
async function measureSheet({ address, study, coordinator, database }: Stage, runs: number): Promise<boolean> {
  await database.query(`UPDATE member SET role = 'DBD' WHERE user_id = $1`, [coordinator.userId])
  const [firsts, lasts]: [number[], number[]] = [[], []]
  let bytes = 0
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now()
    const path = callOf('patient.excel').path.replace(':name', 'bench.xlsx')
    const response = await fetch(`${address}/api${path}?projectId=${study.projectId}`, {
      headers: { ...coordinator.api.headers, projectId: study.projectId },
    })
    if (!response.ok || response.body === null) throw new Error(`the spreadsheet was refused: ${response.status}`)
    const reader = response.body.getReader()
    const first = await reader.read()
    firsts.push(performance.now() - start)
    bytes = first.value?.length ?? 0
    for (let part = await reader.read(); !part.done; part = await reader.read()) bytes += part.value.length
    lasts.push(performance.now() - start)
  }
  console.log(
    `  spreadsheet of all patients: ${(bytes / 1024).toFixed(0)} KB, first bytes after ${median(firsts).toFixed(0)} ms, whole after ${median(lasts).toFixed(0)} ms`,
  )
  return true
}
