// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes } from 'react-router-dom'
import { beforeAll, expect, test } from 'vitest'
import type { MemberDetail } from '#core/api/calls/project.ts'
import { newId } from '#core/ids.ts'
import { ok } from '#core/result.ts'
import { MembersScreen } from '#src/screens/admin/MembersScreen.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** A member is changed, stopped and removed in the app (docs/findings.md K20, specification §§5, 8). */

beforeAll(() => speak('zh'))

const CENTERS = ['北院', '南院'].map((centerName, index) => ({
  id: newId(),
  centerName,
  centerCode: String(index),
  status: 'active' as const,
  groupSummary: null,
  planEnrolls: null,
  siteNo: null,
  numberTemplate: null,
}))
const [NORTH = '', SOUTH = ''] = CENTERS.map(({ id }) => id)

function open({ reachable = true }: { readonly reachable?: boolean } = {}) {
  const project = projectRow({ id: newId(), role: 'PM', permissions: ['mem'] })
  const lin: MemberDetail = {
    id: newId(),
    projectId: project.id,
    userId: newId(),
    account: 'lin',
    realName: '林协调',
    phone: '13900000000',
    userRole: 'CRC',
    userRoleName: 'CRC',
    type: 'center',
    dataScope: 'center',
    centerIds: [NORTH],
    entryPass: 1,
    crfApprove: 0,
    status: 'active',
    lastLoginTime: null,
    startDt: null,
    endDt: null,
    remark: null,
  }
  let team = [lin]
  const sent: [string, unknown][] = []
  const call = (async (name: string, { body, query }: { body?: Partial<MemberDetail>; query?: { ids?: string } }) => {
    if (name === 'member.list') return ok({ records: team, total: team.length, size: 1000, current: 1, pages: 1 })
    sent.push([name, body ?? query])
    team = name === 'member.remove' ? [] : team.map((one) => ({ ...one, ...body }))
    return ok(null)
  }) as unknown as Session['call']
  show(
    <AtDesk desk={{ session: { call, reachable }, centers: CENTERS }}>
      <Routes>
        <Route element={<Outlet context={{ project }} />}>
          <Route path="/" element={<MembersScreen />} />
        </Route>
      </Routes>
    </AtDesk>,
  )
  return { sent, lin }
}

test('a member is stopped from a day on, moved to another center and told why; who they are cannot be changed', async () => {
  const { sent, lin } = open()
  await userEvent.click(await screen.findByText('林协调'))
  await userEvent.click(screen.getByRole('button', { name: '编辑“林协调”' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByLabelText<HTMLInputElement>('姓名').disabled).toBe(true)
  expect(dialog.getByLabelText<HTMLInputElement>('手机号').disabled).toBe(true)
  await userEvent.click(dialog.getByRole('combobox', { name: /所属中心/ }))
  await userEvent.click(await screen.findByRole('option', { name: '南院' }))
  await userEvent.click(await screen.findByRole('option', { name: '北院' }))
  await userEvent.click(dialog.getByRole('combobox', { name: /状态/ }))
  await userEvent.click(await screen.findByRole('option', { name: '已停用' }))
  await userEvent.type(dialog.getByLabelText('结束日期'), '20260930')
  await userEvent.type(dialog.getByLabelText('备注'), '离职')
  await userEvent.click(dialog.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toEqual([
    [
      'member.update',
      {
        id: lin.id,
        projectId: lin.projectId,
        userRole: 'CRC',
        type: 'center',
        dataScope: 'center',
        centerIds: [SOUTH],
        entryPass: 1,
        crfApprove: 0,
        status: 'pause',
        startDt: null,
        endDt: '2026-09-30',
        remark: '离职',
      },
    ],
  ])
})

test('days that are none, or in the wrong order, are not sent', async () => {
  const { sent } = open()
  await userEvent.click(await screen.findByText('林协调'))
  await userEvent.click(screen.getByRole('button', { name: '编辑“林协调”' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('开始日期'), '20261001')
  await userEvent.type(dialog.getByLabelText('结束日期'), '20260930')
  await userEvent.click(dialog.getByRole('button', { name: '保存' }))
  expect(await dialog.findByText('结束日期不能早于开始日期')).toBeTruthy()
  expect(sent).toEqual([])
})

test('removing is asked for by name', async () => {
  const { sent, lin } = open()
  await userEvent.click(await screen.findByText('林协调'))
  await userEvent.click(screen.getByRole('button', { name: '删除“林协调”' }))
  const dialog = within(await screen.findByRole('dialog', { name: '确认删除林协调吗?' }))
  await userEvent.click(dialog.getByRole('button', { name: '删除' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toEqual([['member.remove', { ids: lin.id }]])
})

test('without the server the buttons stay in their place and say why', async () => {
  const { sent } = open({ reachable: false })
  await userEvent.click(await screen.findByText('林协调'))
  const edit = await screen.findByRole('button', { name: '编辑“林协调”', description: '当前离线，联网后可用' })
  await userEvent.click(edit)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(sent).toEqual([])
})
