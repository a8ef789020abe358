// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes } from 'react-router-dom'
import { beforeAll, expect, test, vi } from 'vitest'
import type { ReportSchedule } from '#core/api/reportSchedule.ts'
import type { CenterRow } from '#core/api/sync/rows.ts'
import type { WayState } from '#core/api/noticeSettings.ts'
import type { ReportKind } from '#core/report/kinds.ts'
import { err, ok } from '#core/result.ts'
import { ReportScreen } from '#src/screens/report/ReportScreen.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** Reports that are sent by schedule, and pinned ones, as their person sets them. */

beforeAll(() => speak('zh'))

const NORTH = '0190a000-0000-7000-8000-0000000000c1'
const SOUTH = '0190a000-0000-7000-8000-0000000000c2'
const CENTERS = [
  { id: NORTH, centerName: '北院' },
  { id: SOUTH, centerName: '南院' },
] as CenterRow[]

const QUERIES: ReportSchedule = {
  id: '0190a000-0000-7000-8000-0000000000e1',
  kind: 'queries',
  centerId: NORTH,
  centerName: '北院',
  rhythm: { every: 'day' },
  language: 'zh',
  nextDay: '2026-12-02',
  paused: null,
  last: { day: '2026-12-01', why: null },
}

interface Given {
  readonly email?: WayState
  readonly schedules?: readonly ReportSchedule[]
  readonly pins?: readonly ReportKind[]
  readonly reachable?: boolean
  readonly address?: string
}

type Said = readonly [id: string, body: unknown]

let projects = 0
function look({ email = 'ready', schedules = [], pins = [], reachable = true, address = '/report' }: Given = {}) {
  projects += 1
  const id = `0190a000-0000-7000-8000-0000000030${String(projects).padStart(2, '0')}`
  const project = projectRow({ id, permissions: ['report_view'] })
  const said: Said[] = []
  let pinned = pins
  const call = vi.fn(async (name: string, input: { readonly body?: { readonly kinds?: readonly ReportKind[] } }) => {
    if (input.body !== undefined) said.push([name, input.body])
    if (name === 'report.pinSave') pinned = input.body?.kinds ?? []
    if (name === 'report.pins') return ok(pinned)
    if (name === 'report.schedules') return ok({ email, schedules })
    if (name.startsWith('report.schedule')) return ok(true)
    return err({ code: 'busy' })
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
  return { said, projectId: id }
}

async function openSheet() {
  await userEvent.click(await screen.findByRole('button', { name: '定时发送' }))
  return within(await screen.findByRole('dialog', { name: '定时发送' }))
}

test('the report that is shown is added with its center, in the rhythm that was chosen', async () => {
  const { said, projectId } = look({ address: `/report?report=visits&center=${SOUTH}` })
  const sheet = await openSheet()
  await sheet.findByText('还没有定时报表。')
  const add = within(sheet.getByRole('region', { name: '添加：访视完成 · 南院' }))
  await userEvent.click(add.getByRole('button', { name: '添加' }))
  expect(said).toMatchObject([
    [
      'report.scheduleSave',
      { projectId, kind: 'visits', centerId: SOUTH, rhythm: { every: 'week', weekday: 1 }, language: 'zh' },
    ],
  ])
})

test('each line says when the next one goes and what became of the last, and takes another rhythm', async () => {
  const { said } = look({ schedules: [QUERIES] })
  const sheet = await openSheet()
  const line = within((await sheet.findByText('质疑 · 北院')).closest('li') ?? document.body)
  expect(line.getByText('下次 2026-12-02')).toBeTruthy()
  expect(line.getByText('上次 2026-12-01，已发送')).toBeTruthy()
  await userEvent.click(line.getByRole('combobox', { name: '发送频率：质疑 · 北院' }))
  await userEvent.click(await screen.findByRole('option', { name: '每月' }))
  expect(said).toMatchObject([
    ['report.scheduleSave', { id: QUERIES.id, kind: 'queries', centerId: NORTH, rhythm: { every: 'month', day: 1 } }],
  ])
})

test('one that is paused says why, and goes on when its person wants it', async () => {
  const { said } = look({
    schedules: [{ ...QUERIES, rhythm: { every: 'week', weekday: 7 }, nextDay: null, paused: 'member' }],
  })
  const sheet = await openSheet()
  await sheet.findByText('已暂停：当时不是项目成员')
  expect(sheet.getByText('每周 周日')).toBeTruthy()
  await userEvent.click(sheet.getByRole('button', { name: '恢复发送' }))
  expect(said).toMatchObject([['report.scheduleSave', { id: QUERIES.id, rhythm: { every: 'week', weekday: 7 } }]])
})

test('one is removed after one confirmation', async () => {
  const { said, projectId } = look({ schedules: [QUERIES] })
  const sheet = await openSheet()
  await userEvent.click(await sheet.findByRole('button', { name: '删除定时报表：质疑 · 北院' }))
  expect(said).toEqual([])
  const sure = within(await screen.findByRole('dialog', { name: '删除定时报表？' }))
  await userEvent.click(sure.getByRole('button', { name: '删除' }))
  expect(said).toEqual([['report.scheduleRemove', { id: QUERIES.id, projectId }]])
})

test.each([
  ['not_set_up', '服务器未设置邮件发送，暂不能定时发送报表。'],
  ['no_address', '您的账号没有邮箱地址，暂不能定时发送报表。请联系管理员。'],
] as const)(
  'where e-mail does not reach the person (%s) it says why, and offers nothing to set',
  async (email, why) => {
    look({ email, schedules: [QUERIES] })
    const sheet = await openSheet()
    await sheet.findByText(why)
    expect(sheet.getByText('每天')).toBeTruthy()
    expect(sheet.queryByRole('button', { name: '添加' })).toBeNull()
    expect(sheet.queryByRole('combobox')).toBeNull()
    expect(sheet.getByRole('button', { name: '删除定时报表：质疑 · 北院' })).toBeTruthy()
  },
)

test('without a network it says so; there is no pin', async () => {
  look({ reachable: false })
  const sheet = await openSheet()
  expect((await sheet.findAllByText(/网络|离线|连接/)).length).toBeGreaterThan(0)
  expect(screen.queryByRole('button', { name: '固定到工作台', hidden: true })).toBeNull()
})

test('a report is pinned behind those that are, and taken away again', async () => {
  const { said, projectId } = look({ pins: ['queries'], address: '/report?report=visits' })
  const pin = await screen.findByRole('button', { name: '固定到工作台' })
  await vi.waitFor(() => expect(pin.hasAttribute('disabled')).toBe(false))
  await userEvent.click(pin)
  await userEvent.click(await screen.findByRole('button', { name: '从工作台移除' }))
  expect(said).toEqual([
    ['report.pinSave', { projectId, kinds: ['queries', 'visits'] }],
    ['report.pinSave', { projectId, kinds: ['queries'] }],
  ])
})

test('where six reports are pinned another one is not, and it says so', async () => {
  look({
    pins: ['enrolment', 'flow', 'visits', 'completeness', 'queries', 'verification'],
    address: '/report?report=risk',
  })
  const full = await screen.findByRole('button', { name: '工作台已固定 6 个报表' })
  expect(full.hasAttribute('disabled')).toBe(true)
})
