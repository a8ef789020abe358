import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router-dom'
import { beforeAll, describe, expect, test } from 'vitest'
import { defaultPermissions } from '#core/access/permissions.ts'
import { ok } from '#core/result.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { PlaceWatch } from '#src/app/PlaceWatch.tsx'
import { AppFrame } from '#src/frame/layouts/AppFrame.tsx'
import { AdminStart } from '#src/frame/layouts/AdminStart.tsx'
import { WorkspaceLayout } from '#src/frame/layouts/WorkspaceLayout.tsx'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import type { Desk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

function look(path: string, facts: Partial<ProjectRow> = {}, desk: Desk = {}) {
  const project = projectRow({ role: 'CRC', permissions: [...defaultPermissions('CRC')], ...facts })
  show(
    <AtDesk desk={{ project: () => Promise.resolve(ok(project)), ...desk }}>
      <Routes>
        <Route element={<AppFrame projectRoutes={null} />}>
          <Route path="/p/:id" element={<WorkspaceLayout />}>
            <Route path="admin" element={<AdminStart />} />
            <Route path="*" element={<p>画面</p>} />
          </Route>
        </Route>
      </Routes>
      <PlaceWatch />
    </AtDesk>,
    `/p/${project.id}/${path}`,
  )
}

describe('a place in a project', () => {
  test('is shown to who may be there, with the way back', async () => {
    look('v/1/patients')
    expect(await screen.findByText('画面')).toBeTruthy()
    expect(screen.getByRole('navigation', { name: '当前位置' }).textContent).toBe('通心络治疗稳定型心绞痛受试者')
    expect(document.title).toBe('受试者 · 证录')
  })

  test('is closed to who lacks the right, and to everybody where the function is off, in the words of the specification', async () => {
    look('devices', { role: 'PM', permissions: [...defaultPermissions('PM')], functions: ['workspace', 'patients'] })
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('无权限')
    expect(alert.textContent).toContain('您当前没有权限或该功能未启用，请联系管理员')
    expect(screen.queryByText('画面')).toBeNull()
  })

  test('leads on to the administrator where there is no menu at all', async () => {
    look('v/1/patients', { functions: [] })
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('您似乎没有可用的菜单')
    expect(alert.textContent).toContain('请联系管理员分配权限和菜单')
    expect(screen.queryByText('画面')).toBeNull()
  })
})

describe('the administration', () => {
  test('opens at the team for those who manage it', async () => {
    look('admin', { role: 'PM', permissions: [...defaultPermissions('PM')] })
    await screen.findByText('画面')
    // The way on from the administration is a step of its own.
    await waitFor(() => expect(document.title).toBe('项目团队 · 证录'))
  })
  test('opens at the first area that is theirs for others', async () => {
    look('admin', { role: 'DBD', permissions: [...defaultPermissions('DBD')] })
    await screen.findByText('画面')
    await waitFor(() => expect(document.title).toBe('表单版本 · 证录'))
  })
  test('is closed to those who have no area in it', async () => {
    look('admin')
    expect((await screen.findByRole('alert')).textContent).toContain('无权限')
  })
})

describe('the menu', () => {
  test('leads to the version in work while nothing can be entered yet, also where an address names none', async () => {
    const draft = {
      id: '0190a000-0000-7000-8000-0000000000d1',
      versionNo: 1,
      versionNoDesc: 'V1.0',
      crfProfile: 'draft',
      crfProfileDesc: '草稿',
      remark: null,
      createdAt: '2026-05-06T08:00:00.000Z',
    } as const
    look(
      'admin/crfHistory',
      { role: 'DBD', permissions: [...defaultPermissions('DBD')] },
      { versions: () => Promise.resolve(ok([draft])) },
    )
    await screen.findByText('画面')
    await userEvent.click(screen.getByRole('button', { name: '打开菜单' }))
    const link = await screen.findByRole('link', { name: '受试者' })
    expect(link.getAttribute('href')).toContain(`/v/${draft.id}/patients`)
  })
})

describe('the banner', () => {
  test('of a paused project says that nothing can be done now', async () => {
    look('v/1/patients', { projectStatus: 'stop' })
    expect(await screen.findByText('当前项目已暂停，暂时无法操作!')).toBeTruthy()
  })
  test('of an ended one says that its data are locked', async () => {
    look('v/1/patients', { projectStatus: 'close' })
    expect(await screen.findByText('当前项目已结束，数据已锁定。')).toBeTruthy()
  })
  test('is not there while a project runs', async () => {
    look('v/1/patients')
    await screen.findByText('画面')
    expect(screen.queryByText(/当前项目已/)).toBeNull()
  })
})
