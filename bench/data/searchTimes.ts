import { performance } from 'node:perf_hooks'
import type { AnswerAt, AnswerTest, Condition } from '#core/dataset/conditions.ts'

import { median, percentile } from '../figures.ts'
import type { Stage } from '../sync/stage.ts'
import { CODES, FIELDS, seedData } from './dataStudy.ts'

/**
 * `npm run bench -- data --only=search [--runs=20] [--patients=10000]`: the search over a page at five visits of all
 * subjects, and the grid of its data, on the real server. Counting is what happens with every change while a search is
 * put together.
 */

/** Budgets of docs/architecture.md. */
const COUNT_MS = 300
const FIND_MS = 1_000
const ROWS_MS = 300

const VISITS = 5
/** As many lines as a screen asks for. */
const LINES = 50
const ROWS = 100

export async function searchTimes(stage: Stage, runs: number, patients: number): Promise<boolean> {
  const visits = await seedData(stage, { patients, visits: VISITS, pages: 1 })
  await stage.database.query(`UPDATE member SET role = 'DBD' WHERE user_id = $1`, [stage.coordinator.userId])
  console.log(
    `\nsearch and grid: ${patients} subjects, ${patients * VISITS * FIELDS} values on a page; ${runs} times each`,
  )
  let ok = true
  for (const [name, condition] of searches(stage, visits))
    ok = (await measureSearch(stage, runs, name, condition)) && ok
  for (const [name, question] of questions(stage)) ok = (await measureRows(stage, runs, name, question)) && ok
  return ok
}

function searches({ study }: Stage, visits: readonly string[]): readonly (readonly [string, Condition])[] {
  const [pageId = ''] = study.pageIds
  const [baseline = '', second = ''] = visits
  const field = (code: string, at: AnswerAt, test: AnswerTest): Condition => ({
    kind: 'field',
    field: { pageId, table: null, code, part: null },
    at,
    test,
  })
  const any = { which: 'any' } as const
  return [
    ['a number at any visit', field('n3', any, { op: 'ge', value: 76 })],
    ['a number at one visit', field('n3', { which: 'visit', folderId: second }, { op: 'ge', value: 40 })],
    ['a number at every visit', field('n3', { which: 'every' }, { op: 'ge', value: 10 })],
    ['the first number', field('n3', { which: 'first' }, { op: 'ge', value: 40 })],
    ['the last number', field('n3', { which: 'last' }, { op: 'ge', value: 40 })],
    ['the last choice', field('c2', { which: 'last' }, { op: 'eq', value: '3' })],
    ['change from baseline', field('n3', { which: 'change', folderId: null, baseline }, { op: 'ge', value: 60 })],
    ['words', field('t1', any, { op: 'contains', value: '气短 77' })],
    [
      'three together',
      {
        kind: 'all',
        of: [
          field('n3', { which: 'last' }, { op: 'ge', value: 40 }),
          { kind: 'not', of: field('c1', any, { op: 'eq', value: '3' }) },
          {
            kind: 'any',
            of: [field('d1', any, { op: 'ge', value: '2026-01-01' }), field('n5', any, { op: 'lt', value: 3 })],
          },
        ],
      },
    ],
  ]
}

async function measureSearch(stage: Stage, runs: number, name: string, condition: Condition): Promise<boolean> {
  const { projectId, pageIds } = stage.study
  const { api } = stage.coordinator
  const show = [{ pageId: pageIds[0], table: null, code: 'n3', part: null }]
  const counted = await repeat(runs, () =>
    api.call<{ count: number }>('search.count', { body: { projectId, condition } }),
  )
  const found = await repeat(runs, () =>
    api.call('search.subjects', { body: { projectId, condition, show, current: 1, size: LINES } }),
  )
  const [count, find] = [tell(counted.times, COUNT_MS), tell(found.times, FIND_MS)]
  console.log(`  ${name}: ${counted.last.count} subjects; counted in ${count.text}; shown in ${find.text}`)
  return count.holds && find.holds
}

/** What the grid asks for: its first rows, and rows far down. */
function questions({ study }: Stage): readonly (readonly [string, object])[] {
  const of = {
    projectId: study.projectId,
    pageId: study.pageIds[0],
    table: null,
    columns: CODES,
    filters: [],
    sort: null,
    offset: 0,
    size: ROWS,
  }
  return [
    ['first rows', of],
    ['rows after 20,000 others', { ...of, offset: 20_000 }],
    ['by a number', { ...of, sort: { by: { column: 'n3' }, down: true } }],
    [
      'two filters',
      {
        ...of,
        filters: [
          { column: 'n3', test: { op: 'ge', value: 60 } },
          { column: 'c1', test: { op: 'eq', value: '2' } },
        ],
      },
    ],
    ['by the day saved', { ...of, sort: { by: { key: 'savedAt' }, down: true } }],
  ]
}

async function measureRows(stage: Stage, runs: number, name: string, question: object): Promise<boolean> {
  const { times, last } = await repeat(runs, () =>
    stage.coordinator.api.call<{ total: number }>('database.rows', { body: question }),
  )
  const { text, holds } = tell(times, ROWS_MS)
  console.log(`  grid, ${name}: of ${last.total} rows ${ROWS} in ${text}`)
  return holds
}

async function repeat<Answer>(runs: number, ask: () => Promise<Answer>) {
  const times: number[] = []
  // The first time plans are made and read into memory.
  let last = await ask()
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now()
    last = await ask()
    times.push(performance.now() - start)
  }
  return { times, last }
}

function tell(times: readonly number[], budget: number): { readonly text: string; readonly holds: boolean } {
  const p95 = percentile(times, 0.95)
  const holds = p95 <= budget
  return {
    text: `${median(times).toFixed(0)} ms, p95 ${p95.toFixed(0)} (≤ ${budget}): ${holds ? 'ok' : 'OVER'}`,
    holds,
  }
}
