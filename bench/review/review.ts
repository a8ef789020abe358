import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PlanVersion } from '#core/api/calls/review/check.ts'
import { reportKinds } from '#core/report/kinds.ts'
import type { PageOption } from '#core/form/definition/column.ts'
import type { Page } from '#core/wire/shapes.ts'

import { median, numberOption, percentile } from '../figures.ts'
import { seedEntries, seedPatients } from '../sync/seed.ts'
import { onStage } from '../sync/stage.ts'
import type { Stage } from '../sync/stage.ts'
import { ITEMS, PAGES, PAGE_OPTION } from '../sync/study.ts'
import { ruleSaves } from './ruleSaves.ts'
import { seedQueries } from './seedQueries.ts'

/**
 * `npm run bench -- review [--only=lists|reports|saves] [--runs=20] [--patients=2700] [--queries=50000]`: queries and
 * pages to verify, as a data manager and a monitor list them on the real server; the way to the next page; reports; and
 * saves of a page with twenty automatic rules beside the same page without (ruleSaves.ts).
 */

/** Budgets of docs/architecture.md. */
const LIST_MS = 300
const NEXT_MS = 150
const REPORT_MS = 500

/** As many lines as a screen asks for. */
const SIZE = 200
const ITEMS_PER_PATIENT = PAGES * (ITEMS - 2)

interface Amount {
  readonly runs: number
  readonly patients: number
  readonly queries: number
}

export async function run(args: readonly string[]): Promise<boolean> {
  const only = args.find((arg) => arg.startsWith('--only='))?.slice('--only='.length)
  const runs = numberOption(args, 'runs', 20)
  const amount = {
    runs,
    patients: numberOption(args, 'patients', 2_700),
    queries: numberOption(args, 'queries', 50_000),
  }
  const lists = only === 'reports' ? reviewReports : reviewLists
  const ofLists = only === 'saves' || (await onStage((stage) => lists(stage, amount)))
  return (only === 'lists' || only === 'reports' || (await ruleSaves(runs * 10))) && ofLists
}

/** A study with its queries, under a plan. */
async function fill(stage: Stage, { runs, patients, queries }: Amount): Promise<void> {
  await seedEntries(stage, await seedPatients(stage, patients))
  await seedQueries(stage, queries)
  await becomes(stage, 'DBD')
  await switchOn(stage)
  await stage.database.query('ANALYZE')
  console.log(
    `\nreview: ${queries} queries, ${patients} patients with ${patients * ITEMS_PER_PATIENT} items under a plan; ${SIZE} lines, ${runs} times each`,
  )
}

/** Reports alone. */
async function reviewReports(stage: Stage, amount: Amount): Promise<boolean> {
  await fill(stage, amount)
  await becomes(stage, 'CRA')
  return measureReports(stage, amount.runs)
}

async function measureReports(stage: Stage, runs: number): Promise<boolean> {
  await recogniseEvents(stage)
  return measureAll(stage, runs, reportsAsked(stage.study.projectId))
}

/** All lists, each with its 95th percentile. */
export async function reviewLists(stage: Stage, amount: Amount): Promise<boolean> {
  await fill(stage, amount)
  const { runs } = amount
  const { projectId } = stage.study
  const ofQueries = await measureAll(stage, runs, [
    { name: 'queries', call: 'query.list', query: { projectId } },
    { name: 'queries, open', call: 'query.list', query: { projectId, state: 'open' } },
    { name: 'queries that wait', call: 'query.list', query: { projectId, waits: '1' } },
    { name: 'queries, overdue by due day', call: 'query.list', query: { projectId, overdue: '1', sort: 'due' } },
    { name: 'queries by subject', call: 'query.list', query: { projectId, sort: 'patient' } },
    { name: 'queries with words', call: 'query.list', query: { projectId, words: '收缩压 77' } },
    { name: 'queries, the last page', call: 'query.list', query: { projectId }, isLast: true },
    {
      name: 'queries by subject, the last page',
      call: 'query.list',
      query: { projectId, sort: 'patient' },
      isLast: true,
    },
    { name: 'counts of queries', call: 'query.counts', query: { projectId } },
    { name: 'queries by visit', call: 'query.byVisit', query: { projectId } },
  ])
  await becomes(stage, 'CRA')
  const track = 'sdv'
  const ofPages = await measureAll(stage, runs, [
    { name: 'pages to verify', call: 'review.list', query: { projectId, track, state: 'toDo' } },
    { name: 'pages to verify, all', call: 'review.list', query: { projectId, track, state: 'all' } },
    {
      name: 'pages to verify of a number',
      call: 'review.list',
      query: { projectId, track, state: 'toDo', words: '99' },
    },
    { name: 'pages that are not submitted', call: 'review.list', query: { projectId, track, state: 'notReady' } },
    {
      name: 'pages to verify, the last page',
      call: 'review.list',
      query: { projectId, track, state: 'toDo' },
      isLast: true,
    },
    { name: 'progress by center', call: 'review.progress', query: { projectId, track } },
  ])
  const ofNext = await measureAll(stage, runs, await nextAsked(stage))
  const ofReports = await measureReports(stage, runs)
  return ofQueries && ofPages && ofNext && ofReports
}

/** What makes fields of a page those of an adverse event, by their codes. */
const EVENT_WORDS: Readonly<Record<string, { readonly label: string; readonly choices?: readonly string[] }>> = {
  f10: { label: '不良事件名称' },
  f16: { label: '结束日期' },
  f9: { label: '严重程度', choices: ['轻度', '中度', '重度'] },
  f0: { label: '是否为严重不良事件', choices: ['是', '否'] },
}

/** Makes a page of the study a form of adverse events: every one of its entries is an event. */
async function recogniseEvents({ database, study: { versionId, pageIds } }: Stage): Promise<void> {
  const option: PageOption = {
    ...PAGE_OPTION,
    group: (PAGE_OPTION.group ?? []).map((group) => ({
      ...group,
      column: group.column.map((column) => {
        const { label, choices } = EVENT_WORDS[column.prop] ?? {}
        const dicData = column.dicData?.map((item, at) => ({ ...item, label: choices?.[at] ?? item.label }))
        return label === undefined ? column : { ...column, label, ...(dicData === undefined ? {} : { dicData }) }
      }),
    })),
  }
  await database.query('UPDATE crf_page SET option = $3 WHERE version_id = $1 AND page_id = $2', [
    versionId,
    pageIds[0],
    JSON.stringify(option),
  ])
}

/** Every report, and the subjects behind a figure. */
function reportsAsked(projectId: string): readonly Asked[] {
  return [
    ...reportKinds.map((kind): Asked => ({ name: `report: ${kind}`, call: 'report.read', query: { projectId, kind } })),
    {
      name: 'subjects behind a figure',
      call: 'report.subjects',
      query: { projectId, kind: 'completeness', measure: 'begun', size: '50', current: '1' },
    },
  ]
}

/** The member of the stage, in another role. */
async function becomes({ database, coordinator }: Stage, role: 'DBD' | 'CRA'): Promise<void> {
  await database.query('UPDATE member SET role = $2 WHERE user_id = $1', [coordinator.userId, role])
}

/** Switches a plan on that asks for everything, and waits until it is worked out. */
async function switchOn({ coordinator: { api }, study: { projectId } }: Stage): Promise<void> {
  const plan = { critical: [], sharePercent: 100, firstOfCenter: 0, folders: null, centers: [], seed: 'bench' }
  const asked = performance.now()
  await api.call('review.planCoverage', { body: { projectId, track: 'sdv', plan } })
  const start = performance.now()
  await api.call('review.planSwitch', { body: { projectId, track: 'sdv', plan, note: '全部核查' } })
  for (;;) {
    const plans = await api.call<readonly PlanVersion[]>('review.plans', { query: { projectId, track: 'sdv' } })
    if (plans.every(({ progress }) => progress === null)) break
    await sleep(200)
  }
  const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(0)
  console.log(
    `\n  what a plan would ask for is told in ${seconds(asked, start)} s; it is worked out in ${seconds(start, performance.now())} s, beside other work`,
  )
}

interface Asked {
  readonly name: string
  readonly call:
    | 'query.list'
    | 'query.counts'
    | 'query.byVisit'
    | 'review.list'
    | 'review.progress'
    | 'review.next'
    | 'report.read'
    | 'report.subjects'
  readonly query: Readonly<Record<string, string>>
  /** Whether the last page is asked for that can be told. */
  readonly isLast?: boolean
}

/** From the start, and from a page in the middle. */
async function nextAsked({ coordinator: { api }, study: { projectId } }: Stage): Promise<readonly Asked[]> {
  const query = { projectId, track: 'sdv', state: 'toDo' }
  const { records, pages } = await api.call<Page<{ entryId: string }>>('review.list', {
    query: { ...query, size: '1' },
  })
  const middle = await api.call<Page<{ entryId: string }>>('review.list', {
    query: { ...query, size: '1', current: String(Math.ceil(pages / 2)) },
  })
  const after = (middle.records[0] ?? records[0])?.entryId ?? ''
  return [
    { name: 'next to verify', call: 'review.next', query },
    { name: 'next to verify after a page', call: 'review.next', query: { ...query, after } },
  ]
}

async function measureAll(stage: Stage, runs: number, all: readonly Asked[]): Promise<boolean> {
  let ok = true
  for (const asked of all) ok = (await measure(stage, runs, asked)) && ok
  return ok
}

async function measure({ coordinator: { api } }: Stage, runs: number, asked: Asked): Promise<boolean> {
  const { name, call, isLast = false } = asked
  const isPaged = call === 'query.list' || call === 'review.list'
  const query = { ...asked.query, ...(isPaged ? { size: String(SIZE), current: '1' } : {}) }
  if (isLast) query.current = String(Math.max(1, (await api.call<Page<unknown>>(call, { query })).pages))
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now()
    await api.call(call, { query })
    times.push(performance.now() - start)
  }
  const budget = budgetOf(call)
  const p95 = percentile(times, 0.95)
  console.log(
    `  ${name}: ${median(times).toFixed(0)} ms in the median, p95 ${p95.toFixed(0)} ms (≤ ${budget}), first ${(times[0] ?? Number.NaN).toFixed(0)} ms: ${p95 <= budget ? 'ok' : 'OVER'}`,
  )
  return p95 <= budget
}

function budgetOf(call: Asked['call']): number {
  if (call === 'review.next') return NEXT_MS
  return call.startsWith('report.') ? REPORT_MS : LIST_MS
}
