import { ok } from '#core/result.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import type { Neighbours } from '#src/data/shapes/listTypes.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

import { localPatients, scopesToRead } from './readPatients.ts'

/**
 * Who stands before and after a patient in the list. Only from what is on this device: the way to the next patient
 * waits for no network. Null where only the server has the whole list.
 */
export async function readNeighbours(
  context: DataContext,
  projectId: string,
  patientId: string,
): Reading<Neighbours | null> {
  const listed = await context.storage.run(async () => {
    const scopes = await scopesToRead(context, projectId)
    return scopes === null ? [] : localPatients(context, projectId, scopes)
  })
  if (!listed.ok) return listed
  const at = listed.value.findIndex(({ id }) => id === patientId)
  if (at < 0) return ok(null)
  return ok({
    previous: listed.value[at - 1] ?? null,
    next: listed.value[at + 1] ?? null,
    place: at + 1,
    total: listed.value.length,
  })
}
