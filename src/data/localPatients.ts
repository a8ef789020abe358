import type { PatientRow } from '#core/sync/rows.ts'
import type { CacheRow } from '#offline/db/rows.ts'
import { cacheId, isOwnView, openRow } from '#offline/sync/cache.ts'
import type { KeyRing } from '#offline/vault/codec.ts'

import type { DataContext } from './context.ts'
import { readInParts } from './local.ts'

/**
 * All patients of a scope. Lists of thousands are read anew with every change of one of them: each is decrypted once as long as its row is
 * the same. What is remembered goes with the keys that opened it.
 */

/** A patient's row is small: more of them are read at once than pages. */
const AT_ONCE = 400

interface Known {
  readonly seq: number
  readonly bytes: number
  /** Shared by all who read at the same time. */
  readonly patient: Promise<PatientRow | null>
}

const remembered = new WeakMap<KeyRing, Map<string, Known>>()

export async function localPatientRows(context: DataContext, scope: string): Promise<readonly PatientRow[]> {
  const ring = context.ring()
  const known = remembered.get(ring) ?? new Map<string, Known>()
  remembered.set(ring, known)
  const patients: PatientRow[] = []
  await readInParts(context, scope, 'patient', async (batch) => {
    const own = batch.filter((row) => isOwnView(ring, context.user.userId, row))
    const opened = await Promise.all(own.map((row) => patientOf(ring, known, row)))
    patients.push(...opened.filter((patient) => patient !== null))
  }, AT_ONCE)
  return patients
}

function patientOf(ring: KeyRing, known: Map<string, Known>, cached: CacheRow): Promise<PatientRow | null> {
  const key = `${cached.scope} ${cached.id}`
  const before = known.get(key)
  const bytes = cached.row.data.byteLength
  if (before?.seq === cached.seq && before.bytes === bytes) return before.patient
  const patient = openRow(ring, 'patient', cached)
  known.set(key, { seq: cached.seq, bytes, patient })
  // What could not be opened is tried again the next time.
  patient.catch(() => known.delete(key))
  return patient
}

/** Some patients of a scope, by id; those that are not here, or not this user's to see, are left out. */
export async function somePatientRows(context: DataContext, scope: string, ids: readonly string[]): Promise<readonly PatientRow[]> {
  const ring = context.ring()
  const known = remembered.get(ring) ?? new Map<string, Known>()
  remembered.set(ring, known)
  const keys = ids.map((id): [string, string, string] => [scope, 'patient', cacheId(ring, context.user.userId, scope, 'patient', id)])
  const rows = (await context.storage.cache.rows.bulkGet(keys)).filter((row) => row !== undefined)
  const own = rows.filter((row) => isOwnView(ring, context.user.userId, row))
  const opened = await Promise.all(own.map((row) => patientOf(ring, known, row)))
  return opened.filter((patient) => patient !== null)
}
