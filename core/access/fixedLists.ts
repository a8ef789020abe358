import type { ProjectRole } from './permissions.ts'

/**
 * Lists that the product itself knows (specification §3, §6). Their words are Chinese on the wire, as the BladeX
 * family has them.
 */

export interface FixedListItem {
  readonly key: string
  readonly value: string
}

const roleNames: Readonly<Record<ProjectRole, string>> = {
  ADMIN: '管理员',
  PI: '主要研究者',
  PM: '项目经理',
  CRA: '监查员',
  CRC: '临床研究协调员（CRC）',
  DBD: '数据管理员',
}

/** What a project role is called (`userRoleName`). */
export function roleName(role: ProjectRole): string {
  return roleNames[role]
}

const fixedLists: ReadonlyMap<string, readonly FixedListItem[]> = new Map([
  ['ProjectMemRoleEnum', Object.entries(roleNames).map(([key, value]) => ({ key, value }))],
  [
    'ProjectMemTypeEnum',
    [
      { key: 'center', value: '中心成员' },
      { key: 'project', value: '项目成员' },
      { key: 'expert', value: '专家' },
    ],
  ],
  [
    'ProjectMemDataScopeEnum',
    [
      { key: 'all', value: '全部数据' },
      { key: 'center', value: '所在中心数据' },
      { key: 'self', value: '本人数据' },
    ],
  ],
  [
    'ProjectMemStatusEnum',
    [
      { key: 'active', value: '启用' },
      { key: 'pause', value: '停用' },
    ],
  ],
  [
    'NoticeMessageTypeEnum',
    [
      { key: 'note', value: '短信' },
      { key: 'email', value: '邮件' },
    ],
  ],
])

/** Items of a list in their order; empty for a code that is none. */
export function fixedList(code: string): readonly FixedListItem[] {
  return fixedLists.get(code) ?? []
}
