import { describe, expect, it } from 'vitest'
import type { PermissionCode } from '#core/access/permissions.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'
import { requireRightsTo } from '#server/areas/version/design/designRights.ts'

/**
 * Who may change rules and who the rest of a form. No role that is delivered has one of the two alone; a project's own
 * roles may.
 */

const folders = (column: readonly object[]): FolderRow[] => [
  {
    id: 'f',
    folderName: '筛选',
    folderCode: 'V1',
    sort: 1,
    pages: [
      { id: 'p', pageName: '体征', pageCode: 'vitals', repeatable: false, sort: 1, option: JSON.stringify({ column }) },
    ],
  },
]
const pulse = { prop: 'pulse', label: '脉搏', type: 'number' }
const before = folders([pulse])
const ruled = folders([{ ...pulse, zl: { show: 'true' } }])
const named = folders([{ ...pulse, label: '心率' }])
const both = folders([{ ...pulse, label: '心率', zl: { show: 'true' } }])

function refused(after: FolderRow[], ...codes: PermissionCode[]): boolean {
  try {
    requireRightsTo({ permissions: new Set(codes) }, before, after)
    return false
  } catch {
    return true
  }
}

describe('a change of a design', () => {
  it('of rules asks for rule_edit, of anything else for design_edit, of both for both', () => {
    expect([refused(ruled, 'rule_edit'), refused(named, 'rule_edit'), refused(both, 'rule_edit')]).toEqual([
      false,
      true,
      true,
    ])
    expect([refused(ruled, 'design_edit'), refused(named, 'design_edit'), refused(both, 'design_edit')]).toEqual([
      true,
      false,
      true,
    ])
    expect([refused(ruled, 'design_edit', 'rule_edit'), refused(both, 'design_edit', 'rule_edit')]).toEqual([
      false,
      false,
    ])
    expect(refused(ruled)).toBe(true)
    expect(refused(before)).toBe(false)
  })
})
