import * as z from 'zod/mini'
import { patientRow } from '#core/api/sync/rows.ts'
import type { JsonValue } from '#core/json.ts'
import type { Databases } from '#offline/db/databases.ts'
import type { OutboxRow, ReceiptRow, Sealed } from '#offline/db/rows.ts'
import { cacheId, openRow } from '#offline/sync/cache.ts'
import { seal, unseal } from '#offline/vault/codec.ts'
import type { KeyRing, SealPlace } from '#offline/vault/codec.ts'

/**
 * The subject number that the server gave to a patient who was enrolled without one. It was shown and perhaps written
 * on paper. A server that was restored from a backup has forgotten the number and must be told it again.
 */

type Enrolment = Pick<OutboxRow, 'key' | 'scope' | 'given'>

const enrolled = z.object({ patient: z.nullable(patientRow) })

/** The number in the answer to an enrolment, sealed; what was known before, where the answer names none. */
export async function sealGiven(ring: KeyRing, row: OutboxRow, result: JsonValue): Promise<Sealed | null> {
  const before = row.given ?? null
  if (row.call !== 'patient.save') return before
  const answer = enrolled.safeParse(result)
  const no = answer.success ? (answer.data.patient?.no ?? null) : null
  return no === null ? before : sealNumber(ring, row, no)
}

/**
 * The number of an enrolment that is offered again: from its answer, or from the patient's row on this device, because
 * a carrier does not get the answer.
 */
export async function givenOf(
  { cache }: Databases,
  ring: KeyRing,
  userId: string,
  row: ReceiptRow,
): Promise<Sealed | null> {
  if (row.call !== 'patient.save' || (row.given ?? null) !== null) return row.given ?? null
  const cached = await cache.rows.get([
    row.scope,
    'patient',
    cacheId(ring, userId, row.scope, 'patient', row.patientId),
  ])
  const patient = cached === undefined ? null : await openRow(ring, 'patient', cached)
  const no = patient?.no ?? null
  return no === null ? null : sealNumber(ring, row, no)
}

/** The number in the clear; null where there is none, or its keys are somebody else's. */
export function givenNumber(ring: KeyRing, row: Enrolment): Promise<string | null> {
  if (row.given === undefined || row.given === null) return Promise.resolve(null)
  return unseal(ring, numberSealPlace(row), row.given)
}

function sealNumber(ring: KeyRing, row: Enrolment, no: string): Promise<Sealed> {
  return seal(ring, numberSealPlace(row), 'data', no)
}

function numberSealPlace({ scope, key }: Enrolment): SealPlace<'given'> {
  return { scope, kind: 'given', id: key }
}
