import { expect, it } from 'vitest'
import { defaultPermissions, projectRoles } from '#core/access/permissions.ts'

/** What roles may do, as far as parts of the server rely on it. */

it('who may enter a page sees what identifies its patient: a mask is never saved as a value by who was shown no more', () => {
  const enters = projectRoles.filter((role) => defaultPermissions(role).includes('database_submit_page'))
  expect(enters).toEqual(['PI', 'CRC'])
  for (const role of enters) expect(defaultPermissions(role)).toContain('patient_sensitive')
})
