// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes } from 'react-router-dom'
import { beforeAll, expect, test } from 'vitest'
import type { MemberDetail } from '#core/api/calls/project.ts'
import { err, ok } from '#core/result.ts'
import type { PermissionCode } from '#core/access/permissions.ts'
import { newId } from '#core/ids.ts'
import { MembersScreen } from '#src/screens/admin/MembersScreen.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** Who takes part in testing, in the list of the team. */

beforeAll(() => speak('zh'))

const CENTER = newId()

function memberOf(
  projectId: string,
  userRole: MemberDetail['userRole'],
  realName: string,
  facts: Partial<MemberDetail> = {},
): MemberDetail {
  return {
    id: newId(),
    projectId,
    userId: newId(),
    account: 'someone',
    realName,
    phone: '13900000000',
    userRole,
    userRoleName: userRole,
    type: 'center',
    dataScope: 'center',
    centerIds: [CENTER],
    entryPass: 1,
    crfApprove: 0,
    status: 'active',
    lastLoginTime: null,
    startDt: null,
    endDt: null,
    remark: null,
    ...facts,
  }
}

/** The team of a project as somebody sees it; @returns what is sent to change a member. */
function open({
  permissions = ['mem'],
  refuses = false,
}: { readonly permissions?: PermissionCode[]; readonly refuses?: boolean } = {}) {
  const project = projectRow({ id: newId(), role: 'PM', permissions })
  let team = [
    memberOf(project.id, 'CRC', '林协调', { entryPass: 2, startDt: '2026-01-01', endDt: '2027-12-31', remark: '夜班' }),
    memberOf(project.id, 'DBD', '王数据', { type: 'project', dataScope: 'all', centerIds: [], crfApprove: 1 }),
    memberOf(project.id, 'CRA', '陈监查'),
    memberOf(project.id, 'PI', '周研究'),
  ]
  const sent: unknown[] = []
  const call = (async (name: string, { body }: { body?: Partial<MemberDetail> }) => {
    if (name === 'member.list') return ok({ records: team, total: team.length, size: 1000, current: 1, pages: 1 })
    sent.push([name, body])
    if (refuses) return err({ code: 'project_closed' })
    team = team.map((one) => (one.id === body?.id ? { ...one, ...body } : one))
    return ok(null)
  }) as unknown as Session['call']
  show(
    <AtDesk desk={{ session: { call } }}>
      <Routes>
        <Route element={<Outlet context={{ project }} />}>
          <Route path="/" element={<MembersScreen />} />
        </Route>
      </Routes>
    </AtDesk>,
  )
  const [first] = team
  return { sent, first }
}

const row = async (name: string) => {
  const found = (await screen.findByRole('rowheader', { name })).closest<HTMLElement>('[role=row]')
  if (found === null) throw new Error(`${name} is in no row`)
  return within(found)
}

test('the list tells who takes part, and offers the choice for coordinators and data managers alone', async () => {
  open()
  expect((await row('王数据')).getByText('参与')).toBeTruthy()
  expect((await row('林协调')).getByText('不参与')).toBeTruthy()
  await userEvent.click(await screen.findByText('陈监查'))
  await userEvent.click(screen.getByRole('button', { name: '编辑“陈监查”' }))
  await screen.findByRole('dialog')
  expect(screen.queryByRole('checkbox', { name: '参与表单测试' })).toBeNull()
})

test('who may not manage the team sees who takes part, and is offered no choice', async () => {
  open({ permissions: ['project_edit'] })
  expect((await row('王数据')).getByText('参与')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^(编辑|删除)/ })).toBeNull()
})

test('a coordinator becomes a tester, and all else about them stays', async () => {
  const { sent, first } = open()
  await userEvent.click(await screen.findByText('林协调'))
  await userEvent.click(screen.getByRole('button', { name: '编辑“林协调”' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: '参与表单测试' }))
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const { id, projectId } = first ?? {}
  expect(sent).toEqual([
    [
      'member.update',
      {
        id,
        projectId,
        userRole: 'CRC',
        type: 'center',
        dataScope: 'center',
        centerIds: [CENTER],
        entryPass: 2,
        crfApprove: 1,
        status: 'active',
        startDt: '2026-01-01',
        endDt: '2027-12-31',
        remark: '夜班',
      },
    ],
  ])
  expect((await row('林协调')).getByText('参与')).toBeTruthy()
})

test('a data manager is a tester no more', async () => {
  const { sent } = open()
  await userEvent.click(await screen.findByText('王数据'))
  await userEvent.click(screen.getByRole('button', { name: '编辑“王数据”' }))
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: '参与表单测试' })
  expect(box.checked).toBe(true)
  await userEvent.click(box)
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() =>
    expect(sent).toMatchObject([
      ['member.update', { userRole: 'DBD', crfApprove: 0, dataScope: 'all', centerIds: [] }],
    ]),
  )
})

test('a refusal is told, and the dialog stays', async () => {
  open({ refuses: true })
  await userEvent.click(await screen.findByText('林协调'))
  await userEvent.click(screen.getByRole('button', { name: '编辑“林协调”' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: '参与表单测试' }))
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  expect(await within(screen.getByRole('dialog')).findByRole('alert')).toBeTruthy()
})
