import { expect, test } from 'vitest'
import { defaultPermissions } from '#core/access/permissions.ts'
import { reviewAreas } from '#src/app/shell/reviewAreas.ts'
import { projectRow } from '#tests/src/support/rows.ts'

test('the menu offers the inbox to who reviews data and the devices to who looks after them', () => {
  const of = (role: 'DBD' | 'PM' | 'CRC' | 'CRA') => reviewAreas(projectRow({ role, permissions: [...defaultPermissions(role)] }))
  expect(of('DBD')).toEqual(['inbox', 'devices'])
  expect(of('PM')).toEqual(['devices'])
  expect(of('CRC')).toEqual([])
  expect(of('CRA')).toEqual([])
})
