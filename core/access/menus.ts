import type { Language } from '../language.ts'
import type { JsonValue } from '../json.ts'
import type { PermissionCode } from './permissions.ts'

/**
 * Global buttons (specification §6): loaded at sign-in into a map of code to true. Leaf nodes carry no `children`:
 * clients of the BladeX family lose a leaf that has an empty list.
 */
export interface ButtonNode {
  readonly id: string
  readonly parentId: string
  readonly code: string
  readonly name: string
  /** 1 menu, 2 button. */
  readonly category: number
  readonly children?: JsonValue[]
}

const administration: readonly { readonly code: string; readonly name: string }[] = [
  { code: 'project_add', name: '创建项目' },
  { code: 'user_add', name: '新增用户' },
]

/** Menus that own buttons, with the buttons that the user may press. */
export function globalButtons(isAdmin: boolean): ButtonNode[] {
  if (!isAdmin) return []
  const children = administration.map(({ code, name }) => ({ id: code, parentId: 'platform', code, name, category: 2 }))
  return [{ id: 'platform', parentId: '0', code: 'platform', name: '平台管理', category: 1, children }]
}

/**
 * Entries of the auth list that lead to a project's administration. They are menus of the list, and the menu of
 * functions leaves them out (specification §6).
 */
export const administrationEntries = [
  {
    code: 'project',
    name: { zh: '项目信息', en: 'Project information' },
    opens: ['project_edit', 'project_toggle_status'],
  },
  { code: 'mem', name: { zh: '项目团队', en: 'Team' }, opens: ['mem'] },
  { code: 'center', name: { zh: '研究中心', en: 'Centers' }, opens: ['mem'] },
] as const satisfies readonly {
  readonly code: string
  readonly name: Readonly<Record<Language, string>>
  readonly opens: readonly PermissionCode[]
}[]

/** Specification §6: menus that are never shown, by their name. */
export const hiddenMenus: ReadonlySet<string> = new Set([
  '项目列表',
  '创建项目',
  'Delphi',
  'COS',
  'COS列表',
  '产品列表',
])

/** Specification §2: names that routes have. */
export const routeNames = { projects: '项目列表', cos: 'COS列表', members: 'projectMem', casebook: '问卷' } as const
