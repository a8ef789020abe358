import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router-dom'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { VersionRow } from '#core/api/sync/rows.ts'
import type { TaskResult } from '#core/api/calls/sync.ts'
import type { MigrationPlan, MigrationReport } from '#core/api/calls/migration.ts'
import { defaultPermissions } from '#core/access/permissions.ts'
import { err, ok } from '#core/result.ts'
import type { MigrationMappings } from '#core/study/migration/migrationMappings.ts'
import { WorkspaceLayout } from '#src/frame/layouts/WorkspaceLayout.tsx'
import { setMigrationTask } from '#src/frame/migrationTask.ts'
import { VersionActions } from '#src/screens/versions/VersionActions.tsx'
import type { Session } from '#src/session/types.ts'
import { watchDownloads } from '#tests/src/support/downloads.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** Releasing a version where data were entered (specification §4): what becomes of them, before, while and after. */

beforeAll(() => speak('zh'))
beforeEach(() => setMigrationTask(null))
afterEach(() => {
  vi.useRealTimers()
  setMigrationTask(null)
})

const line = { pageId: 'p1', pageName: '生命体征', table: null, choices: [], offered: [] }
const FROM = {
  id: 'v1',
  versionNo: 1,
  versionNoDesc: 'V1.0',
  crfProfile: 'formal',
  crfProfileDesc: '',
  remark: null,
  createdAt: '2026-05-06T08:00:00.000Z',
} as const

/** The plan of a version in which a note is called a remark, unless somebody has said so. */
function planFor(mappings: MigrationMappings): MigrationPlan {
  const said = mappings.fields.length > 0
  return {
    from: FROM,
    patients: 120,
    archived: [{ folderId: 'f1', folderName: '基线', pageId: 'p2', pageName: '舌诊' }],
    problems: [],
    proposed: { fields: [], choices: [] },
    lines: [
      ...(said
        ? [{ ...line, code: 'note', label: '备注', kind: 'mapped' as const, to: { code: 'remark', label: '附注' } }]
        : [
            { ...line, code: 'note', label: '备注', kind: 'retired' as const, to: null },
            { ...line, code: 'remark', label: '附注', kind: 'new' as const, to: { code: 'remark', label: '附注' } },
          ]),
      {
        ...line,
        code: 'sign',
        label: '体征',
        kind: 'converted',
        to: { code: 'sign', label: '体征' },
        choices: [{ value: 'b', label: '乙', to: null, toLabel: null, by: 'none' }],
        offered: [{ value: 'a', label: '甲' }],
      },
    ],
  }
}

/** The page of signs, on which a sign is a number or a text. */
function foldersWith(type: string): VersionRow['folders'] {
  const option = JSON.stringify({ column: [{ prop: 'sign', label: '体征', type }] })
  const page = { id: 'p1', pageName: '生命体征', pageCode: 'VS', repeatable: false, sort: 1, option }
  return [{ id: 'f1', folderName: '基线', folderCode: 'V1', sort: 1, pages: [page] }]
}

function reportOf(at: number): MigrationReport {
  const counts = { mapped: 3, converted: 1, retired: 1, unconverted: 0, archived: 0 }
  return {
    patientId: `p${String(at)}`,
    patient: `01-${String(at).padStart(3, '0')}`,
    counts,
    items: [
      {
        kind: 'retired',
        folderName: '基线',
        pageName: '生命体征',
        label: '备注',
        tableLabel: null,
        value: `说明${String(at)}`,
        to: null,
      },
      {
        kind: 'converted',
        folderName: '基线',
        pageName: '生命体征',
        label: '体征',
        tableLabel: null,
        value: `3${String(at)}`,
        to: `3${String(at)}`,
      },
    ],
  }
}

interface Asked {
  readonly id: string
  readonly input: {
    readonly body?: { readonly mappings?: MigrationMappings }
    readonly params?: { readonly id?: string }
    readonly query?: { readonly current?: number; readonly size?: number }
  }
}

type Running = {
  readonly taskId: string
  readonly crfId: string
  readonly status: number
  readonly left: number
} | null

/** A server with one hundred and twenty patients. */
function server(
  task: () => TaskResult | null = () => null,
  running: () => Running = () => null,
  queriesOf: (at: number) => Pick<MigrationReport['counts'], 'asks' | 'ends'> = () => ({}),
) {
  const asked: Asked[] = []
  const call = async (id: string, input: Asked['input']) => {
    asked.push({ id, input })
    switch (id) {
      case 'version.approveList':
        return ok([
          {
            id: 'a',
            username: '林',
            userId: 'u',
            result: 1,
            content: '全部',
            suggest: '无',
            isSign: true,
            signedAt: '2026-05-06T09:30:00.000Z',
            isTester: true,
            trial: { pages: 3, tried: 2, submitted: 1, lastAt: '2026-05-06T08:00:00.000Z' },
          },
        ])
      case 'version.migrationPlan':
        return ok(planFor(input.body?.mappings ?? { fields: [], choices: [] }))
      case 'version.migrationCheck': {
        const { current = 1, size = 10 } = input.query ?? {}
        const all = Array.from({ length: 120 }, (_, at) => {
          const report = reportOf(at + 1)
          return { ...report, counts: { ...report.counts, ...queriesOf(at + 1) } }
        })
        return ok({ records: all.slice((current - 1) * size, current * size), total: 120, size, current, pages: 2 })
      }
      case 'version.detail':
        return ok({ ...FROM, folders: foldersWith(input.params?.id === FROM.id ? 'number' : 'input') })
      case 'version.release':
        return ok({ ...FROM, id: 'v2', taskId: 't1' })
      case 'task.result': {
        const result = task()
        return result === null ? err({ code: 'offline' }) : ok(result)
      }
      case 'version.migrationTask':
        return ok(running())
      case 'version.migrationAgain':
        return ok({ taskId: 't2' })
      default:
        return ok(null)
    }
  }
  return { asked, session: { call: call as unknown as Session['call'] } }
}

let versions = 100
async function releasing(desk: { readonly session: Partial<Session> }) {
  const project = projectRow({ role: 'ADMIN', permissions: ['project_crf_test_publish'] })
  // Another one each time, for what was read is remembered.
  const version = {
    ...FROM,
    id: `r${String((versions += 1))}`,
    versionNo: 2,
    versionNoDesc: 'V2.0',
    crfProfile: 'test' as const,
  }
  show(
    <AtDesk desk={desk}>
      <VersionActions project={project} version={version} />
    </AtDesk>,
  )
  await userEvent.click(await screen.findByRole('button', { name: '发布正式版' }))
}

test('a release shows what becomes of fields, choices and pages, and of what was entered of every patient', async () => {
  await releasing(server())
  expect(await screen.findByText(/已录入 120 名受试者的数据/)).toBeDefined()
  expect(screen.getByText('基线 · 舌诊')).toBeDefined()
  expect(await screen.findByText('已检查 120 / 120 名受试者。')).toBeDefined()
  // Figures are those of all pages of the dry run, and each line names its patient.
  expect(screen.getByText('360')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: /^字段停用，值保留在页面下方/ }))
  expect(screen.getByText('01-120')).toBeDefined()
  expect(screen.getByText('说明120')).toBeDefined()
})

test('a release shows how many queries it would raise and close, in total and of whom', async () => {
  await releasing(
    server(
      () => null,
      () => null,
      (at) => ({ asks: at === 120 ? 3 : 0, ends: at <= 2 ? 1 : 0 }),
    ),
  )
  await screen.findByText('已检查 120 / 120 名受试者。')
  const group = screen.getByRole('region', { name: '已录入数据的质疑' })
  expect(within(group).getByText('提出 3 条 · 关闭 2 条 · 3 名受试者')).toBeDefined()
  await userEvent.click(within(group).getByRole('button'))
  const rows = within(within(group).getByRole('table')).getAllByRole('row')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    '受试者提出质疑关闭质疑',
    '01-00101',
    '01-00201',
    '01-12030',
  ])
})

test('a release says nothing of queries where the server does not foresee them, and of nobody where there are none', async () => {
  await releasing(server())
  await screen.findByText('已检查 120 / 120 名受试者。')
  expect(screen.queryByText('提出质疑')).toBeNull()
  cleanup()
  await releasing(
    server(
      () => null,
      () => null,
      () => ({ asks: 0, ends: 0 }),
    ),
  )
  await screen.findByText('已检查 120 / 120 名受试者。')
  expect(screen.getByText('提出质疑')).toBeDefined()
  expect(screen.queryByRole('region', { name: '已录入数据的质疑' })).toBeNull()
})

test('values are grouped by outcome and by what has changed about their fields, with figures, and folded', async () => {
  await releasing(server())
  await screen.findByText('已检查 120 / 120 名受试者。')
  const group = await screen.findByRole('region', { name: '数字改为单行文本' })
  expect(within(group).getByText('1 个字段 · 影响 120 条值')).toBeDefined()
  expect(within(group).queryByRole('table')).toBeNull()
  await userEvent.click(within(group).getByRole('button'))
  const [fields] = within(group).getAllByRole('table')
  expect(fields?.textContent).toContain('基线 · 生命体征体征120120')
  // What is retired concerns a person more than what is only written in another way.
  const titles = screen.getAllByRole('region').map((region) => region.getAttribute('aria-label'))
  expect(titles.indexOf('字段停用，值保留在页面下方')).toBeLessThan(titles.indexOf('数字改为单行文本'))
})

test('what has to be decided first stands above what happens to the values', async () => {
  await releasing(server())
  const decide = await screen.findByRole('region', { name: '请先决定' })
  expect(within(decide).getByText('请先决定（2 项）')).toBeDefined()
  expect(within(decide).getByRole('combobox', { name: '备注 note 映射到' })).toBeDefined()
  const dryRun = screen.getByRole('region', { name: /试运行/ })
  expect(decide.compareDocumentPosition(dryRun) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0)
})

test('a person says which new field and which choice is the same, sees it in the plan, takes it back, and it is released with the rest', async () => {
  const desk = server()
  await releasing(desk)
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: '备注 note 映射到' }), 'remark')
  await screen.findByText(/生命体征 · note → remark/)
  expect(screen.queryByRole('combobox', { name: '备注 note 映射到' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: /取消映射：生命体征/ }))
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: '备注 note 映射到' }), 'remark')
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: '体征 sign 乙 映射到' }), 'a')
  await screen.findByText(/生命体征 · sign: b → a/)
  const [, submit] = await screen.findAllByRole('button', { name: '发布正式版', hidden: true })
  if (submit === undefined) throw new Error('nothing to submit')
  await userEvent.click(submit)
  await waitFor(() =>
    expect(desk.asked.find(({ id }) => id === 'version.release')?.input.body?.mappings).toEqual({
      fields: [{ pageId: 'p1', table: null, from: 'note', to: 'remark' }],
      choices: [{ pageId: 'p1', table: null, code: 'sign', from: 'b', to: 'a' }],
    }),
  )
  // The task is known to this device from now on, after a reload too.
  expect(localStorage.getItem('zhenglu.migration')).toContain('t1')
})

let projects = 0
/** Any screen of the project on a device that has begun a migration, or on another. */
function inProject(
  task: () => TaskResult | null,
  {
    began = true,
    running,
    screen: at = 'v/1/patients',
    mayRelease = false,
  }: {
    readonly began?: boolean
    readonly running?: () => Running
    readonly screen?: string
    readonly mayRelease?: boolean
  } = {},
) {
  const project = projectRow({
    id: `00000000-0000-7000-8000-${String((projects += 1)).padStart(12, '0')}`,
    ...(mayRelease ? { role: 'PM' as const, permissions: [...defaultPermissions('PM')] } : {}),
  })
  if (began) setMigrationTask({ taskId: 't1', projectId: project.id })
  const desk = server(task, running)
  const routes = (
    <Routes>
      <Route path="/p/:id" element={<WorkspaceLayout />}>
        <Route path="*" element={<p>受试者列表</p>} />
      </Route>
      <Route path="/projects" element={<p>所有项目</p>} />
    </Routes>
  )
  show(<AtDesk desk={{ ...desk, project: async () => ok(project) }}>{routes}</AtDesk>, `/p/${project.id}/${at}`)
  return desk
}

const state = (more: Partial<TaskResult>): TaskResult => ({
  id: 't1',
  type: 'migration',
  status: 0,
  finishedCount: 1,
  totalCount: 3,
  source: 'V2.0',
  log: null,
  ...more,
})

test('every screen of the project shows how far it is to three decimals, asks every five seconds, and at its end hands over the log and leads to the projects', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  let now = state({})
  const saved = watchDownloads()
  const desk = inProject(() => now)
  expect(await screen.findByText('33.333%')).toBeDefined()
  expect(screen.getByText('1 / 3 名受试者')).toBeDefined()
  const before = desk.asked.length
  now = state({ finishedCount: 2 })
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(desk.asked.length).toBe(before + 1)
  expect(await screen.findByText('66.667%')).toBeDefined()
  now = state({ status: 1, finishedCount: 3, log: '01-001\t停用' })
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(await screen.findByText('项目发布成功，请退出后重新进入!')).toBeDefined()
  expect(saved.map(({ name }) => name)).toEqual(['migration-V2.0.txt'])
  await userEvent.click(screen.getByRole('button', { name: '返回项目列表' }))
  expect(await screen.findByText('所有项目')).toBeDefined()
  expect(localStorage.getItem('zhenglu.migration')).toBeNull()
})

test('one that failed shows its log as an error until somebody has read it; a server out of reach says nothing', async () => {
  let now: TaskResult | null = null
  vi.useFakeTimers({ shouldAdvanceTime: true })
  inProject(() => now)
  expect(await screen.findByText('受试者列表')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
  now = state({ status: 2, finishedCount: 3, log: '01-002\t未迁移' })
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect((await screen.findByRole('alert')).textContent).toContain('01-002\t未迁移')
  await userEvent.click(screen.getByRole('button', { name: '关闭' }))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(localStorage.getItem('zhenglu.migration')).toBeNull()
})

test('the log of one that failed is read again where a reader chooses another language', async () => {
  let now: TaskResult | null = state({ status: 2, finishedCount: 3, log: '01-002\t未迁移' })
  inProject(() => now)
  expect((await screen.findByRole('alert')).textContent).toContain('01-002\t未迁移')
  now = state({ status: 2, finishedCount: 3, log: '01-002\tnot migrated' })
  await act(() => speak('en'))
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('01-002\tnot migrated'))
  await act(() => speak('zh'))
})

const RUNNING: Running = { taskId: 't1', crfId: 'v2', status: 0, left: 2 }

test('everybody who may release sees the one that runs, whoever began it, and is told of its end without being led away', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  let now = state({})
  const saved = watchDownloads()
  inProject(() => now, { began: false, running: () => RUNNING, mayRelease: true })
  expect(await screen.findByText('33.333%')).toBeDefined()
  now = state({ status: 1, finishedCount: 3, log: '01-001\t停用' })
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(await screen.findByText('V2.0 的数据迁移已完成。')).toBeDefined()
  expect(saved).toEqual([])
  expect(screen.getByText('受试者列表')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: '关闭' }))
  expect(screen.queryByText('V2.0 的数据迁移已完成。')).toBeNull()
})

test('who may not release, and has begun none, asks for none', async () => {
  const desk = inProject(() => state({}), { began: false, running: () => RUNNING })
  expect(await screen.findByText('受试者列表')).toBeDefined()
  expect(screen.queryByText('33.333%')).toBeNull()
  expect(desk.asked.map(({ id }) => id)).not.toContain('version.migrationTask')
})

test('patients whom it left behind are listed where versions are, with the reason, and given another turn by a button', async () => {
  let tasks: Readonly<Record<string, TaskResult>> = {
    t1: state({ status: 2, finishedCount: 3, log: '01-002\t未迁移' }),
  }
  let at: Running = { taskId: 't1', crfId: 'v2', status: 2, left: 1 }
  const desk = inProject(() => tasks[at?.taskId ?? ''] ?? null, {
    began: false,
    running: () => at,
    screen: 'admin/crfHistory',
    mayRelease: true,
  })
  expect((await screen.findByRole('alert')).textContent).toContain('01-002\t未迁移')
  tasks = { t2: state({ id: 't2', finishedCount: 0, totalCount: 1 }) }
  at = { taskId: 't2', crfId: 'v2', status: 0, left: 1 }
  await userEvent.click(screen.getByRole('button', { name: '重新迁移未完成的受试者' }))
  expect(await screen.findByText('0 / 1 名受试者')).toBeDefined()
  expect(desk.asked.find(({ id }) => id === 'version.migrationAgain')?.input.query).toEqual({ crfId: 'v2' })
})

test('the plan of a version that is released is asked for no more', async () => {
  const desk = server()
  await releasing(desk)
  await screen.findByText(/已录入 120 名受试者的数据/)
  const [, submit] = await screen.findAllByRole('button', { name: '发布正式版', hidden: true })
  if (submit === undefined) throw new Error('nothing to submit')
  await userEvent.click(submit)
  await waitFor(() => expect(desk.asked.some(({ id }) => id === 'version.release')).toBe(true))
  await act(() => Promise.resolve())
  const ids = desk.asked.map(({ id }) => id)
  expect(ids.slice(ids.indexOf('version.release')).filter((id) => id === 'version.migrationPlan')).toEqual([])
})
