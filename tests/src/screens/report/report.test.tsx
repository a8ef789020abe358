// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes } from 'react-router-dom'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Report, ReportSubject } from '#core/api/calls/data/report.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { PermissionCode } from '#core/access/permissions.ts'
import type { CenterRow } from '#core/api/sync/rows.ts'
import type { ReportKind } from '#core/report/kinds.ts'
import { err, ok } from '#core/result.ts'
import { ReportScreen } from '#src/screens/report/ReportScreen.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** Reports as who reads them sees them: figures, shares, and the subjects behind them. */

beforeAll(() => speak('zh'))

const NORTH = '0190a000-0000-7000-8000-0000000000c1'
const SOUTH = '0190a000-0000-7000-8000-0000000000c2'
const PATIENT = '0190a000-0000-7000-8000-0000000000d1'
const CENTERS = [
  { id: NORTH, centerName: '北院' },
  { id: SOUTH, centerName: '南院' },
] as CenterRow[]

const report = (
  kind: ReportKind,
  lines: Report['lines'],
  total: Report['total'],
  more: Partial<Report> = {},
): Report => ({
  kind,
  at: '2026-11-20T01:00:00.000Z',
  lines,
  total,
  months: [],
  reasons: [],
  sources: [],
  untold: null,
  ...more,
})

const COMPLETENESS = report(
  'completeness',
  [
    {
      id: NORTH,
      name: '北院',
      figures: { begun: 40, submitted: 30, waiting: 10, missing: 5, conflicts: 0, fields: 400, answered: 390 },
    },
    { id: SOUTH, name: '南院', figures: {} },
  ],
  { begun: 40, submitted: 30, waiting: 10, missing: 5, conflicts: 0, fields: 400, answered: 390 },
)

const SUBJECTS: readonly ReportSubject[] = [
  {
    patientId: PATIENT,
    patientNo: 'N01-001',
    patientMark: 'AAAA',
    initials: 'ZS',
    centerId: NORTH,
    centerName: '北院',
    value: 5,
  },
]

type Asked = readonly [id: string, input: { readonly query?: Readonly<Record<string, unknown>> }]

let projects = 0
function look(
  permissions: readonly PermissionCode[],
  answer: Report,
  { address = '/report', reachable = true as boolean | null, failing = null as ApiError | null } = {},
): readonly Asked[] {
  projects += 1
  const project = projectRow({
    id: `0190a000-0000-7000-8000-0000000020${String(projects).padStart(2, '0')}`,
    permissions: [...permissions],
  })
  const asked: Asked[] = []
  const call = vi.fn(async (id: string, input: Asked[1]) => {
    asked.push([id, input])
    if (id === 'report.pins') return ok([])
    if (failing !== null) return err(failing)
    return id === 'report.read'
      ? ok({ ...answer, kind: input.query?.['kind'] })
      : ok({ records: SUBJECTS, total: 1, size: 50, current: 1, pages: 1 })
  }) as unknown as Session['call']
  show(
    <AtDesk desk={{ session: { call, reachable }, centers: CENTERS }}>
      <Routes>
        <Route element={<Outlet context={{ project }} />}>
          <Route path="/report" element={<ReportScreen />} />
        </Route>
      </Routes>
    </AtDesk>,
    address,
  )
  return asked
}

let files: Blob[] = []
beforeEach(() => {
  files = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    files.push(file as Blob)
    return 'blob:report'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
})

const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent)

test('each center has its figures and shares; what is not counted is a dash, not a zero', async () => {
  look(['report_view'], COMPLETENESS, { address: '/report?report=completeness' })
  const table = within(await screen.findByRole('table', { name: '录入完整性' }))
  expect(table.getAllByRole('row').slice(1).map(cellsOf)).toEqual([
    ['北院', '40', '30', '10', '5', '0', '97.5%', '75%'],
    ['南院', '–', '–', '–', '–', '–', '–', '–'],
    ['合计', '40', '30', '10', '5', '0', '97.5%', '75%'],
  ])
})

test('a figure opens the subjects behind it, each of whom leads to their casebook', async () => {
  const asked = look(['report_view'], COMPLETENESS, { address: '/report?report=completeness' })
  await userEvent.click(await screen.findByRole('link', { name: '北院 · 必填未填 5' }))
  const panel = within(await screen.findByRole('complementary', { name: '必填未填' }))
  const subject = await panel.findByRole('link', { name: /N01-001/ })
  expect(subject.getAttribute('href')).toContain(`/eCRF/${PATIENT}?p=`)
  expect(asked.at(-1)).toMatchObject([
    'report.subjects',
    { query: { kind: 'completeness', measure: 'missing', centerId: NORTH } },
  ])
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('complementary')).toBeNull()
})

test('another report is asked for when it is chosen, with its own figures', async () => {
  const asked = look(['report_view'], COMPLETENESS)
  const kinds = within(await screen.findByRole('navigation', { name: '报表' }))
  await userEvent.click(kinds.getByRole('button', { name: '访视完成' }))
  await screen.findByText('计划访视是否按时间窗完成，哪些已超窗。')
  expect(asked.at(-1)?.[1].query).toMatchObject({ kind: 'visits' })
  // Only projects with double entry have its report.
  expect(kinds.queryByRole('button', { name: '双份录入' })).toBeNull()
})

test('a center far above the others is marked in words', async () => {
  const figures = { overdue: 30, past: 100, submitted: 10 }
  const other = { overdue: 70, past: 900, submitted: 10 }
  look(
    ['report_view'],
    report(
      'risk',
      [
        { id: NORTH, name: '北院', figures },
        { id: SOUTH, name: '南院', figures: other },
      ],
      { overdue: 100, past: 1000, submitted: 20 },
    ),
    { address: '/report?report=risk' },
  )
  const table = within(await screen.findByRole('table', { name: '中心风险' }))
  expect(table.getByRole('row', { name: /北院/ }).textContent).toContain('明显偏高30%')
  expect(table.getByRole('row', { name: /南院/ }).textContent).not.toContain('偏高')
})

test('the file has every line and the total, with shares as numbers', async () => {
  look(['report_view'], COMPLETENESS, { address: '/report?report=completeness' })
  await userEvent.click(await screen.findByRole('button', { name: '下载 CSV' }))
  expect(await files[0]?.text()).toBe(
    '研究中心,已录入页,已提交页,未提交页,必填未填,待处理冲突,字段完整率,提交率\r\n' +
      '北院,40,30,10,5,0,97.5,75\r\n南院,,,,,,,\r\n合计,40,30,10,5,0,97.5,75\r\n',
  )
})

test('a period that is typed whole narrows the report; one that cannot be is said', async () => {
  const asked = look(['report_view'], COMPLETENESS, { address: '/report?report=queries' })
  await userEvent.type(await screen.findByLabelText('开始日期'), '20261101')
  await userEvent.tab()
  await vi.waitFor(() => expect(asked.at(-1)?.[1].query).toMatchObject({ kind: 'queries', from: '2026-11-01' }))
  await userEvent.type(screen.getByLabelText('结束日期'), '20261001')
  await userEvent.tab()
  expect(await screen.findByText('结束日期早于开始日期')).toBeTruthy()
})

test('a report of recognised forms names them; a figure that no form tells is a dash', async () => {
  const figures = { numbered: 40, numberedWith: 10, withEvent: 10, events: 14, serious: 1, ongoing: 3 }
  look(
    ['report_view'],
    report('adverseEvents', [{ id: NORTH, name: '北院', figures }], figures, {
      sources: [{ name: '不良事件', nameEn: 'Adverse event' }],
    }),
    { address: '/report?report=adverseEvents' },
  )
  const table = within(await screen.findByRole('table', { name: '不良事件' }))
  expect(cellsOf(table.getByRole('row', { name: /北院/ }))).toEqual([
    '北院',
    '10',
    '14',
    '1',
    '–',
    '–',
    '–',
    '–',
    '3',
    '25%',
  ])
  expect(screen.getByText('依据表单：不良事件')).toBeTruthy()
})

test('where no form of adverse events is recognised, words say so and no zeros', async () => {
  look(['report_view'], report('adverseEvents', [], {}, { untold: 'noForm' }), {
    address: '/report?report=adverseEvents',
  })
  expect(await screen.findByText('未识别出不良事件表单')).toBeTruthy()
  expect(screen.queryByRole('table')).toBeNull()
})

test('deviations that are recorded stand beside those of visits, whose subjects open at their visits', async () => {
  const figures = {
    numbered: 40,
    numberedWith: 10,
    withDeviation: 11,
    recorded: 8,
    major: 1,
    minor: 6,
    outside: 5,
    missed: 0,
  }
  look(
    ['report_view'],
    report('deviations', [{ id: NORTH, name: '北院', figures }], figures, {
      sources: [{ name: '方案偏离', nameEn: 'Protocol deviation' }],
    }),
    { address: '/report?report=deviations' },
  )
  const table = within(await screen.findByRole('table', { name: '方案偏离' }))
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    '研究中心',
    '发生偏离的受试者',
    '登记的偏离（件）',
    '重大',
    '一般/轻微',
    '窗外进行',
    '未到访',
    '偏离发生率',
  ])
  expect(cellsOf(table.getByRole('row', { name: /北院/ }))).toEqual(['北院', '11', '8', '1', '6', '5', '0', '25%'])
  expect(screen.getByText('依据表单：方案偏离')).toBeTruthy()
  await userEvent.click(table.getByRole('link', { name: '北院 · 窗外进行 5' }))
  const panel = within(await screen.findByRole('complementary', { name: '窗外进行' }))
  const ofVisits = (await panel.findByRole('link', { name: /N01-001/ })).getAttribute('href')
  await userEvent.click(table.getByRole('link', { name: '北院 · 重大 1' }))
  const other = within(await screen.findByRole('complementary', { name: '重大' }))
  const ofPages = (await other.findByRole('link', { name: /N01-001/ })).getAttribute('href')
  expect(ofVisits).not.toBe(ofPages)
})

test('without a form of deviations those of visits are told, and words say what is missing', async () => {
  const figures = { numbered: 40, numberedWith: 5, withDeviation: 5, outside: 5, missed: 0 }
  look(['report_view'], report('deviations', [{ id: NORTH, name: '北院', figures }], figures, { untold: 'noForm' }), {
    address: '/report?report=deviations',
  })
  const table = within(await screen.findByRole('table', { name: '方案偏离' }))
  const cells = cellsOf(table.getByRole('row', { name: /北院/ }))
  expect(cells).toEqual(['北院', '5', '–', '–', '–', '5', '0', '12.5%'])
  expect(screen.getByText(/^未识别出方案偏离表单/)).toBeTruthy()
})

test('devices have their figures, and hours in the file; what asks for work is marked and opens nothing', async () => {
  const figures = {
    devices: 6,
    silent: 2,
    withUnsent: 1,
    unsent: 14,
    blocked: 0,
    toServer: 0.4,
    acts: 200,
    withinDay: 190,
  }
  look(['report_view'], report('devices', [{ id: NORTH, name: '北院', figures }], figures), {
    address: '/report?report=devices',
  })
  const table = within(await screen.findByRole('table', { name: '设备与同步' }))
  const row = table.getByRole('row', { name: /北院/ })
  expect(cellsOf(row)).toEqual(['北院', '6', '2', '1', '14', '0', '0.4', '95%'])
  expect(within(row).queryByRole('link')).toBeNull()
  expect(within(row).getByText('2').className).toContain('asks')
  expect(screen.getByLabelText('开始日期')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '下载 CSV' }))
  expect(await files[0]?.text()).toBe(
    '研究中心,设备,超过 7 天未连接,有未发送内容的设备,未发送（项）,已停用,到达用时（小时）,24 小时内到达\r\n' +
      '北院,6,2,1,14,0,0.4,95\r\n合计,6,2,1,14,0,0.4,95\r\n',
  )
})

test('centers without a device have zeros, and a dash where nothing was sent', async () => {
  const figures = { devices: 0, silent: 0, withUnsent: 0, unsent: 0, blocked: 0, toServer: null, acts: 0, withinDay: 0 }
  look(['report_view'], report('devices', [{ id: NORTH, name: '北院', figures }], figures), {
    address: '/report?report=devices',
  })
  const table = within(await screen.findByRole('table', { name: '设备与同步' }))
  expect(cellsOf(table.getByRole('row', { name: /北院/ }))).toEqual(['北院', '0', '0', '0', '0', '0', '–', '–'])
})

test('the flow of subjects has its figures and reasons as tables beside the drawing, and opens its subjects', async () => {
  const figures = {
    subjects: 60,
    unnumbered: 4,
    leftBefore: 0,
    numbered: 56,
    following: 30,
    completed: 20,
    withdrawn: 6,
  }
  const asked = look(
    ['report_view'],
    report('flow', [{ id: NORTH, name: '北院', figures }], figures, { reasons: [{ text: '失访。', count: 4 }] }),
    { address: '/report?report=flow' },
  )
  const table = within(await screen.findByRole('table', { name: '受试者流程图' }))
  expect(cellsOf(table.getByRole('row', { name: /北院/ })).slice(1, 8)).toEqual(['60', '4', '0', '56', '30', '20', '6'])
  // The frame's own figures have the reasons too; what nobody gave a reason for is told apart.
  const figuresOf = within(screen.getByRole('table', { name: '受试者流程图 · 北院', hidden: true }))
  expect(figuresOf.getByText('已退出 · 失访。').closest('tr')?.textContent).toContain('4')
  expect(figuresOf.getByText('已退出 · 其他原因').closest('tr')?.textContent).toContain('2')
  await userEvent.click(table.getByRole('link', { name: '北院 · 已退出 6' }))
  await screen.findByRole('complementary', { name: '已退出' })
  expect(asked.at(-1)).toMatchObject(['report.subjects', { query: { kind: 'flow', measure: 'withdrawn' } }])
})

test('without figures it says so', async () => {
  look(['report_view'], report('enrolment', [], {}))
  expect(await screen.findByText('还没有可统计的内容')).toBeTruthy()
})

test('who has no right to reports gets none, and asks for none', async () => {
  const asked = look(['database_view'], COMPLETENESS)
  expect(await screen.findByText('无权限')).toBeTruthy()
  expect(asked).toEqual([])
})

test('without a network no figures of before are shown', async () => {
  look(['report_view'], COMPLETENESS, { reachable: false })
  expect(await screen.findByText(/网络中断/)).toBeTruthy()
  expect(screen.queryByRole('table')).toBeNull()
})
