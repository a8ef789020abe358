import '#tests/src/data/support/indexedDb.ts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import { defaultPermissions } from '#core/access/permissions.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { Navigation } from '#src/frame/shell/Navigation.tsx'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import type { Desk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

const as = (role: ProjectRole, facts: Partial<ProjectRow> = {}) =>
  projectRow({ role, permissions: [...defaultPermissions(role)], ...facts })

function look(
  project: ProjectRow | null,
  {
    versionId = 'v1',
    collapsed = false,
    desk = {},
    address = '/',
  }: { versionId?: string | null; collapsed?: boolean; desk?: Desk; address?: string } = {},
) {
  show(
    <AtDesk desk={desk}>
      <Navigation project={project} versionId={versionId} collapsed={collapsed} onChosen={() => undefined} />
    </AtDesk>,
    address,
  )
}

const links = () => within(screen.getByRole('navigation')).getAllByRole('link')
const names = () => links().map((link) => link.textContent)

test.each<[ProjectRole, readonly string[]]>([
  ['CRC', ['首页', '项目', '我的工作', '受试者', '访视', '质疑', '数据库', '表格检索', '报表', '本机数据', '待处理']],
  [
    'DBD',
    [
      '首页',
      '项目',
      '我的工作',
      '受试者',
      '访视',
      '质疑',
      '核查',
      '数据库',
      '表格检索',
      '报表',
      '统计分析',
      '数据导出',
      '表单设计',
      '规则',
      '试填',
      '收件箱',
      '项目字典',
      '设备',
      '表单版本',
      '本机数据',
      '待处理',
    ],
  ],
  [
    'PM',
    [
      '首页',
      '项目',
      '我的工作',
      '受试者',
      '访视',
      '核查',
      '数据库',
      '表格检索',
      '报表',
      '项目字典',
      '设备',
      '项目信息',
      '项目设置',
      '项目团队',
      '研究中心',
      '表单版本',
      '本机数据',
      '待处理',
    ],
  ],
])('%s finds in the menu what they may enter', (role, entries) => {
  look(as(role))
  expect(names()).toEqual(entries)
})

test('few entries need no search', () => {
  look(null)
  expect(names()).toEqual(['首页', '项目', '本机数据', '待处理'])
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('the search leaves the entries whose names begin so, and says when there are none', async () => {
  look(as('PM'))
  const search = screen.getByRole('textbox', { name: '查找菜单' })
  await userEvent.type(search, '项目')
  expect(names()).toEqual(['项目', '项目字典', '项目信息', '项目设置', '项目团队'])
  await userEvent.clear(search)
  await userEvent.type(search, '团队')
  expect(within(screen.getByRole('navigation')).queryAllByRole('link')).toEqual([])
  expect(screen.getByText('没有匹配的菜单')).toBeTruthy()
})

test('a project that is being set up has its administration and the way to begin', () => {
  look(as('ADMIN', { projectStatus: 'start' }))
  expect(names()).toContain('开始研究')
  expect(names()).not.toContain('受试者')
})

test('a menu that is empty says so', () => {
  look(as('CRC'), { versionId: null })
  expect(screen.getByText('暂无可用菜单')).toBeTruthy()
})

test('an external function opens in a new tab that knows nothing of this one', () => {
  look(as('CRC', { functions: ['patients', 'href分析平台@https://stat.example.org/'] }))
  const link = screen.getByRole('link', { name: '分析平台（在新标签页打开）' })
  expect([link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
    'https://stat.example.org/',
    '_blank',
    'noopener noreferrer',
  ])
})

test('narrowed down to icons, entries keep their names and counts', async () => {
  look(as('CRC'), { collapsed: true, desk: { sync: { unsent: 120 } } })
  expect(await screen.findByRole('link', { name: '本机数据 99+' })).toBeTruthy()
  expect(screen.getByRole('link', { name: '受试者' }).textContent).toBe('')
})

test('the center that is chosen goes along from list to list', () => {
  const center = '0190a000-0000-7000-8000-00000000000c'
  look(as('CRC'), { address: `/p/1/v/v1/patients?center=${center}` })
  expect(screen.getByRole('link', { name: '我的工作' }).getAttribute('href')).toContain(`?center=${center}`)
  expect(screen.getByRole('link', { name: '本机数据' }).getAttribute('href')).toBe('/device')
})
