// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes, useLocation } from 'react-router-dom'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { PermissionCode } from '#core/access/permissions.ts'
import type { DataSet } from '#core/api/calls/data/dataset.ts'
import type { StatisticsColumns, StatisticsTables, StatisticsVariable } from '#core/api/calls/data/statistics.ts'
import type { ApiError } from '#core/api/errors.ts'
import { newDefinition } from '#core/dataset/definition.ts'
import { err, ok } from '#core/result.ts'
import { StatisticalScreen } from '#src/screens/statistical/StatisticalScreen.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

import { ComputingThread, DyingThread } from './support.ts'

/** Somebody who analyzes data, with a server that answers what a test says, and real statistics. */

beforeAll(() => speak('zh'))
beforeEach(() => vi.stubGlobal('Worker', ComputingThread))

function variable(name: string, label: string, more: Partial<StatisticsVariable> = {}): StatisticsVariable {
  return { name, label, type: 'number', unit: null, decimals: null, codes: [], role: 'item', ...more }
}
const VISITS = [
  { code: 'V1', label: '基线' },
  { code: 'V2', label: '第 4 周' },
]
const ARMS = [
  { code: '1', label: '试验组' },
  { code: '2', label: '对照组' },
]
const SEXES = [
  { code: 'F', label: '女' },
  { code: 'M', label: '男' },
]
const WEIGHT = variable('weight', '体重', { unit: 'kg', decimals: 0 })
const ARM = variable('arm', '组别', { codes: ARMS })
const VISIT = variable('visit', '访视编码', { type: 'text', role: 'key', codes: VISITS })
const KEY = variable('subject_key', '受试者假名', { type: 'text', role: 'key' })
const TABLES: StatisticsTables = {
  subjects: 6,
  tables: [
    {
      name: 'subjects',
      label: '受试者',
      variables: [KEY, variable('sex', '性别', { type: 'text', role: 'about', codes: SEXES })],
    },
    { name: 'VS', label: '生命体征', variables: [KEY, VISIT, WEIGHT, ARM, variable('note', '备注', { type: 'text' })] },
  ],
}
const CELLS: Readonly<Record<string, StatisticsColumns['columns'][number]['cells']>> = {
  subject_key: ['a', 'b', 'c', 'd', 'e', 'f', 'a'],
  visit: ['V1', 'V1', 'V1', 'V1', 'V1', 'V1', 'V2'],
  weight: [60, 62, 64, 70, 73, { m: 'ND', reason: '' }, 58],
  arm: [1, 1, 1, 2, 2, 2, 1],
  'subjects.sex': ['F', 'M', 'F', 'M', 'F', 'M', 'F'],
}
const set = (id: string, name: string, on: boolean): DataSet => ({
  id,
  name,
  shared: false,
  definition: { ...newDefinition('en'), shape: 'flat', deidentify: { on, keepText: [], ages: [] } },
  isMine: true,
  ownerName: '陈数管',
  rev: 1,
  updatedAt: '2026-11-20T01:00:00.000Z',
})
const SAFE = '0190a000-0000-7000-8000-0000000000a1'
const SETS = [set(SAFE, '安全性集', true), set('0190a000-0000-7000-8000-0000000000a2', '原始数据', false)]

interface Look {
  readonly address?: string
  readonly permissions?: readonly PermissionCode[]
  readonly reachable?: boolean
  readonly failing?: Readonly<Record<string, ApiError>>
  readonly tables?: StatisticsTables
}

type Asked = readonly [id: string, body: Readonly<Record<string, unknown>>]
let projects = 0

function look(said: Look = {}): { readonly asked: readonly Asked[]; readonly address: () => string } {
  projects += 1
  const id = `0190a000-0000-7000-8000-0000000030${String(projects).padStart(2, '0')}`
  const project = projectRow({ id, permissions: [...(said.permissions ?? ['export'])] })
  const asked: Asked[] = []
  const call = vi.fn((name: string, { body = {} }: { body?: Readonly<Record<string, unknown>> }) => {
    asked.push([name, body])
    const failed = said.failing?.[name]
    if (failed !== undefined) return Promise.resolve(err(failed))
    if (name === 'dataset.list') return Promise.resolve(ok(SETS))
    if (name === 'statistics.tables') return Promise.resolve(ok(said.tables ?? TABLES))
    const columns = (body['variables'] as readonly string[]).map((own) => ({
      ...[KEY, VISIT, WEIGHT, ARM, variable('subjects.sex', '性别', { codes: SEXES })].find((one) => one.name === own),
      cells: CELLS[own] ?? [],
    }))
    return Promise.resolve(ok({ at: '2026-11-20T01:00:00.000Z', rows: 7, columns }))
  }) as unknown as Session['call']
  let address = ''
  function Around() {
    address = useLocation().search
    return <Outlet context={{ project }} />
  }
  show(
    <AtDesk desk={{ session: { call, reachable: said.reachable ?? true } }}>
      <Routes>
        <Route element={<Around />}>
          <Route path="/statistical" element={<StatisticalScreen />} />
        </Route>
      </Routes>
    </AtDesk>,
    `/statistical${said.address ?? ''}`,
  )
  return { asked, address: () => address }
}

const rowOf = (table: HTMLElement, name: string) => {
  const row = within(table).getByText(name).closest('tr')
  if (row === null) throw new Error(`no row ${name}`)
  return [...row.querySelectorAll('td')].map((cell) => cell.textContent)
}

test('a variable is chosen and described, of the first visit, with what is missing and why; the choice is in the address', async () => {
  const { asked, address } = look()
  expect(await screen.findByText('请选择变量')).toBeTruthy()
  await userEvent.click(screen.getByRole('combobox', { name: /^变量/ }))
  expect(screen.queryByRole('option', { name: /备注/ })).toBeNull()
  await userEvent.click(screen.getByRole('option', { name: /体重/ }))
  const [table] = await screen.findAllByRole('table', { name: '体重 (kg)' })
  if (table === undefined) throw new Error('no table')
  expect(rowOf(table, '例数')).toEqual(['例数', '5'])
  expect(rowOf(table, '缺失')).toEqual(['缺失', '1 (未做 1)'])
  expect(rowOf(table, '均值')).toEqual(['均值', '65.8'])
  expect(screen.getByText('分析 6 行，来自 6 名受试者')).toBeTruthy()
  expect(screen.getByText(/数据截至 2026-11-20/)).toBeTruthy()
  expect(screen.getByText(/探索性分析，不能替代/)).toBeTruthy()
  expect(address()).toContain('variables=weight')
  expect(address()).not.toMatch(/60|65/)
  const [, body] = asked.find(([id]) => id === 'statistics.columns') ?? []
  expect(body).toMatchObject({
    table: 'VS',
    variables: ['subject_key', 'visit', 'weight'],
    definition: { shape: 'long', deidentify: { on: true } },
  })
})

test('only data sets that are de-identified are offered, and a flat one is read as long', async () => {
  const { asked } = look({ address: `?set=${SAFE}` })
  await userEvent.click(await screen.findByRole('combobox', { name: '数据集' }))
  expect(screen.getByRole('option', { name: '安全性集' })).toBeTruthy()
  expect(screen.queryByRole('option', { name: '原始数据' })).toBeNull()
  const told = asked.find(([id]) => id === 'statistics.tables')
  expect(told?.[1]).toMatchObject({ definition: { shape: 'long', language: 'zh' } })
})

test('rows of several visits of one subject are said not to be independent', async () => {
  look({ address: '?variables=weight&visit=*' })
  expect(await screen.findByText(/各行不独立/)).toBeTruthy()
  expect(screen.getByText('分析 7 行，来自 6 名受试者')).toBeTruthy()
})

test('a comparison shows the favoured test first, its assumptions with what the data say, and the others beside it', async () => {
  look({ address: '?analysis=compare&variables=weight&group=arm' })
  const first = (await screen.findByText('首选')).closest('section')
  if (first === null) throw new Error('no card')
  expect(within(first).getByText(/^P [=<>] /)).toBeTruthy()
  expect(within(first).getByRole('list', { name: '适用条件' })).toBeTruthy()
  for (const name of ['Welch t 检验', '两独立样本 t 检验（方差齐）', 'Wilcoxon 秩和检验'])
    expect(screen.getByRole('heading', { name: new RegExp(name.replaceAll(/[()（）]/g, '.')) })).toBeTruthy()
  expect(screen.getByText(/var.equal = FALSE/)).toBeTruthy()
  expect(screen.getByText(/1 行缺失：未做 1/)).toBeTruthy()
})

test('groups may be of what is told of the subject; a number and a category lead to a comparison', async () => {
  const { asked, address } = look({ address: '?analysis=relate&variables=subjects.sex~weight' })
  await userEvent.click(await screen.findByRole('button', { name: '改为组间比较' }))
  expect(await screen.findByText('Wilcoxon 秩和检验')).toBeTruthy()
  expect(address()).toContain('group=subjects.sex')
  expect(asked.filter(([id]) => id === 'statistics.columns').at(-1)?.[1]).toMatchObject({
    variables: ['subject_key', 'visit', 'weight', 'subjects.sex'],
  })
})

test('a table one is looked at and taken away in three formats', async () => {
  look({ address: '?analysis=tableOne&variables=weight&group=arm' })
  expect(await screen.findByRole('columnheader', { name: '试验组 (n = 3)' })).toBeTruthy()
  for (const name of ['下载 DOCX', '下载 HTML', '下载 CSV']) expect(screen.getByRole('button', { name })).toBeTruthy()
  await userEvent.click(screen.getByRole('checkbox', { name: 'P 值' }))
  expect(screen.queryByRole('columnheader', { name: 'P 值' })).toBeNull()
})

test('a course over visits has the mean of each, and how far the same subjects are from the first', async () => {
  look({ address: '?analysis=change&variables=weight' })
  const changes = await screen.findByRole('table', { name: '与“基线”相比的变化' })
  expect(rowOf(changes, '第 4 周').slice(0, 4)).toEqual(['第 4 周', '合计', '1', '−2.0'])
})

test('why nothing is computed is said in words, with what to do', async () => {
  look({ address: '?analysis=compare&variables=weight&group=arm&visit=V2' })
  expect((await screen.findAllByText(/请合并组别或等待更多数据|请更换分组变量/)).length).toBeGreaterThan(0)
})

test.for([
  ['too_much_work', '数据量太大'],
  ['busy', '重试'],
] as const)('columns that cannot be had (%s) are said, with what to do', async ([code, said]) => {
  look({ address: '?variables=weight', failing: { 'statistics.columns': { code } } })
  expect((await screen.findByRole('alert')).textContent).toContain(said)
})

test('a computation that runs out of memory is said, and can be begun again', async () => {
  vi.stubGlobal('Worker', DyingThread)
  look({ address: '?variables=weight' })
  expect(await screen.findByText('计算未能完成')).toBeTruthy()
  vi.stubGlobal('Worker', ComputingThread)
  await userEvent.click(screen.getByRole('button', { name: '重新计算' }))
  expect((await screen.findAllByRole('table', { name: '体重 (kg)' })).length).toBeGreaterThan(0)
})

test('without the right it says so, and asks nothing', async () => {
  const { asked } = look({ permissions: [] })
  expect(await screen.findByText('无权限')).toBeTruthy()
  expect(asked).toEqual([])
})

test('without a network it says what needs it', async () => {
  look({ reachable: false, failing: { 'dataset.list': { code: 'offline' } } })
  expect(await screen.findByText('读取数据需要连接服务器。网络恢复后可继续分析。')).toBeTruthy()
})

test('without subjects there is nothing to analyze', async () => {
  look({ tables: { subjects: 0, tables: TABLES.tables } })
  expect(await screen.findByText('没有可分析的数据')).toBeTruthy()
})
