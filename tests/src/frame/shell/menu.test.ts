import { describe, expect, test } from 'vitest'
import { defaultPermissions } from '#core/access/permissions.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { hasMenu, mayEnter, menuOf, startingWith } from '#src/frame/shell/menu.ts'
import { projectRow } from '#tests/src/support/rows.ts'

const as = (role: ProjectRole, facts: Partial<ProjectRow> = {}) =>
  projectRow({ role, permissions: [...defaultPermissions(role)], ...facts })
const names = (project: ProjectRow, language: 'zh' | 'en' = 'zh') => menuOf(project, language).map(({ name }) => name)

describe('the menu of a project', () => {
  test('lists the functions that it uses, in the language of the reader', () => {
    expect(names(as('DBD', { functions: ['workspace', 'patients', 'inbox', 'devices'] }))).toEqual([
      '我的工作',
      '受试者',
      '收件箱',
      '设备',
    ])
    expect(names(as('DBD', { functions: ['patients', 'devices'] }), 'en')).toEqual(['Subjects', 'Devices'])
  })

  test('follows from the codes alone where an older server does not tell the functions', () => {
    expect(names(as('CRC'))).toEqual(['我的工作', '受试者', '访视', '质疑', '数据库', '表格检索', '报表'])
    expect(names(as('PM'))).toEqual([
      '我的工作',
      '受试者',
      '访视',
      '核查',
      '数据库',
      '表格检索',
      '报表',
      '项目字典',
      '设备',
    ])
  })

  test('leaves out what this app has no screen for, and menus that are never shown', () => {
    expect(names(as('DBD', { functions: ['patients', 'encode'] }))).toEqual(['受试者'])
    expect(names(as('DBD', { functions: ['hrefCOS@https://cos.example.org/', 'patients'] }))).toEqual(['受试者'])
  })

  test('leads out of the app by what stands behind the @, and only over the web', () => {
    expect(menuOf(as('DBD', { functions: ['href数据分析@https://stat.example.org/a?b=1'] }), 'zh')).toMatchObject([
      { kind: 'link', name: '数据分析', href: 'https://stat.example.org/a?b=1' },
    ])
    expect(names(as('DBD', { functions: ['href@https://stat.example.org/'] }))).toEqual(['stat.example.org'])
    expect(names(as('DBD', { functions: ['href坏@javascript:alert(1)', 'href坏@ftp://x/', 'href坏'] }))).toEqual([])
  })

  test('is searched by how names begin', () => {
    const entries = [{ name: '受试者' }, { name: '收件箱' }, { name: 'Devices' }]
    expect(startingWith(entries, ' 受').map(({ name }) => name)).toEqual(['受试者'])
    expect(startingWith(entries, 'dev').map(({ name }) => name)).toEqual(['Devices'])
    expect(startingWith(entries, '试')).toEqual([])
  })
})

describe('who may go where in a project', () => {
  const at = (project: ProjectRow, path: string) => mayEnter(project, `/p/${project.id}/${path}`)

  test('a coordinator goes to patients, and neither to the inbox, the devices nor the administration', () => {
    const project = as('CRC')
    expect([at(project, ''), at(project, 'v/1/patients'), at(project, 'v/1/workspace')]).toEqual([true, true, true])
    expect([at(project, 'inbox'), at(project, 'devices'), at(project, 'admin/mem')]).toEqual([false, false, false])
  })

  test('a function that the project does not use is closed to those who hold its code', () => {
    expect(at(as('PM'), 'devices')).toBe(true)
    expect(at(as('PM', { functions: ['workspace', 'patients'] }), 'devices')).toBe(false)
  })

  test('a data manager goes to the versions of the forms and not to the team', () => {
    expect([at(as('DBD'), 'admin/crfHistory'), at(as('DBD'), 'admin/mem')]).toEqual([true, false])
  })

  test('there is no menu where a project has neither a function nor an area for the user', () => {
    expect(hasMenu(as('CRC', { functions: [] }))).toBe(false)
    expect(hasMenu(as('PM', { functions: [] }))).toBe(true)
    expect(hasMenu(as('CRC'))).toBe(true)
  })
})
