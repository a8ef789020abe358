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

/** Who enters which pass, in a project that is entered twice. */

beforeAll(() => speak('zh'))

const CENTER = newId()

function open({
  isDouble = true,
  mayManage = true,
}: { readonly isDouble?: boolean; readonly mayManage?: boolean } = {}) {
  const made = projectRow({ id: newId(), role: 'PM', permissions: mayManage ? ['mem'] : [] })
  const project = { ...made, config: { ...made.config, isDouble: isDouble ? (1 as const) : (0 as const) } }
  const lin: MemberDetail = {
    id: newId(),
    projectId: project.id,
    userId: newId(),
    account: 'lin',
    realName: '林协调',
    phone: null,
    userRole: 'CRC',
    userRoleName: 'CRC',
    type: 'center',
    dataScope: 'center',
    centerIds: [CENTER],
    entryPass: 1,
    crfApprove: 1,
    status: 'active',
    lastLoginTime: null,
    startDt: '2026-01-01',
    endDt: null,
    remark: '夜班',
  }
  let team = [lin]
  const sent: unknown[] = []
  const call = (async (name: string, { body }: { body?: Partial<MemberDetail> }) => {
    if (name === 'member.list') return ok({ records: team, total: 1, size: 1000, current: 1, pages: 1 })
    if (name === 'member.deptUsers')
      return ok([{ id: 'd', deptName: '', userList: [{ id: 'u2', account: 'wu', realName: '吴协调', phone: null }] }])
    sent.push([name, body])
    if (name === 'member.update') team = [{ ...lin, ...body }]
    return ok(null)
  }) as unknown as Session['call']
  show(
    <AtDesk
      desk={{
        session: { call },
        centers: [
          {
            id: CENTER,
            centerName: '北院',
            centerCode: 'N',
            status: 'active',
            groupSummary: null,
            planEnrolls: null,
            siteNo: null,
            numberTemplate: null,
          },
        ],
      }}
    >
      <Routes>
        <Route element={<Outlet context={{ project }} />}>
          <Route path="/" element={<MembersScreen />} />
        </Route>
      </Routes>
    </AtDesk>,
  )
  return { sent, lin }
}

const row = async () =>
  within((await screen.findByRole('rowheader', { name: '林协调' })).closest<HTMLElement>('[role=row]') ?? document.body)

test('a member is given the second pass, all else about them stays, and the list says so', async () => {
  const { sent, lin } = open()
  expect((await row()).getByText('一录')).toBeTruthy()
  await userEvent.click(await screen.findByText('林协调'))
  await userEvent.click(screen.getByRole('button', { name: '编辑“林协调”' }))
  await userEvent.click(await screen.findByRole('radio', { name: '二录' }))
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const { id, projectId, userRole, type, dataScope, centerIds, crfApprove, status, startDt, endDt, remark } = lin
  expect(sent).toEqual([
    [
      'member.update',
      { id, projectId, userRole, type, dataScope, centerIds, entryPass: 2, crfApprove, status, startDt, endDt, remark },
    ],
  ])
  expect((await row()).getByText('二录')).toBeTruthy()
})

test('a new member is given a pass with the rest', async () => {
  const { sent } = open()
  await userEvent.click(await screen.findByRole('button', { name: '添加成员' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('combobox', { name: /用户/ }))
  await userEvent.click(await screen.findByRole('option', { name: '吴协调 (wu)' }))
  await userEvent.click(dialog.getByRole('combobox', { name: /所属中心/ }))
  await userEvent.click(await screen.findByRole('option', { name: '北院' }))
  await userEvent.click(dialog.getByRole('radio', { name: '二录' }))
  await userEvent.click(dialog.getByRole('button', { name: '添加' }))
  await waitFor(() => expect(sent).toMatchObject([['member.save', { userId: 'u2', entryPass: 2 }]]))
})

test('nobody is asked where the project is entered once, and nobody may choose who may not manage the team', async () => {
  open({ isDouble: false })
  await screen.findByText('林协调')
  expect(screen.queryByText('一录')).toBeNull()
  await userEvent.click(await screen.findByText('林协调'))
  await userEvent.click(screen.getByRole('button', { name: '编辑“林协调”' }))
  await screen.findByRole('dialog')
  expect(screen.queryByRole('radio')).toBeNull()
})

test('who may not manage the team sees the passes alone', async () => {
  open({ mayManage: false })
  expect((await row()).getByText('一录')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^编辑/ })).toBeNull()
})
