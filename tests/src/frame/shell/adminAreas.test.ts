import { expect, test } from 'vitest'
import { defaultPermissions } from '#core/access/permissions.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import { adminAreas, mayEnterArea } from '#src/frame/shell/adminAreas.ts'
import { projectRow } from '#tests/src/support/rows.ts'

test.each<[ProjectRole, readonly string[]]>([
  ['ADMIN', ['projectInfo', 'projectConf', 'mem', 'site', 'crfHistory']],
  ['PM', ['projectInfo', 'projectConf', 'mem', 'site', 'crfHistory']],
  ['DBD', ['crfHistory']],
  ['CRC', []],
  ['CRA', []],
])('%s is shown the parts of the administration that the role can use', (role, areas) => {
  expect(adminAreas(projectRow({ role, permissions: [...defaultPermissions(role)] }))).toEqual(areas)
})

test('who may switch the status of a project but not change it is not shown its settings, and may not go there', () => {
  const switching = projectRow({ permissions: ['project_toggle_status'] })
  expect(adminAreas(switching)).toEqual(['projectInfo'])
  expect(mayEnterArea(switching, 'projectConf')).toBe(false)
})

test('a coordinator who tests versions may go where they are reviewed, and nowhere else in the administration; a monitor may not', () => {
  const [coordinator, monitor] = (['CRC', 'CRA'] as const).map((role) =>
    projectRow({ role, permissions: [...defaultPermissions(role)] }),
  )
  if (coordinator === undefined || monitor === undefined) throw new Error('nobody is there')
  expect(['crfHistory', 'mem', 'projectInfo'].map((area) => mayEnterArea(coordinator, area))).toEqual([
    true,
    false,
    false,
  ])
  expect(mayEnterArea(monitor, 'crfHistory')).toBe(false)
})
