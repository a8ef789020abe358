import type { PatientRow } from '#core/sync/rows.ts'
import { cacheId, isOwnView, openRow } from '#offline/sync/cache.ts'
import { patientsOfScope, writeDirectory } from '#offline/sync/directory.ts'

import type { DataContext } from './context.ts'

/** Patients of kept scopes in the clear. */

/** How long after a list was read its directory is written, for the next time: not while somebody waits for the list. */
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

/** Some patients of a scope, by id; those that are not here, or not this user's to see, are left out. */
export async function somePatientRows(context: DataContext, scope: string, ids: readonly string[]): Promise<readonly PatientRow[]> {
  const ring = context.ring()
  const keys = ids.map((id): [string, string, string] => [scope, 'patient', cacheId(ring, context.user.userId, scope, 'patient', id)])
  const rows = (await context.storage.cache.rows.bulkGet(keys)).filter((row) => row !== undefined)
  const own = rows.filter((row) => isOwnView(ring, context.user.userId, row))
  const opened = await Promise.all(own.map((row) => openRow(ring, 'patient', row)))
  return opened.filter((patient) => patient !== null)
}
