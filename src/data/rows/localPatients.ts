import type { PatientRow } from '#core/api/sync/rows.ts'
import { patientsOfScope, writeDirectory } from '#offline/sync/pull/directory.ts'

import type { DataContext } from './context.ts'

/** Decrypted patients of kept scopes. */

/** How long after a list was read its directory is written for the next time: not while somebody waits for the list. */
const WRITE_AFTER_MS = 3000

const writing = new WeakMap<DataContext, Set<string>>()

/** All patients of a scope that the user may see. */
export async function localPatientRows(context: DataContext, scope: string): Promise<readonly PatientRow[]> {
  const reader = { storage: context.storage, ring: context.ring(), userId: context.user.userId }
  const patients = await patientsOfScope(reader, scope)
  const soon = writing.get(context) ?? new Set<string>()
  writing.set(context, soon)
  if (!soon.has(scope)) {
    soon.add(scope)
    setTimeout(() => {
      soon.delete(scope)
      void writeDirectory(reader, scope)
    }, WRITE_AFTER_MS)
  }
  return patients
}
