import { expect, test } from 'vitest'
import { defaultPermissions } from '#core/access/permissions.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import { adminAreas, mayEnterArea } from '#src/app/shell/adminAreas.ts'
import { projectRow } from '#tests/src/support/rows.ts'

test.each<[ProjectRole, readonly string[]]>([
  ['ADMIN', ['projectInfo', 'mem', 'site', 'crfHistory']],
  ['PM', ['projectInfo', 'mem', 'site', 'crfHistory']],
  ['DBD', ['crfHistory']],
  ['CRC', []],
  ['CRA', []],
])('%s is shown the parts of the administration that the role can use', (role, areas) => {
  expect(adminAreas(projectRow({ role, permissions: [...defaultPermissions(role)] }))).toEqual(areas)
})

test('a coordinator who tests versions may go where they are reviewed, and nowhere else in the administration; a monitor may not', () => {
  const [coordinator, monitor] = (['CRC', 'CRA'] as const).map((role) => projectRow({ role, permissions: [...defaultPermissions(role)] }))
  if (coordinator === undefined || monitor === undefined) throw new Error('nobody is there')
  expect(['crfHistory', 'mem', 'projectInfo'].map((area) => mayEnterArea(coordinator, area))).toEqual([true, false, false])
  expect(mayEnterArea(monitor, 'crfHistory')).toBe(false)
})
