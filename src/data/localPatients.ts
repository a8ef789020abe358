import type { PatientRow } from '#core/sync/rows.ts'
import type { CacheRow } from '#offline/db/rows.ts'
import { openRow } from '#offline/sync/cache.ts'
import { isOwnView } from '#offline/sync/cache.ts'
import type { KeyRing } from '#offline/vault/codec.ts'

import type { DataContext } from './context.ts'
import { readInParts } from './local.ts'

/**
 * All patients of a scope. Lists of thousands are read anew with every change of one of them: each is decrypted once as long as its row is
 * the same. What is remembered goes with the keys that opened it.
 */

interface Known {
  readonly seq: number
  readonly bytes: number
  readonly patient: PatientRow
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
  })
  return patients
}

async function patientOf(ring: KeyRing, known: Map<string, Known>, cached: CacheRow): Promise<PatientRow | null> {
  const key = `${cached.scope} ${cached.id}`
  const before = known.get(key)
  const bytes = cached.row.data.byteLength
  if (before?.seq === cached.seq && before.bytes === bytes) return before.patient
  const patient = await openRow(ring, 'patient', cached)
  if (patient !== null) known.set(key, { seq: cached.seq, bytes, patient })
  return patient
}
