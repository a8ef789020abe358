import '#tests/src/data/support/indexedDb.ts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLocation } from 'react-router-dom'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { defaultPermissions } from '#core/access/permissions.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import type { VersionSummary } from '#core/api/calls/version.ts'
import { newId } from '#core/ids.ts'
import { err, ok } from '#core/result.ts'
import type { CenterRow, MemberRow, ProjectRow } from '#core/api/sync/rows.ts'
import { TopBar } from '#src/frame/shell/TopBar.tsx'
import type { ProjectSearch } from '#src/data/shapes/listTypes.ts'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import type { Desk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

const as = (role: ProjectRole, facts: Partial<ProjectRow> = {}) =>
  projectRow({ role, permissions: [...defaultPermissions(role)], ...facts })
const NORTH: CenterRow = {
  id: newId(),
  centerName: '北院',
  centerCode: '01',
  status: 'active',
  groupSummary: null,
  planEnrolls: null,
  siteNo: null,
  numberTemplate: null,
}
const SOUTH: CenterRow = { ...NORTH, id: newId(), centerName: '南院', centerCode: '02', status: 'disabled' }

function version(versionNo: number, crfProfile: VersionSummary['crfProfile'], remark: string | null): VersionSummary {
  return {
    id: newId(),
    versionNo,
    versionNoDesc: `V${versionNo}.0`,
    crfProfile,
    crfProfileDesc: '',
    remark,
    createdAt: '2026-05-06T08:00:00.000Z',
  }
}
const RELEASE = version(1, 'formal', '首版')
const TESTED = version(2, 'test', '增加随访期量表')

function Address() {
  const { pathname, search } = useLocation()
  return <output data-testid="address">{`${pathname}${search}`}</output>
}
const address = () => decodeURIComponent(screen.getByTestId('address').textContent)

function look(
  project: ProjectRow | null,
  desk: Desk = {},
  { breakpoint = 3 as 0 | 1 | 2 | 3, at = '/p/1/v/v1/patients' } = {},
) {
  const toggleRef = { current: null }
  show(
    <AtDesk desk={desk}>
      <TopBar
        project={project}
        versionId={RELEASE.id}
        breakpoint={breakpoint}
        navOpened
        onToggleNav={() => undefined}
        toggleRef={toggleRef}
      />
      <Address />
    </AtDesk>,
    at,
  )
}

const open = async (name: RegExp | string) => {
  await userEvent.click(await screen.findByRole('button', { name }))
  return screen.findByRole('dialog')
}

describe('the project selector', () => {
  const many = Array.from({ length: 45 }, (_, at) =>
    projectRow({ id: newId(), projectName: `研究 ${at + 1}`, projectStatus: at === 0 ? 'stop' : 'process' }),
  )
  const desk = () => {
    const asked: ProjectSearch[] = []
    return {
      asked,
      desk: {
        projectChoice: async (search: ProjectSearch) => {
          asked.push(search)
          const found = many.filter(({ projectName }) => projectName.includes(search.name))
          return ok({ projects: found.slice(0, 20 * search.pages), total: found.length })
        },
      },
    }
  }

  test('loads nothing before it is opened, then the first twenty, and more on demand', async () => {
    const { asked, desk: at } = desk()
    look(as('PM'), at)
    await screen.findByRole('button', { name: /选择项目/ })
    expect(asked).toEqual([])
    const panel = await open(/选择项目/)
    expect(await within(panel).findAllByRole('listitem')).toHaveLength(20)
    expect(within(panel).getAllByRole('listitem')[0]?.textContent).toContain('暂停')
    await userEvent.click(within(panel).getByRole('button', { name: '加载更多' }))
    await vi.waitFor(() => expect(within(panel).getAllByRole('listitem')).toHaveLength(40))
    expect(asked).toEqual([
      { name: '', pages: 1 },
      { name: '', pages: 2 },
    ])
  })

  test('finds one by name, and loads it anew with nothing of the old one', async () => {
    look(as('PM'), desk().desk)
    const panel = await open(/选择项目/)
    await userEvent.type(within(panel).getByRole('textbox'), '44')
    await vi.waitFor(() => expect(within(panel).getAllByRole('listitem')).toHaveLength(1))
    await userEvent.click(within(panel).getByRole('button', { name: /研究 44/ }))
    expect(address()).toBe(`/302?redirect=/p/${many[43]?.id}`)
  })
})

describe('the versions', () => {
  const desk: Desk = { versions: async () => ok([TESTED, RELEASE]) }

  test('say their stage, and of a test what it was made for; a release needs no such word', async () => {
    look(as('CRC'), desk)
    const panel = await open('V1.0 正式版')
    const [tested, release] = await within(panel).findAllByRole('listitem')
    expect(tested?.textContent).toContain('测试版')
    expect(tested?.textContent).toContain('增加随访期量表')
    expect(
      within(panel)
        .getAllByRole('button', { name: /^审核/ })
        .map(({ textContent }) => textContent),
    ).toEqual(['审核 V2.0'])
    expect(release?.textContent).not.toContain('首版')
    expect(within(panel).queryByRole('button', { name: '新建草稿' })).toBeNull()
    await userEvent.click(within(panel).getByRole('button', { name: /^V2.0/ }))
    expect(address()).toBe(`/302?redirect=/p/${projectRow().id}/v/${TESTED.id}/patients`)
  })

  test('are begun anew by those who may, while none is in work', async () => {
    look(as('DBD'), { versions: async () => ok([RELEASE]) })
    expect(
      within(await open('V1.0 正式版'))
        .getByRole('button', { name: '新建草稿' })
        .getAttribute('aria-disabled'),
    ).toBeNull()
  })

  test('are not begun beside a draft, and it is said why', async () => {
    look(as('DBD'), { versions: async () => ok([version(3, 'draft', '修订'), RELEASE]) })
    const make = within(await open('V1.0 正式版')).getByRole('button', { name: /新建草稿/ })
    expect(make.getAttribute('aria-disabled')).toBe('true')
    expect(make.textContent).toContain('已有草稿版')
    await userEvent.click(make)
    expect(screen.queryByText('新建草稿版')).toBeNull()
  })

  test('are not begun beside a test, which the server would refuse', async () => {
    look(as('DBD'), desk)
    const make = within(await open('V1.0 正式版')).getByRole('button', { name: /新建草稿/ })
    expect([make.getAttribute('aria-disabled'), make.textContent?.includes('已有测试版')]).toEqual(['true', true])
  })
})

test('the centers are counted, and choosing one narrows the list of patients down to it', async () => {
  look(as('CRA'), { centers: [NORTH, SOUTH] })
  const panel = await open('中心（2）')
  expect((await within(panel).findByRole('button', { name: /南院/ })).textContent).toContain('已停用')
  await userEvent.click(within(panel).getByRole('button', { name: /北院/ }))
  expect(address()).toBe(`/p/1/v/v1/patients?center=${NORTH.id}`)
  expect(await screen.findByRole('button', { name: '北院' })).toBeTruthy()
})

describe('the members', () => {
  const member = (realName: string, userRole: ProjectRole, facts: Partial<MemberRow> = {}): MemberRow => ({
    id: newId(),
    userId: newId(),
    realName,
    userRole,
    userRoleName: '',
    status: 'active',
    lastLoginTime: null,
    ...facts,
  })
  const desk: Desk = {
    members: [
      member('林协调', 'CRC', { lastLoginTime: new Date(Date.now() - 3 * 3_600_000).toISOString() }),
      member('郑监查', 'CRA', { status: 'pause' }),
    ],
  }

  test('have their role in its colour, a mark when they are stopped, and when they were last here', async () => {
    look(as('CRC'), desk)
    const [crc, cra] = await within(await open('成员')).findAllByRole('listitem')
    expect(crc?.textContent).toContain('3小时前登录')
    expect(within(crc as HTMLElement).getByText('临床研究协调员（CRC）').dataset.tone).toBe('success')
    expect(crc?.textContent).not.toContain('已停用')
    expect(cra?.textContent).toContain('从未登录')
    expect(cra?.textContent).toContain('已停用')
    expect(within(cra as HTMLElement).getByText('监查员').dataset.tone).toBe('warning')
    expect(screen.queryByRole('button', { name: '管理团队' })).toBeNull()
  })

  test('are managed by those who hold the code', async () => {
    look(as('PM'), desk)
    await userEvent.click(within(await open('成员')).getByRole('button', { name: '管理团队' }))
    expect(address()).toBe(`/p/${projectRow().id}/admin/mem`)
  })
})

describe('the more menu', () => {
  const actions = (panel: HTMLElement) =>
    within(panel)
      .getAllByRole('button')
      .map(({ textContent }) => textContent)

  test.each<[ProjectRole, readonly string[]]>([
    ['ADMIN', ['项目信息', '功能配置', '版本记录', '暂停项目', '结束项目', '删除项目']],
    ['PM', ['项目信息', '功能配置', '版本记录', '暂停项目', '结束项目']],
    ['DBD', ['版本记录']],
  ])('of %s holds what their codes allow', async (role, expected) => {
    look(as(role))
    expect(actions(await open('更多'))).toEqual(expected)
  })

  test('says the status to everybody, and has no way out of one that is final', async () => {
    look(as('PM', { projectStatus: 'close' }))
    const panel = await open('更多')
    expect(within(panel).getByText('当前状态：结束')).toBeTruthy()
    expect(actions(panel)).toEqual(['项目信息', '功能配置', '版本记录'])
  })

  test('takes in what a narrow bar has no room for', async () => {
    look(as('CRC'), { centers: [NORTH, SOUTH] }, { breakpoint: 1 })
    expect(screen.queryByRole('button', { name: /^中心/ })).toBeNull()
    const panel = await open('更多')
    expect(actions(panel)).toEqual(['表单版本', '中心（2）', '成员'])
    await userEvent.click(within(panel).getByRole('button', { name: '中心（2）' }))
    expect(await screen.findByRole('button', { name: /南院/ })).toBeTruthy()
  })

  test('without the network keeps what needs the server in its place, and says why it cannot be used', async () => {
    look(as('ADMIN'), { session: { reachable: false } })
    const panel = await open('更多')
    for (const name of [/功能配置/, /版本记录/, /暂停项目/, /删除项目/]) {
      const action = within(panel).getByRole('button', { name })
      expect(action.getAttribute('aria-disabled')).toBe('true')
      expect(action.textContent).toContain('当前离线，联网后可用')
    }
    expect(within(panel).getByRole('button', { name: '项目信息' }).getAttribute('aria-disabled')).toBeNull()
  })

  test('deletes a project after a question, and says why the server refuses', async () => {
    const call = vi.fn(async () => err({ code: 'transition_refused' as const }))
    look(as('ADMIN'), { session: { call: call as unknown as Session['call'] } })
    await userEvent.click(within(await open('更多')).getByRole('button', { name: '删除项目' }))
    expect(await screen.findByText('确定要删除本项目?')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '删除' }))
    expect((await screen.findByRole('alert')).textContent).toContain('当前状态下不能执行此操作')
    expect(call).toHaveBeenCalledWith('project.remove', {
      query: { projectIds: projectRow().id },
      projectId: projectRow().id,
    })
  })
})
