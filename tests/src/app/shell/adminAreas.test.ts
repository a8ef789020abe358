import { expect, test } from 'vitest'
import { defaultPermissions } from '#core/access/permissions.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import { adminAreas } from '#src/app/shell/adminAreas.ts'
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
